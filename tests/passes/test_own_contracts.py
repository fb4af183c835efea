"""Definitions with a contract of their own before a capability that is locked: what each call comes to there."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.passes.judged import INTEGER, TEXT, Json, bind, node, put, record, work
from wfc import check, driver, loads
from wfc.diagnostics import Diagnostic
from wfc.edits import apply_patch
from wfc.project import catalogue_of_example

NUMBER = {"type": "number"}
NOW = {
    "input_schema": {**record(timezone=TEXT, depth=INTEGER), "required": ["timezone"]},
    "output_schema": {**record(time=TEXT), "required": ["time"]},
    "outcomes": ["ok"],
    "effects": "write",
}
CATALOGUE = catalogue_of_example(
    {"sources": {"clock": {"kind": "mcp", "command": "clock-server"}}, "lock": {"clock": {"now": NOW}}}
)


def found(takes: Any, *bound: Json, strict: bool = False, start: Json | None = None, **fields: Any) -> list[Diagnostic]:
    """What is found where `a` calls `now`, whose own input schema is `takes`."""
    said = {} if takes is None else {"input_schema": takes}
    definition = {"name": "now", "uses": "clock.now", **said, **fields}
    document = work("a", node("a", "now", input=list(bound)), defs=[definition], **({"input": start} if start else {}))
    given = loads(json.dumps(document), libraries=[], catalogue=CATALOGUE)
    return [one for one in check(given, strict=strict).diagnostics if one.code.code != "WF406"]


def told(*args: Any, **fields: Any) -> list[str]:
    return [f"{one.severity.value} {one.code.code} {one.at.pointer}" for one in found(*args, **fields)]


ZONE = bind("zone", ["Europe/Paris"])
TIMEZONE = bind("timezone", ["Europe/Paris"])


@pytest.mark.parametrize(
    ("takes", "bound", "expected"),
    [
        # What the definition forgets is required there.
        ({**record(zone=TEXT), "required": ["zone"]}, [ZONE], ["error WF713 /node_defs/0/input_schema"]),
        (record(depth=INTEGER), [], ["error WF713 /node_defs/0/input_schema"]),
        # A step that knows better binds it all the same; what is not mentioned is then only unusual.
        (record(depth=INTEGER), [TIMEZONE], ["warning WF300 /nodes/0/input/0/target"]),
        # It is mentioned and not required, and the step leaves it out.
        (record(timezone=TEXT), [], ["error WF301 /nodes/0"]),
        (record(timezone=TEXT), [TIMEZONE], []),
        ({"type": "object"}, [], ["error WF301 /nodes/0"]),
        ({"type": "object"}, [TIMEZONE], []),
        # A literal of a kind that only the definition takes.
        (record(timezone=TEXT, depth=NUMBER), [TIMEZONE, bind("depth", [1])], []),
        (record(timezone=TEXT, depth=NUMBER), [TIMEZONE, bind("depth", [1.5])], ["error WF310 /nodes/0/input/1/value"]),
        (record(timezone=TEXT, depth=TEXT), [TIMEZONE, bind("depth", ["1"])], ["error WF310 /nodes/0/input/1/value"]),
        # Without a schema of its own there is one contract.
        (None, [], ["error WF301 /nodes/0"]),
        (None, [TIMEZONE], []),
    ],
)
def test_what_a_capability_surely_refuses_is_an_error(takes: Any, bound: list[Json], expected: list[str]) -> None:
    assert told(takes, *bound) == expected


@pytest.mark.parametrize(
    ("takes", "start", "expected"),
    [
        (record(timezone=TEXT, depth=NUMBER), NUMBER, ["error WF390 /nodes/0/input/1/path"]),
        (record(timezone=TEXT, depth=NUMBER), INTEGER, []),
        (record(timezone=TEXT, depth=INTEGER), INTEGER, []),
    ],
)
def test_what_it_may_refuse_is_told_of_the_binding_under_strict(takes: Any, start: Any, expected: list[str]) -> None:
    bound = [TIMEZONE, bind("depth", "input.depth")]
    given = {"depth": {**start, "default": 0}}
    assert told(takes, *bound, start=given) == []
    assert told(takes, *bound, start=given, strict=True) == expected


def test_the_capability_and_the_definition_are_both_named() -> None:
    (one,) = found({**record(zone=TEXT), "required": ["zone"]}, ZONE)
    assert one.message == (
        "`input_schema` of `now` disagrees with `clock.now`: `timezone` required there, not mentioned here, and bound "
        "by no step; expected object with timezone, depth?"
    )
    (one,) = found(record(timezone=TEXT, depth=NUMBER), bind("timezone", ["UTC"]), bind("depth", [1.5]))
    assert one.message.startswith("`1.5` is bound to `depth` of `clock.now` behind `now`")
    assert [related.message for related in one.related] == ["what `now` says it takes"]


def test_an_output_that_is_never_given_is_likely_a_mistake() -> None:
    text = {**record(text=TEXT), "required": ["text"]}
    assert told(None, TIMEZONE, output_schema=text) == ["warning WF713 /node_defs/0/output_schema"]
    assert told(None, TIMEZONE, output_schema=record(text=TEXT)) == []
    assert told(None, TIMEZONE, output_schema={**record(time=TEXT), "required": ["time"]}) == []


# -- effects ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("said", ["pure", "read", "idempotent"])
def test_weaker_effects_than_the_lock_has_are_told_and_not_believed(said: str) -> None:
    (one,) = found(None, TIMEZONE, effects=said)
    assert (one.code.code, one.severity.value, one.at.pointer) == ("WF713", "warning", "/node_defs/0/effects")
    assert f"`{said}` promises more than `write`" in one.message
    assert f'`effects."now" = "{said}"` in `[sources.clock]`' in one.help
    definition = {"name": "now", "uses": "clock.now", "effects": said}
    document = work("a", node("a", "now", input=[TIMEZONE]), defs=[definition])
    program = driver.compile(loads(json.dumps(document), libraries=[], catalogue=CATALOGUE))
    assert [each.effects for each in program.routines[0].definitions] == ["write"]


def test_the_effects_that_are_locked_are_told_by_a_retry() -> None:
    assert told(None, TIMEZONE, effects="write") == []
    (effects, retry) = found(None, TIMEZONE, effects="read", retry=3)
    assert (effects.at.pointer, retry.at.pointer) == ("/node_defs/0/effects", "/node_defs/0/retry")
    assert retry.code.code == "WF600"
    assert retry.fixes == ()
    assert "locked as a `write`" in retry.related[0].message


def test_a_field_that_only_the_lock_lists_is_required_by_writing_its_schema_down() -> None:
    further = {"name": "now", "uses": "clock.look"}
    look = {**NOW, "output_schema": {**record(time=TEXT, note=TEXT), "required": ["time"]}}
    config = {"sources": {"clock": {"kind": "mcp", "command": "c"}}, "lock": {"clock": {"look": look}}}
    step = node("a", "now", input=[TIMEZONE], output=[put("note", "state.note")])
    document = work("a", step, defs=[further], state={"note": TEXT}, output={"note": TEXT})
    given = loads(json.dumps(document), libraries=[], catalogue=catalogue_of_example(config))
    (one,) = [each for each in check(given, strict=True).diagnostics if each.code.code == "WF407"]
    assert "`node_output_invalid`, which `catch` can take" in one.help
    assert (one.fixes[0].title, one.fixes[0].verified) == ("Require `note`", True)
    mended = apply_patch(document, one.fixes[0].patch)
    assert mended["node_defs"][0]["output_schema"] == {**look["output_schema"], "required": ["time", "note"]}
    again = loads(json.dumps(mended), libraries=[], catalogue=given.catalogue)
    assert check(again, strict=True).clean
