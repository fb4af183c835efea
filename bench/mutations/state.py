"""State read too early, on one way only, or out of optional fields; written twice at once, or by the wrong reducer."""

from __future__ import annotations

from collections.abc import Iterator

from bench.mutations.documents import (
    Binding,
    Json,
    Step,
    arguments,
    definition,
    drop,
    edges,
    get,
    input_schema,
    kind_of_schema,
    property_of,
    put,
    reads,
    reads_of,
    state_field,
    steps,
    workflows,
    writes,
)
from bench.mutations.kind import Mutant, kind, mutant


@kind
def use_before_write(document: Json) -> Iterator[Mutant]:
    """The first step reads what only later steps write."""
    for binding in arguments(document):
        if binding.step.id != binding.step.workflow["start"] or "path" not in binding.body:
            continue
        wanted = kind_of_schema(property_of(input_schema(binding.step, document), str(binding.body["target"])))
        for write in writes(document):
            path = write.body["target"]
            found = state_field(write.step.workflow, path)
            late = write.step.top == binding.step.top and write.step.id != binding.step.id
            if late and found and _unfilled(write.step, path) and kind_of_schema(found[1]) in (wanted, None):
                yield mutant(put(document, f"{binding.at}/path", path), f"{binding.at}/path")
                break


def _unfilled(step: Step, path: str) -> bool:
    """Whether neither a default nor the input fills a state path before the first step."""
    root = ".".join(path.split(".")[:2])
    found = state_field(step.workflow, root)
    seeded = root.partition(".")[2] in step.workflow.get("input_schema", {}).get("properties", {})
    return found is not None and "default" not in found[1] and not seeded


@kind
def write_left_out(document: Json) -> Iterator[Mutant]:
    """The only write of a state path that is read is missing."""
    for binding in writes(document):
        same = [one for one in writes(document) if _same_place(one, binding)]
        if len(same) == 1 and _unfilled(binding.step, binding.body["target"]):
            at = _readers(document, binding)
            if at:
                yield mutant(drop(document, binding.at), *at)


@kind
def branch_only_value(document: Json) -> Iterator[Mutant]:
    """One of several steps that write a state path, each on its own way, does not.

    A step that reads the path itself comes after another one that has written it, and is left alone.
    """
    for binding in writes(document):
        same = [one for one in writes(document) if _same_place(one, binding)]
        own = any(_touches(read.path, binding.body["target"]) for read in reads_of(binding.step))
        if len({one.step.id for one in same}) > 1 and not own and _unfilled(binding.step, binding.body["target"]):
            at = _readers(document, binding)
            if at:
                yield mutant(drop(document, binding.at), *at)


def _same_place(one: Binding, other: Binding) -> bool:
    return one.step.top == other.step.top and one.body["target"].split(".")[:2] == other.body["target"].split(".")[:2]


def _readers(document: Json, binding: Binding) -> list[str]:
    """Where a state path is read: by steps, and by the ends where the output requires it. None where it is guarded."""
    path, top = binding.body["target"], binding.step.top
    touching = [read for read in reads(document) if read.step.top == top and _touches(read.path, path)]
    if any(read.guard for read in touching):
        return []
    at = [read.at for read in touching]
    result = binding.step.workflow.get("output_schema", {})
    if path.split(".")[1] in result.get("required", ()):
        at += [step.at for step in steps(document, "end") if step.top == top]
        at += [edge.at + tail for edge in edges(document) if edge.top == top for tail in ("", "/to")]
        at += [f"{top}/output_schema/required/{result['required'].index(path.split('.')[1])}"]
    return at


def _touches(read: str, written: str) -> bool:
    return read == written or read.startswith(f"{written}.")


@kind
def optional_read_as_present(document: Json) -> Iterator[Mutant]:
    """A definition does not promise a field that its step writes to state."""
    for binding in writes(document):
        contract = definition(binding.step) if binding.step.type == "node" else None
        if contract is None or contract not in binding.step.workflow.get("node_defs", ()):
            continue
        required = contract.get("output_schema", {}).get("required", [])
        name = binding.body["source"].partition(".")[0]
        if name in required and _applies_always(binding, contract):
            at = f"{binding.step.top}/node_defs/{binding.step.workflow['node_defs'].index(contract)}"
            left = [one for one in required if one != name]
            users = [f"{one.at}/source" for one in writes(document) if _reads_field(one, contract, name)]
            yield mutant(put(document, f"{at}/output_schema/required", left), *users)


def _applies_always(binding: Binding, contract: Json) -> bool:
    """An `on` that names some of several outcomes is taken for a guard (reference 3.2, WF407)."""
    return len(contract["outcomes"]) == 1 or "on" not in binding.body


def _reads_field(binding: Binding, contract: Json, name: str) -> bool:
    same = binding.step.body.get("node") == contract["name"] and _applies_always(binding, contract)
    return same and binding.body["source"].partition(".")[0] == name


