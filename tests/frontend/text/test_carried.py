"""A field of the output that takes its type from the state brings the named types along that it uses."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wfc
from wfc.frontend import canonical_text, read_document, text_of

STEP = ' one: set a = {"x": 1} then end\n'


def read(state: str, output: str) -> Any:
    document = read_document("a.wf", f"workflow w {{\n state {{ {state} }}\n output {{ {output} }}\n{STEP}}}\n")
    assert document.diagnostics == ()
    return document.value


def definitions(state: str, output: str) -> Any:
    return read(state, output)["output_schema"].get("$defs")


NAME = {"type": "object", "properties": {"x": {"type": "integer"}}, "required": ["x"]}


def test_the_type_of_a_bare_field_is_declared() -> None:
    text = f"workflow w {{\n state {{ $Name: {{ x: integer }}, a: $Name }}\n output {{ a }}\n\n{STEP}}}\n"
    value = read_document("a.wf", text).value
    assert value["output_schema"]["$defs"] == {"Name": NAME}
    assert text_of(value) == text
    assert [found.message for found in wfc.check(wfc.loads(text, name="a.wf")).diagnostics] == []


@pytest.mark.parametrize(
    ("state", "output", "declared"),
    [
        ("$A: string, a: integer, b: $A", "a", None),
        ("$A: string, $B: { a: $A }, $C: number, a: [$B]", "a?", {"A", "B"}),
        ("$A: { next?: $A }, a: $A | null", "a", {"A"}),
        ("$A: { b?: $B }, $B: { a?: $A }, a: $A", "a", {"A", "B"}),
        ("$A: string, a: $A", "a: integer", None),
        # What the output says itself stands, and what that leads to comes along.
        ("$A: string, $B: integer, a: $A", "$A: { b: $B }, a", {"A", "B"}),
    ],
)
def test_what_it_leads_to_comes_along(state: str, output: str, declared: set[str] | None) -> None:
    found = definitions(state, output)
    assert (found and set(found)) == declared


def test_a_definition_of_its_own_stands() -> None:
    assert definitions("$A: string, a: $A", "$A: integer, a") == {"A": {"type": "integer"}}


def test_a_state_that_is_json_gives_its_types_too() -> None:
    text = (
        'workflow w {\n state json {"$defs": {"A": {}}, "properties": {"a": {"$ref": "#/$defs/A"}}}\n output { a }\n}\n'
    )
    assert read_document("a.wf", text).value["output_schema"]["$defs"] == {"A": {}}


def test_a_type_that_is_not_declared_is_told_and_not_declared_by_writing() -> None:
    """The output of this document is wrong, and its text must be wrong in the same way."""
    value = read("$A: string, a: $A", "a")
    del value["output_schema"]["$defs"]
    again = read_document("a.wf", text_of(value)).value
    assert again == value
    assert "WF017" in [found.code.code for found in wfc.check(wfc.from_value(value)).diagnostics]


@pytest.mark.parametrize("output", ["\n  # why\n  $A: string,\n  a\n", "$A: string, # why\n a\n", "\n  # why\n  a\n"])
def test_a_comment_beside_a_type_that_goes_without_saying_is_kept(output: str) -> None:
    text = f"workflow w {{\n state {{ $A: string, a: $A }}\n output {{{output}}}\n{STEP}}}\n"
    laid = canonical_text(read_document("a.wf", text), "text")
    assert "\n output {\n   # why\n   a\n }\n" in laid
    assert canonical_text(read_document("a.wf", laid), "text") == laid


NAMES = "ABC"
TYPES: tuple[Any, ...] = (
    {"type": "integer"},
    *({"$ref": f"#/$defs/{name}"} for name in NAMES),
    {"type": "array", "items": {"$ref": "#/$defs/B"}},
    {"type": "object", "properties": {"c": {"$ref": "#/$defs/C/properties/d"}}},
    {"$ref": "#/$defs/D"},
    {"$ref": "#/properties/a"},
    {},
)


@given(st.data())
@settings(deadline=None, max_examples=300)
def test_every_pair_of_state_and_output_comes_back(data: st.DataObject) -> None:
    kinds = st.sampled_from(TYPES)

    def schema() -> dict[str, Any]:
        made: dict[str, Any] = {
            "type": "object",
            "properties": data.draw(st.dictionaries(st.sampled_from("abc"), kinds)),
        }
        defs = data.draw(st.dictionaries(st.sampled_from(NAMES), kinds))
        return {**made, **({"$defs": defs} if defs else {}), **data.draw(st.sampled_from(({}, {"$ref": "#/$defs/A"})))}

    value = {"name": "w", "state_schema": schema(), "output_schema": schema(), "start": "e"}
    value["nodes"] = [{"id": "e", "type": "end", "outcome": "ok"}]
    text = text_of(value)
    found = read_document("a.wf", text)
    assert found.diagnostics == ()
    assert found.value == value
    assert text_of(found.value) == text
