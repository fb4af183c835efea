"""Subgraph steps and the workflows that they run."""

from typing import Any

import pytest

from tests.passes.workflows import Json, check, examined, flow, ours, told
from wfc.diagnostics import Applicability, Severity
from wfc.frontend import Document, document_of, elaborate


def module(*workflows: Json, **fields: Any) -> Json:
    return {"workflows": list(workflows), **fields}


def calling(name: str, child: str, *more: str, **fields: Any) -> Json:
    """A workflow with one subgraph step `g`, which declares the outcomes of its arrows."""
    arrows = ["g:ok->__end__", *more]
    document = flow(" ".join(arrows))
    outcomes = [arrow.partition("->")[0].partition(":")[2] for arrow in arrows if arrow.startswith("g:")]
    step = {"id": "g", "type": "subgraph", "workflow": {"name": child}, "outcomes": outcomes, **fields}
    return document | {"name": name, "nodes": [step, *document["nodes"][1:]]}


def leaf(name: str, **fields: Any) -> Json:
    return flow("a:ok->__end__", **fields) | {"name": name}


def two_ends(name: str, *outcomes: str) -> Json:
    return flow("c:true->__end__ c:false->x-no", outcomes=list(outcomes)) | {"name": name}


def test_a_child_is_found_in_the_module() -> None:
    assert check(module(calling("main", "child"), leaf("child"))) == []


def test_a_misspelt_child_is_renamed() -> None:
    (found,) = examined(module(calling("main", "chidl"), leaf("child"))).diagnostics
    assert (found.at.pointer, found.fixes[0].patch[1]["value"]) == ("/workflows/0/nodes/0/workflow", {"name": "child"})


def test_a_cycle_of_workflows_is_shown_once() -> None:
    document = module(calling("a", "b"), calling("b", "c"), calling("c", "a"), leaf("d"))
    (found,) = examined(document).diagnostics
    assert (found.at.pointer, found.facts["path"]) == ("/workflows/2/nodes/0/workflow", ["a", "b", "c", "a"])


def test_a_child_run_twice_is_no_cycle() -> None:
    both = calling("main", "one", "b:ok->__end__")
    both["nodes"][1:] = [both["nodes"][0] | {"id": "b", "workflow": {"name": "two"}}]
    both["edges"][0]["to"] = "b"
    assert check(module(both, calling("one", "leaf"), calling("two", "leaf"), leaf("leaf"))) == []


def test_a_lacking_outcome_is_declared_and_led_to_what_waits_for_it() -> None:
    parent = calling("main", "child", "b:ok->__end__")
    (found,) = examined(module(parent, two_ends("child", "ok", "no"))).diagnostics
    assert (found.code.code, found.at.pointer, found.hides) == ("WF702", "/workflows/0/nodes/0/outcomes", 1)
    assert found.fixes[0].patch[2]["value"] == {"from": "g", "outcome": "no", "to": "b"}


def test_an_outcome_that_the_child_never_gives_is_a_hint() -> None:
    (found,) = examined(module(calling("main", "child", "g:no->__end__"), leaf("child"))).diagnostics
    assert (found.severity, found.at.pointer) == (Severity.WARNING, "/workflows/0/nodes/0/outcomes/1")


def test_a_misspelt_outcome_is_one_finding() -> None:
    (found,) = examined(module(calling("main", "child", "g:on->__end__"), two_ends("child", "ok", "no"))).diagnostics
    assert (found.severity, found.at.pointer, found.hides) == (Severity.ERROR, "/workflows/0/nodes/0/outcomes/1", 1)
    assert found.fixes[0].applicability is Applicability.SAFE


def test_what_the_child_declares_and_never_gives_is_its_own_fault() -> None:
    assert check(module(calling("main", "child"), leaf("child", outcomes=["ok", "no"]))) == [
        "WF112 /workflows/1/outcomes/1"
    ]


def test_what_the_child_gives_and_does_not_declare_is_its_own_fault() -> None:
    parent = calling("main", "child", "g:no->__end__")
    assert check(module(parent, two_ends("child", "ok"))) == ["WF109 /workflows/1/nodes/1/outcome"]


def test_names_of_two_files_may_be_equal() -> None:
    def reach(document: Document, name: str) -> tuple[Document, ...]:
        """`child` of another file, which calls a `main` of its own file."""
        return (document_of(module(calling("child", "main"), leaf("main")), "other.wf.json"),)

    read = elaborate(document_of(calling("main", "child"), "a.wf.json"), reach)
    assert read.module is not None
    assert told(ours(read.module).diagnostics) == []


@pytest.mark.parametrize(
    ("field", "mine", "found"),
    [
        ("output_schema", {"type": "array"}, True),
        ("output_schema", {"type": "object", "properties": {"r": {"type": "string"}}}, False),
        ("output_schema", {"type": "object", "properties": {"r": {"type": "string"}}, "required": ["r"]}, True),
        ("output_schema", {"type": "object", "properties": {"r": {"type": "number"}}, "required": ["r"]}, False),
        ("input_schema", {"type": "object", "required": ["m"]}, True),
        ("input_schema", {"type": "object", "required": ["n"]}, False),
        ("input_schema", {"type": "object", "properties": {"n": {"type": "string"}}}, True),
        ("input_schema", {"type": "object", "properties": {}, "additionalProperties": False}, True),
        ("input_schema", {}, False),
        ("input_schema", True, False),
        ("input_schema", False, True),
    ],
)
def test_schemas_on_the_step_agree_with_the_childs(field: str, mine: Any, found: bool) -> None:
    child = leaf(
        "child",
        input_schema={"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"],
                      "additionalProperties": False},
        output_schema={"type": "object", "properties": {"r": {"type": "integer"}}},
    )  # fmt: skip
    expected = [f"WF703 /workflows/0/nodes/0/{field}"] if found else []
    assert check(module(calling("main", "child", **{field: mine}), child)) == expected


def test_main_names_a_workflow() -> None:
    (found,) = examined(module(leaf("child"), main="chidl")).diagnostics
    assert (found.at.pointer, found.facts["allowed"]) == ("/main", ["child"])
