"""A reference is looked up in the module first, then in what is in reach, where one document may hold it."""

import json
from typing import Any

import pytest

from tests.frontend.documents import Json, small, stepped, told
from wfc import check, loads
from wfc.frontend import Document, Elaborated, document_of, elaborate
from wfc.ir import Ambiguous, Link, Linked, SubgraphStep, Unknown, Unresolved


def calling(child: str | Json, name: str = "a") -> Json:
    ref = {"name": child} if isinstance(child, str) else child
    return stepped({"type": "subgraph", "workflow": ref}, name=name)


def linked(root: Any, *others: tuple[str, Any]) -> Elaborated:
    """The root elaborated with some documents in reach."""
    reach = [document_of(value, name) for name, value in others]

    def find(document: Document, name: str) -> tuple[Document, ...]:
        return tuple(other for other in reach if name in other.workflow_names)

    return elaborate(document_of(root, "root.wf.json"), find)


def links(read: Elaborated) -> list[Link]:
    assert read.module is not None
    return [step.link for each in read.module.workflows for step in each.steps if isinstance(step, SubgraphStep)]


def order(read: Elaborated) -> list[str]:
    """The workflows of the module, by file and name."""
    assert read.module is not None
    return [f"{each.at.file}{each.at.pointer} {each.name}" for each in read.module.workflows]


def test_the_module_comes_first() -> None:
    read = linked({"workflows": [calling("b"), small(name="b")]}, ("b.wf.json", small(name="b")))
    assert (links(read), list(read.documents)) == ([Linked(1)], ["root.wf.json"])


def test_the_first_of_two_of_one_name_is_meant() -> None:
    assert links(linked({"workflows": [calling("b"), small(name="b"), small(name="b")]})) == [Linked(1)]


def test_children_of_children_follow_in_order_of_first_reference() -> None:
    root = {"workflows": [calling("b"), calling("c", "second")]}
    other = {"workflows": [small(name="unused"), calling("d", "b"), small(name="d")]}
    read = linked(root, ("c.wf.json", calling("b", "c")), ("b.wf.json", other))
    assert order(read) == [
        "root.wf.json/workflows/0 a",
        "root.wf.json/workflows/1 second",
        "b.wf.json/workflows/1 b",
        "c.wf.json c",
        "b.wf.json/workflows/2 d",
    ]
    assert links(read) == [Linked(2), Linked(3), Linked(4), Linked(2)]


def test_files_may_hold_one_another() -> None:
    read = linked(calling("b"), ("b.wf.json", calling("a", "b")), ("root.wf.json", calling("b")))
    assert (order(read), links(read)) == (["root.wf.json a", "b.wf.json b"], [Linked(1), Linked(0)])


def test_nothing_in_reach_names_what_is_there() -> None:
    assert links(linked(calling("b"))) == [Unknown(("a",))]


def test_several_files_are_named() -> None:
    read = linked(calling("b"), ("x.wf.json", small(name="b")), ("y.wf.json", small(name="b")))
    assert links(read) == [Ambiguous(("x.wf.json", "y.wf.json"))]


def test_two_forms_of_one_module_are_one() -> None:
    same, other = small(name="b"), small(name="b", desc="another")
    assert links(linked(calling("b"), ("b.wf", same), ("b.wf.json", same))) == [Linked(1)]
    assert links(linked(calling("b"), ("b.wf", same), ("b.wf.json", other))) == [Ambiguous(("b.wf", "b.wf.json"))]


def test_an_artifact_is_not_resolved_here() -> None:
    assert links(linked(calling({"artifact_id": "x", "version": 2}))) == [Unresolved()]


@pytest.mark.parametrize("version", [0, "one", True])
def test_an_artifact_whose_version_cannot_be_read_is_not_looked_up(version: Any) -> None:
    found = check(loads(json.dumps(calling({"artifact_id": "x", "version": version})))).diagnostics
    assert [(one.code.code, one.at.pointer) for one in found] == [("WF012", "/nodes/0/workflow/version")]


def test_of_a_document_that_lends_workflows_only_these_are_judged() -> None:
    lender = {"workflows": [small(name="broken", outcomes=5), small(name="b", outcomes=6)], "mian": "b"}
    assert told(linked(calling("b"), ("b.wf.json", lender))) == ["WF012 /workflows/1/outcomes", "WF010 /mian"]
