"""Steps as read become those of `wfc.ir.steps`; one that lacks what it cannot be without becomes a hole with its id."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from wfc.diagnostics import Place
from wfc.frontend.bindings import catches, has_gaps, input_bindings, output_bindings, retry
from wfc.frontend.conditions import condition
from wfc.frontend.findings import Finding
from wfc.frontend.reader import Record
from wfc.frontend.reader_codes import EXCLUSIVE_FIELDS
from wfc.frontend.scalars import HOLE
from wfc.frontend.schema_check import schema_at
from wfc.ir import (
    Branch,
    Catch,
    ConditionStep,
    EndStep,
    ForeachStep,
    ForkStep,
    HoleStep,
    InterruptStep,
    JoinStep,
    Link,
    NodeDef,
    NodeStep,
    Operand,
    Schema,
    Step,
    SubgraphStep,
    Value,
    WaitStep,
    WorkflowRef,
)
from wfc.ir.std import INTERRUPT_KINDS
from wfc.records import dataclass

_BINDINGS = ("input", "output", "request", "resume")


@dataclass(frozen=True, slots=True)
class Around:
    """What a step needs from around it.

    `definition` finds the definition of a name, which stands at the given place; `link` finds the child
    workflow for a reference at a pointer.
    `some_lost` tells that a definition has no readable name, so that an unknown name is no fault of the step.
    """

    definition: Callable[[str, Place], NodeDef | None]
    some_lost: bool
    link: Callable[[WorkflowRef, str], Link]
    findings: list[Finding]


@dataclass(frozen=True, slots=True)
class _Made:
    """A step as read, where it stands, and what is around it."""

    read: Record
    at: Place
    around: Around

    def __getitem__(self, name: str) -> Any:
        return self.read.fields[name]

    def common(self, outcomes: tuple[str, ...] | None) -> dict[str, Any]:
        read = self.read
        bindings = {name: read.fields.get(name, ()) for name in _BINDINGS}
        # Where a whole list could not be read, what stands in the others may be only a part of what was meant.
        lost = _BINDINGS if HOLE in bindings.values() else [name for name in _BINDINGS if has_gaps(bindings[name])]
        return {
            "id": read["id"],
            "at": self.at,
            "outcomes": outcomes,
            "desc": read["desc"],
            "extra": read.extras(),
            "gaps": frozenset(lost),
        }


def step(read: Any, at: Place, around: Around) -> Step:
    """The step; a hole where a part that it cannot be without could not be read."""
    if not isinstance(read, Record):
        return HoleStep(id=at.step or "", at=at, outcomes=None)
    made = None if read["id"] is HOLE else _MAKERS[read["type"]](_Made(read, at, around))
    return made or HoleStep(id=at.step or "", at=at, outcomes=None, desc=read["desc"], extra=read.extras())


def _node(made: _Made) -> Step | None:
    name = made["node"]
    if name is HOLE:
        return None
    definition = made.around.definition(name, made.at.below("node"))
    if definition is None and made.around.some_lost:
        return None
    caught = _catches(made)
    known = definition.outcomes if definition and definition.outcomes else None
    return NodeStep(
        **made.common(_outcomes(known, caught)),
        definition=name,
        input=input_bindings(made["input"], made.at),
        output=output_bindings(made["output"], made.at),
        retry=retry(made["retry"]),
        timeout_seconds=made["timeout_seconds"],
        catch=caught or (),
    )


def _catches(made: _Made) -> tuple[Catch, ...] | None:
    """The catch entries; none where some could not be read, so that their outcomes are unknown."""
    read = made["catch"]
    if read is HOLE or not all(isinstance(entry, Record) and entry["outcome"] is not HOLE for entry in read):
        return None
    return catches(read, made.at)


def _outcomes(own: tuple[str, ...] | None, caught: tuple[Catch, ...] | None) -> tuple[str, ...] | None:
    if own is None or caught is None:
        return None
    return tuple(dict.fromkeys((*own, *(catch.outcome for catch in caught))))


def _condition(made: _Made) -> Step | None:
    check = condition(made["check"])
    return None if check is None else ConditionStep(**made.common(("true", "false")), check=check)


def _foreach(made: _Made) -> Step | None:
    over = _source(made["over"], "value")
    if over is None or made["as"] is HOLE:
        return None
    return ForeachStep(
        **made.common(("item", "done")),
        over=over,
        alias=made["as"],
        mode=made["mode"],
        on_item_error=made["on_item_error"],
        max_concurrency=made["max_concurrency"],
        locals=_locals(made),
        output=output_bindings(made["output"], made.at),
    )


def _source(read: Any, literal: str) -> Operand | None:
    """A path or a literal, bare or under its key; none where it could not be read."""
    if not isinstance(read, Record):
        return None if read is HOLE else Value(read) if isinstance(read, (int, float)) else read
    (inner,) = read.fields.values()
    if inner is HOLE:
        return None
    return Value(inner) if literal in read.fields else inner


def _locals(made: _Made) -> tuple[Any, ...]:
    return tuple(path for path in made["locals"] if path is not HOLE) if made["locals"] is not HOLE else ()


def _fork(made: _Made) -> Step | None:
    read = made["branches"]
    branches = [] if read is HOLE else [_branch(entry, made.at, at) for at, entry in enumerate(read)]
    if not branches or None in branches:
        return None
    known = tuple(branch for branch in branches if branch is not None)
    outcomes = tuple(dict.fromkeys(branch.outcome for branch in known))
    return ForkStep(**made.common(outcomes), branches=known, locals=_locals(made))


def _branch(read: Any, at: Place, index: int) -> Branch | None:
    place = at.below("branches", index)
    if isinstance(read, str):
        return Branch(read, None, place)
    if read is HOLE or read["outcome"] is HOLE:
        return None
    when = condition(read["when"])
    return Branch(read["outcome"], when, place) if when is not None or read["when"] is None else None


def _join(made: _Made) -> Step:
    return JoinStep(**made.common(("ok",)))


def _wait(made: _Made) -> Step | None:
    seconds = _source(made["seconds"], "value")
    return None if seconds is None else WaitStep(**made.common(("ok",)), seconds=seconds)


def _interrupt(made: _Made) -> Step | None:
    kind, outcomes = made["kind"], made["outcomes"]
    if HOLE in (kind, outcomes) or HOLE in outcomes:
        return None
    request, resume = _kind_schemas(made, kind)
    return InterruptStep(
        **made.common(tuple(outcomes)),
        kind=kind,
        request=input_bindings(made["request"], made.at),
        resume=output_bindings(made["resume"], made.at),
        request_schema=request,
        resume_schema=resume,
        resume_schemas=_resume_schemas(made, outcomes[0]),
    )


def _kind_schemas(made: _Made, kind: str) -> tuple[Schema | None, Schema | None]:
    if kind in INTERRUPT_KINDS:
        request, resume = INTERRUPT_KINDS[kind]
        return Schema.of(request), Schema.of(resume)
    return _schema(made, "request_schema"), _schema(made, "resume_schema")


def _schema(made: _Made, name: str) -> Schema | None:
    written = made[name]
    return None if written is None else schema_at(written, f"{made.at.pointer}/{name}", made.around.findings)


def _resume_schemas(made: _Made, first: str) -> dict[str, Schema]:
    schemas: dict[str, Schema] = {}
    for entry in made["resume_schemas"] if isinstance(made["resume_schemas"], list) else ():
        if entry.key == first:
            got, expected = (
                f"the first outcome `{first}`",
                "outcomes after the first; `resume_schema` is that of the first",
            )
            facts = {"got": got, "owner": "`resume_schemas`", "expected": expected}
            made.around.findings.append(Finding(EXCLUSIVE_FIELDS, entry.pointer, facts, key=True))
        elif entry.value is not HOLE:
            schemas[entry.key] = schema_at(entry.value, entry.pointer, made.around.findings)
    return schemas


def _subgraph(made: _Made) -> Step | None:
    ref = _workflow_ref(made["workflow"])
    declared = made["outcomes"]
    if ref is None or declared is HOLE or HOLE in declared:
        return None
    caught = _catches(made)
    return SubgraphStep(
        **made.common(_outcomes(tuple(declared), caught)),
        workflow=ref,
        link=made.around.link(ref, made.at.below("workflow").pointer),
        declared=tuple(declared),
        input=input_bindings(made["input"], made.at),
        output=output_bindings(made["output"], made.at),
        input_schema=_schema(made, "input_schema"),
        output_schema=_schema(made, "output_schema"),
        catch=caught or (),
    )


def _workflow_ref(read: Any) -> WorkflowRef | None:
    if isinstance(read, str):
        return WorkflowRef(name=read)
    if read is HOLE or HOLE in read.fields.values():
        return None
    named = (read["artifact_id"] is not None, read["version"] is not None)
    if named[0] is not named[1] or (read["name"] is None and not any(named)):
        return None
    return WorkflowRef(read["name"], read["artifact_id"], read["version"])


def _end(made: _Made) -> Step | None:
    return None if made["outcome"] is HOLE else EndStep(**made.common(()), outcome=made["outcome"])


_MAKERS: dict[str, Callable[[_Made], Step | None]] = {
    "node": _node,
    "condition": _condition,
    "foreach": _foreach,
    "fork": _fork,
    "join": _join,
    "wait": _wait,
    "interrupt": _interrupt,
    "subgraph": _subgraph,
    "end": _end,
}
