"""Paths and references are plain values: how they are made, written, compared; what they refuse."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

import wfc
from wfc import GraphSourcePath, LocalPath, StatePath, WorkflowRef
from wfc.paths import PathError, overlap
from wfc.source import lookup

KINDS = (LocalPath.of, StatePath.of, GraphSourcePath.state)


def test_paths_are_values() -> None:
    assert len({StatePath.of("a.b"), StatePath.of("a", "b")}) == 1
    assert len({GraphSourcePath.input("a"), GraphSourcePath.state("a"), StatePath.of("a"), LocalPath.of("a")}) == 4
    with pytest.raises(dataclasses.FrozenInstanceError):
        StatePath.of("a").parts = ("b",)  # type: ignore[misc]


def test_what_is_parsed_and_what_is_made_are_equal() -> None:
    written: list[Any] = ["state.person.name", {"root": "state", "parts": ["person", "name"]}]
    made = [StatePath.of("person.name"), StatePath.of("person", "name"), *map(StatePath.parse, written)]
    assert len(set(made)) == 1
    assert GraphSourcePath.parse("input") == GraphSourcePath("input")


def test_fragments_are_split_at_dots() -> None:
    assert GraphSourcePath.state("foo", "bar.baz").parts == ("foo", "bar", "baz")


def test_a_path_is_written_with_dots() -> None:
    assert [
        str(one) for one in (StatePath.of("person.name"), LocalPath.of("user.name"), GraphSourcePath.input("a"))
    ] == [
        "state.person.name",
        "user.name",
        "input.a",
    ]


def test_the_whole_payload_is_a_dot() -> None:
    assert str(LocalPath.root()) == "." and LocalPath.of(".") == LocalPath.parse(".") == LocalPath.root()
    assert LocalPath.root().to_json() == {"root": "local", "parts": []}


@pytest.mark.parametrize(
    "fragments", [("",), ("a", ""), ("a..b",), (".a",), ("a.",), ("a-b",), ("items.0",), ('a["b"]',), ("0x",)]
)
def test_segments_are_names(fragments: tuple[str, ...]) -> None:
    for make in KINDS:
        with pytest.raises(PathError, match=r"expected a .* path such as"):
            make(*fragments)


def test_a_state_path_is_never_all_of_state() -> None:
    with pytest.raises(
        PathError, match=r"bare `state` is no place to write; expected a state path such as `state\.name`"
    ):
        StatePath.parse("state")


def test_a_path_knows_no_workflow() -> None:
    assert str(GraphSourcePath.parse("input.nope")) == "input.nope"


def test_paths_have_no_sugar() -> None:
    with pytest.raises(TypeError):
        assert StatePath.of("n") > 3  # type: ignore[operator]
    assert isinstance(wfc.state_path("n") > 3, wfc.Expr)


@pytest.mark.parametrize(
    ("first", "second", "do"),
    [("user", "user.name", True), ("user", "username", False), ("a.b", "a.b", True), ("a.b", "a.c", False)],
)
def test_overlap_is_by_whole_segments(first: str, second: str, do: bool) -> None:
    parts = [StatePath.of(one).parts for one in (first, second)]
    assert (overlap(*parts), overlap(*reversed(parts))) == (do, do)


def test_values_are_found_by_path() -> None:
    assert lookup({"a": {"b": None}}, ("a", "b")) == (None, ("a", "b"))
    assert lookup({"a": 3}, ("a", "b")) == (3, ("a",))


def test_a_reference_is_a_key() -> None:
    assert {WorkflowRef(name="c"): 1}[WorkflowRef(name="c")] == 1
    assert WorkflowRef(artifact_id="c", version=1) != WorkflowRef(artifact_id="c", version=2)


def test_a_reference_is_what_it_says_and_no_formatted_name() -> None:
    child = {"name": "child@2", "start": "e", "nodes": [{"id": "e", "type": "end", "outcome": "ok"}], "edges": []}
    step = {"id": "run", "type": "subgraph", "workflow": {"name": "child@2"}}
    parent = {
        "name": "p", "start": "run", "nodes": [step], "edges": [{"from": "run", "outcome": "ok", "to": "__end__"}]
    }  # fmt: skip
    found = wfc.check({"workflows": [parent, child]})
    # The name is bad where it is given; nobody takes it for version 2 of an artifact.
    assert [f"{one.code.code} {one.at.pointer}" for one in found.diagnostics] == ["WF015 /workflows/1/name"]
    alone = wfc.check({"workflows": [parent]})
    assert [(one.code.code, "`child@2`" in one.message) for one in alone.diagnostics] == [("WF700", True)]
    assert WorkflowRef(name="child@2") != WorkflowRef(artifact_id="child", version=2)
