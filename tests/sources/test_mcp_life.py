"""The life of an MCP server: how it starts, how it dies, and that nothing of it is left."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.sources.calling import ON_LOOP, called, invoke, is_gone, raw_server, with_source
from wfc.backends.sources import McpServer, ToolShape
from wfc.backends.sources.process import Child
from wfc.ir import Completed, Failed, NodeResult


async def pid_of(source):
    return (await source.perform("who", invoke(), ON_LOOP)).result.output["pid"]


def said(text):
    return Completed("call-1", NodeResult("ok", {"text": text}))


# -- the tools of a server --------------------------------------------------------------------------------------------


def asked(server, question):
    async def use(source):
        return question(source)

    return with_source(server, use)


def test_all_pages_of_the_tools_are_listed():
    names = asked(raw_server(), lambda source: list(source.tools))
    assert {"echo", "put"} < set(names)


def test_what_is_missing():
    asked_for = ["say", "sya", "fail", "misdeclared"]
    found = asked(raw_server(deny=("fail*",)), lambda source: [source.missing(key) for key in asked_for])
    assert found == [
        None,
        "source `raw` has no tool `sya`; nearest: `say`",
        "the configuration of source `raw` does not allow `fail`",
        "source `raw` lists `misdeclared` in a way that cannot be used: Field required at `outputSchema.type`",
    ]
    found = asked(raw_server(allow=("s*",)), lambda source: [sorted(source.tools), source.missing("echo")])
    assert found == [
        ["say", "seem_to_fail", "stall", "status", "status_as_text"],
        "the configuration of source `raw` does not allow `echo`",
    ]


def test_effects_are_those_of_the_configuration_else_the_claims_of_the_server():
    server = raw_server(effects={"put": "write", "say": "pure"}, tools={"say": ToolShape(effects="read")})
    keys = ["read", "put", "say", "echo", "nothing"]
    assert asked(server, lambda source: [source.effects(key) for key in keys]) == [
        "read",
        "write",
        "read",
        "write",
        None,
    ]
    assert asked(raw_server(), lambda source: source.effects("put")) == "idempotent"


def test_a_server_without_tools():
    assert asked(raw_server("toolless"), lambda source: dict(source.tools)) == {}


def test_a_banner_before_the_handshake_is_noted_and_harms_nothing():
    answers = called(raw_server("banner"), ("say", {"text": "a"}), ("say", {"text": "b"}))
    assert [answer.result.meta for answer in answers] == [{"stray_output": ["Welcome to raw!"]}, None]


def test_a_server_that_ends_at_an_unknown_question_gets_the_old_handshake():
    assert called(raw_server("touchy"), ("say", {"text": "a"})) == [said("a")]


def test_a_server_gets_the_environment_that_was_named_and_no_other(monkeypatch, tmp_path):
    monkeypatch.setenv("SOME_SECRET", "value")
    (answer,) = called(raw_server(env={"NAMED": "value"}, cwd=tmp_path), ("who", {}))
    found = answer.result.output
    safe = {"HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER", "LC_CTYPE"}
    assert {name for name in found["env"] if name not in safe} == {"NAMED"}
    assert found["cwd"] == str(tmp_path)


# -- how it cannot be started -----------------------------------------------------------------------------------------


def unavailable(server):
    async def use(source):
        return source.missing("say"), await source.perform("say", invoke(), ON_LOOP)

    missing, answer = with_source(server, use)
    assert answer == Failed("call-1", "capability_unavailable", missing)
    return missing


def test_a_program_that_is_not_there():
    assert unavailable(McpServer("raw", "wfc-no-such-program")) == (
        "source `raw`: `wfc-no-such-program` cannot be started: "
        "[Errno 2] No such file or directory: 'wfc-no-such-program'"
    )


def test_a_folder_that_is_not_there(tmp_path):
    assert "No such file or directory" in unavailable(raw_server(cwd=tmp_path / "nowhere"))


def test_a_server_that_crashes_when_it_starts():
    assert unavailable(raw_server("crash")) == (
        "source `raw`: the server ended with exit code 7; it said: Traceback | ImportError: no module named `cheese`"
    )


def test_a_program_that_is_no_server():
    server = McpServer("raw", sys.executable, ("-c", "print('hello')"))
    assert unavailable(server) == "source `raw`: the server ended with exit code 0; it printed: hello"


def test_a_server_that_never_answers_the_handshake(monkeypatch):
    monkeypatch.setattr("wfc.backends.sources.mcp_life.START_SECONDS", 0.3)
    assert unavailable(raw_server("mute")) == "source `raw`: the server was not ready within 0.3 seconds"


# -- how it dies in a call --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tool", "payload", "told"),
    [
        ("exit_with", {"code": 0}, "ended with exit code 0; it said: out of cheese"),
        ("exit_with", {"code": 1}, "ended with exit code 1; it said: out of cheese"),
        ("be_killed", {}, "was ended by signal 9"),
    ],
)
def test_a_server_that_dies_in_a_call(tool, payload, told):
    assert called(raw_server(), (tool, payload)) == [
        Failed("call-1", "node_failed", f"source `raw`: tool `{tool}`: the server {told}")
    ]


def test_a_server_that_says_more_than_can_be_held(monkeypatch):
    monkeypatch.setattr("wfc.backends.sources.process.MAX_LINE_BYTES", 1_000_000)
    message = "the server was ended by signal 9; it said: (a line of more than 1000000 bytes on its output)"
    assert called(raw_server(), ("big", {"size": 3_000_000}), ("say", {"text": "back"})) == [
        Failed("call-1", "node_failed", f"source `raw`: tool `big`: {message}"),
        said("back"),
    ]


class Ended(asyncio.SubprocessTransport):
    """A child whose end the loop and somebody else have asked for."""

    def __init__(self, told, learned):
        self.told, self.learned = told, learned

    def get_returncode(self):
        return self.told

    def get_extra_info(self, name, default=None):
        return SimpleNamespace(returncode=self.learned)

    def get_pipe_transport(self, fd):
        return None

    def get_pid(self):
        raise ProcessLookupError

    def close(self):
        pass


@pytest.mark.parametrize(
    ("told", "learned", "end"),
    [
        (-9, 0, "was ended by signal 9"),
        (255, -9, "was ended by signal 9"),
        (255, 255, "ended with exit code 255"),
        (0, 0, "ended with exit code 0"),
        (3, None, "ended with exit code 3"),
        (None, None, "closed its output"),
    ],
)
def test_how_a_child_ended_is_what_the_first_who_asked_was_told(told, learned, end):
    async def epitaph():
        child = Child(lambda line: None, lambda: None)
        child.connection_made(Ended(told, learned))
        child.process_exited()
        child.pipe_connection_lost(2, None)
        try:
            return await child.epitaph()
        finally:
            child.kill()

    assert asyncio.run(epitaph()) == end


def test_a_server_that_closes_its_output(monkeypatch):
    monkeypatch.setattr("wfc.backends.sources.process._GRACE_SECONDS", 0.2)
    assert called(raw_server(), ("close_output", {})) == [
        Failed("call-1", "node_failed", "source `raw`: tool `close_output`: the server closed its output")
    ]


def test_a_dead_server_is_started_again_at_the_next_call_and_the_call_is_sent_once(tmp_path):
    pids = tmp_path / "pids"

    async def use(source):
        first = await pid_of(source)
        died = await source.perform("exit_with", invoke({"code": 1}), ON_LOOP)
        return first, died.code, await pid_of(source)

    first, code, second = with_source(raw_server("starts", env={"PIDS": str(pids)}), use)
    assert (code, first == second) == ("node_failed", False)
    assert [int(pid) for pid in pids.read_text().split()] == [first, second]
    assert is_gone(first)
    assert is_gone(second)


def test_a_server_that_dies_between_two_calls():
    async def use(source):
        pid = await pid_of(source)
        os.kill(pid, signal.SIGKILL)
        assert await asyncio.to_thread(is_gone, pid)
        # What there is to hear of a process that is gone is heard at the next look.
        await asyncio.sleep(0.1)
        return await source.perform("say", invoke({"text": "back"}), ON_LOOP)

    assert with_source(raw_server(), use) == said("back")


def test_what_a_server_was_given_to_keep_is_not_told():
    server = raw_server("--key=0therS3cret", env={"TOKEN": "s3cr3t-t0ken"}, secrets=("0therS3cret",))
    (answer,) = called(server, ("tell_secret", {}))
    assert answer.message.endswith("ended with exit code 1; it said: token is …, key is --key=…")


def test_an_output_holds_nothing_that_a_server_was_given_to_keep():
    server = raw_server(env={"TOKEN": "s3cr3t-t0ken"}, credentials=("s3cr3t-t0ken",))
    assert called(server, ("say", {"text": "<s3cr3t-t0ken> s3cr3t-t0ken"}))[0] == said("<…> …")


# -- time -------------------------------------------------------------------------------------------------------------


# A server has its time to be heard in, however slow the machine is: what it is given follows from no clock.
LONGER = (0.3, 3, 30, 300)


def test_a_server_that_hangs_is_told_that_nobody_waits(tmp_path):
    file = tmp_path / "cancelled"

    async def use(source):
        for seconds in LONGER:
            timed_out = await source.perform("hang", invoke({"file": str(file)}, timeout=seconds), ON_LOOP)
            if "thinking" in timed_out.message:
                break
        return seconds, timed_out, await source.perform("say", invoke({"text": "and on"}), ON_LOOP)

    seconds, timed_out, after = with_source(raw_server(), use)
    message = f"source `raw`: tool `hang`: no answer within {seconds} seconds; it said: thinking"
    assert timed_out == Failed("call-1", "node_timeout", message)
    assert after == said("and on")
    assert set(json.loads(file.read_text())) == {"requestId", "reason"}


def test_the_time_of_the_source_holds_where_a_step_has_none():
    async def use(source):
        return [(await source.perform("hang", invoke(timeout=seconds), ON_LOOP)).message for seconds in (None, 0.05)]

    found = with_source(raw_server(timeout_seconds=0.1), use)
    assert [message.partition(";")[0] for message in found] == [
        "source `raw`: tool `hang`: no answer within 0.1 seconds",
        "source `raw`: tool `hang`: no answer within 0.05 seconds",
    ]


def test_a_server_that_talks_instead_of_answering():
    for seconds in LONGER:
        (answer,) = called(raw_server(timeout_seconds=seconds), ("babble", {}))
        if "hm" in answer.message:
            break
    message = f"source `raw`: tool `babble`: no answer within {seconds} seconds; it printed: let me think | hm"
    assert answer == Failed("call-1", "node_timeout", message)


def test_any_number_of_seconds_is_a_timeout():
    async def use(source):
        return await source.perform("say", invoke({"text": "a"}, timeout=10**400), ON_LOOP)

    assert with_source(raw_server(), use) == said("a")


def test_a_server_that_reads_nothing_any_more(monkeypatch):
    monkeypatch.setattr("wfc.backends.sources.process._GRACE_SECONDS", 0.2)

    async def use(source):
        pid = await pid_of(source)
        answers = [
            await source.perform(tool, invoke({"text": "x" * 1_000_000}, timeout=0.2), ON_LOOP)
            for tool in ("stall", "say", "say")
        ]
        return pid, [answer.code for answer in answers]

    pid, codes = with_source(raw_server(), use)
    assert codes == ["node_timeout"] * 3
    assert is_gone(pid)


def test_a_call_that_is_cancelled_from_outside(tmp_path):
    file, begun = tmp_path / "cancelled", tmp_path / "cancelled.begun"

    async def use(source):
        task = asyncio.ensure_future(source.perform("hang", invoke({"file": str(file)}), ON_LOOP))
        async with asyncio.timeout(120):
            while not begun.exists():
                await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return await source.perform("say", invoke({"text": "and on"}), ON_LOOP)

    assert with_source(raw_server(), use) == said("and on")
    assert file.exists()


# -- nothing is left --------------------------------------------------------------------------------------------------


def test_a_server_is_gone_after_the_run():
    pid = with_source(raw_server(), pid_of)
    assert is_gone(pid)


def test_a_server_that_will_not_end_is_ended(monkeypatch):
    monkeypatch.setattr("wfc.backends.sources.process._GRACE_SECONDS", 0.2)
    pid = with_source(raw_server("stubborn"), pid_of)
    assert is_gone(pid)


@pytest.mark.parametrize("dies", [False, True])
def test_what_a_server_has_started_is_gone_too(tmp_path, dies):
    pids = tmp_path / "pids"
    calls = [("exit_with", {"code": 1})] if dies else [("say", {"text": "a"})]
    called(raw_server("parent", env={"PIDS": str(pids)}), *calls)
    for pid in pids.read_text().split():
        assert is_gone(int(pid))


def test_a_source_can_be_opened_again():
    server = raw_server()

    async def use(source):
        first = await pid_of(source)
        await source.close()
        await source.open()
        return first, await pid_of(source)

    first, second = with_source(server, use)
    assert first != second
    assert is_gone(first)


def test_two_calls_at_once_start_one_server(tmp_path):
    pids = tmp_path / "pids"

    async def use(source):
        await source.close()
        await asyncio.gather(*(source.perform("say", invoke({"text": "a"}), ON_LOOP) for _ in range(3)))

    with_source(raw_server("starts", env={"PIDS": str(pids)}), use)
    assert len(pids.read_text().split()) == 2


PROGRAM = f"""
import asyncio, sys
sys.path.insert(0, {str(Path(__file__).parents[2])!r})
from tests.sources.calling import ON_LOOP, invoke, raw_server
from wfc.backends.sources import McpSource, process
process._GRACE_SECONDS = 0.4

