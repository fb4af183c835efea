"""The contracts of generated workflows, and inputs and answers from all that these admit."""

from __future__ import annotations

import random
from typing import Any

from wfc.backends.sources.std import NODES
from wfc.ir import Answer, Completed, Delay, Elapsed, Failed, Invoke, NodeResult

Json = dict[str, Any]

INTEGER, TEXT = {"type": "integer"}, {"type": "string"}
DEEP: Json = {"type": "object", "properties": {"k": INTEGER, "l": TEXT}, "required": ["k"]}
PAIR: Json = {"type": "object", "properties": {"x": INTEGER, "y": TEXT, "deep": DEEP}}
STATE: Json = {
    "type": "object",
    "properties": {
        "a": INTEGER,
        "b": {"type": "integer", "reducer": "wf.std.add", "default": 0},
        "best": {"type": "integer", "reducer": "wf.std.max"},
        "log": {"type": "array", "items": INTEGER, "reducer": "wf.std.append"},
        "bag": {"type": "array", "reducer": "wf.std.extend", "default": []},
        "pair": PAIR,
        "need": {"type": "object", "properties": {"p": INTEGER, "q": TEXT}, "required": ["p"]},
        "mix": {"type": "object", "reducer": "wf.std.merge_object", "properties": {"x": INTEGER}},
        "free": {"type": "object"},
        "any": {},
        "either": {"anyOf": [TEXT, {"type": "object", "properties": {"x": INTEGER}, "required": ["x"]}]},
        "null": {"type": ["integer", "null"], "default": None},
        "note": TEXT,
        "tag": {"enum": ["red", "blue", "none"], "default": "none"},
    },
}
INPUT: Json = {
    "type": "object",
    "properties": {
        "i": INTEGER,
        "o": INTEGER,
        "s": {"type": "string", "default": "z"},
        "a": INTEGER,
        "pair": PAIR,
        "items": {"type": "array", "items": PAIR, "minItems": 1},
        "list": {"type": "array", "items": INTEGER},
    },
    "required": ["i", "items"],
}
OBJECT: Json = {"type": "object", "properties": {"x": INTEGER, "y": TEXT, "deep": DEEP}, "required": ["x"]}
WORK: Json = {
    "name": "work",
    "input_schema": {},
    "output_schema": {
        "type": "object",
        "properties": {
            "n": INTEGER,
            "s": TEXT,
            "o": OBJECT,
            "e": {"type": "object", "properties": {}},
            "tag": {"enum": ["red", "blue"]},
            "ns": {"type": "array", "items": INTEGER},
            "z": {"type": ["integer", "null"]},
            "need": {"type": "object", "properties": {"p": INTEGER, "q": TEXT}, "required": ["p"]},
        },
        "required": ["n", "o", "ns", "z", "e", "tag", "need"],
    },
    "outcomes": ["ok", "other", "empty"],
    "outcome_schemas": {
        "other": {"type": "object", "properties": {"n": INTEGER, "s": TEXT}},
        "empty": {"type": "object"},
    },
}
PROBE: Json = {"name": "probe", "outcomes": ["ok"]}


def given(choose: random.Random) -> Json:
    """An input that the input schema admits."""
    made: Json = {"i": choose.randrange(3), "items": [_pair(choose) for _ in range(1 + choose.randrange(3))]}
    for name, value in (("o", 1), ("a", 5), ("pair", _pair(choose)), ("list", [1, 2]), ("s", "q")):
        if choose.randrange(2):
            made[name] = value
    return made


def _pair(choose: random.Random) -> Json:
    made: Json = {"x": choose.randrange(3)} if choose.randrange(3) else {}
    if choose.randrange(2):
        made["y"] = "y"
    if choose.randrange(2):
        made["deep"] = {"k": 1, **({"l": "l"} if choose.randrange(2) else {})}
    return made


def answer(effect: Invoke | Delay, choose: random.Random) -> Answer:
    """What a node may return, by its contract, or a failure."""
    if isinstance(effect, Delay):
        return Elapsed(effect.call_id)
    if effect.capability.startswith("wf.std."):
        outcome, output = NODES[effect.capability.removeprefix("wf.std.")](effect.payload)
        return Completed(effect.call_id, NodeResult(outcome, output))
    if effect.definition == "probe":
        return Completed(effect.call_id, NodeResult(None, {}))
    kind = choose.randrange(12)
    if kind == 0:
        return Failed(effect.call_id, "node_failed", "boom", *(["Boom"] if choose.randrange(2) else []))
    if kind < 3:
        given: Json = {name: value for name, value in (("n", 1), ("s", "s")) if choose.randrange(4)}
        return Completed(effect.call_id, NodeResult("other", given))
    if kind == 3:
        return Completed(effect.call_id, NodeResult("empty", {"n": 1} if choose.randrange(2) else {}))
    output = {"n": choose.randrange(4), "o": {"x": 1, **_pair(choose)}, "e": {}, "ns": [1, 2], "tag": "red"}
    output["z"] = choose.choice((None, 2))
    output["need"] = {"p": 1, **({"q": "q"} if choose.randrange(2) else {})}
    if choose.randrange(8):
        output["s"] = "text"
    if choose.randrange(3) == 0:
        output["e"] = {"x": 2}
    return Completed(effect.call_id, NodeResult(None, output))
