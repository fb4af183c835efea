"""`wfc plan`: from a request to a file, a session that can be looked at and gone through again, and a run."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from syrupy.assertion import SnapshotAssertion

from bench.planner.server import Line, playing
from tests.cli.conftest import Command
from tests.planner.flows import GOOD_TEXT, NO_PATH
from wfc.cli.schema import SCHEMAS
from wfc.planner import Message, Plan

LISTING = {
    "server": "fs",
    "tools": [
        {
            "name": "read_file",
            "inputSchema": {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]},
            "outputSchema": {
                "type": "object",
                "properties": {"content": {"type": "string"}},
                "required": ["content"],
            },
            "annotations": {"readOnlyHint": True},
        },
        {
            "name": "write_file",
            "description": "Write a file.",
            "inputSchema": {
                "type": "object",
                "properties": {"path": {"type": "string"}, "content": {"type": "string"}},
                "required": ["path", "content"],
            },
        },
    ],
}
ADD_PATH = '{"patch": [{"op": "add", "path": "/nodes/1/input/-", "value": {"target": "path", "value": "b.txt"}}]}'


@pytest.fixture(autouse=True)
def _listing(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (here / "fs.json").write_text(json.dumps(LISTING))
    monkeypatch.setattr("os.urandom", lambda size: b"\x01" * size)
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY"):
        monkeypatch.delenv(name, raising=False)


def asked(wfc: Command, *lines: Line, arguments: tuple[str, ...] = ()) -> tuple[int, str, str]:
    with playing(lines) as endpoint:
        options = ("--planner", "openai", "--model", "m", "--base-url", endpoint.url, "--tools", "fs.json")
        ended = wfc("plan", "copy a.txt to b.txt", *options, *arguments)
    return ended.code, ended.out, ended.err


def test_from_a_request_to_a_file_and_back_through_the_session(
    wfc: Command, here: Path, snapshot: SnapshotAssertion
) -> None:
    made = asked(wfc, Line(f"```json\n{NO_PATH}\n```"), Line(ADD_PATH), arguments=("-o", "copy.wf.json"))
    assert wfc("check", "copy.wf.json").code == 0
    listed, shown = wfc("plan", "list"), wfc("plan", "show", "plan-01010101")
    replayed = wfc("plan", "replay", "plan-01010101", "--tools", "fs.json")
    assert (made[0], listed.code, shown.code, replayed.code) == (0, 0, 0, 0)
    assert "\n".join([made[1], made[2], listed.out, shown.out, replayed.out]) == snapshot


def test_a_replay_with_other_capabilities_differs(wfc: Command, here: Path) -> None:
    asked(wfc, Line(GOOD_TEXT))
    (here / "none.json").write_text('{"server": "fs", "tools": []}')
    replayed = wfc("plan", "replay", "plan-01010101", "--tools", "none.json", "--json")
    assert (replayed.code, replayed.json["same"]) == (1, False)


def test_the_result_as_json(wfc: Command) -> None:
    code, out, _ = asked(wfc, Line(NO_PATH), Line(NO_PATH), arguments=("--json",))
    told = json.loads(out)
    assert (code, told["status"], [one["code"] for one in told["diagnostics"]]) == (1, "repeated", ["WF301"])
    assert told["tokens"] == [22, 14]
    jsonschema_rs.validate(SCHEMAS["plan"](), told)


def test_what_is_not_clean_is_not_run(wfc: Command, here: Path) -> None:
    code, out, err = asked(wfc, Line(NO_PATH), Line(NO_PATH), arguments=("--run", "--yes"))
    assert code == 1 and "error WF301 at /nodes/1" in out
    assert "capability_unavailable" not in out + err
    assert wfc("runs", "list", "--json").json["runs"] == []


def test_what_is_not_clean_is_written_nowhere(wfc: Command, here: Path) -> None:
    code, out, _ = asked(wfc, Line(NO_PATH), Line(NO_PATH), arguments=("-o", "copy.wf.json"))
    assert code == 1 and not (here / "copy.wf.json").exists()
    assert "error WF301 at /nodes/1" in out


def test_only_the_workflow_is_printed_for_a_pipe(wfc: Command) -> None:
    _, out, _ = asked(wfc, Line(GOOD_TEXT), arguments=("-o", "-"))
    assert json.loads(out)["name"] == "copying"


@pytest.mark.parametrize(
    ("lines", "code", "told"),
    [
        ([Line(refusal="I will not.")], 1, "refused after 1 answer: I will not."),
        ([Line('{"impossible": "no mail"}')], 1, "impossible after 1 answer: no mail"),
        ([Line("Hm."), Line("Hm.")], 1, "no_workflow after 2 answers: the answer holds no workflow"),
        ([Line(status=401, raw=b"who?")], 2, "planner_failed after 0 answers: unauthorised: HTTP 401: who?"),
    ],
)
def test_other_ends(wfc: Command, lines: list[Line], code: int, told: str) -> None:
    ended = asked(wfc, *lines)
    assert (ended[0], ended[1].splitlines()[0]) == (code, told)


def damaged() -> dict[str, Any]:
    """A session with a round that lacks what a round has."""
    session = Plan("other", "do", (Message("system", "s"),)).session_json()
    limits = {"max_rounds": 3, "catalogue_tokens": 8000, "auto_fix": True, "form": "text"}
    return {**session, "settings": limits, "rounds": [{}]}


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (
            ("do",),
            "no planner is named; give `--planner`, or `planner` in `[plan]`: `openai`, `anthropic` or a command",
        ),
        (("do", "--planner", "openai"), "the planner `openai` needs a model"),
        (("do", "--planner", "'"), "is no command line"),
        (("do", "--planner", "x", "--tools", "gone.json"), "gone.json cannot be read"),
        (("do", "--planner", "x", "--tools", "bad.json"), "bad.json is no listing of tools"),
        (("", "--planner", "x"), "the request is empty"),
        (("show", "../x"), "`../x` is no id of a session"),
        (("show", "x"), "holds no session `x`"),
        (("replay", "broken"), "cannot be read"),
        (("do", "--planner", "x", "--tools", "deep.json"), "deep.json is no listing of tools"),
        (("show", "deep"), "cannot be read"),
        (("do", "--planner", "x", "--tools", "odd.json"), "odd.json is no listing of tools"),
        (("show", "other"), 'other.json is damaged: "asked" is a required property at `/rounds/0`'),
        (("list",), "cannot be read"),
    ],
)
def test_what_the_user_can_mend(wfc: Command, here: Path, arguments: tuple[str, ...], told: str) -> None:
    (here / "bad.json").write_text("[]")
    (here / ".wfc/plans").mkdir(parents=True)
    (here / ".wfc/plans/broken.json").write_text("{")
    (here / "odd.json").write_text('{"server": "s", "tools": [{"name": "a", "inputSchema": {}, "description": 1}]}')
    (here / ".wfc/plans/other.json").write_text(json.dumps(damaged()))
    for file in (here / "deep.json", here / ".wfc/plans/deep.json"):
        file.write_text("[" * 10_000)
    ended = wfc("plan", *arguments)
    assert ended.code == 2 and told in ended.err and ended.err.count("\n") == 1


def test_a_command_as_the_planner(wfc: Command, here: Path) -> None:
    (here / "planner.py").write_text(f"import sys\nassert '# Request' in sys.stdin.read()\nprint({GOOD_TEXT!r})\n")
    (here / "wfc.toml").write_text(f'[plan]\nplanner = "{sys.executable} planner.py"\n')
    assert wfc("plan", "-", "--tools", "fs.json", stdin="copy a file").code == 0
    assert "  clean  1 answer  copy a file\n" in wfc("plan", "list").out
    (here / "planner.py").write_text("import sys\nsys.exit('out of credit')\n")
    failed = wfc("plan", "copy", "--tools", "fs.json")
    assert failed.code == 2 and "command: " in failed.out and "out of credit" in failed.out
    gone = wfc("plan", "copy", "--tools", "fs.json", "--planner", "no-such-program")
    assert gone.code == 2 and "`no-such-program` cannot be started: no such file or directory" in gone.out


def test_run_shows_the_calls_by_effect_and_asks_first(wfc: Command, here: Path) -> None:
    unasked = asked(wfc, Line(GOOD_TEXT), arguments=("--run",))
    assert unasked[0] == 2
    assert "  read: fs.read_file\n  write: fs.write_file\n" in unasked[2]
    assert "nobody can be asked here whether to run it" in unasked[2]
    said = asked(wfc, Line(GOOD_TEXT), arguments=("--run", "--yes"))
    # Nothing is configured that could answer: the run begins, and says so.
    assert said[0] == 5 and "capability_unavailable" in said[1]


def test_the_name_of_the_file_says_the_form(wfc: Command, here: Path) -> None:
    code, _, _ = asked(wfc, Line(GOOD_TEXT), arguments=("-o", "copy.wf"))
    assert code == 0
    assert (here / "copy.wf").read_text().startswith("workflow ")
    assert wfc("fmt", "--check", "copy.wf").code == 0


def test_a_request_need_not_be_text(wfc: Command, here: Path) -> None:
    ended = wfc("plan", "make", "a\udcff", "--planner", "cat", "--json")
    assert (ended.code, ended.json["status"]) == (1, "no_workflow")
