"""What the lock pins of a server is compared with what it lists, before a call and in the middle of a run; and judges
what it answers."""

import asyncio
import time

from tests.sources.calling import ON_LOOP, invoke, raw_server, with_source
from wfc.backends.sources import Circumstances, Progress
from wfc.ir import Completed, Failed, Listing
from wfc.records import replace


def listed(*keys, **more):
    """The server with what it lists of some tools locked."""

    async def use(source):
        return {key: source.listing(key) for key in keys}

    server = raw_server(**more)
    return replace(server, locked=with_source(server, use))


async def code_of(source, tool, payload=None):
    answer = await source.perform(tool, invoke(payload or {}), ON_LOOP)
    return "ok" if isinstance(answer, Completed) else answer.code


def test_what_is_as_it_was_locked_is_called():
    async def use(source):
        return source.drifted("say"), source.drifted("read"), await code_of(source, "say", {"text": "a"})

    assert with_source(listed("say"), use) == (None, None, "ok")


def test_remarks_for_people_are_no_drift():
    server = listed("read")
    said = {"type": "object", "description": "reads", "title": "Reader"}
    locked = replace(server.locked["read"], input_schema=said, description="another one")

    async def use(source):
        return source.drifted("read")

    assert with_source(replace(server, locked={"read": locked}), use) is None


def test_another_contract_is_shown_as_a_diff():
    locked = Listing({"type": "object", "required": ["path"]}, annotations={"readOnlyHint": False}, effects="write")

    async def use(source):
        return source.drifted("read")

    diff = with_source(raw_server(locked={"read": locked}), use)
    assert diff.splitlines() == [
        "--- raw.read (locked)",
        "+++ now",
        "@@ -1,11 +1,8 @@",
        " {",
        '   "annotations": {',
        '-    "readOnlyHint": false',
        '+    "readOnlyHint": true',
        "   },",
        '-  "effects": "write",',
        '+  "effects": "read",',
        '   "input_schema": {',
        '-    "required": [',
        '-      "path"',
        "-    ],",
        '     "type": "object"',
        "   },",
    ]


def test_a_server_that_changes_its_tools_while_it_runs():
    async def use(source):
        before = [await code_of(source, tool) for tool in ("learned", "forgotten")]
        await source.perform("change", invoke(), ON_LOOP)
        after = [await code_of(source, tool, {"text": "a"}) for tool in ("learned", "forgotten", "say", "read")]
        drift = await source.perform("say", invoke({"text": "a"}), ON_LOOP)
        return before, after, drift

    before, after, drift = with_source(listed("say", "read"), use)
    assert before == ["capability_unavailable", "ok"]
    assert after == ["ok", "capability_unavailable", "drift", "ok"]
    assert '+    "required": [' in drift.message


def test_a_server_that_is_another_one_after_it_was_started_again(tmp_path):
    manners = ("starts", "moody")
    server = raw_server(*manners, env={"PIDS": str(tmp_path / "pids")})

    async def listing(source):
        return {"say": source.listing("say")}

    locked = replace(server, locked=with_source(server, listing), env={"PIDS": str(tmp_path / "again")})

    async def use(source):
        before = await code_of(source, "say", {"text": "a"})
        await source.perform("be_killed", invoke(), ON_LOOP)
        return before, await code_of(source, "say", {"text": "b"}), await code_of(source, "read")

    assert with_source(locked, use) == ("ok", "drift", "ok")


def test_the_lock_judges_what_the_server_does_not():
    schema = {"type": "object", "properties": {"arguments": {"type": "object", "maxProperties": 1}}}
    listing = Listing({"type": "object"}, schema, effects="write")

    async def use(source):
        source.drifted = lambda key: None
        calls = [{"a": 1}, {"a": 1, "b": 2}]
        return [await source.perform("echo", invoke(payload), ON_LOOP) for payload in calls]

    fits, fails = with_source(raw_server(locked={"echo": listing}), use)
    assert isinstance(fits, Completed)
    assert (type(fails), fails.code) == (Failed, "node_output_invalid")
    assert fails.message.startswith("source `raw`: tool `echo`: the structured content of the answer: ")
    assert fails.message.endswith(" at `arguments`")


# -- many calls -------------------------------------------------------------------------------------------------------


def test_many_calls_share_one_child():
    async def use(source):
        return await asyncio.gather(*(source.perform("together", invoke({"calls": 50}), ON_LOOP) for _ in range(50)))

    assert {answer.result.output["text"] for answer in with_source(raw_server(), use)} == {"50 at once"}


def test_progress_is_passed_on():
    told = []
    circumstances = Circumstances("run-1", True, progress=lambda call, progress: told.append(progress))

    async def use(source):
        return await source.perform("count_up", invoke(), circumstances)

    assert isinstance(with_source(raw_server(), use), Completed)
    assert told == [Progress(1, 2), Progress(2, 2)]


def test_a_server_that_keeps_dying_is_waited_for_longer_each_time(monkeypatch):
    monkeypatch.setattr("wfc.backends.sources.mcp_life.STEADY_SECONDS", 600.0)

    async def use(source):
        began = time.monotonic()
        codes = [await code_of(source, "be_killed") for _ in range(5)]
        return codes, time.monotonic() - began

    codes, seconds = with_source(raw_server(), use)
    assert codes == ["node_failed"] * 5
    # At once, at once, and then after a quarter, a half and a whole second.
    assert seconds > 1.75
