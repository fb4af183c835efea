"""A checked module becomes a program in canonical order (reference 4.1.1).

Guarantees: two modules that differ only in the order of steps, edges, definitions, workflows, or of a definition's
outcomes after the first, give equal programs. Order that has a meaning is kept: of bindings, branches, `catch`,
arguments and workflow outcomes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, assert_never

from wfc.diagnostics import InternalError
from wfc.ir import (
    Activation,
    Arm,
    Ask,
    Bind,
    Block,
    Call,
    Catalogue,
    Catch,
    Commit,
    Condition,
    ConditionStep,
    Decide,
    Definition,
    EndStep,
    EnterChild,
    EnterForeach,
    Finish,
    ForeachStep,
    Fork,
    ForkStep,
    Handler,
    HoleStep,
    InputBinding,
    Instruction,
    InterruptStep,
    JoinStep,
    Label,
    Linked,
    Move,
    NextItem,
    NodeDef,
    NodeStep,
    OutputBinding,
    Pause,
    Program,
    Retry,
    Routine,
    RoutineIndex,
    Schema,
    SchemaIndex,
    Step,
    SubgraphStep,
    Switch,
    Terminator,
    WaitStep,
    Write,
)
from wfc.passes.graph.flow import Flow
from wfc.passes.graph.graph import reached
from wfc.passes.graph.wiring import outcome_order
from wfc.passes.pipeline import Checked
from wfc.paths import StatePath
from wfc.records import dataclass, field, replace


@dataclass
class _Tables:
    """Schemas and routines in the order of their first use, and what is known of capabilities; owned by `lower`."""

    catalogue: Catalogue
    schemas: dict[str, SchemaIndex] = field(default_factory=dict)
    values: list[Any] = field(default_factory=list)
    routines: dict[int, RoutineIndex] = field(default_factory=dict)

    def schema(self, schema: Schema) -> SchemaIndex:
        if schema.text not in self.schemas:
            self.schemas[schema.text] = SchemaIndex(len(self.values))
            self.values.append(schema.value)
        return self.schemas[schema.text]

    def schemas_of(self, named: Mapping[str, Schema]) -> dict[str, SchemaIndex]:
        return {name: self.schema(named[name]) for name in sorted(named)}

    def routine(self, workflow: int) -> RoutineIndex:
        return self.routines.setdefault(workflow, RoutineIndex(len(self.routines)))


def lower(checked: Checked) -> Program:
    """The program of a module: what `main` contains, each workflow after the first that runs it."""
    module, flows = checked.module, checked.facts.flows
    if module.main is None:
        raise InternalError("a module without a main workflow was accepted for lowering")
    tables = _Tables(module.catalogue)
    tables.routine(module.main)
    made: list[Routine] = []
    while len(made) < len(tables.routines):
        made.append(_routine(flows[list(tables.routines)[len(made)]], tables))
    return Program(
        name=module.workflows[module.main].name,
        routines=tuple(_told_apart(made)),
        schemas=tuple(tables.values),
        extra=_kept(module.extra),
    )


def _told_apart(routines: list[Routine]) -> Iterator[Routine]:
    """Each under a name of its own, by which calls are told apart: two versions of one workflow, or one that is bound
    in two ways, have the same name. No name of a workflow has a colon."""
    met: dict[str, int] = {}
    for routine in routines:
        met[routine.name] = met.get(routine.name, 0) + 1
        again = met[routine.name]
        yield routine if again == 1 else replace(routine, name=f"{routine.name}:{again}")


def _kept(extra: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The author's `x-` keys; none where there are none."""
    return {key: extra[key] for key in sorted(extra)} or None


def _routine(flow: Flow, tables: _Tables) -> Routine:
    workflow = flow.workflow
    if workflow.start is None:
        raise InternalError(f"workflow `{workflow.name}` has no start and was accepted for lowering")
    return Routine(
        name=workflow.name,
        input_schema=tables.schema(workflow.input_schema),
        state_schema=tables.schema(workflow.state_schema),
        output_schema=tables.schema(workflow.output_schema),
        outcomes=workflow.outcomes,
        definitions=tuple(_definition(flow.definitions[name], tables) for name in sorted(flow.definitions)),
        start=Label(workflow.start),
        blocks=tuple(_block(flow, flow.steps[name], tables) for name in _in_order(flow, workflow.start)),
        desc=workflow.desc,
        extra=_kept(workflow.extra),
    )


def _in_order(flow: Flow, start: str) -> list[str]:
    """The steps as they are reached, those of a step's first outcome first; what is never reached comes last."""
    found = reached([start], flow.followers)
    return [*found, *sorted(flow.steps.keys() - set(found))]


def _definition(definition: NodeDef, tables: _Tables) -> Definition:
    return Definition(
        name=definition.name,
        input_schema=tables.schema(definition.input_schema),
        output_schema=tables.schema(definition.output_schema),
        outcomes=tuple(outcome_order(definition.outcomes)),
        outcome_schemas=tables.schemas_of(definition.outcome_schemas),
        uses=definition.uses,
        effects=tables.catalogue.effects(definition.uses, definition.effects),
        retry=_retry(definition.retry),
        timeout_seconds=definition.timeout_seconds,
        desc=definition.desc,
        extra=_kept(definition.extra),
    )


