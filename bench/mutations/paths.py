"""Paths in other dialects, with other roots, and with names that nothing declares."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from bench.mutations.documents import (
    Binding,
    Json,
    Read,
    arguments,
    listed_input,
    misspelt,
    promised,
    put,
    reads,
    state_field,
    steps,
    writes,
)
from bench.mutations.kind import Mutant, kind, mutant


def _reread(document: Json, change: Callable[[Read], str | None]) -> Iterator[Mutant]:
    """Every read with its path written otherwise."""
    for read in reads(document):
        path = change(read)
        if path is not None and path != read.path:
            yield mutant(put(document, read.at, path), read.at)


@kind
def dollar_path(document: Json) -> Iterator[Mutant]:
    return _reread(document, lambda read: f"$.{read.path}")


@kind
def template_path(document: Json) -> Iterator[Mutant]:
    return _reread(document, lambda read: f"{{{{{read.path}}}}}")


@kind
def indexed_path(document: Json) -> Iterator[Mutant]:
    return _reread(document, lambda read: f"{read.path}[0]")


@kind
def rootless_path(document: Json) -> Iterator[Mutant]:
    return _reread(document, lambda read: read.path.partition(".")[2] or None)


@kind
def output_of_step_path(document: Json) -> Iterator[Mutant]:
    """The output of an earlier step read by its id, as other systems do."""
    for read in reads(document):
        step = _writer(document, read)
        if step is not None:
            yield mutant(put(document, read.at, f"{step}.output.{read.path.rpartition('.')[2]}"), read.at)


def _writer(document: Json, read: Read) -> str | None:
    for binding in writes(document):
        if binding.body["target"] == read.path and binding.step.top == read.step.top:
            return binding.step.id
    return None


@kind
def state_read_from_input(document: Json) -> Iterator[Mutant]:
    def change(read: Read) -> str | None:
        root, _, rest = read.path.partition(".")
        known = read.step.workflow.get("input_schema", {}).get("properties", {})
        return f"input.{rest}" if root == "state" and rest.partition(".")[0] not in known else None

    return _reread(document, change)


@kind
def misspelt_state_read(document: Json) -> Iterator[Mutant]:
    return _reread(document, lambda read: _misspelt_name(read.path, "state") if _is_declared(read) else None)


@kind
def misspelt_input_read(document: Json) -> Iterator[Mutant]:
    return _reread(document, lambda read: _misspelt_name(read.path, "input") if _is_declared(read) else None)


@kind
def misspelt_alias_read(document: Json) -> Iterator[Mutant]:
    return _reread(document, lambda read: _misspelt_name(read.path, "context"))


def _is_declared(read: Read) -> bool:
    """Whether a schema lists the name that is read, and not the misspelt one: else nobody could know."""
    root, _, rest = read.path.partition(".")
    if root == "input" and rest:
        known, wrong = listed_input(read.step.workflow, read.path), f"input.{misspelt(rest.split('.')[0])}"
        return known and not listed_input(read.step.workflow, wrong)
    return state_field(read.step.workflow, ".".join(read.path.split(".")[:2])) is not None


def _misspelt_name(path: str, root: str) -> str | None:
    first, *rest = path.split(".")
    return ".".join((first, misspelt(rest[0]), *rest[1:])) if first == root and rest else None


@kind
def alias_outside_loop(document: Json) -> Iterator[Mutant]:
    """The alias of a loop read by the step behind it."""
    for loop in steps(document, "foreach"):
        after = [e["to"] for e in loop.workflow["edges"] if e["from"] == loop.id and e["outcome"] == "done"]
        for read in reads(document):
            if read.step.top == loop.top and read.step.id in after and not read.path.startswith("context."):
                yield mutant(put(document, read.at, f"context.{loop.body['as']}"), read.at)


@kind
def misspelt_write_target(document: Json) -> Iterator[Mutant]:
    for binding in writes(document):
        root, name, *rest = binding.body["target"].split(".")
        target = ".".join((root, misspelt(name), *rest))
        if state_field(binding.step.workflow, f"state.{misspelt(name)}") is None:
            yield mutant(put(document, f"{binding.at}/target", target), f"{binding.at}/target")


@kind
def rootless_write_target(document: Json) -> Iterator[Mutant]:
    for binding in writes(document):
        target = binding.body["target"].partition(".")[2]
        yield mutant(put(document, f"{binding.at}/target", target), f"{binding.at}/target")


@kind
def write_to_input(document: Json) -> Iterator[Mutant]:
    for binding in writes(document):
        target = "input." + binding.body["target"].partition(".")[2]
        yield mutant(put(document, f"{binding.at}/target", target), f"{binding.at}/target")


@kind
def misspelt_output_source(document: Json) -> Iterator[Mutant]:
    for binding in writes(document):
        first, *rest = binding.body["source"].split(".")
        if first and _is_promised(binding, first):
            source = ".".join((misspelt(first), *rest))
            yield mutant(put(document, f"{binding.at}/source", source), f"{binding.at}/source")


@kind
def rooted_output_source(document: Json) -> Iterator[Mutant]:
    """`output.x` where a path inside the output is due."""
    for binding in writes(document):
        if _is_promised(binding, binding.body["source"].split(".")[0]):
            source = f"output.{binding.body['source']}"
            yield mutant(put(document, f"{binding.at}/source", source), f"{binding.at}/source")


def _is_promised(binding: Binding, name: str) -> bool:
    """Whether a schema lists a field of what a step gives."""
    caught = name == "error" and "catch" in binding.step.body
    return caught or any(name in schema.get("properties", {}) for schema in promised(binding))


@kind
def rooted_argument(document: Json) -> Iterator[Mutant]:
    """`input.x` as the target of an argument."""
    for binding in arguments(document):
        if isinstance(binding.body["target"], str) and binding.body["target"] != ".":
            target = f"input.{binding.body['target']}"
            yield mutant(put(document, f"{binding.at}/target", target), f"{binding.at}/target", binding.step.at)
