"""Documents with whatever JSON can say in whatever place: what the corpora hold, changed by a stream of choices."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

Choose = Callable[[int], int]

VALUES: tuple[Any, ...] = (
    1,
    -3,
    1.5,
    "zz",
    "state.x",
    "a b",
    'é\n"#',
    True,
    None,
    [],
    {},
    ["ok"],
    "then",
    "end",
    "__end__",
    "json",
    {"x-a": 1},
    {"type": "integer", "minimum": 0, "maximum": 9.5},
    {"type": ["string", "null"]},
    {"enum": ["a", "b"]},
    {"enum": ["a", None]},
    {"const": "a"},
    {"const": None},
    {"anyOf": [{"type": "string"}, {"type": "null"}]},
    {"anyOf": [{"const": 1}, {"const": 2}]},
    {
        "type": "object",
        "properties": {"a b": {"type": "string", "minLength": 1, "default": "x"}, "c": {}},
        "required": ["c"],
        "additionalProperties": {"type": "number", "exclusiveMinimum": 0},
    },
    {"type": "array", "items": {"$ref": "#/$defs/X"}, "minItems": 2, "maxItems": 3},
    {"type": "object", "properties": {}, "$defs": {"X": {"type": "string", "enum": ["q", "r"], "description": "d"}}},
    {
        "op": "and",
        "args": [
            {"op": "or", "args": [{"op": "exists", "path": "state.a"}]},
            {"op": "not", "arg": {"op": "eq", "left": 1, "right": {"value": [1]}}},
        ],
    },
    {"ref": {"source": "wf.std", "capability_key": "modulo_add"}, "config": {"modulus": 3}},
    [{"code": "WF203", "reason": "because so"}],
    {"root": "state", "parts": ["a", "b"]},
    {"root": "local", "parts": []},
)
KEYS = [
    "x-note",
    "desc",
    "x-wfc-allow",
    "with",
    "extra",
    "retry",
    "timeout_seconds",
    "catch",
    "outcomes",
    "outcome_schemas",
    "input",
    "output",
    "locals",
    "mode",
    "reducer",
    "default",
    "minItems",
    "$defs",
    "when",
    "on",
    "description",
    "enum",
    "const",
    "anyOf",
]


def containers(value: Any) -> list[Any]:
    found = [value]
    for one in found:
        inside = one.values() if isinstance(one, dict) else one
        found += [each for each in inside if isinstance(each, (dict, list))]
    return found


def mutated(value: Any, choose: Choose) -> Any:
    """A copy with up to five changes."""
    made = copy.deepcopy(value)
    for _ in range(1 + choose(5)):
        every = containers(made)
        holder = every[choose(len(every))]
        new = copy.deepcopy(VALUES[choose(len(VALUES))])
        (_in_object if isinstance(holder, dict) else _in_array)(holder, new, choose)
    return made


def _in_object(holder: dict[str, Any], new: Any, choose: Choose) -> None:
    act, keys = choose(4), list(holder)
    if act == 0 and keys:
        holder[keys[choose(len(keys))]] = new
    elif act == 1 and keys:
        del holder[keys[choose(len(keys))]]
    elif act == 2 and len(keys) > 1:
        one, other = keys[choose(len(keys))], keys[choose(len(keys))]
        holder[one], holder[other] = holder[other], holder[one]
    else:
        holder[KEYS[choose(len(KEYS))]] = new


def _in_array(holder: list[Any], new: Any, choose: Choose) -> None:
    act = choose(4)
    if act == 0 and holder:
        holder[choose(len(holder))] = new
    elif act == 1 and holder:
        del holder[choose(len(holder))]
    elif act == 2 and holder:
        holder.insert(choose(len(holder)), copy.deepcopy(holder[choose(len(holder))]))
    else:
        holder.append(new)
