"""Servers as they are published, as real processes: what they list can be locked, and what they answer can be used."""

import subprocess

import pytest

from tests.servers.published import everything_over_http, of_node, of_older_python, of_python
from tests.sources.calling import called, with_source
from wfc.backends.sources import McpServer, ToolShape
from wfc.frontend import schema_fault
from wfc.ir import Completed, Failed
from wfc.project import Lock, LockedSource, lock_of, lock_text
from wfc.records import replace

HANDSHAKE, MODERN = "2025-11-25", "2026-07-28"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "notes.txt").write_text("one\ntwo\n")
    return tmp_path


@pytest.fixture
def repository(folder):
    for command in (
        ["init", "-q"],
        ["add", "."],
        ["-c", "user.name=A", "-c", "user.email=a@b.c", "commit", "-qm", "First"],
    ):
        subprocess.run(["git", *command], cwd=folder, check=True)
    return folder


def outputs(server, *calls):
    """What calls give, one after the other in one session; a failed one is told as its code."""
    return [answer.result.output if isinstance(answer, Completed) else answer.code for answer in called(server, *calls)]


def introduced(server):
    async def use(source):
        return source.introduction.protocol, {key: source.listing(key) for key in source.listed}

    return with_source(server, use)


def locked(server):
    """The server with everything locked that it lists, by way of the text of a lock. Every schema can be used."""
    protocol, listings = introduced(server)
    for listing in listings.values():
        assert schema_fault(listing.input_schema) is None
        assert listing.output_schema is None or schema_fault(listing.output_schema) is None
    lock = Lock({server.name: LockedSource("mcp", tuple(listings), listings)})
    text = lock_text(lock)
    read = lock_of(text.encode(), "wfc.lock.json").sources[server.name]
    assert lock_text(Lock({server.name: read})) == text
    assert {key: one.hash for key, one in read.capabilities.items()} == read.hashes
    return protocol, replace(server, locked=read.capabilities)


def test_filesystem(folder):
    protocol, server = locked(of_node("filesystem", str(folder)))
    assert protocol == HANDSHAKE
    assert outputs(
        server,
        ("read_text_file", {"path": f"{folder}/notes.txt", "head": 1}),
        ("write_file", {"path": f"{folder}/new.txt", "content": "three"}),
        ("read_text_file", {"path": "/etc/passwd"}),
        ("read_text_file", {"path": f"{folder}/nothing.txt"}),
    ) == [{"content": "one"}, {"content": f"Successfully wrote to {folder}/new.txt"}, "node_failed", "node_failed"]
    assert (folder / "new.txt").read_text() == "three"


def test_a_value_is_never_more_than_data(folder):
    """What looks like a reference, a template or a command in an argument is written as it is."""
    server = of_node("filesystem", str(folder))
    strange = "${HOME} {{state.x}} $(touch evil) `touch evil` {0.__class__} \u2028"
    answers = called(
        server,
        ("write_file", {"path": f"{folder}/strange.txt", "content": strange}),
        ("read_text_file", {"path": f"{folder}/strange.txt"}),
    )
    assert [type(answer) for answer in answers] == [Completed, Completed]
    assert answers[1].result.output == {"content": strange}
    assert not (folder / "evil").exists()


def test_memory(folder):
    server = of_node("memory", env={"MEMORY_FILE_PATH": str(folder / "memory.json")})
    protocol, server = locked(server)
    assert protocol == HANDSHAKE
    entity = {"name": "Ada", "entityType": "person", "observations": ["writes programs"]}
    first, graph, gone, empty = outputs(
        server,
        ("create_entities", {"entities": [entity]}),
        ("read_graph", {}),
        ("delete_entities", {"entityNames": ["Ada"]}),
        ("read_graph", {}),
    )
    assert first == {"entities": [entity]}
    assert graph == {"entities": [entity], "relations": []}
    assert gone["success"] is True
    assert empty == {"entities": [], "relations": []}


