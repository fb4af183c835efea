"""Schemas that cannot be used are refused at the keyword; what can is left alone, in every draft and at every depth."""

from typing import Any

import pytest

from tests.frontend.documents import elaborated, found_in, small, workflow_of
from wfc.edits import apply_patch
from wfc.ir import DRAFTS, Schema

REFERRING = {"$ref": "#/$defs/a", "$defs": {"a": {"type": "string"}}}


def of_def(schema: Any) -> Any:
    return small(node_defs=[{"name": "f", "outcomes": ["ok"], "input_schema": schema}])


def found(schema: Any) -> list[str]:
    """The findings of a definition's input schema, with pointers into it."""
    return [one.replace("/node_defs/0/input_schema", "") for one in found_in(of_def(schema))]


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ("object", ["WF016 "]),
        ({"type": "int"}, ["WF016 /type"]),
        ({"type": ["string", "nul"]}, ["WF016 /type"]),
        ({"properties": {"a": {"minimum": "0"}, "b": 5}}, ["WF016 /properties/a/minimum", "WF016 /properties/b"]),
        ({"required": "a"}, ["WF016 /required"]),
        ({"pattern": "("}, ["WF016 /pattern"]),
        ({"items": [{}]}, ["WF016 /items"]),
        ({"$schema": "https://example.org/own"}, ["WF016 /$schema"]),
        ({"$schema": 5}, ["WF016 /$schema"]),
        ({"$ref": 5}, ["WF016 /$ref"]),
        ({"$ref": "#/$defs/none"}, ["WF017 /$ref"]),
        ({"$ref": "#none"}, ["WF017 /$ref"]),
        ({"$ref": "other.json#/x"}, ["WF017 /$ref"]),
        ({"$ref": "https://example.org/schema"}, ["WF017 /$ref"]),
        ({"$defs": {"unused": {"$ref": "#/nowhere"}}}, ["WF017 /$defs/unused/$ref"]),
        ({"$ref": "#"}, ["WF017 /$ref"]),
        ({"allOf": [{"$ref": "#"}]}, ["WF017 /allOf/0/$ref"]),
        ({"anyOf": [{"type": "null"}, {"not": {"$ref": "#"}}]}, ["WF017 /anyOf/1/not/$ref"]),
        ({"$ref": "#/x/a", "x": {"a": {"$ref": "#/x/b"}}}, ["WF017 /x/a/$ref"]),
    ],
)
def test_what_cannot_be_used_is_refused_at_the_keyword(schema: Any, expected: list[str]) -> None:
    assert found(schema) == expected


@pytest.mark.parametrize(
    "schema",
    [
        True,
        False,
        {},
        REFERRING,
        {"x-own": 1, "reducer": "wf.std.append", "properties": {"a": {"reducer": 5}}},
        {"properties": {"$ref": {"type": "string"}}, "const": {"$ref": "#/no"}, "default": {"$ref": 5}},
        {"type": "object", "properties": {"child": {"$ref": "#"}}},
        {"$ref": "#ab", "$defs": {"a": {"$anchor": "ab"}}},
        {"$ref": "#/$defs/a~1b%25", "$defs": {"a/b%": {}}},
        {"$id": "https://example.org/s", "$ref": "s#/$defs/a", "$defs": {"a": {}}},
        {"$ref": "part", "$defs": {"a": {"$id": "part", "$ref": "#/$defs/b", "$defs": {"b": {}}}}},
        {"$dynamicRef": "#node", "$defs": {"a": {"$dynamicAnchor": "node"}}},
        {"$ref": "https://json-schema.org/draft/2020-12/schema"},
        {"pattern": "^\\p{L}+$", "format": "no such format", "contentMediaType": "x/y"},
        {"$schema": "http://json-schema.org/draft-07/schema#", "items": [{}]},
        {"$schema": DRAFTS[2], "$ref": "#/definitions/a", "allOf": [{"$ref": "#"}], "definitions": {"a": {}}},
    ],
)
def test_what_can_be_used_is_left_as_it_is(schema: Any) -> None:
    assert workflow_of(of_def(schema)).defs[0].input_schema == Schema.of(schema)


