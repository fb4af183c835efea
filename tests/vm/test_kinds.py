"""What is foreseen of a schema is what jsonschema-rs says of every value of that kind."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from wfc.vm import kinds
from wfc.vm.verdicts import Judge

NAMES = ["integer", "number", "string", "boolean", "null", "array", "object"]
MORE: list[dict[str, Any]] = [
    {},
    {"title": "t", "default": 1},
    {"minimum": 3},
    {"maxLength": 2},
    {"enum": [1, "a"]},
    {"format": "date"},
    {"$ref": "#/properties/a"},
    {"not": {"type": "integer"}},
]
TYPES = st.one_of(st.sampled_from(NAMES), st.lists(st.sampled_from(NAMES), min_size=1, unique=True))
SCHEMAS: st.SearchStrategy[Any] = st.one_of(
    st.booleans(),
    st.sampled_from(MORE),
    st.builds(lambda names, more: {"type": names, **more}, TYPES, st.sampled_from(MORE)),
)
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.integers(-(10**400), 10**400),
    st.floats(allow_nan=False, allow_infinity=False),
    st.integers(-5, 5).map(float),
    st.text(),
)
DRAFTS = [None, "http://json-schema.org/draft-06/schema#", "http://json-schema.org/draft-07/schema#"]
OBJECTS = st.fixed_dictionaries(
    {},
    optional={
        "type": st.sampled_from(["object", ["object", "null"], "array"]),
        "properties": st.dictionaries(st.sampled_from("ab"), SCHEMAS),
        "required": st.lists(st.sampled_from("abc"), max_size=2, unique=True),
        "additionalProperties": SCHEMAS,
        "minProperties": st.just(2),
        "patternProperties": st.just({"a": {"type": "string"}}),
        "allOf": st.just([{"properties": {"a": {"type": "string"}}}]),
    },
)


@settings(deadline=None, max_examples=600)
@given(OBJECTS, st.sampled_from(DRAFTS), st.sampled_from(["a", "ab", "ac", ""]), st.data())
def test_what_is_foreseen_of_an_object_is_the_verdict(
    schema: dict[str, Any], draft: str | None, keys: str, data: st.DataObject
) -> None:
    schema = schema if draft is None else {"$schema": draft, **schema}
    if "$ref" in str(schema) and "a" not in schema.get("properties", {}):
        return
    if "#/properties/a" in str(schema.get("properties", {}).get("a")):
        return
    judge = Judge(schema)
    found = kinds.kinds_of_object(judge, list(keys))
    assert len(found) == len(keys)
    for _ in range(5):
        value = {key: data.draw(SCALARS) for key in keys}
        if all(type(value[key]) in kind for key, kind in zip(keys, found, strict=True)) and keys:
            assert judge.is_valid(value)


def test_schemas_that_only_name_kinds_are_foreseen() -> None:
    """Otherwise nothing would be won, and the law above would hold of nothing."""
    count = {"type": "object", "properties": {"n": {"type": "integer"}, "s": {"type": ["string", "null"]}}}
    whole, text = kinds.kinds_of_object(Judge({**count, "required": ["n"], "additionalProperties": False}), ["n", "s"])
    assert whole == {int}
    assert text == {str, type(None)}
    assert kinds.kinds_of_object(Judge(count), ["n", "x"]) == (frozenset([int]), kinds.ALL_KINDS)
    for further in ({"additionalProperties": {"minLength": 1}}, {"required": ["z"]}, {"minProperties": 3}):
        assert kinds.kinds_of_object(Judge({**count, **further}), ["n", "x"]) == (frozenset(), frozenset())
