"""Legal JSON of the wrong shape: keys at the wrong level or of other names, maps for lists, words of other systems."""

from __future__ import annotations

from collections.abc import Iterator

from bench.mutations.documents import (
    Json,
    definitions,
    drop,
    edges,
    kind_of_schema,
    operands,
    put,
    rename,
    steps,
    workflows,
)
from bench.mutations.kind import Mutant, kind, mutant

_PLURALS = {"input": "inputs", "output": "outputs", "outcome": "result", "node": "action", "over": "items"}
_TYPES = {"node": "task", "condition": "if", "foreach": "for_each", "interrupt": "human", "end": "stop"}
_OPERATORS = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}


@kind
def misspelt_key(document: Json) -> Iterator[Mutant]:
    """`inputs` for `input`, and others of the kind."""
    for step in steps(document):
        for key in ("input", "output"):
            if step.body.get(key):
                yield mutant(rename(document, f"{step.at}/{key}", _PLURALS[key]), f"{step.at}/{_PLURALS[key]}")


@kind
def foreign_key(document: Json) -> Iterator[Mutant]:
    """A key that has another name elsewhere: the required one is missing."""
    for step in steps(document):
        for key in ("outcome", "node", "over"):
            if key in step.body:
                at = f"{step.at}/{_PLURALS[key]}"
                yield mutant(rename(document, f"{step.at}/{key}", _PLURALS[key]), at, step.at)


@kind
def foreign_type(document: Json) -> Iterator[Mutant]:
    for step in steps(document):
        if step.type in _TYPES:
            yield mutant(put(document, f"{step.at}/type", _TYPES[step.type]), f"{step.at}/type")


@kind
def foreign_mode(document: Json) -> Iterator[Mutant]:
    for loop in steps(document, "foreach"):
        if "mode" in loop.body:
            word = "concurrent" if loop.body["mode"] == "parallel" else "sequential"
            yield mutant(put(document, f"{loop.at}/mode", word), f"{loop.at}/mode")


@kind
def foreign_error_policy(document: Json) -> Iterator[Mutant]:
    for loop in steps(document, "foreach"):
        word = {"skip": "continue", "collect": "collect_errors"}.get(loop.body.get("on_item_error", "fail"), "stop")
        yield mutant(put(document, f"{loop.at}/on_item_error", word), f"{loop.at}/on_item_error")


@kind
def foreign_operator(document: Json) -> Iterator[Mutant]:
    for at, check, _ in operands(document):
        yield mutant(put(document, f"{at}/op", _OPERATORS[check["op"]]), f"{at}/op")


@kind
def bare_operand(document: Json) -> Iterator[Mutant]:
    """A path as a bare string in a comparison."""
    for at, check, _ in operands(document):
        for side in ("left", "right"):
            if isinstance(check[side], dict) and isinstance(check[side].get("path"), str):
                yield mutant(put(document, f"{at}/{side}", check[side]["path"]), f"{at}/{side}")


@kind
def next_on_step(document: Json) -> Iterator[Mutant]:
    """The edge of a step written as a key of it."""
    for step in steps(document):
        leaving = [edge for edge in edges(document) if edge.top == step.top and edge.body["from"] == step.id]
        if len(leaving) == 1:
            after = put(drop(document, leaving[0].at), f"{step.at}/next", leaving[0].body["to"])
            yield mutant(after, f"{step.at}/next")


@kind
def condition_on_edge(document: Json) -> Iterator[Mutant]:
    for edge in edges(document):
        yield mutant(put(document, f"{edge.at}/condition", "state.ready == true"), f"{edge.at}/condition")


@kind
def outcomes_on_step(document: Json) -> Iterator[Mutant]:
    """The outcomes of a definition at the step that uses it."""
    for at, one, workflow in definitions(document):
        for step in steps(document, "node"):
            if step.workflow is workflow and step.body["node"] == one["name"] and "outcomes" in one:
                after = put(drop(document, f"{at}/outcomes"), f"{step.at}/outcomes", one["outcomes"])
                yield mutant(after, f"{step.at}/outcomes", at)
                break


