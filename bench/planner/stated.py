"""What a finding's sentence says to do, as a patch: by a reader who knows the language and sees only the sentence.

What a fault has destroyed cannot be known again: any value of the type that the sentence names is as good as another.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from wfc.source import lookup, pointer, pointer_parts

Json = dict[str, Any]
Patch = list[Json]

_SUCH_AS = re.compile(r"(?:such as|nearest:|nearest is|expected|read|write|mean) `([^`]+)`")
_WITHOUT = re.compile(r"without `([^`]+)`")
_EXPECTED = re.compile(r"expected (?:an? )?(array|object|string|integer|number|boolean|null)\b")
_CHOICE = re.compile(r"expected (\"[^\"]*\")")
_OUTPUT = re.compile(r"the output requires `([A-Za-z0-9_]+)`")
_QUOTED = re.compile(r"`([^`]+)`")
_STATE = re.compile(r"`state\.([A-Za-z0-9_.]+)`")
_OUTCOME = re.compile(r"outcome `([^`]+)` of `([^`]+)` has no edge")
_LEADS = re.compile(r"(?:expected one to|it leads to) `([^`]+)`")
_STRANGE = re.compile(r"[^A-Za-z0-9_-]+")
_VALUES: Json = {"array": [], "object": {}, "string": "x", "integer": 1, "number": 1, "boolean": True, "null": None}
_REDUCERS = {"array": "append", "object": "merge_object", "integer": "add", "number": "add", "string": "max"}
# A value for a field that is missing, where the language has one that fits anywhere.
_FIELDS: Json = {
    "kind": "approval",
    "check": {"op": "exists", "path": "input"},
    "outcomes": ["ok"],
    "seconds": 0,
    "over": {"value": []},
    "as": "item",
    "node": "wf.std.fail",
    "outcome": "ok",
    "value": None,
    "source": ".",
}


def repair(code: str, at: str, sentence: str, document: Json) -> Patch:
    """The operations; none where the sentence does not say enough."""
    parts = pointer_parts(at)
    there, reached = lookup(document, parts)
    if reached != parts:
        return []
    special = _BY_CODE.get(code)
    patch = special(at, there, sentence, document) if special is not None else []
    return patch or _replaced(at, there, sentence)


def _replaced(at: str, there: Any, sentence: str) -> Patch:
    """The word that the sentence names, in the place of the one that is wrong."""
    named = _SUCH_AS.search(sentence)
    if not isinstance(there, str) or named is None or named[1] == there:
        return []
    return [_put(at, named[1])]


def _put(at: str, value: Any) -> Json:
    return {"op": "replace", "path": at, "value": value}


def _renamed(at: str, there: Any, sentence: str, document: Json) -> Patch:
    """A name of letters, digits, `_` and `-`, wherever the old one stands."""
    if not isinstance(there, str):
        return []
    name = _STRANGE.sub("_", there)
    name = name if name[:1].isalpha() or name.startswith("_") else f"n{name}"
    return [_put(place, name) for place in _places(document, there)]


def _places(document: Json, word: str) -> list[str]:
    """Where a text stands alone as a value."""
    found: list[str] = []
    waiting: list[tuple[tuple[str | int, ...], Any]] = [((), document)]
    while waiting:
        parts, value = waiting.pop(0)
        if value == word and isinstance(value, str):
            found.append(pointer(*parts))
        inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        waiting += [((*parts, key), one) for key, one in inner]
    return found


def _completed(at: str, there: Any, sentence: str, document: Json) -> Patch:
    missing = _WITHOUT.search(sentence)
    if missing is None or missing[1] not in _FIELDS:
        return []
    value = _FIELDS[missing[1]]
    if missing[1] == "kind" and ("request_schema" in there or "resume_schema" in there):
        # Built-in kinds have their own schemas; any other name is a kind of the author's.
        value = "question"
    return [{"op": "add", "path": f"{at}/{missing[1]}", "value": value}]


def _reshaped(at: str, there: Any, sentence: str, document: Json) -> Patch:
    """A map where an array is due, a list where an object is due, a word where a list is due."""
    expected = _EXPECTED.search(sentence)
    kind = expected[1] if expected else ""
    if kind == "array" and isinstance(there, dict):
        named = [{"id": key, **one} if isinstance(one, dict) else one for key, one in there.items()]
        return [_put(at, named)]
    if kind == "array":
        return [_put(at, [there])]
    if kind in _VALUES:
        return [_put(at, _VALUES[kind])]
    return []


def _schema(at: str, there: Any, sentence: str, document: Json) -> Patch:
    """A map of properties becomes the schema that has them."""
    if isinstance(there, dict) and "properties" not in there:
        return [_put(at, {"type": "object", "properties": there})]
    return []


def _literal(at: str, there: Any, sentence: str, document: Json) -> Patch:
    choice = _CHOICE.search(sentence)
    if choice is not None:
        return [_put(at, json.loads(choice[1]))]
    expected = _EXPECTED.search(sentence)
    if expected is None:
        return []
    inside = list(there.values()) if isinstance(there, dict) else there if isinstance(there, list) else []
    kinds = {"string": str, "integer": int, "number": (int, float), "array": list, "object": dict, "boolean": bool}
    fitting = [one for one in inside if isinstance(one, kinds.get(expected[1], ()))]
    return [_put(at, fitting[0] if len(inside) == 1 and fitting else _VALUES[expected[1]])]


def _source(at: str, there: Any, sentence: str, document: Json) -> Patch:
    """A literal of the type that is due, in the place of a path that cannot give it."""
    expected = _EXPECTED.search(sentence)
    holder, key = at.rpartition("/")[::2]
    if key != "path" or not isinstance(there, str):
        return []
    value = _VALUES[expected[1]] if expected else "x"
    return [{"op": "remove", "path": at}, {"op": "add", "path": f"{holder}/value", "value": value}]


def _default(at: str, there: Any, sentence: str, document: Json) -> Patch:
    """A default for the state path that nothing has written; where none can stand, a literal for the read."""
    schema_at, kind = _declared(at, sentence, document)
    if kind not in _VALUES:
        return _source(at, there, sentence, document)
    return [{"op": "add", "path": f"{schema_at}/default", "value": _VALUES[kind]}]


def _reducer(at: str, there: Any, sentence: str, document: Json) -> Patch:
    """A reducer that merges, for a field that several write."""
    schema_at, kind = _declared(at, sentence, document)
    if kind not in _REDUCERS:
        return []
    return [{"op": "add", "path": f"{schema_at}/reducer", "value": f"wf.std.{_REDUCERS[kind]}"}]


def _declared(at: str, sentence: str, document: Json) -> tuple[str, str]:
    """Where the state field that a sentence names is declared, and its type; no type where it is not."""
    named = _STATE.search(sentence) or _OUTPUT.search(sentence)
    schema_at = f"{_top(at)}/state_schema"
    for name in named[1].split(".") if named else ():
        schema_at += f"/properties/{name}"
    schema, reached = lookup(document, pointer_parts(schema_at))
    kind = schema.get("type") if isinstance(schema, dict) else None
    is_there = named is not None and reached == pointer_parts(schema_at) and isinstance(kind, str)
    return schema_at, str(kind) if is_there else ""


def _edge(at: str, there: Any, sentence: str, document: Json) -> Patch:
    """The edge that an outcome goes without, to where the sentence or its help lets it lead."""
    outcome, to = _OUTCOME.search(sentence), _LEADS.search(sentence)
    if outcome is None or to is None:
        return []
    edge = {"from": outcome[2], "outcome": outcome[1], "to": to[1]}
    return [{"op": "add", "path": f"{_top(at)}/edges/-", "value": edge}]


def _rooted(at: str, there: Any, sentence: str, document: Json) -> Patch:
    """The root before the name, where state or input declares it: whatever stood before it names no root."""
    words = there.split(".") if isinstance(there, str) and at.endswith("/path") else []
    workflow, _ = lookup(document, pointer_parts(_top(at)))
    for first in range(len(words)):
        for root in ("state", "input"):
            schema = workflow.get(f"{root}_schema") or {}
            if words[first] in (schema.get("properties") or {}):
                return [_put(at, ".".join([root, *words[first:]]))]
    return []


def _item(at: str, there: Any, sentence: str, document: Json) -> Patch:
    """A literal for what only a loop has; in a condition a field of state, of the type of what it is compared with."""
    if "/check/" not in at:
        return _source(at, there, sentence, document)
    holder = at.rpartition("/")[0]
    other, _ = lookup(document, pointer_parts(_other_side(holder)))
    kinds = [name for name, one in _VALUES.items() if type(one) is type(other.get("value"))]
    workflow, _ = lookup(document, pointer_parts(_top(at)))
    fields = (workflow.get("state_schema") or {}).get("properties") or {}
    fitting = [name for name, schema in fields.items() if schema.get("type") in kinds]
    return [_put(at, f"state.{fitting[0]}")] if fitting else []


def _other_side(operand: str) -> str:
    holder, side = operand.rpartition("/")[::2]
    return f"{holder}/{'right' if side == 'left' else 'left'}"


def _loop(at: str, there: Any, sentence: str, document: Json) -> Patch:
    """A condition reads what a step of its loop writes: by the same name, if one does."""
    named = _QUOTED.findall(sentence)
    workflow, _ = lookup(document, pointer_parts(_top(at)))
    steps = [one for one in workflow["nodes"] if one.get("id") in named]
    written = [binding["target"] for one in steps for binding in one.get("output") or ()]
    read = next((one for one in named if one.partition(".")[0] in ("input", "state")), "")
    same = [one for one in written if one.rpartition(".")[2] == read.rpartition(".")[2]] or written
    place = next((one for one in _places(there, read)), None)
    return [_put(f"{at}{place}", same[0])] if same and place is not None else []


def _top(at: str) -> str:
    return at.split("/nodes/")[0].split("/edges/")[0]


_BY_CODE: dict[str, Callable[[str, Any, str, Json], Patch]] = {
    "WF011": _completed,
    "WF012": _reshaped,
    "WF015": _renamed,
    "WF016": _schema,
    "WF021": _rooted,
    "WF108": _edge,
    "WF203": _loop,
    "WF302": _source,
    "WF309": _item,
    "WF310": _literal,
    "WF400": _default,
    "WF401": _default,
    "WF402": _default,
    "WF403": _default,
    "WF500": _reducer,
    "WF501": _reducer,
}
