"""All patches of a report can be applied one after the other, and first come those that leave nothing behind."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import wfc
from wfc.diagnostics import Applicability, Diagnostic, Fix, Severity
from wfc.edits import apply_patch

Json = dict[str, Any]

TEXT: Json = {"type": "string"}


def record(required: list[str], **fields: Any) -> Json:
    return {"type": "object", "properties": fields} | ({"required": required} if required else {})


def edge(source: str, outcome: str, target: str) -> Json:
    return {"from": source, "outcome": outcome, "to": target}


def node(name: str, node: str, reads: Json, **further: Any) -> Json:
    return {
        "id": name,
        "type": "node",
        "node": node,
        "input": [{"target": target, "path": path} for target, path in reads.items()],
        **further,
    }


def writes(**targets: str) -> list[Json]:
    return [{"source": source, "target": target} for source, target in targets.items()]


SAY = {"name": "say", "input_schema": record(["a", "b"], a=TEXT, b=TEXT), "output_schema": record(["c"], c=TEXT)}
ASK = {"name": "ask", "output_schema": record(["a", "b"], a=TEXT, b=TEXT), "outcomes": ["ok", "gone"]}
UNREQUIRED: Json = {
    "name": "says",
    "input_schema": record([], a=TEXT, b=TEXT),
    "node_defs": [{**SAY, "outcomes": ["ok"]}],
    "start": "say",
    "nodes": [node("say", "say", {"a": "input.a", "b": "input.b"})],
    "edges": [edge("say", "ok", "__end__")],
}
# Whoever ends after `gone` has neither of the two.
UNWRITTEN: Json = {
    "name": "asks",
    "state_schema": record([], a=TEXT, b=TEXT),
    "output_schema": record(["b", "a"], a=TEXT, b=TEXT),
    "node_defs": [ASK],
    "start": "ask",
    "nodes": [node("ask", "ask", {}, output=[{**one, "on": ["ok"]} for one in writes(a="state.a", b="state.b")])],
    "edges": [edge("ask", "ok", "__end__"), edge("ask", "gone", "__end__")],
}


def found(document: Json) -> list[Diagnostic]:
    return [one for one in wfc.check(document, strict=True).diagnostics if one.severity is not Severity.NOTE]


def first_fixes(document: Json) -> Iterator[Fix]:
    for one in found(document):
        yield next(fix for fix in one.fixes if fix.verified)


def applied(document: Json, *, changed: str) -> Json:
    """The document after the first fix of each finding that makes a change of this kind, each patch made once."""
    patches: list[Any] = []
    for fix in first_fixes(document):
        changes = [change for change in fix.patch if change["op"] != "test"]
        assert {change["op"] for change in changes} == {changed}
        if changes not in patches:
            patches.append(changes)
    for patch in patches:
        document = apply_patch(document, patch)
    return document


def test_fixes_that_begin_one_list_are_one() -> None:
    titles = [fix.title for fix in first_fixes(UNREQUIRED)]
    assert titles == ["Require `a` and require `b`"] * 2
    repaired = applied(UNREQUIRED, changed="add")
    assert repaired["input_schema"]["required"] == ["a", "b"]
    assert found(repaired) == []


def test_where_the_list_is_there_each_adds_its_own() -> None:
    document = {**UNREQUIRED, "input_schema": record(["c"], a=TEXT, b=TEXT, c=TEXT)}
    assert [fix.title for fix in first_fixes(document)] == ["Require `a`", "Require `b`"]
    assert found(applied(document, changed="add")) == []


def test_fixes_that_take_out_of_one_list_at_one_place_are_one() -> None:
    fixes = list(first_fixes(UNWRITTEN))
    assert len({fix.patch[-1]["path"] for fix in fixes}) == 1 < len(fixes)
    repaired = applied(UNWRITTEN, changed="remove")
    assert repaired["output_schema"]["required"] == []
    assert found(repaired) == []


def test_what_is_offered_twice_is_done_once(tmp_path: Any) -> None:
    repaired = wfc.driver.repair(wfc.loading.from_value(UNREQUIRED), strict=True, unsafe=True)
    assert [fixed.fix.title for fixed in repaired.report.fixed] == ["Require `a` and require `b`"]
    assert [one for one in repaired.report.diagnostics if one.severity is not Severity.NOTE] == []


def test_more_than_a_few_are_left_alone() -> None:
    names = [f"f{number}" for number in range(9)]
    say = {**SAY, "input_schema": record(names, **dict.fromkeys(names, TEXT)), "outcomes": ["ok"]}
    reads = {name: f"input.{name}" for name in names}
    document = {
        **UNREQUIRED,
        "input_schema": record([], **dict.fromkeys(names, TEXT)),
        "node_defs": [say],
        "nodes": [node("say", "say", reads)],
    }
    assert [fix.title for fix in first_fixes(document)] == [f"Require `{name}`" for name in names]


UNWIRED: Json = {
    "name": "unwired",
    "state_schema": record([], a=TEXT),
    "output_schema": record(["a"], a=TEXT),
    "node_defs": [{**ASK, "output_schema": record([], a=TEXT)}, {**ASK, "name": "tell"}],
    "start": "ask",
    "nodes": [node("ask", "ask", {}), node("tell", "tell", {}, output=writes(a="state.a"))],
    "edges": [edge("ask", "ok", "tell"), edge("tell", "ok", "__end__"), edge("tell", "gone", "__end__")],
}


@pytest.mark.parametrize(
    ("required", "titles"),
    [
        (
            ["a"],
            ["Lead `gone` to `tell`, as `ok`", "Take `gone` out of `ask`", "Lead `gone` to `__end__`"],
        ),
        (
            [],
            ["Lead `gone` to `__end__`", "Lead `gone` to `tell`, as `ok`", "Take `gone` out of `ask`"],
        ),
    ],
)
def test_a_fix_that_does_not_help_comes_behind_those_that_do(required: list[str], titles: list[str]) -> None:
    """Whoever requires `a` may not end without it."""
    (unwired,) = found({**UNWIRED, "output_schema": record(required, a=TEXT)})
    assert unwired.code.code == "WF108"
    assert [(fix.title, fix.verified) for fix in unwired.fixes] == [
        (title, not required or "__end__" not in title) for title in titles
    ]


def test_no_way_on_is_offered_where_it_is_the_way_out() -> None:
    """`tell` ends after `ok`, which is where the way out leads as well."""
    document = {
        **UNWIRED,
        "edges": [edge("ask", "ok", "tell"), edge("ask", "gone", "tell"), edge("tell", "ok", "__end__")],
    }
    (unwired,) = found(document)
    assert [fix.title for fix in unwired.fixes] == ["Lead `gone` to `__end__`", "Take `gone` out of `tell`"]


def test_what_a_step_lacks_because_it_was_bound_elsewhere_is_bound_where_it_was_meant() -> None:
    document = {
        "name": "handed",
        "input_schema": record(["text"], text=TEXT),
        "state_schema": record([], text=TEXT),
        "output_schema": record([], text=TEXT),
        "start": "keep",
        "nodes": [
            node("keep", "wf.std.record", {"input.text": "input.text"}, output=writes(text="state.text")),
        ],
        "edges": [edge("keep", "ok", "__end__")],
    }
    (lacking,) = [one for one in found(document) if one.code.code == "WF306"]
    assert [fix.title for fix in lacking.fixes] == ["Bind `text`", "Remove this binding"]
    assert lacking.fixes[0].verified
    assert lacking.fixes[0].applicability is Applicability.UNSAFE
    assert found(apply_patch(document, lacking.fixes[0].patch)) == []