@kind
def required_in_property(document: Json) -> Iterator[Mutant]:
    """`required: true` inside a property."""
    for top, workflow in workflows(document):
        schema = workflow.get("input_schema", {})
        for name in schema.get("required", ()):
            at = f"{top}/input_schema/properties/{name}"
            if isinstance(schema.get("properties", {}).get(name), dict):
                left = [one for one in schema["required"] if one != name]
                after = put(put(document, f"{top}/input_schema/required", left), f"{at}/required", True)
                yield mutant(after, f"{at}/required")


@kind
def properties_without_schema(document: Json) -> Iterator[Mutant]:
    """A schema written as the map of its properties."""
    for top, workflow in workflows(document):
        for key in ("input_schema", "state_schema"):
            properties = workflow.get(key, {}).get("properties")
            if properties:
                at = f"{top}/{key}"
                yield mutant(put(document, at, properties), at, *(f"{at}/{name}" for name in properties))


@kind
def type_by_another_name(document: Json) -> Iterator[Mutant]:
    """`int` and `str` where JSON Schema says `integer` and `string`."""
    words = {"integer": "int", "string": "str", "boolean": "bool", "array": "list", "object": "dict", "number": "float"}
    for top, workflow in workflows(document):
        for key in ("input_schema", "state_schema", "output_schema"):
            for name, schema in workflow.get(key, {}).get("properties", {}).items():
                kind = kind_of_schema(schema)
                if kind in words:
                    at = f"{top}/{key}/properties/{name}/type"
                    yield mutant(put(document, at, words[kind]), at)


@kind
def map_for_bindings(document: Json) -> Iterator[Mutant]:
    """`{"x": "state.y"}` for a list of bindings."""
    for step in steps(document):
        found = step.body.get("input")
        if found and all(isinstance(one.get("target"), str) for one in found):
            written = {one["target"]: one["path"] if "path" in one else one["value"] for one in found}
            yield mutant(put(document, f"{step.at}/input", written), f"{step.at}/input")


@kind
def map_for_steps(document: Json) -> Iterator[Mutant]:
    for top, workflow in workflows(document):
        written = {step["id"]: {k: v for k, v in step.items() if k != "id"} for step in workflow["nodes"]}
        yield mutant(put(document, f"{top}/nodes", written), f"{top}/nodes")


@kind
def text_for_list(document: Json) -> Iterator[Mutant]:
    """One outcome as a string where a list of them is due."""
    for at, one, _ in definitions(document):
        if len(one.get("outcomes", ())) == 1:
            yield mutant(put(document, f"{at}/outcomes", one["outcomes"][0]), f"{at}/outcomes")


@kind
def mixed_spelling(document: Json) -> Iterator[Mutant]:
    """One binding of a step in the old spelling beside the new."""
    for step in steps(document, "node", "subgraph"):
        found = step.body.get("input") or []
        if found and isinstance(found[-1].get("path"), str) and isinstance(found[-1]["target"], str):
            after = drop(document, f"{step.at}/input/{len(found) - 1}")
            after = put(after, f"{step.at}/in_map", {found[-1]["path"]: found[-1]["target"]})
            yield mutant(after, step.at, f"{step.at}/in_map")


@kind
def value_beside_path(document: Json) -> Iterator[Mutant]:
    """A binding with the path and, for safety, a value."""
    for step in steps(document):
        for field in ("input", "request"):
            for index, one in enumerate(step.body.get(field) or ()):
                if "path" in one:
                    at = f"{step.at}/{field}/{index}"
                    yield mutant(put(document, f"{at}/value", None), at)


@kind
def missing_field(document: Json) -> Iterator[Mutant]:
    for step in steps(document):
        for key in ("as", "check", "kind", "outcomes"):
            if key in step.body and (key != "outcomes" or step.type == "interrupt"):
                yield mutant(drop(document, f"{step.at}/{key}"), step.at)


@kind
def spaced_name(document: Json) -> Iterator[Mutant]:
    """A step id with a blank, in every place that names it."""
    for step in steps(document):
        spaced = f"{step.id} step"
        after = put(document, f"{step.at}/id", spaced)
        for edge in edges(document):
            for key in ("from", "to"):
                if edge.top == step.top and edge.body[key] == step.id:
                    after = put(after, f"{edge.at}/{key}", spaced)
        if step.workflow["start"] == step.id:
            after = put(after, f"{step.top}/start", spaced)
        yield mutant(after, f"{step.at}/id")