@pytest.mark.parametrize("draft", DRAFTS)
def test_each_draft_is_judged_by_its_own_meta_schema(draft: str) -> None:
    old = draft.endswith("draft-04/schema")
    assert found({"$schema": draft, "minimum": 0, "exclusiveMinimum": True}) == (
        [] if old else ["WF016 /exclusiveMinimum"]
    )
    assert found({"$schema": f"{draft}#", "definitions": {"a": {}}, "$ref": "#/definitions/a"}) == []
    inside = {"properties": {"a": {"items": {"items": {"type": "text"}}}}}
    assert found({"$schema": draft, **inside}) == ["WF016 /properties/a/items/items/type"]


def test_schemas_beside_other_things_are_judged_inside() -> None:
    wrong: dict[str, Any] = {"type": "int"}
    old = {"$schema": "http://json-schema.org/draft-04/schema"}
    assert found({**old, "items": [{}, wrong]}) == ["WF016 /items/1/type"]
    assert found({**old, "additionalProperties": wrong}) == ["WF016 /additionalProperties/type"]
    assert found({**old, "dependencies": {"a": wrong, "b": ["c"]}}) == ["WF016 /dependencies/a/type"]
    assert found({**old, "additionalItems": 5}) == ["WF016 /additionalItems"]


@pytest.mark.parametrize(
    ("schema", "at"),
    [
        (True, "/output_schema"),
        ({"type": "array"}, "/output_schema/type"),
        ({"type": ["array", "null"]}, "/output_schema/type"),
    ],
)
def test_a_workflow_schema_describes_objects(schema: Any, at: str) -> None:
    assert found_in(small(output_schema=schema)) == [f"WF016 {at}"]


def test_a_workflow_schema_may_leave_its_type_to_its_place() -> None:
    assert found_in(small(input_schema={"properties": {"a": {}}}, state_schema=REFERRING, output_schema={})) == []


@pytest.mark.parametrize(
    ("written", "meant"), [("int", "integer"), ("str", "string"), ("Boolean", "boolean"), ("dict", "object")]
)
def test_a_type_of_another_language_is_replaced(written: str, meant: str) -> None:
    value = small(input_schema={"properties": {"a": {"type": written}}})
    (finding,) = elaborated(value).diagnostics
    assert finding.message.startswith(f'found `"{written}"` as `type`, expected one of `array`')
    assert apply_patch(value, finding.fixes[0].patch)["input_schema"]["properties"]["a"]["type"] == meant


def test_the_words_are_those_of_jsonschema() -> None:
    (finding,) = elaborated(of_def({"multipleOf": 0})).diagnostics
    assert (
        finding.message
        == "found `multipleOf` (0 is less than or equal to the minimum of 0), expected what the meta-schema admits"
    )


def test_a_part_that_cannot_be_used_is_left_out() -> None:
    written = {"type": "object", "properties": {"a": {"type": "int"}, "b": {"$ref": "#/no"}, "c": {"type": "string"}}}
    read = elaborated(of_def(written)).module
    assert read is not None
    kept = {"type": "object", "properties": {"a": {}, "b": {}, "c": {"type": "string"}}}
    assert read.workflows[0].defs[0].input_schema == Schema.of(kept)


def nested(levels: int, inner: Any) -> Any:
    schema = inner
    for _ in range(levels):
        schema = {"properties": {"a": schema}}
    return schema


def test_a_schema_as_deep_as_documents_may_be() -> None:
    assert found(nested(97, {"type": "string"})) == []
    assert found(nested(97, {"type": "int"})) == ["WF016 " + "/properties/a" * 97 + "/type"]
    assert found(nested(97, {"$ref": "#"})) == []
    items: Any = {"type": "int"}
    for _ in range(190):
        items = {"items": items}
    assert found({"$schema": DRAFTS[2], **items}) == ["WF016 " + "/items" * 190 + "/type"]
    assert found(nested(96, {"$ref": "#/nothing"})) == ["WF017 " + "/properties/a" * 96 + "/$ref"]


def test_a_chain_of_a_thousand_references() -> None:
    chain = {f"d{n}": {"$ref": f"#/$defs/d{n + 1}"} for n in range(1000)}
    ends: dict[str, Any] = {"d1000": {"type": "string"}}
    round_: dict[str, Any] = {"d1000": {"$ref": "#/$defs/d0"}}
    assert found({"$ref": "#/$defs/d0", "$defs": {**chain, **ends}}) == []
    assert found({"$ref": "#/$defs/d0", "$defs": {**chain, **round_}}) == ["WF017 /$defs/d1000/$ref"]
