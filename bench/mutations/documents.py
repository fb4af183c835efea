"""A workflow document seen by the places in it, and edits of copies of it. Every place has its JSON pointer.

Only the new spellings are looked at; what is written otherwise is passed over, and gives no mutants.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from wfc.ir.std import BY_NAME, INTERRUPT_KINDS
from wfc.source import lookup, pointer_parts

Json = dict[str, Any]


@dataclass(frozen=True)
class Step:
    """A step, where it stands, and the workflow around it with where that stands."""

    at: str
    body: Json
    top: str
    workflow: Json

    @property
    def id(self) -> str:
        return self.body["id"]

    @property
    def type(self) -> str:
        return self.body["type"]


@dataclass(frozen=True)
class Edge:
    at: str
    body: Json
    top: str
    workflow: Json


@dataclass(frozen=True)
class Binding:
    """A binding of a step; `at` is its own pointer, `list` that of the list that holds it."""

    at: str
    list: str
    body: Json
    step: Step


@dataclass(frozen=True)
class Read:
    """A graph path that is read; `at` points at the text of the path. `guard`: only whether it exists is asked."""

    at: str
    path: str
    step: Step
    guard: bool = False


def workflows(document: Json) -> list[tuple[str, Json]]:
    if "workflows" in document:
        return [(f"/workflows/{index}", one) for index, one in enumerate(document["workflows"])]
    return [("", document)]


def steps(document: Json, *types: str) -> list[Step]:
    return [
        Step(f"{top}/nodes/{index}", body, top, workflow)
        for top, workflow in workflows(document)
        for index, body in enumerate(workflow["nodes"])
        if not types or body["type"] in types
    ]


def edges(document: Json) -> list[Edge]:
    return [
        Edge(f"{top}/edges/{index}", body, top, workflow)
        for top, workflow in workflows(document)
        for index, body in enumerate(workflow.get("edges", ()))
    ]


def definitions(document: Json) -> list[tuple[str, Json, Json]]:
    """Pointer, definition, workflow."""
    return [
        (f"{top}/node_defs/{index}", one, workflow)
        for top, workflow in workflows(document)
        for index, one in enumerate(workflow.get("node_defs", ()))
    ]


def arguments(document: Json) -> list[Binding]:
    """Input and request bindings."""
    return _bindings(document, ("input", "request"))


def writes(document: Json) -> list[Binding]:
    """Output and resume bindings with a plain state path."""
    found = _bindings(document, ("output", "resume"))
    return [one for one in found if isinstance(one.body["target"], str) and isinstance(one.body["source"], str)]


def _bindings(document: Json, fields: tuple[str, ...]) -> list[Binding]:
    return [
        Binding(f"{step.at}/{field}/{index}", f"{step.at}/{field}", body, step)
        for step in steps(document)
        for field in fields
        if isinstance(step.body.get(field), list)
        for index, body in enumerate(step.body[field])
    ]


def reads(document: Json) -> list[Read]:
    """Every graph path in dotted form that a step reads."""
    return [read for step in steps(document) for read in reads_of(step)]


def reads_of(step: Step) -> Iterator[Read]:
    if isinstance(step.body.get("over"), str):
        yield Read(f"{step.at}/over", step.body["over"], step)
    for field in ("input", "request", "check", "seconds", "branches"):
        yield from _paths_in(step, f"{step.at}/{field}", step.body.get(field))


def _paths_in(step: Step, at: str, value: Any) -> Iterator[Read]:
    if isinstance(value, list):
        for index, one in enumerate(value):
            yield from _paths_in(step, f"{at}/{index}", one)
    elif isinstance(value, dict):
        if isinstance(value.get("path"), str):
            yield Read(f"{at}/path", value["path"], step, value.get("op") == "exists")
        for key in ("left", "right", "args", "arg", "when"):
            yield from _paths_in(step, f"{at}/{key}", value.get(key))


def operands(document: Json) -> list[tuple[str, Json, Json]]:
    """Comparisons: the pointer, the comparison, the workflow."""
    found = []
    for step in steps(document, "condition"):
        waiting = [(f"{step.at}/check", step.body["check"])]
        while waiting:
            at, check = waiting.pop(0)
            if "left" in check:
                found.append((at, check, step.workflow))
            waiting += [(f"{at}/args/{index}", one) for index, one in enumerate(check.get("args", ()))]
            waiting += [(f"{at}/arg", check["arg"])] if "arg" in check else []
    return found


# -- contracts --------------------------------------------------------------------------------------------------------


def definition(step: Step) -> Json | None:
    """The contract that a node step uses: its definition, or that of the built-in it names."""
    name = step.body.get("node")
    for one in step.workflow.get("node_defs", ()):
        if one["name"] == name:
            return one
    builtin = BY_NAME.get(name)
    if builtin is None:
        return None
    return {"input_schema": builtin.input, "output_schema": builtin.output, "outcomes": list(builtin.outcomes)}


def input_schema(step: Step, document: Json) -> Json:
    """What the step's `input` or `request` has to be; an open object where nothing is said."""
    if step.type == "node":
        found = definition(step)
        return (found or {}).get("input_schema", {})
    if step.type == "interrupt":
        kinds = INTERRUPT_KINDS.get(step.body["kind"])
        return kinds[0] if kinds else step.body.get("request_schema", {})
    called = child(step, document)
    return called.get("input_schema", {}) if called else {}


