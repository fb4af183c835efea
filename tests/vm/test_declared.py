"""Each state path has the reducer that is declared for exactly it, and no other (reference 1.6)."""

from __future__ import annotations

from typing import Any

import pytest

from wfc.vm.plans import reducer_at

APPEND, MERGE = "wf.std.append", "wf.std.merge_object"
TAGS = {"type": "array", "reducer": APPEND}
SCHEMA: dict[str, Any] = {
    "properties": {
        "person": {"type": "object", "properties": {"name": {"type": "string"}, "tags": TAGS}},
        "profile": {"type": "object", "reducer": MERGE},
        "by_reference": {"$ref": "#/$defs/note"},
        "of_all": {"allOf": [{"type": "object"}, {"properties": {"tags": TAGS}}]},
        "total": {"reducer": {"ref": {"source": "wf.std", "capability_key": "modulo_add"}, "config": {"modulus": 10}}},
        "each": {"type": "array", "items": {"properties": {"tags": TAGS}}},
    },
    "$defs": {"note": {"type": "object", "properties": {"tags": TAGS}}},
}


@pytest.mark.parametrize(
    ("path", "reducer"),
    [
        ("person", "wf.std.replace"),
        ("person.name", "wf.std.replace"),
        ("person.tags", APPEND),
        ("person.tags.deeper", "wf.std.replace"),
        ("person.undeclared", "wf.std.replace"),
        ("profile", MERGE),
        ("profile.avatar", "wf.std.replace"),
        ("by_reference.tags", APPEND),
        ("of_all.tags", APPEND),
        ("total", "wf.std.modulo_add"),
        ("each.tags", "wf.std.replace"),
    ],
)
def test_a_path_has_the_reducer_declared_for_it(path: str, reducer: str) -> None:
    assert reducer_at(SCHEMA, tuple(path.split("."))).name == reducer


def test_a_reducer_has_its_config() -> None:
    assert reducer_at(SCHEMA, ("total",)).config == {"modulus": 10}
