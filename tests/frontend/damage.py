"""Shared workflows with some places damaged: what authors and programs write when they are nearly right."""

from __future__ import annotations

import copy
import json
from typing import Any

from hypothesis import strategies as st

from tests.frontend.documents import cases
from wfc.frontend import workflow_schema

WORKFLOWS = [case.workflow for case in cases() if len(json.dumps(case.workflow)) < 6_000]
WORDS = sorted({name for part in workflow_schema()["$defs"].values() for name in part["properties"]})
PIECES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 3),
    st.sampled_from(
        [0.5, "", ".", "state.a", "input", "$.x", "wf.std.count", "node_failed", "__end__", "a b", "ok", "fields"]
    ),
    st.sampled_from(WORDS),
    st.sampled_from([[], {}, [None], {"": {}}, {"/~": 1}, {"path": "state.a"}, {"value": None}, {"type": "int"}]),
    st.sampled_from(
        [{"$ref": "#"}, {"op": "and", "args": []}, {"root": "state", "parts": ["a"]}, {"fields": {"a": {}}}]
    ),
)


def containers(value: Any) -> list[Any]:
    """Every object and array inside a value, itself first."""
    found, waiting = [], [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, (dict, list)):
            found.append(item)
            waiting += item.values() if isinstance(item, dict) else item
    return found


@st.composite
def damaged(draw: st.DrawFn) -> Any:
    """A shared workflow in which some places hold something else, are gone, or have another key."""
    value = copy.deepcopy(draw(st.sampled_from(WORKFLOWS)))
    for _ in range(draw(st.integers(1, 4))):
        holder = draw(st.sampled_from(containers(value)))
        piece = copy.deepcopy(draw(PIECES))
        if isinstance(holder, list):
            holder.insert(draw(st.integers(0, len(holder))), piece)
            continue
        key = draw(st.sampled_from([*holder, *WORDS]))
        if draw(st.booleans()):
            holder[key] = piece
        else:
            holder.pop(key, None)
    return value