def _retry(retry: Retry | None) -> Retry | None:
    if retry is None:
        return None
    return Retry(retry.max_attempts, retry.delay_seconds, retry.backoff, retry.max_delay_seconds, _names(retry.on))


def _names(names: Iterable[str]) -> tuple[str, ...]:
    """A set of names that was written as a list."""
    return tuple(sorted(set(names)))


def _block(flow: Flow, step: Step, tables: _Tables) -> Block:
    body, end = _code(flow, step, tables)
    wires = {f"/edges/{wire.outcome}": wire.edge.extra for wire in flow.wires(step.id) if wire.edge.extra}
    return Block(Label(step.id), step.type, body, end, step.desc, _kept({**step.extra, **wires}))


def _code(flow: Flow, step: Step, tables: _Tables) -> tuple[tuple[Instruction, ...], Terminator]:
    match step:
        case NodeStep():
            return _call(flow.definitions[step.definition], step, tables), Switch(_arms(flow, step))
        case SubgraphStep():
            return _enter_child(step, tables), Switch(_arms(flow, step))
        case InterruptStep():
            return _ask(step, tables), Switch(_arms(flow, step))
        case ForeachStep():
            return _foreach(flow, step), Switch(tuple(arm for arm in _arms(flow, step) if arm.outcome != "item"))
        case ConditionStep():
            return (), Decide(_bare(step.check), _arms(flow, step))
        case ForkStep():
            return (), _fork(flow, step)
        case JoinStep():
            return (), Switch(_arms(flow, step))
        case WaitStep():
            return (Pause(step.seconds),), Switch(_arms(flow, step))
        case EndStep():
            return (), Finish(step.outcome)
        case HoleStep():
            raise InternalError(f"step `{step.id}` could not be read and was accepted for lowering")
        case other:
            assert_never(other)


def _arms(flow: Flow, step: Step) -> tuple[Arm, ...]:
    return tuple(Arm(wire.outcome, Label(wire.target)) for wire in flow.wires(step.id))


def _call(definition: NodeDef, step: NodeStep, tables: _Tables) -> tuple[Instruction, ...]:
    """The step's own retry and timeout win over the definition's (reference 1.3)."""
    return (
        Bind(_moves(step.input), tables.schema(definition.input_schema)),
        Call(
            definition.name,
            _retry(step.retry or definition.retry),
            definition.timeout_seconds if step.timeout_seconds is None else step.timeout_seconds,
            _handlers(step.catch),
        ),
        *_commit(step.output),
    )


def _enter_child(step: SubgraphStep, tables: _Tables) -> tuple[Instruction, ...]:
    """The child's own input schema is the one enforced; where there is none to link, the step's stands for it."""
    if isinstance(step.link, Linked):
        routine, schema = tables.routine(step.link.index), None
    else:
        routine, schema = None, step.input_schema
    return (
        Bind(_moves(step.input), None if schema is None else tables.schema(schema)),
        EnterChild(routine, str(step.workflow), _handlers(step.catch)),
        *_commit(step.output),
    )


def _ask(step: InterruptStep, tables: _Tables) -> tuple[Instruction, ...]:
    request, resume = step.request_schema, step.resume_schema
    return (
        Bind(_moves(step.request), None if request is None else tables.schema(request)),
        Ask(
            step.kind,
            tuple(dict.fromkeys(step.outcomes or ())),
            None if resume is None else tables.schema(resume),
            tables.schemas_of(step.resume_schemas),
        ),
        *_commit(step.resume),
    )


def _foreach(flow: Flow, step: ForeachStep) -> tuple[Instruction, ...]:
    return (
        EnterForeach(step.over, step.alias, step.mode, step.on_item_error, step.max_concurrency, _locals(step.locals)),
        NextItem(next((Label(wire.target) for wire in flow.wires(step.id) if wire.outcome == "item"), None)),
        *_commit(step.output),
    )


def _fork(flow: Flow, step: ForkStep) -> Fork:
    targets = {wire.outcome: Label(wire.target) for wire in flow.wires(step.id)}
    branches = tuple(
        Activation(branch.outcome, branch.when and _bare(branch.when), targets.get(branch.outcome))
        for branch in step.branches
    )
    join = flow.join_of(step.id)
    return Fork(branches, _locals(step.locals), None if join is None else Label(join))


def _bare(condition: Condition) -> Condition:
    """A condition without the places at which it was written."""
    return Condition(condition.tests)


def _moves(bindings: tuple[InputBinding, ...]) -> tuple[Move, ...]:
    return tuple(Move(binding.target, binding.source) for binding in bindings)


def _commit(bindings: tuple[OutputBinding, ...]) -> tuple[Instruction, ...]:
    """A commit that writes nothing is left out."""
    writes = tuple(
        Write(binding.target, binding.source, None if binding.on is None else _names(binding.on))
        for binding in bindings
    )
    return (Commit(writes),) if writes else ()


def _handlers(catch: tuple[Catch, ...]) -> tuple[Handler, ...]:
    return tuple(Handler(_names(entry.codes), entry.outcome) for entry in catch)


def _locals(paths: tuple[StatePath, ...]) -> tuple[StatePath, ...]:
    return tuple(sorted(set(paths), key=lambda path: path.parts))