def child(step: Step, document: Json) -> Json | None:
    named = step.body.get("workflow")
    name = named.get("name") if isinstance(named, dict) else named
    return next((one for _, one in workflows(document) if one.get("name") == name), None)


def state_field(workflow: Json, path: str) -> tuple[str, Json] | None:
    """The pointer below a workflow, and the schema, by which `state_schema` declares a state path."""
    held, at = workflow.get("state_schema", {}), "/state_schema"
    for part in path.split(".")[1:]:
        if part not in held.get("properties", {}):
            return None
        held, at = held["properties"][part], f"{at}/properties/{part}"
    return at, held


def listed_input(workflow: Json, path: str) -> bool:
    """Whether the input schema lists the field that a path reads."""
    return path.split(".")[1] in workflow.get("input_schema", {}).get("properties", {})


def kind_of_path(workflow: Json, path: str) -> str | None:
    """The one JSON type that the schemas declare for an input or state path."""
    root, _, rest = path.partition(".")
    if root == "input":
        return kind_of_schema(property_of(workflow.get("input_schema", {}), rest))
    found = state_field(workflow, path) if root == "state" and rest else None
    return kind_of_schema(found[1]) if found else None


def promised(binding: Binding) -> list[Json]:
    """The schemas that say what the source of a write is taken from."""
    step = binding.step.body
    if binding.step.type == "node":
        contract = definition(binding.step) or {}
        return [contract.get("output_schema", {}), *contract.get("outcome_schemas", {}).values()]
    if binding.step.type == "interrupt":
        kinds = INTERRUPT_KINDS.get(step["kind"])
        return [kinds[1] if kinds else step.get("resume_schema", {}), *step.get("resume_schemas", {}).values()]
    return []


def kind_of_schema(schema: Any) -> str | None:
    """The one JSON type of a schema, where it has one."""
    kind = schema.get("type") if isinstance(schema, dict) else None
    return kind if isinstance(kind, str) else None


def property_of(schema: Any, path: str) -> Any:
    """The schema of a local path inside an object schema; none where it says nothing."""
    for part in path.split("."):
        if not isinstance(schema, dict) or part not in schema.get("properties", {}):
            return None
        schema = schema["properties"][part]
    return schema


# -- edits ------------------------------------------------------------------------------------------------------------


def put(document: Json, at: str, value: Any) -> Json:
    """A copy with another value at a place; an object's key may be new, a list's index one past its end."""
    after, holder, last = _opened(document, at)
    if isinstance(holder, list):
        holder[int(last) : int(last) + 1] = [value]
    else:
        holder[last] = value
    return after


def drop(document: Json, at: str) -> Json:
    after, holder, last = _opened(document, at)
    del holder[int(last) if isinstance(holder, list) else last]
    return after


def rename(document: Json, at: str, key: str) -> Json:
    """A copy in which a key has another name and the same value, at the same place."""
    after, holder, last = _opened(document, at)
    pairs = [(key if name == last else name, value) for name, value in holder.items()]
    holder.clear()
    holder.update(pairs)
    return after


def _opened(document: Json, at: str) -> tuple[Json, Any, str]:
    """A copy that shares all but the way to a place, the container there, and its key or index in it."""
    *above, last = pointer_parts(at)
    after = holder = dict(document)
    for part in above:
        key = int(part) if isinstance(holder, list) else part
        holder[key] = holder[key].copy()
        holder = holder[key]
    return after, holder, last


def get(document: Json, at: str) -> Any:
    return lookup(document, pointer_parts(at))[0]


def misspelt(word: str) -> str:
    """The word less one letter in its middle, as a hasty writer drops it."""
    if len(word) < 3:
        return word + word[-1:] + "x"
    middle = len(word) // 2
    return word[:middle] + word[middle + 1 :]