def test_sequential_thinking():
    protocol, server = locked(of_node("sequential-thinking"))
    assert protocol == HANDSHAKE
    thought = {"thought": "first", "nextThoughtNeeded": True, "thoughtNumber": 1, "totalThoughts": 2}
    (made,) = outputs(server, ("sequentialthinking", thought))
    assert {key: made[key] for key in ("thoughtNumber", "totalThoughts", "nextThoughtNeeded")} == {
        "thoughtNumber": 1,
        "totalThoughts": 2,
        "nextThoughtNeeded": True,
    }


def test_time():
    protocol, server = locked(of_python("time"))
    assert protocol == MODERN
    question = {"source_timezone": "Asia/Tokyo", "time": "12:00", "target_timezone": "Asia/Kolkata"}
    converted, wrong = outputs(server, ("convert_time", question), ("convert_time", {**question, "time": "noon"}))
    assert converted["time_difference"] == "-3.5h"
    assert wrong == "node_failed"


def test_git(repository):
    shape = ToolShape(adapt=({"regex": r"Author: (?P<author>.*)\nDate: .*\nMessage: (?P<message>.*)", "all": True},))
    protocol, server = locked(of_python("git", tools={"git_log": shape}))
    assert protocol == MODERN
    log, wrong = outputs(server, ("git_log", {"repo_path": str(repository)}), ("git_log", {"repo_path": "nowhere"}))
    assert log == {"matches": [{"author": "A", "message": "First"}]}
    assert wrong == "node_failed"


def test_sqlite_on_the_sdk_before(folder):
    """It answers with the text of a Python literal, and reports errors as ordinary text."""
    shape = ToolShape(adapt=({"error-when": "^Database error", "type": "sql"}, "python-literal"))
    tools = dict.fromkeys(("read_query", "write_query"), shape)
    protocol, server = locked(of_older_python("sqlite", "--db-path", str(folder / "a.db"), tools=tools))
    assert protocol == HANDSHAKE
    answers = called(
        server,
        ("create_table", {"query": "CREATE TABLE t (a INTEGER, b TEXT)"}),
        ("write_query", {"query": "INSERT INTO t VALUES (1, 'x'), (2, NULL)"}),
        ("read_query", {"query": "SELECT * FROM t"}),
        ("read_query", {"query": "SELECT * FROM nothing"}),
    )
    assert [answer.result.output for answer in answers[:3]] == [
        {"text": "Table created successfully"},
        [{"affected_rows": 2}],
        [{"a": 1, "b": "x"}, {"a": 2, "b": None}],
    ]
    assert isinstance(answers[3], Failed)
    assert (answers[3].code, answers[3].type) == ("node_failed", "sql")


def test_a_published_server_that_crashes_when_it_is_started():
    """Made for an SDK that is no longer there: what it said last is told."""

    async def use(source):
        return source.missing("read_query")

    sqlite = of_older_python("sqlite", "--db-path")
    why = with_source(sqlite, use)
    assert why.startswith("source `sqlite`: the server ended with exit code 2; it said: ")
    assert why.endswith("error: argument --db-path: expected one argument")


SUM = ("get-sum", {"a": 2, "b": 3})
WEATHER = ("get-structured-content", {"location": "Chicago"})


def judged(answers):
    total, weather, wrong, picture = answers
    assert total.result.output == {"text": "The sum of 2 and 3 is 5."}
    assert weather.result.output["conditions"] == "Light rain / drizzle"
    assert wrong.code == "node_failed"
    assert picture.result.meta == {"left_out": [{"type": "image", "mimeType": "image/png"}]}


def test_everything():
    protocol, server = locked(of_node("everything"))
    assert protocol == HANDSHAKE
    judged(called(server, SUM, WEATHER, ("get-structured-content", {"location": "Nowhere"}), ("get-tiny-image", {})))


def test_everything_over_http():
    with everything_over_http() as url:
        protocol, server = locked(McpServer("everything", url=url))
        assert protocol == HANDSHAKE
        wrong = ("get-structured-content", {"location": "Nowhere"})
        judged(called(server, SUM, WEATHER, wrong, ("get-tiny-image", {})))
