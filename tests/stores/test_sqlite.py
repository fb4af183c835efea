"""The embedded store as a file: what it refuses, that a refusal changes nothing, and what fits into it."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy
from sqlalchemy.dialects import sqlite

from tests.kept import run_in
from tests.stores.test_store import ANSWER, BEGINNING, REST, a_run
from wfc import driver
from wfc.backends.stores import Page, StoreFault, UnknownRun, open_store, tables
from wfc.backends.stores.database import FORMAT
from wfc.backends.stores.sqlite import CREATE
from wfc.runs import replaying


def kept(path: Path) -> Path:
    """A store with one run that rests."""
    session = open_store(str(path)).session(a_run())
    session.write(BEGINNING)
    session.write(REST)
    session.close()
    return path


def changed(path: Path, statement: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.execute(statement)


def uses(path: Path) -> list:  # type: ignore[type-arg]
    store = open_store(str(path))
    return [store.list, lambda: store.load("one"), lambda: store.session(a_run("two")).write(BEGINNING)]


def test_looking_into_a_store_that_is_not_there_makes_none(tmp_path: Path) -> None:
    store = open_store(str(tmp_path / "wfc.db"))
    assert store.list() == ()
    with pytest.raises(UnknownRun, match="holds no run `one`; `wfc runs list` shows"):
        store.load("one")
    assert not (tmp_path / "wfc.db").exists()


def test_an_empty_file_is_an_empty_store(tmp_path: Path) -> None:
    (tmp_path / "wfc.db").touch()
    assert open_store(str(tmp_path / "wfc.db")).list() == ()
    kept(tmp_path / "wfc.db")
    assert [run.run_id for run in open_store(str(tmp_path / "wfc.db")).list()] == ["one"]


def test_a_later_format_is_refused_with_both_versions_and_left_alone(tmp_path: Path) -> None:
    path = kept(tmp_path / "wfc.db")
    changed(path, f"UPDATE wfc_meta SET value = '{FORMAT + 1}'")
    before = path.read_bytes()
    for use in uses(path):
        with pytest.raises(StoreFault, match=f"has format {FORMAT + 1}, and this version of wfc reads format {FORMAT}"):
            use()
    assert path.read_bytes() == before


def test_a_store_of_format_0_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "wfc.db"
    for statement in (
        "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL)",
        "CREATE TABLE runs (number INTEGER PRIMARY KEY)",
        "INSERT INTO meta VALUES ('format', '0')",
    ):
        changed(path, statement)
    for use in uses(path):
        with pytest.raises(StoreFault, match="has format 0, and this version of wfc reads format 2; use the version"):
            use()


def test_a_store_of_format_1_is_read_gone_on_with_and_replayed(tmp_path: Path) -> None:
    path = tmp_path / "wfc.db"
    shutil.copy(Path(__file__).with_name("format_1.db"), path)
    assert [(run.run_id, run.status) for run in open_store(str(path)).list()] == [
        ("done", "completed"),
        ("asks", "interrupted"),
    ]
    assert [entry["step"] for entry in run_in(str(path), "done").trace] == ["greet", "ask"]
    said = ["resume", "asks", "--outcome", "sent", "--payload", '{"approved": true}', "--store", str(path)]
    assert subprocess.run([sys.executable, "-m", "wfc", *said], capture_output=True).returncode == 0
    store = open_store(str(path))
    for run_id in ("done", "asks"):
        stored = store.load(run_id)
        assert replaying.differences(driver.loads_ir(stored.new.program), stored, store) == []


def test_a_store_is_brought_forward_in_one_transaction(tmp_path: Path) -> None:
    path = kept(tmp_path / "wfc.db")
    address = ("sqlite", str(path))

    def renamed(connection: sqlalchemy.Connection) -> None:
        connection.execute(sqlalchemy.text("ALTER TABLE wfc_runs RENAME COLUMN config TO configuration"))

    def fails(connection: sqlalchemy.Connection) -> None:
        raise RuntimeError

    with pytest.raises(RuntimeError):
        tables.migrate(address, {FORMAT: renamed, FORMAT + 1: fails}, wanted=FORMAT + 2)
    assert format_of(path) == ([str(FORMAT)], "config")
    tables.migrate(address, {FORMAT: renamed}, wanted=FORMAT + 1)
    assert format_of(path) == ([str(FORMAT + 1)], "configuration")


def format_of(path: Path) -> tuple[list[str], str]:
    with closing(sqlite3.connect(path)) as database:
        columns = [row[1] for row in database.execute("PRAGMA table_info(wfc_runs)")]
        return [value for (value,) in database.execute("SELECT value FROM wfc_meta")], columns[6]


def test_the_tables_are_those_that_sqlalchemy_makes() -> None:
    def plain(statement: str) -> str:
        return " ".join(statement.replace("( ", "(").split()).replace("( ", "(").replace(" )", ")")

    assert [plain(made) for made in tables.statements(sqlite.dialect())] == [plain(one) for one in CREATE]


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "wfc.db"
    path.write_bytes(b"these are no tables, but more than enough bytes to look at" * 100)
    with pytest.raises(StoreFault, match="cannot be used: file is not a database"):
        open_store(str(path)).list()


def test_a_store_keeps_its_connection_but_follows_its_path(tmp_path: Path) -> None:
    """What is kept goes into the file that is at the path, also when that was moved away or made anew since."""
    path, other = tmp_path / "wfc.db", tmp_path / "other.db"
    store = open_store(str(path))
    session = store.session(a_run("before"))
    session.write(BEGINNING)
    session.close()
    assert store.connect().rows("SELECT count(*) FROM wfc_runs") == [(1,)]
    path.rename(other)
    after = store.session(a_run("after"))
    after.write(BEGINNING)
    after.close()
    assert [run.run_id for run in open_store(str(path)).list()] == ["after"]
    with pytest.raises(UnknownRun):
        store.load("before")


def test_the_log_of_a_store_is_in_its_file_when_nobody_uses_it(tmp_path: Path) -> None:
    kept(tmp_path / "wfc.db")
    assert [file.name for file in tmp_path.iterdir()] == ["wfc.db"]


@pytest.mark.parametrize("left", [0.25, 0.5, 0.9])
def test_a_file_that_was_cut_short_is_refused_or_whole(tmp_path: Path, left: float) -> None:
    path = tmp_path / "wfc.db"
    store = open_store(str(path))
    session = store.session(a_run())
    session.write(Page((ANSWER,) * 300))
    session.write(REST)
    session.close()
    # As it is when nobody has the file open any more.
    del store, session
    os.truncate(path, int(path.stat().st_size * left))
    for use in uses(path):
        with pytest.raises(StoreFault, match=r"malformed|not a database|damaged"):
            use()


def test_a_damaged_run_is_named(tmp_path: Path) -> None:
    path = kept(tmp_path / "wfc.db")
    changed(path, "UPDATE wfc_runs SET input = '{'")
    with pytest.raises(StoreFault, match=r"the run `one` in .* is damaged"):
        open_store(str(path)).load("one")


def test_a_database_of_another_program_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "places.db"
    changed(path, "CREATE TABLE places (name TEXT)")
    for use in uses(path):
        with pytest.raises(StoreFault, match="is a database of another program"):
            use()


def test_a_folder_that_cannot_be_made_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StoreFault, match=r"cannot be made: .*file is no folder$"):
        open_store(str(tmp_path / "file" / "wfc.db")).session(a_run()).write(BEGINNING)


FILLING = """
import resource, sys
from tests.stores.test_store import ANSWER, BEGINNING, Page, a_run
from wfc.backends.stores import StoreFault, open_store
session = open_store(sys.argv[1]).session(a_run())
session.write(BEGINNING)
resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, 300_000))
import signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
written = 1
try:
    while written < 20_000:
        session.write(Page((ANSWER,)))
        written += 1