@kind
def optional_input_read(document: Json) -> Iterator[Mutant]:
    """The input schema does not require a field that steps read."""
    for top, workflow in workflows(document):
        schema = workflow.get("input_schema", {})
        for name in schema.get("required", ()):
            path = f"input.{name}"
            bound = [one for one in arguments(document) if one.step.top == top and one.body.get("path") == path]
            at = [f"{one.at}/path" for one in bound]
            if at and "default" not in schema.get("properties", {}).get(name, {}):
                left = [one for one in schema["required"] if one != name]
                yield mutant(put(document, f"{top}/input_schema/required", left), *at)


# -- writes and reducers ----------------------------------------------------------------------------------------------


@kind
def repeated_write(document: Json) -> Iterator[Mutant]:
    """Two bindings of one step for one state path."""
    for binding in writes(document):
        index = len(get(document, binding.list))
        yield mutant(put(document, f"{binding.list}/{index}", binding.body), f"{binding.list}/{index}/target")


@kind
def overlapping_write(document: Json) -> Iterator[Mutant]:
    """A further binding for a place inside what the step writes already."""
    for binding in writes(document):
        index = len(get(document, binding.list))
        added = {**binding.body, "target": f"{binding.body['target']}.detail"}
        yield mutant(put(document, f"{binding.list}/{index}", added), f"{binding.list}/{index}/target")


@kind
def repeated_argument(document: Json) -> Iterator[Mutant]:
    for binding in arguments(document):
        index = len(get(document, binding.list))
        yield mutant(put(document, f"{binding.list}/{index}", binding.body), f"{binding.list}/{index}/target")


@kind
def reducer_left_out(document: Json) -> Iterator[Mutant]:
    """A list that parallel items append to, and that has no reducer."""
    for loop, inside in _parallel_bodies(document):
        for binding in writes(document):
            if binding.step.top != loop.top or binding.step.id not in inside:
                continue
            found = state_field(loop.workflow, binding.body["target"])
            if found is not None and "reducer" in found[1]:
                same = [f"{one.at}/target" for one in writes(document) if _same_place(one, binding)]
                yield mutant(drop(document, f"{loop.top}{found[0]}/reducer"), *same)


@kind
def parallel_replace(document: Json) -> Iterator[Mutant]:
    """A serial loop made parallel, though its items replace one state path."""
    for loop in steps(document, "foreach"):
        if loop.body.get("mode", "serial") != "serial":
            continue
        inside = _body(loop)
        local = loop.body.get("locals", [])
        at = [
            f"{one.at}/target"
            for one in writes(document)
            if one.step.top == loop.top
            and one.step.id in inside
            and _exclusive(one)
            and one.body["target"] not in local
        ]
        if at:
            yield mutant(put(document, f"{loop.at}/mode", "parallel"), *at)


def _exclusive(binding: Binding) -> bool:
    found = state_field(binding.step.workflow, binding.body["target"])
    return found is None or found[1].get("reducer", "wf.std.replace") == "wf.std.replace"


def _parallel_bodies(document: Json) -> list[tuple[Step, set[str]]]:
    return [(loop, _body(loop)) for loop in steps(document, "foreach") if loop.body.get("mode") == "parallel"]


def _body(loop: Step) -> set[str]:
    """The ids of the steps in the body of a loop."""
    wired = loop.workflow.get("edges", [])
    waiting = [edge["to"] for edge in wired if edge["from"] == loop.id and edge["outcome"] == "item"]
    found: set[str] = set()
    while waiting:
        one = waiting.pop()
        if one not in found and one != loop.id:
            found.add(one)
            waiting += [edge["to"] for edge in wired if edge["from"] == one]
    return found


@kind
def reducer_of_another_type(document: Json) -> Iterator[Mutant]:
    for at, schema in _reducers(document):
        numeric = kind_of_schema(schema) in ("integer", "number")
        yield mutant(put(document, f"{at}/reducer", "wf.std.extend" if numeric else "wf.std.add"), f"{at}/reducer")


@kind
def reducer_without_source(document: Json) -> Iterator[Mutant]:
    """`append` for `wf.std.append`."""
    for at, schema in _reducers(document):
        yield mutant(put(document, f"{at}/reducer", schema["reducer"].rpartition(".")[2]), f"{at}/reducer")


@kind
def append_of_list(document: Json) -> Iterator[Mutant]:
    """`append` where whole lists are written to a list of their elements."""
    for at, schema in _reducers(document):
        if schema["reducer"] == "wf.std.extend" and kind_of_schema(schema.get("items")) not in (None, "array"):
            path = "state." + ".".join(at.split("/properties/")[1:])
            users = [f"{one.at}/target" for one in writes(document) if one.body["target"] == path]
            yield mutant(put(document, f"{at}/reducer", "wf.std.append"), f"{at}/reducer", *users)


def _reducers(document: Json) -> Iterator[tuple[str, Json]]:
    """Declared state fields at the top with a plain reducer, and where they stand."""
    for top, workflow in workflows(document):
        for name, schema in workflow.get("state_schema", {}).get("properties", {}).items():
            if isinstance(schema, dict) and isinstance(schema.get("reducer"), str):
                yield f"{top}/state_schema/properties/{name}", schema
