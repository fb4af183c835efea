"""The language card: all that somebody has to know who writes workflows as JSON, on one page (reference 4.6).

Steps, fields, reducers, kinds of interrupts and built-in nodes are told from the model of the language itself; the
rules stand here, each of them checked by a test. The page keeps to 2,000 tokens of `o200k_base`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from wfc.ir import REDUCERS, Contract, Reducer
from wfc.ir.std import BUILTINS, INTERRUPT_KINDS, Builtin
from wfc.tools import signature

# What the model of the language does not say of a step: the outcomes that it can take.
STEPS: Mapping[str, str] = {
    "node": "those of its definition and of catch",
    "condition": "true, false",
    "foreach": "item, done",
    "fork": "its branches",
    "join": "ok",
    "wait": "ok",
    "interrupt": "those you list",
    "subgraph": "those you list, and of catch",
    "end": "none",
}

RULES: tuple[str, ...] = (
    "Schemas are JSON Schema objects. `input` is read-only; steps share `state`; output is the fields of `state` that"
    " output_schema names.",
    "Names: letters, digits, _ and -, first a letter or _.",
    "Every outcome of every step has exactly one edge. `__end__` ends with ok; another outcome needs an end step.",
    "Paths are names with dots, no indexes, brackets or $: read input.a, state.a.b; write state.a.",
    'input, request: {"target": field, "path": P}, or "value": JSON for path; target "." is the whole payload.',
    'output, resume: {"source": field, "target": "state.x", "on"?: [outcome]}; "." is everything. What only some'
    " outcomes have needs `on`.",
    "Read a state field only where every way there writes it, or with a default in state_schema, or behind exists.",
    'A capability of the catalogue needs {"name": "source.tool"} in node_defs, wf.std nothing. With another name it'
    ' has uses: "source.tool".',
    "outcome_schemas, resume_schemas: {outcome: its own schema}; resume_schemas not of the first.",
    'check: {"op": "eq|ne|lt|le|gt|ge", "left": O, "right": O}, {"op": "and|or", "args": [C]}, {"op": "not", "arg": C},'
    ' {"op": "exists", "path": P}; O is {"path": P} or {"value": JSON}.',
    'foreach: over is an array\'s path or {"value": [JSON]}; in the body the item is context.ALIAS. item leads into the'
    " body; every way through it leads back to foreach, with no other way out, no end; done goes on.",
    "collect: foreach output has errors (bind them), count, succeeded, failed.",
    "fork: every branch leads to the same join and to nothing else.",
    'branches: a name or {"outcome": name, "when": C}.',
    "Parallel items or branches never write one field, unless its reducer merges or locals lists it.",
    'A reducer stands in state_schema; with config: {"ref": {"source": "wf.std", "capability_key": "modulo_add"},'
    ' "config": {"modulus": 9}}.',
    "An edge back makes a loop; a step in it has to change what its exit tests.",
    "interrupt asks a person; outcomes are your words for answers. Only the first has the resume payload: bind"
    " `on` it.",
    "catch: codes are node_failed or node_failed:TYPE, node_timeout, node_output_invalid, undeclared_outcome,"
    " capability_unavailable; its outcome has error.message.",
    'retry: {"max_attempts": 3, "delay_seconds"?, "backoff"?, "max_delay_seconds"?, "on"?: codes}, never'
    " around a write.",
    'subgraph: workflow is {"name": N} or {"artifact_id": I, "version": 1}; several stand in {"main"?: N, "workflows":'
    " […]}.",
    'wait: seconds is a number or {"path": P}.',
)


def _step(id: str, type: str, **fields: Any) -> dict[str, Any]:
    return {"id": id, "type": type, **fields}


def _edges(*edges: str) -> list[dict[str, str]]:
    """Edges written as `from outcome to`."""
    return [dict(zip(("from", "outcome", "to"), edge.split(), strict=True)) for edge in edges]


_TEXT = {"type": "string"}
# Reads all files at once, asks a person, ends in one of two ways.
FIRST_EXAMPLE: dict[str, Any] = {
    "name": "digest",
    "input_schema": {
        "type": "object",
        "properties": {"paths": {"type": "array", "items": _TEXT}},
        "required": ["paths"],
    },
    "state_schema": {
        "type": "object",
        "properties": {
            "texts": {"type": "array", "items": _TEXT, "reducer": "wf.std.append", "default": []},
            "digest": _TEXT,
        },
    },
    "output_schema": {"type": "object", "properties": {"digest": _TEXT}},
    "outcomes": ["ok", "rejected"],
    "node_defs": [{"name": "fs.read_file"}],
    "start": "each",
    "nodes": [
        _step("each", "foreach", over="input.paths", **{"as": "path"}, mode="parallel"),
        _step(
            "read",
            "node",
            node="fs.read_file",
            input=[{"target": "path", "path": "context.path"}],
            output=[{"source": "content", "target": "state.texts"}],
        ),
        _step(
            "glue",
            "node",
            node="wf.std.join_text",
            input=[{"target": "array", "path": "state.texts"}, {"target": "separator", "value": "\n"}],
            output=[{"source": "text", "target": "state.digest"}],
        ),
        _step(
            "ask",
            "interrupt",
            kind="approval",
            request=[{"target": "prompt", "value": "Keep?"}],
            outcomes=["kept", "dropped"],
        ),
        _step("no", "end", outcome="rejected"),
    ],
    "edges": _edges(
        "each item read", "read ok each", "each done glue", "glue ok ask", "ask kept __end__", "ask dropped no"
    ),
}

# A call that may fail beside a wait, and a decision afterwards.
SECOND_EXAMPLE: dict[str, Any] = {
    "name": "both",
    "state_schema": {"type": "object", "properties": {"why": {**_TEXT, "default": ""}}},
    "node_defs": [{"name": "git.pull"}],
    "start": "split",
    "nodes": [
        _step("split", "fork", branches=["left", "right"]),
        _step("rest", "wait", seconds=5),
        _step(
            "pull",
            "node",
            node="git.pull",
            catch=[{"codes": ["node_failed"], "outcome": "failed"}],
            output=[
                {"source": "error.message", "target": "state.why", "on": ["failed"]},
            ],
        ),
        _step("meet", "join"),
        _step(
            "fine",
            "condition",
            check={"op": "eq", "left": {"path": "state.why"}, "right": {"value": ""}},
        ),
    ],
    "edges": _edges(
        "split left rest",
        "split right pull",
        "rest ok meet",
        "pull ok meet",
        "pull failed meet",
        "meet ok fine",
        "fine true __end__",
        "fine false split",
    ),
}

# The capabilities that the examples call.
EXAMPLE_CAPABILITIES = (
    Contract(
        "fs.read_file",
        {"type": "object", "properties": {"path": _TEXT}, "required": ["path"]},
        {"type": "object", "properties": {"content": _TEXT}, "required": ["content"]},
        effects="read",
    ),
    Contract("git.pull", {"type": "object"}, {"type": "object"}, effects="idempotent"),
)


def language_card() -> str:
    """The page. It is the same for every request."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield "# Workflow JSON (? is optional)"
    yield from model_lines()
    yield ""
    yield from (f"- {rule}" for rule in RULES)
    yield ""
    yield from shared_lines()
    yield "Examples, with " + " and ".join(signature(one) for one in EXAMPLE_CAPABILITIES) + ":"
    yield from (json.dumps(example, separators=(",", ":")) for example in (FIRST_EXAMPLE, SECOND_EXAMPLE))