except StoreFault as fault:
    print(written, fault, sep=";")
"""


def test_a_full_disk_ends_a_run_at_its_last_whole_page(tmp_path: Path) -> None:
    path = tmp_path / "wfc.db"
    root = Path(__file__).parents[2]
    ran = subprocess.run(
        [sys.executable, "-c", FILLING, str(path)],
        capture_output=True,
        text=True,
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(root)},
    )
    written, _, fault = ran.stdout.strip().partition(";")
    assert "cannot be used: " in fault, ran.stderr
    stored = open_store(str(path)).load("one")
    assert (stored.length, stored.taken) == (int(written), False)
    open_store(str(path)).session(stored).write(REST)
    assert open_store(str(path)).load("one").status == "interrupted"


@pytest.fixture
def read_only() -> Iterator[Path]:
    """A store whose file and folder nobody may write to, this process included."""
    folder = Path(tempfile.mkdtemp())
    path = kept(folder / "wfc.db")
    path.chmod(0o444)
    folder.chmod(0o555)
    was = os.geteuid()
    if was == 0:
        os.seteuid(65534)
    yield path
    os.seteuid(was)
    folder.chmod(0o755)
    shutil.rmtree(folder)


def test_a_store_that_cannot_be_written_to_is_a_sentence(read_only: Path) -> None:
    with pytest.raises(StoreFault, match=r"cannot be used: (attempt to write a readonly database|unable to open)"):
        open_store(str(read_only)).session(a_run("two")).write(BEGINNING)


def test_a_store_that_is_out_of_reach_is_not_taken_for_none(tmp_path: Path) -> None:
    link = tmp_path / "wfc.db"
    link.symlink_to(tmp_path / "away" / "runs.db")
    with pytest.raises(StoreFault, match=r"cannot be used: its link leads to .*away, which is no folder$"):
        open_store(str(link)).list()
    (tmp_path / "away").mkdir()
    assert open_store(str(link)).list() == ()
    open_store(str(link)).session(a_run()).write(BEGINNING)
    assert [one.run_id for one in open_store(str(tmp_path / "away" / "runs.db")).list()] == ["one"]
    around = tmp_path / "around"
    around.symlink_to("around")
    with pytest.raises(StoreFault, match="cannot be used: too many levels of symbolic links"):
        open_store(str(around / "wfc.db")).list()


@pytest.mark.parametrize("address", ["redis://localhost", "sqlite://wfc.db"])
def test_other_addresses_are_refused_with_what_is_expected(address: str) -> None:
    with pytest.raises(StoreFault, match="names no store; expected a file's path, `sqlite:///PATH` or `postgresql://"):
        open_store(address)


def test_a_path_may_be_written_as_an_address(tmp_path: Path) -> None:
    kept(tmp_path / "wfc.db")
    assert open_store(f"sqlite:///{tmp_path}/wfc.db").load("one").length == 2


def test_a_postgresql_server_that_is_not_there_is_a_sentence_without_the_password() -> None:
    with pytest.raises(StoreFault, match=r"the store postgresql://me@127\.0\.0\.1:1/runs cannot be used: ") as fault:
        open_store("postgres://me:hidden@127.0.0.1:1/runs").list()
    assert "hidden" not in str(fault.value)


def test_a_step_takes_150_bytes_and_what_it_changed(quick: Path) -> None:
    path, steps = quick / "wfc.db", 3000
    session = open_store(str(path)).session(a_run())
    sizes = []
    for part in range(2):
        for number in range(part * steps, (part + 1) * steps):
            answer = f"one:root:counted:{number}", [None, {"n": number}]
            session.write(Page((ANSWER.__class__("completed", *answer, {f"one:root:counted:{number + 1}": None}),)))
        with closing(sqlite3.connect(path)) as database:
            sizes.append(
                database.execute("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size").fetchone()[0]
            )
    values = sum(len(str(number)) for number in range(2 * steps))
    assert (sizes[1] - values) / (2 * steps) < 150
    assert sizes[1] < 2.1 * sizes[0]
