"""Arguments that are unknown, missing, of another type, or written as text."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from bench.mutations.documents import (
    Binding,
    Json,
    arguments,
    drop,
    input_schema,
    kind_of_path,
    kind_of_schema,
    misspelt,
    operands,
    property_of,
    put,
    reads,
    state_field,
)
from bench.mutations.kind import Mutant, kind, mutant


@kind
def unknown_argument(document: Json) -> Iterator[Mutant]:
    """One argument more, of a name that the node does not know."""
    for binding in arguments(document):
        if binding.at.endswith("/0") and _listed(document, binding):
            index = len(binding.step.body[binding.list.rpartition("/")[2]])
            added = {"target": "include_metadata", "value": True}
            yield mutant(put(document, f"{binding.list}/{index}", added), f"{binding.list}/{index}/target")


@kind
def misspelt_argument(document: Json) -> Iterator[Mutant]:
    for binding in arguments(document):
        if _listed(document, binding):
            target = misspelt(binding.body["target"])
            yield mutant(put(document, f"{binding.at}/target", target), f"{binding.at}/target", binding.step.at)


@kind
def missing_argument(document: Json) -> Iterator[Mutant]:
    for binding in arguments(document):
        required = input_schema(binding.step, document).get("required", ())
        if binding.body["target"] in required:
            yield mutant(drop(document, binding.at), binding.step.at)


def _listed(document: Json, binding: Binding) -> bool:
    target = binding.body["target"]
    return isinstance(target, str) and property_of(input_schema(binding.step, document), target) is not None


@kind
def mistyped_literal(document: Json) -> Iterator[Mutant]:
    """A literal of another type than its argument has: an object for anything else, a text for an object."""
    for binding, schema in _literals(document):
        wrong: Any = "all" if kind_of_schema(schema) == "object" else {"name": "all"}
        yield mutant(put(document, f"{binding.at}/value", wrong), f"{binding.at}/value")


@kind
def literal_as_text(document: Json) -> Iterator[Mutant]:
    """A number, a boolean, a list or an object written as a string."""
    for binding, _ in _literals(document):
        value = binding.body["value"]
        if not isinstance(value, str):
            yield mutant(put(document, f"{binding.at}/value", json.dumps(value)), f"{binding.at}/value")


def _literals(document: Json) -> Iterator[tuple[Binding, Any]]:
    """Arguments with a literal whose type is known."""
    for binding in arguments(document):
        if "value" in binding.body and isinstance(binding.body["target"], str):
            schema = property_of(input_schema(binding.step, document), binding.body["target"])
            if kind_of_schema(schema) is not None:
                yield binding, schema


@kind
def path_as_text(document: Json) -> Iterator[Mutant]:
    """A path as a literal, where the argument is no text."""
    for binding in arguments(document):
        path, target = binding.body.get("path"), binding.body["target"]
        if isinstance(path, str) and isinstance(target, str):
            schema = property_of(input_schema(binding.step, document), target)
            if kind_of_schema(schema) not in (None, "string"):
                written = {"target": target, "value": f"{{{{{path}}}}}"}
                yield mutant(put(document, binding.at, written), f"{binding.at}/value")


@kind
def operand_as_text(document: Json) -> Iterator[Mutant]:
    """A number or boolean in a comparison, written as a string."""
    for at, check, workflow in operands(document):
        value = check["right"].get("value") if isinstance(check["right"], dict) else check["right"]
        left = check["left"].get("path") if isinstance(check["left"], dict) else None
        typed = isinstance(left, str) and kind_of_path(workflow, left) in ("boolean", "integer", "number")
        if typed and isinstance(value, (bool, int, float)):
            after = put(document, f"{at}/right", {"value": json.dumps(value)})
            yield mutant(after, at, f"{at}/right/value", f"{at}/right")


@kind
def mistyped_argument(document: Json) -> Iterator[Mutant]:
    """Another path of a type that the argument cannot have."""
    for binding in arguments(document):
        if not isinstance(binding.body.get("path"), str) or not isinstance(binding.body["target"], str):
            continue
        wanted = kind_of_schema(property_of(input_schema(binding.step, document), binding.body["target"]))
        other = _of_other_type(document, binding, wanted)
        if other is not None:
            yield mutant(put(document, f"{binding.at}/path", other), f"{binding.at}/path")


def _of_other_type(document: Json, binding: Binding, wanted: str | None) -> str | None:
    """The first path, read elsewhere in the workflow and surely there, of a type disjoint from the wanted one."""
    for read in reads(document):
        if wanted is None or read.step.top != binding.step.top:
            continue
        found = _sure_kind(binding.step.workflow, read.path)
        if found is not None and found != wanted and {found, wanted} != {"integer", "number"}:
            return read.path
    return None


def _sure_kind(workflow: Json, path: str) -> str | None:
    """The type of a required input field, or of a state field with a default."""
    root, _, rest = path.partition(".")
    found = state_field(workflow, path) if root == "state" and rest else None
    sure = (found is not None and "default" in found[1]) or (
        root == "input" and rest in workflow.get("input_schema", {}).get("required", ())
    )
    return kind_of_path(workflow, path) if sure else None
