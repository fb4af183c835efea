"""A document as builder calls: what the language can say, a builder can say."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

import wfc

Json = Any


def split(given: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The language's keys that say something, and the author's own."""
    own = {key: value for key, value in given.items() if key.startswith("x-")}
    return {key: value for key, value in given.items() if key not in own and value is not None}, own


def read(path: Json) -> Any:
    """A path to read as a helper makes it; the structural form by itself, so that both are covered."""
    if isinstance(path, dict):
        return path
    root, _, rest = path.partition(".")
    helpers = {"input": wfc.input_path, "state": wfc.state_path, "context": wfc.context_path}
    return helpers[root](rest) if rest else path


def operand(given: Json) -> Any:
    if not isinstance(given, dict):
        return wfc.literal(given)
    if "value" in given:
        return wfc.literal(given["value"])
    found = read(given["path"])
    return found if isinstance(found, wfc.PathExpr) else None


def condition(given: Json) -> Any:
    """The condition as comparisons and operators; one with keys or paths of its own kind as it is."""
    op = given["op"]
    if any(key.startswith("x-") for key in given):
        return given
    if op in ("and", "or"):
        parts = [condition(one) for one in given["args"]]
        return (wfc.all_of if op == "and" else wfc.any_of)(*parts)
    if op == "not":
        inside = condition(given["arg"])
        return given if isinstance(inside, dict) else ~inside
    if op == "exists":
        return wfc.exists(read(given["path"]))
    left, right = operand(given["left"]), operand(given["right"])
    if left is None or right is None:
        return given
    return getattr(left, op)(right)


def inputs(given: Json) -> Any:
    return None if given is None else [_input(one) for one in given]


def _input(given: Json) -> Any:
    known, own = split(given)
    if "path" in known:
        return wfc.input_from(read(known["path"]), known["target"], extra=own)
    return wfc.input_value(given["value"], known["target"], extra=own)


def outputs(given: Json) -> Any:
    return None if given is None else [_output(one) for one in given]


def _output(given: Json) -> Any:
    known, own = split(given)
    return wfc.output_to(known["source"], read(known["target"]), on=known.get("on"), extra=own)


def catches(given: Json) -> Any:
    return None if given is None else [wfc.catch(one["codes"], one["outcome"], extra=split(one)[1]) for one in given]


def branches(given: Json) -> Any:
    return [one if isinstance(one, str) else _branch(one) for one in given]


def _branch(given: Json) -> Any:
    known, own = split(given)
    return wfc.branch(known["outcome"], when=condition(known["when"]) if "when" in known else None, extra=own)


_CHANGED = {
    "input": inputs,
    "request": inputs,
    "output": outputs,
    "resume": outputs,
    "catch": catches,
    "check": condition,
    "branches": branches,
    "locals": lambda given: [read(one) for one in given],
    "over": lambda given: wfc.literal(given["value"]) if isinstance(given, dict) and "value" in given else read(given),
    "seconds": lambda given: read(given["path"]) if isinstance(given, dict) else given,
}


def step(builder: wfc.WorkflowBuilder, given: Json) -> None:
    known, own = split(given)
    kind, fields = known.pop("type"), {}
    for name, value in known.items():
        fields["as_" if name == "as" else name] = _CHANGED[name](value) if name in _CHANGED else value
    getattr(builder, kind)(**fields, extra=own)


def builder_of(workflow: Json, module: Json = None) -> wfc.WorkflowBuilder:
    """A builder on which every part of a workflow was called for."""
    known, own = split(workflow)
    head = {name: known[name] for name in known if name.endswith("_schema") or name in ("outcomes", "desc", "start")}
    made = wfc.WorkflowBuilder(known["name"], **head, extra=own, module_extra=module and split(module)[1])
    for definition in known.get("node_defs", ()):
        said, extra = split(definition)
        made.define(said.pop("name"), **said, extra=extra)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        for one in known["nodes"]:
            step(made, one)
    for one in known.get("edges", ()):
        made.connect(one["from"], one["outcome"], one["to"], extra=split(one)[1])
    return made


def main_first(document: Json) -> Json:
    """A module with its main workflow before the others, where a builder has it."""
    if "workflows" not in document:
        return document
    name = document.get("main", document["workflows"][0].get("name"))
    ordered = sorted(document["workflows"], key=lambda one: one["name"] != name)
    return {**{key: value for key, value in document.items() if key != "main"}, "workflows": ordered}


def built(document: Json) -> wfc.WorkflowBuilder:
    """A builder for a document, the other workflows of a module prepared as its children."""
    if "workflows" not in document:
        return builder_of(document)
    first, *others = main_first(document)["workflows"]
    made = builder_of(first, document)
    for one in others:
        made.prepare_subgraph(builder_of(one))
    return made
