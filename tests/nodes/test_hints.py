"""What type hints mean as JSON Schema, and how values are made of them."""

import enum
import subprocess
import sys
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, NewType, NotRequired, Optional, TypedDict

import pytest
from pydantic import BaseModel, Field

from wfc.nodes import HintFault, StateField, schema_from, schema_of

Word = NewType("Word", str)


class Colour(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Where(TypedDict):
    town: str
    street: NotRequired[str]


@dataclass
class Person:
    name: str
    tags: Annotated[list[str], StateField(reducer="wf.std.append")] = field(default_factory=list)
    colour: Colour = Colour.RED


@dataclass
class Tree:
    value: int
    below: "list[Tree]"


class Item(BaseModel):
    title: str
    count: int = 1


class Order(BaseModel):
    items: list[Item]
    first: Item | None = None
    notes: Annotated[list[str], StateField(reducer="wf.std.extend")] = Field(description="free text")


class Part(BaseModel):
    name: str
    parts: "list[Part]"


PERSON = {
    "type": "object",
    "properties": {
        "name": {"type": "string"},
        "tags": {"type": "array", "items": {"type": "string"}, "reducer": "wf.std.append", "default": []},
        "colour": {"enum": ["red", "blue"], "default": "red"},
    },
    "required": ["name"],
}
ITEM = {
    "type": "object",
    "properties": {"title": {"type": "string"}, "count": {"type": "integer", "default": 1}},
    "required": ["title"],
}


@pytest.mark.parametrize(
    ("hint", "schema"),
    [
        (Any, {}),
        (None, {"type": "null"}),
        (bool, {"type": "boolean"}),
        (float, {"type": "number"}),
        (Word, {"type": "string"}),
        (list, {"type": "array"}),
        (list[int], {"type": "array", "items": {"type": "integer"}}),
        (dict[str, int], {"type": "object", "additionalProperties": {"type": "integer"}}),
        (tuple[int, ...], {"type": "array", "items": {"type": "integer"}}),
        (
            tuple[int, str],
            {"type": "array", "prefixItems": [{"type": "integer"}, {"type": "string"}], "minItems": 2, "maxItems": 2},
        ),
        (Optional[str], {"anyOf": [{"type": "string"}, {"type": "null"}]}),  # noqa: UP045
        (int | str, {"anyOf": [{"type": "integer"}, {"type": "string"}]}),
        (Literal["a", 2], {"enum": ["a", 2]}),
        (Literal["a"], {"const": "a"}),
        (
            Where,
            {
                "type": "object",
                "properties": {"town": {"type": "string"}, "street": {"type": "string"}},
                "required": ["town"],
            },
        ),
        (Person, PERSON),
        (list[Person], {"type": "array", "items": PERSON}),
        (Item, ITEM),
        (
            Order,
            {
                "type": "object",
                "properties": {
                    "items": {"type": "array", "items": ITEM},
                    "first": {"anyOf": [ITEM, {"type": "null"}], "default": None},
                    "notes": {
                        "type": "array",
                        "items": {"type": "string"},
                        "description": "free text",
                        "reducer": "wf.std.extend",
                    },
                },
                "required": ["items", "notes"],
            },
        ),
        (
            Tree,
            {
                "$ref": "#/$defs/Tree",
                "$defs": {
                    "Tree": {
                        "type": "object",
                        "properties": {
                            "value": {"type": "integer"},
                            "below": {"type": "array", "items": {"$ref": "#/$defs/Tree"}},
                        },
                        "required": ["value", "below"],
                    }
                },
            },
        ),
    ],
)
def test_a_hint_means(hint: Any, schema: Any) -> None:
    assert schema_of(hint) == schema


def test_a_model_that_holds_itself_keeps_its_definition() -> None:
    part = {
        "type": "object",
        "properties": {"name": {"type": "string"}, "parts": {"type": "array", "items": {"$ref": "#/$defs/Part"}}},
        "required": ["name", "parts"],
    }
    assert schema_of(Part) == {"$ref": "#/$defs/Part", "$defs": {"Part": part}}


@pytest.mark.parametrize("hint", [bytes, set[int], dict[int, str], complex, list[bytes], Literal[b"a"]])
def test_what_is_no_json_has_no_schema(hint: Any) -> None:
    with pytest.raises(HintFault, match=r"means no JSON Schema|holds what is no JSON"):
        schema_of(hint)


def test_a_mapping_of_names_is_an_object() -> None:
    fields = {"tags": StateField(type=list[str], reducer="wf.std.append"), "n": int, "any": {"minimum": 3}}
    properties = {
        "tags": {"type": "array", "items": {"type": "string"}, "reducer": "wf.std.append"},
        "n": {"type": "integer"},
        "any": {"minimum": 3},
    }
    assert schema_from(fields, required=False) == {"type": "object", "properties": properties}
    assert schema_from(fields)["required"] == ["tags", "n", "any"]


def test_a_schema_stays_what_it_is() -> None:
    assert schema_from({"type": "object", "x-a": None}) == {"type": "object", "x-a": None}
    assert schema_from(True) is True


def test_a_reducer_with_a_configuration() -> None:
    reducer = {"ref": {"source": "wf.std", "capability_key": "modulo_add"}, "config": {"modulus": 10}}
    made = schema_from({"n": StateField(type="integer", reducer=reducer, default=0)}, required=False)
    assert made["properties"] == {"n": {"type": "integer", "reducer": reducer, "default": 0}}


def test_plain_hints_import_no_pydantic() -> None:
    code = (
        "import sys, wfc\nfrom dataclasses import dataclass\n@dataclass\nclass A:\n    n: int\n"
        "@wfc.node\ndef f(a: A) -> A: return a\n"
        "b = wfc.WorkflowBuilder('w', state_schema=A)\nb.connect(b.node(f), 'ok', wfc.END)\n"
        "b.document()\nprint('pydantic' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
