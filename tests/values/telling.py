"""How tests about presence ask: a `step path` for each question, one word for each answer."""

from __future__ import annotations

from typing import Any

import pytest

from tests.values.studied import Json, Studied
from tests.values.workflows import BOOLEAN, INTEGER, compare, definition, exists, record
from wfc.paths import GraphSourcePath

FLAG = {"input_schema": record({"flag": BOOLEAN})}
IF = compare("eq", "input.flag", True)
PAIR = record(optional={"a": INTEGER, "b": INTEGER})
TWO = {"value": [1, 2]}
ANY: Json = {}
MAY = {
    "input_schema": record({"flag": BOOLEAN}, {"o": INTEGER, "q": INTEGER, "d": record({"k": INTEGER}, {"l": INTEGER})})
}
O, Q = exists("input.o"), exists("input.q")  # noqa: E741
EQ = compare("eq", "input.o", 1)
FOUND = definition("find", {"type": "object"}, ["found", "missing"], found=record({"x": INTEGER}, {"y": INTEGER}))


def presences(document: Json, *asked: str) -> list[str]:
    """The presence of each `step path` that is asked for."""
    studied = Studied(document)
    found = []
    for question in asked:
        step, path = question.split()
        found.append(studied.values.seen_at(studied.flow, step, GraphSourcePath.parse(path)).presence.value)
    return found


def told(document: Json, **expected: str) -> Any:
    """A case: what `at` the step `here` is said of one path; keywords are paths with `__` for dots."""
    return pytest.param(document, {f"here {name.replace('__', '.')}": said for name, said in expected.items()})


def check(document: Json, expected: dict[str, str]) -> None:
    assert dict(zip(expected, presences(document, *expected), strict=True)) == expected