async def main():
    source = McpSource(raw_server("stubborn"))
    await source.open()
    print((await source.perform("who", invoke(), ON_LOOP)).result.output["pid"], flush=True)
    match sys.argv[1]:
        case "wait":
            try:
                await source.perform("hang", invoke(), ON_LOOP)
            finally:
                await source.close()
        case "leave":
            raise SystemExit(9)
        case "abandon":
            return source

if sys.argv[1] == "abandon":
    left = asyncio.new_event_loop().run_until_complete(main())
    sys.exit(9)
asyncio.run(main())
"""


def interrupted(manner, *signals):
    """Start a program that waits for a server that will not end; send it signals; the server, and how it ended."""
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, manner], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    pid = int(process.stdout.readline())
    time.sleep(0.3)
    for number in signals:
        process.send_signal(number)
        time.sleep(0.1)
    process.stdout.close()
    return pid, process.wait(timeout=120)


@pytest.mark.parametrize("signals", [[signal.SIGINT], [signal.SIGINT, signal.SIGINT]])
def test_nothing_is_left_of_an_interrupted_run(signals):
    pid, code = interrupted("wait", *signals)
    assert code != 0
    assert is_gone(pid)


@pytest.mark.parametrize("manner", ["leave", "abandon"])
def test_nothing_is_left_when_nobody_closed_the_source(manner):
    pid, code = interrupted(manner)
    assert code == 9
    assert is_gone(pid)