def shared_lines() -> Iterator[str]:
    """What both forms have: reducers, kinds of interrupts, built-in nodes."""
    yield f"Reducers, under wf.std: {', '.join(map(_reducer, REDUCERS))}"
    yield from interrupt_lines()
    yield "Built-in nodes, under wf.std; other outcomes after or:"
    yield from builtin_lines()


def _reducer(reducer: Reducer) -> str:
    return reducer.name.rpartition(".")[2] + ("" if reducer.mergeable else " (default, exclusive)")


def model_lines() -> Iterator[str]:
    """The fields of a workflow, a definition and every step, from the published schema of the language."""
    from wfc.frontend import workflow_schema

    defined = workflow_schema()["$defs"]
    yield f"workflow: {_fields(defined['workflow'])}"
    yield f"node_defs: {_fields(defined['node_definition'])}"
    yield f"edges: {_fields(defined['edge'])}"
    yield "nodes: id, type, desc? and, by type -> outcomes:"
    for name, outcomes in STEPS.items():
        fields = _fields(defined[f"{name}_step"])
        yield f"  {name}{': ' + fields if fields else ''} -> {outcomes}"


def _fields(schema: Mapping[str, Any]) -> str:
    properties = [name for name in schema["properties"] if name not in ("id", "type", "desc")]
    required = schema.get("required", ())
    told = [name + ("" if name in required else "?") + _choices(schema["properties"][name]) for name in properties]
    return ", ".join(told)


def _choices(schema: Any) -> str:
    """The values of a field that has few."""
    values = [value for way in schema.get("anyOf", (schema,)) for value in way.get("enum", ())]
    return f" ({'|'.join(values)})" if values else ""


def interrupt_lines() -> Iterator[str]:
    """The built-in kinds of interrupts, from the model."""
    told = [_bare(Contract(kind, asked, given)) for kind, (asked, given) in INTERRUPT_KINDS.items()]
    yield "Interrupt kinds, request -> resume: " + "; ".join(told)


def builtin_lines() -> Iterator[str]:
    """The nodes of `wf.std`, from their contracts."""
    for builtin in BUILTINS:
        yield _builtin(builtin)


def _builtin(builtin: Builtin) -> str:
    return f"  {_bare(Contract(builtin.key, builtin.input, builtin.output, builtin.outcomes, builtin.others))}"


def _bare(contract: Contract) -> str:
    """A signature without its effect, in which a field of any type has none and an array of anything has brackets."""
    told = signature(contract).rsplit(" | ", 1)[0].replace(": [any]", "[]").replace(": any", "")
    return told.removesuffix(" object") if contract.others else told
