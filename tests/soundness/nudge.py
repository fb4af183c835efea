"""A workflow with one or two small changes anywhere: what is still clean after them lies close to the border.

The generator keeps to its own simple view of what is sure. Changes know nothing of it, so that those which strict
checking lets pass try what only the compiler claims to know.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from tests.soundness import shapes
from tests.soundness.shapes import Json, chance
from tests.soundness.values import value
from wfc.ir import copy

_SCHEMAS = ("input_schema", "output_schema", "state_schema", "request_schema", "resume_schema")
_MAPS = ("outcome_schemas", "resume_schemas")
_REDUCERS = ("replace", "append", "extend", "set_union", "merge_object", "max", "min", "add")


def nudged(rng: Random, made: Json, most: int = 3) -> Json:
    after = copy(made)
    for _ in range(min(most, rng.choice((1, 1, 1, 2, 2, 3)))):
        rng.choice(_CHANGES)(rng, rng.choice(after["workflows"]))
    return after


# -- schemas ----------------------------------------------------------------------------------------------------------


def _schema(rng: Random, workflow: Json) -> None:
    """One schema at any depth replaced by a relative of it."""
    holder, key = rng.choice(list(_properties(workflow)) or [({"schema": {}}, "schema")])
    held = holder[key]
    if isinstance(held, dict):
        kept = {name: held[name] for name in ("reducer", "default") if name in held}
        rest = {name: one for name, one in held.items() if name not in kept}
        if not kept and chance(rng, 0.05):
            holder[key] = True
            return
        holder[key] = rng.choice((shapes.near, shapes.near, shapes.narrower, shapes.wider))(rng, rest) | kept


def _field(rng: Random, workflow: Json) -> None:
    """A write that goes a level deeper: into a field of what it wrote, be it declared or not."""
    writers = [one for one in _pieces(workflow) if str(one.get("target", "")).startswith("state.")]
    if writers:
        binding = rng.choice(writers)
        binding["target"] += "." + rng.choice((*shapes.NAMES, "zz"))


def _required(rng: Random, workflow: Json) -> None:
    """A field that becomes required, or is so no longer."""
    objects = [one for one in _objects(workflow) if one.get("properties")]
    if objects:
        found = rng.choice(objects)
        name = rng.choice(sorted(found["properties"]))
        required = found.get("required", [])
        found["required"] = [one for one in required if one != name] if name in required else [*required, name]


def _default(rng: Random, workflow: Json) -> None:
    """A default that comes or goes."""
    fields = [(holder, key) for holder, key in _properties(workflow) if isinstance(holder[key], dict)]
    if fields:
        holder, key = rng.choice(fields)
        if "default" in holder[key]:
            del holder[key]["default"]
        else:
            holder[key] = {**holder[key], "default": value(rng, holder[key])}


def _reducer(rng: Random, workflow: Json) -> None:
    fields = [one for one in workflow["state_schema"]["properties"].values() if isinstance(one, dict)]
    fields += [inner for one in fields for inner in one.get("properties", {}).values() if isinstance(inner, dict)]
    rng.choice(fields)["reducer"] = f"wf.std.{rng.choice(_REDUCERS)}"


def _open(rng: Random, workflow: Json) -> None:
    """State that may have further fields, one of which is written."""
    workflow["state_schema"]["additionalProperties"] = True
    writers = [one for one in _pieces(workflow) if str(one.get("target", "")).startswith("state.")]
    if writers:
        rng.choice(writers)["target"] = f"state.{rng.choice(('open', 'open.a'))}"


def _roots(workflow: Json) -> Iterator[Json]:
    """Every schema of a workflow, its definitions and its steps."""
    for held in (workflow, *workflow["node_defs"], *workflow["nodes"]):
        yield from (held[key] for key in _SCHEMAS if key in held)
        yield from (one for key in _MAPS for one in held.get(key, {}).values())


def _objects(workflow: Json) -> Iterator[Json]:
    waiting: list[Any] = list(_roots(workflow))
    for held in waiting:
        if isinstance(held, dict):
            yield held
            waiting += held.get("properties", {}).values()
            waiting += [held[key] for key in ("items", "additionalProperties") if key in held]


def _properties(workflow: Json) -> Iterator[tuple[Any, str]]:
    for held in _objects(workflow):
        yield from ((held["properties"], name) for name in held.get("properties", ()))
        if "items" in held:
            yield held, "items"


# -- bindings ---------------------------------------------------------------------------------------------------------


def _read(rng: Random, workflow: Json) -> None:
    """One look that goes to a path that something else looks at or writes."""
    readers = [one for one in _pieces(workflow) if isinstance(one.get("path"), str)]
    targets = [one["target"] for one in _pieces(workflow) if str(one.get("target", "")).startswith("state.")]
    if readers:
        rng.choice(readers)["path"] = rng.choice([one["path"] for one in readers] + targets)


def _write(rng: Random, workflow: Json) -> None:
    """One write that goes to a place that another has, to its parent, or to what it applies not to now."""
    writers = [one for one in _pieces(workflow) if str(one.get("target", "")).startswith("state.")]
    if not writers:
        return
    binding = rng.choice(writers)
    if "on" in binding and chance(rng, 0.3):
        del binding["on"]
    elif binding["target"].count(".") > 1 and chance(rng, 0.3):
        binding["target"] = binding["target"].rpartition(".")[0]
    else:
        binding["target"] = rng.choice(writers)["target"]


def _gone(rng: Random, workflow: Json) -> None:
    """A binding, a catch, or a list of locals taken out."""
    lists = [
        step[key] for step in workflow["nodes"] for key in ("output", "resume", "input", "locals") if step.get(key)
    ]
    if lists:
        held = rng.choice(lists)
        held.pop(rng.randrange(len(held)))


def _pieces(workflow: Json) -> Iterator[Json]:
    """Every object in the steps."""
    waiting: list[Any] = list(workflow["nodes"])
    for held in waiting:
        if isinstance(held, dict):
            yield held
        waiting += held.values() if isinstance(held, dict) else held if isinstance(held, list) else ()


# -- control ----------------------------------------------------------------------------------------------------------


def _contract(rng: Random, workflow: Json) -> None:
    """A part of a contract left to the built-in node that it is about."""
    builtin = [one for one in workflow["node_defs"] if str(one.get("uses", "")).startswith("wf.std.")]
    if builtin:
        rng.choice(builtin).pop(rng.choice(("input_schema", "output_schema", "outcomes")), None)


def _edge(rng: Random, workflow: Json) -> None:
    """An edge that goes where another goes."""
    edges = workflow["edges"]
    if edges:
        rng.choice(edges)["to"] = rng.choice(edges)["to"]


def _mode(rng: Random, workflow: Json) -> None:
    loops = [step for step in workflow["nodes"] if step["type"] == "foreach"]
    if not loops:
        return
    step = rng.choice(loops)
    if chance(rng, 0.5):
        step["on_item_error"] = rng.choice(("fail", "skip", "collect"))
    else:
        step["mode"] = "parallel" if step["mode"] == "serial" else "serial"
        step.pop("max_concurrency", None)


def _condition(rng: Random, workflow: Json) -> None:
    """A comparison by another operator, or the other way round."""
    found = [one for one in _pieces(workflow) if "op" in one]
    if found:
        check = rng.choice(found)
        if "left" in check:
            check["op"] = rng.choice(("eq", "ne", "lt", "le", "gt", "ge"))
        elif check["op"] in ("and", "or"):
            check["op"] = "or" if check["op"] == "and" else "and"


def _locals(rng: Random, workflow: Json) -> None:
    """A place that becomes local to the lineages of a region."""
    openers = [step for step in workflow["nodes"] if step["type"] in ("foreach", "fork")]
    writers = [one["target"] for one in _pieces(workflow) if str(one.get("target", "")).startswith("state.")]
    if openers and writers:
        step = rng.choice(openers)
        step["locals"] = sorted({*step.get("locals", ()), rng.choice(writers)})


_Change = Callable[[Random, Json], None]
_CHANGES: tuple[_Change, ...] = (
    *(_schema, _schema, _schema, _schema, _required, _required, _default, _reducer),
    *(_open, _contract, _read, _read, _write, _write, _field, _gone, _edge, _mode, _condition, _locals),
)
