"""Every reducer is one that there is, is told what it has to know, and stands where it counts (reference 1.6)."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import Any

from wfc.diagnostics import Code, Diagnostic, Fix, Place, Severity
from wfc.ir import BY_NAME, Reducer, reducer_ref
from wfc.passes.examples import example
from wfc.passes.facts import Facts
from wfc.passes.facts.field_uses import FieldUses
from wfc.passes.facts.reducer_places import Misplaced, is_unknown
from wfc.passes.graph.flow import Flow
from wfc.passes.repairs.patches import PLACEHOLDER, SAFE, patch, rewrite, take_out
from wfc.passes.spelling import alike, meant
from wfc.passes.types import kinds
from wfc.source import pointer_parts

_HEAD = """{"name": "tally", "start": "each",
 "input_schema": {"type": "object", "properties": {"rows": {"type": "array", "items": {"type": "array"}}},
                  "required": ["rows"]},
 "state_schema": {"type": "object", "properties": {
"""
_TAIL = """
 "output_schema": {"type": "object", "properties": {"sizes": {}}},
 "nodes": [{"id": "each", "type": "foreach", "over": "input.rows", "as": "row"},
  {"id": "size", "type": "node", "node": "wf.std.count", "input": [{"target": "array", "path": "context.row"}],
   "output": [{"source": "count", "target": "state.sizes"}]}],
 "edges": [{"from": "each", "outcome": "item", "to": "size"}, {"from": "size", "outcome": "ok", "to": "each"},
           {"from": "each", "outcome": "done", "to": "__end__"}]}
"""
UNKNOWN_REDUCER = Code(
    code="WF410",
    rule="unknown-reducer",
    severity=Severity.ERROR,
    message="{got} is no reducer; expected {expected}",
    help="name a reducer with its source, such as `wf.std.append`",
    why=(
        "A reducer says how a write meets what is there already, and whether parallel branches may write the same "
        "path. With a name that means none, the first write to the path could not be done, and what was meant by it is "
        "lost."
    ),
    example=example(
        _HEAD
        + """   "sizes": {"type": "integer", "reducer": "max"}}},
                                           ^^^^^"""
        + _TAIL,
        ('"max"', '"wf.std.max"'),
    ),
)
BAD_REDUCER_CONFIG = Code(
    code="WF411",
    rule="bad-reducer-config",
    severity=Severity.ERROR,
    message="`{reducer}` {problem}; expected {expected}",
    help="give `{reducer}` its config as its description says",
    why=(
        "A reducer is a pure function of what is there, what comes in, and its config. Without a config that it needs "
        "it fails at the first write; a key that it does not know is ignored, so that it does less than was asked for."
    ),
    example=example(
        _HEAD
        + """   "sizes": {"type": "integer", "reducer": {"ref": {"source": "wf.std", "capability_key": "modulo_add"},
             "config": {"modulo": 10}}}}},
                       ^^^^^^^^^^^^^^"""
        + _TAIL,
        ('"modulo": 10', '"modulus": 10'),
    ),
)
MISPLACED_REDUCER = Code(
    code="WF415",
    rule="misplaced-reducer",
    severity=Severity.WARNING,
    message=(
        "`{got}` stands where it does not count; expected a reducer at a field that a chain of `properties` leads to"
    ),
    help="move the reducer to the field whose writes it is for",
    why=(
        "A reducer belongs to exactly one state path, and paths lead through `properties`. At the elements of a list, "
        "at an alternative or at the root there is no such path: the field is replaced as if nothing had been said."
    ),
    example=example(
        _HEAD
        + """   "sizes": {"oneOf": [{"type": "integer", "reducer": "wf.std.add"}]}}},
                                                      ^^^^^^^^^^^^"""
        + _TAIL,
        ('[{"type": "integer", "reducer": "wf.std.add"}]', '[{"type": "integer"}], "reducer": "wf.std.add"'),
    ),
)
CODES = (UNKNOWN_REDUCER, BAD_REDUCER_CONFIG, MISPLACED_REDUCER)
_BUILT_IN = "wf.std"
_LONGEST = 40
_PARTS = ("ref", "config")
# What others call a reducer that there is.
_MEANT = {"push": "append", "concat": "extend", "merge": "merge_object", "sum": "add", "overwrite": "replace"}


def check(facts: Facts) -> Iterator[Diagnostic]:
    for flow in facts.flows:
        uses = facts.field_uses(flow)
        counting, others = uses.reducers
        for each in counting:
            place, known = _place(flow, each.at), _known(each.written)
            if is_unknown(each.written):
                yield _unknown(place, each.written)
            elif known is not None:
                yield from _config(place, each.written, known)
        for other in others:
            yield _misplaced(flow, uses, other)


def _place(flow: Flow, at: str) -> Place:
    workflow = flow.workflow.at
    return Place(workflow.file, f"{workflow.pointer}/state_schema{at}", workflow.workflow, None, "state_schema")


def _known(written: Any) -> Reducer | None:
    found = reducer_ref(written)
    return None if found is None else BY_NAME.get(found.name)


# -- names ------------------------------------------------------------------------------------------------------------


def _unknown(place: Place, written: Any) -> Diagnostic:
    found = reducer_ref(written)
    name = written if isinstance(written, str) else "" if found is None else found.name
    guess = _meant(name)
    names = list(dict.fromkeys([*([guess] if guess else []), *alike(name, BY_NAME)]))
    return UNKNOWN_REDUCER.at(
        place,
        fixes=() if guess is None else (_renamed(place, written, guess),),
        got=f"`{name}`" if name else "what stands here",
        expected=f"one such as `{names[0]}`",
        allowed=names,
    )


def _meant(name: str) -> str | None:
    """The reducer that a name means, with or without its source."""
    key = name.rpartition(".")[2]
    key = _MEANT.get(key, key)
    whole = f"{_BUILT_IN}.{key}"
    if whole in BY_NAME:
        return whole
    close = meant(key, [each.rpartition(".")[2] for each in BY_NAME])
    return None if close is None else f"{_BUILT_IN}.{close}"


def _renamed(place: Place, written: Any, name: str) -> Fix:
    if isinstance(written, str):
        return rewrite(f"Write `{name}`", place, written, name)
    source, _, key = name.rpartition(".")
    return rewrite(f"Write `{name}`", place, written, {**written, "ref": {"source": source, "capability_key": key}})


# -- config -----------------------------------------------------------------------------------------------------------


def _config(place: Place, written: Any, reducer: Reducer) -> Iterator[Diagnostic]:
    outer = written if isinstance(written, dict) else {}
    given = outer.get("config") or {}
    if not isinstance(given, dict):
        yield _bad(place.below("config"), reducer, f"has the config {_shown(given)}", "an object as `config`")
        return
    strange = {place.below(key): outer[key] for key in outer if key not in _PARTS and not key.startswith("x-")}
    strange |= {place.below("config", key): given[key] for key in given if key not in reducer.config}
    for key in reducer.config:
        if key not in given:
            yield _lacking(place, written, reducer, key, list(strange.values()))
            return
        if not _is_modulus(given[key]):
            yield _bad_modulus(place.below("config", key), reducer, given[key])
    for at, value in strange.items():
        name = pointer_parts(at.pointer)[-1]
        fix = take_out(f"Remove `{name}`", at, value)
        yield _bad(at, reducer, f"has no config `{name}`", _expected(reducer), (fix,))


def _lacking(place: Place, written: Any, reducer: Reducer, key: str, strange: list[Any]) -> Diagnostic:
    """Under another name or beside `config` it may be there all the same."""
    meant_values = [value for value in strange if _is_modulus(value)]
    sure = len(meant_values) == 1
    source, _, name = reducer.name.rpartition(".")
    ref = written["ref"] if isinstance(written, dict) else {"source": source, "capability_key": name}
    renewed = {"ref": ref, "config": {key: meant_values[0] if sure else 1}}
    fix = rewrite(f"Give it a `{key}`", place, written, renewed, SAFE if sure else PLACEHOLDER)
    has_config = isinstance(written, dict) and isinstance(written.get("config"), dict)
    at = place.below("config") if has_config else place
    return _bad(at, reducer, f"has no `{key}`", _expected(reducer), (fix,), hides=len(strange))


def _bad_modulus(place: Place, reducer: Reducer, value: Any) -> Diagnostic:
    fixes: tuple[Fix, ...] = ()
    if isinstance(value, str) and value.isascii() and value.isdigit() and 0 < len(value) < 16 and int(value):
        fixes = (rewrite(f"Write {int(value)}", place, value, int(value)),)
    return _bad(place, reducer, f"has the modulus {_shown(value)}", _expected(reducer), fixes)


def _is_modulus(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value) and value > 0


def _shown(value: Any) -> str:
    text = json.dumps(value)
    return f"`{text if len(text) <= _LONGEST else text[: _LONGEST - 1] + '…'}`"


def _expected(reducer: Reducer) -> str:
    return " and ".join(f"a number above 0 as `config.{key}`" for key in reducer.config) or "no config"


def _bad(
    place: Place, reducer: Reducer, problem: str, expected: str, fixes: tuple[Fix, ...] = (), hides: int = 0
) -> Diagnostic:
    return BAD_REDUCER_CONFIG.at(
        place, fixes=fixes, hides=hides, reducer=reducer.name, problem=problem, got=problem, expected=expected
    )


# -- places -----------------------------------------------------------------------------------------------------------


def _misplaced(flow: Flow, uses: FieldUses, other: Misplaced) -> Diagnostic:
    place, found = _place(flow, other.at), reducer_ref(other.written)
    return MISPLACED_REDUCER.at(
        place,
        fixes=tuple(_moved(flow, uses, other, place)),
        got=other.written if isinstance(other.written, str) else "reducer" if found is None else found.name,
    )


def _moved(flow: Flow, uses: FieldUses, other: Misplaced, place: Place) -> Iterator[Fix]:
    """The field around it has none, and is of a kind that the reducer works on."""
    reducer = _known(other.written)
    if other.above is None or reducer is None:
        return
    at, parts = other.above
    fitting = {"any"} & {*reducer.kinds} or kinds(uses.declared.type(parts)) & {*reducer.kinds}
    if fitting and uses.declared.reducer(parts).name == f"{_BUILT_IN}.replace":
        test = {"op": "test", "path": place.pointer, "value": other.written}
        move = {"op": "move", "from": place.pointer, "path": _place(flow, f"{at}/reducer").pointer}
        path = ".".join(("state", *parts))
        yield patch(f"Move it to `{path}`", place, [test, move], SAFE)
