"""A program made ready to run: labels become blocks, paths getters, conditions closures, schemas verdicts.

Linking is done once; what it makes is shared by all runs of the program and is not changed by them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, cast

from wfc.ir import (
    REDUCERS,
    Ask,
    Bind,
    Block,
    Call,
    Commit,
    Decide,
    Definition,
    EnterChild,
    EnterForeach,
    Finish,
    Fork,
    Handler,
    NextItem,
    Pause,
    Program,
    Reducer,
    Routine,
    Switch,
    Write,
    content_hash,
    copy,
    declarations,
    kept_keys,
    pieces,
    root_properties,
)
from wfc.paths import Parts
from wfc.records import dataclass, field
from wfc.vm.fault import MISSING, Fault
from wfc.vm.patch import overlapping
from wfc.vm.plans import Plan, plan, reducer_at
from wfc.vm.reading import Check, Getter, checker, getter, payload_builder
from wfc.vm.verdicts import Judge


class Keeper:
    """Which top-level keys of an output stay in it (reference 2.3.5)."""

    def __init__(self, schema: Any) -> None:
        kept = kept_keys(schema)
        self.keeps_all = kept is None
        self.names = frozenset() if kept is None else kept.names
        self._patterns = [] if kept is None else [Judge({"pattern": pattern}) for pattern in kept.patterns]

    def extra(self, output: Any) -> frozenset[str]:
        """The keys of an output that do not stay."""
        if self.keeps_all or not isinstance(output, dict) or output.keys() <= self.names:
            return frozenset()
        rest = output.keys() - self.names
        return frozenset(key for key in rest if not any(judge.accepts(key) for judge in self._patterns))


@dataclass(frozen=True, slots=True)
class Contract:
    """A definition with its schemas as judges; `kept` are the output keys that are no `extra`, by outcome."""

    definition: Definition
    input: Judge
    outputs: Mapping[str | None, Judge]
    kept: Mapping[str | None, Keeper]

    def output(self, outcome: str | None) -> Judge:
        return self.outputs.get(outcome) or self.outputs[None]

    def keeper(self, outcome: str | None) -> Keeper:
        return self.kept.get(outcome) or self.kept[None]


@dataclass(slots=True, eq=False)
class LinkedBlock:
    """One step, ready to run. Of the parts below it has those that its kind needs."""

    id: str
    kind: str
    arms: Mapping[str, str]
    writes: tuple[Write, ...] = ()
    payload: Getter | None = None
    payload_judge: Judge | None = None
    call: Call | None = None
    contract: Contract | None = None
    child: EnterChild | None = None
    ask: Ask | None = None
    resume_judges: Mapping[str, Judge] = field(default_factory=dict)
    check: Check | None = None
    source: Getter | None = None
    foreach: EnterForeach | None = None
    fork: Fork | None = None
    activations: tuple[tuple[str, Check | None, str | None], ...] = ()
    locals: tuple[Parts, ...] = ()
    outcome: str = ""
    catch: tuple[Handler, ...] = ()
    _patches: dict[str, tuple[tuple[Parts, Plan], ...]] = field(default_factory=dict)

    def patch(self, routine: LinkedRoutine, outcome: str) -> tuple[tuple[Parts, Plan], ...]:
        """What a step writes when it takes an outcome: places in its output, and plans. Raises `state_conflict`."""
        found = self._patches.get(outcome)
        if found is None:
            caught = any(handler.outcome == outcome for handler in self.catch)
            applying = [w for w in self.writes if (outcome in w.on if w.on is not None else not caught)]
            found = tuple((write.source.parts, routine.plan(write.target.parts)) for write in applying)
            clash = overlapping([to for _, to in found])
            if clash is not None:
                raise Fault(
                    "state_conflict",
                    f"`{clash.text}` overlaps another write of the step",
                    path=clash.text,
                )
            self._patches[outcome] = found
        return found


@dataclass(eq=False)
class LinkedRoutine:
    """One workflow, ready to run. `swift` are its swift steps by label, once somebody asks for them."""

    index: int
    routine: Routine
    blocks: Mapping[str, LinkedBlock]
    input: Judge
    state: Judge
    output: Judge
    reducers: Mapping[str, Reducer]
    _plans: dict[Parts, Plan] = field(default_factory=dict)
    swift: Any = None

    @property
    def name(self) -> str:
        return self.routine.name

    def plan(self, parts: Parts) -> Plan:
        """The plan of a state path, made at its first use."""
        found = self._plans.get(parts)
        if found is None:
            ref = reducer_at(self.state.schema, parts)
            found = plan(self.state, parts, self.reducers[ref.name], ref.config)
            self._plans[parts] = found
        return found

    @cached_property
    def input_defaults(self) -> Mapping[str, Any]:
        """The defaults of top-level input keys (reference 2.3.1)."""
        found = {name: _default(self.input.schema, name) for name in root_properties(self.input.schema)}
        return {name: value for name, value in found.items() if value is not MISSING}

    @cached_property
    def seeds(self) -> tuple[str, ...]:
        return tuple(root_properties(self.input.schema))

    @cached_property
    def initial(self) -> dict[str, Any]:
        """State before seeding: the defaults of the state schema (reference 1.6)."""
        built = {name: _built(self.state.schema, (name,)) for name in root_properties(self.state.schema)}
        return {name: value for name, value in built.items() if value is not MISSING}

    @cached_property
    def output_keys(self) -> tuple[str, ...]:
        return tuple(root_properties(self.output.schema))


@dataclass(frozen=True)
class Linked:
    """A program ready to run. `missing_reducers` are names that nothing answers; such a program runs no step.

    `slots` numbers the definitions of all routines, by the names of workflow and definition. `marks` are those of the
    swift steps that were made, by number.
    """

    program: Program
    hash: str
    routines: tuple[LinkedRoutine, ...]
    missing_reducers: tuple[str, ...]
    slots: Mapping[tuple[str, str], int]
    marks: list[Any] = field(default_factory=list)


def link(program: Program, reducers: Iterable[Reducer] = ()) -> Linked:
    """Make a program ready to run, with further reducers beside the built-in ones."""
    known = {reducer.name: reducer for reducer in (*REDUCERS, *reducers)}
    judges = _Judges(program.schemas)
    routines = tuple(_routine(index, routine, judges, known) for index, routine in enumerate(program.routines))
    missing = sorted({name for linked in routines for name in _named_reducers(linked) if name not in known})
    named = [(routine.name, one.name) for routine in program.routines for one in routine.definitions]
    slots = {name: slot for slot, name in enumerate(named)}
    return Linked(program, content_hash(program), routines, tuple(missing), slots)


class _Judges:
    """Each distinct schema is compiled once, at its first use."""

    def __init__(self, schemas: Sequence[Any]) -> None:
        self._schemas = schemas
        self._made: dict[int, Judge] = {}

    def __getitem__(self, index: int) -> Judge:
        if index not in self._made:
            self._made[index] = Judge(self._schemas[index])
        return self._made[index]


def _named_reducers(linked: LinkedRoutine) -> set[str]:
    paths = [w.target.parts for block in linked.blocks.values() for w in block.writes]
    return {reducer_at(linked.state.schema, parts).name for parts in paths}


def _routine(index: int, routine: Routine, judges: _Judges, reducers: Mapping[str, Reducer]) -> LinkedRoutine:
    contracts = {definition.name: _contract(definition, judges) for definition in routine.definitions}
    blocks = {block.id: _block(block, contracts, judges) for block in routine.blocks}
    return LinkedRoutine(
        index,
        routine,
        cast(Mapping[str, LinkedBlock], blocks),
        judges[routine.input_schema],
        judges[routine.state_schema],
        judges[routine.output_schema],
        reducers,
    )


def _contract(definition: Definition, judges: _Judges) -> Contract:
    outputs: dict[str | None, Judge] = {None: judges[definition.output_schema]}
    for outcome, index in definition.outcome_schemas.items():
        outputs[outcome] = judges[index]
    kept = {outcome: Keeper(judge.schema) for outcome, judge in outputs.items()}
    return Contract(definition, judges[definition.input_schema], outputs, kept)


def _block(block: Block, contracts: Mapping[str, Contract], judges: _Judges) -> LinkedBlock:
    made = LinkedBlock(block.id, block.kind, {})
    match block.end:
        case Switch(arms):
            made.arms = {arm.outcome: arm.target for arm in arms}
        case Decide(check, arms):
            made.arms, made.check = (
                {arm.outcome: arm.target for arm in arms},
                checker(check),
            )
        case Fork() as fork:
            _link_fork(made, fork)
        case Finish(outcome):
            made.outcome = outcome
    for instruction in block.body:
        _link_instruction(made, instruction, contracts, judges)
    return made


def _link_fork(made: LinkedBlock, fork: Fork) -> None:
    made.fork, made.locals = fork, tuple(path.parts for path in fork.locals)
    made.activations = tuple(
        (
            branch.outcome,
            None if branch.when is None else checker(branch.when),
            branch.target,
        )
        for branch in fork.branches
    )


def _link_instruction(
    made: LinkedBlock,
    instruction: Any,
    contracts: Mapping[str, Contract],
    judges: _Judges,
) -> None:
    match instruction:
        case Bind(moves, schema):
            made.payload = payload_builder(moves)
            made.payload_judge = None if schema is None else judges[schema]
        case Call() as call:
            made.call, made.contract, made.catch = (
                call,
                contracts[call.definition],
                call.catch,
            )
        case EnterChild() as child:
            made.child, made.catch = child, child.catch
        case Ask() as ask:
            made.ask, made.resume_judges = ask, _resume_judges(ask, judges)
        case Commit(writes):
            made.writes = writes
        case Pause(seconds):
            made.source = getter(seconds)
        case EnterForeach() as foreach:
            made.foreach, made.source = foreach, getter(foreach.over)
            made.locals = tuple(path.parts for path in foreach.locals)
        case NextItem(target):
            made.activations = (("item", None, target),)


def _resume_judges(ask: Ask, judges: _Judges) -> dict[str, Judge]:
    found = {outcome: judges[index] for outcome, index in ask.resume_schemas.items()}
    if ask.resume_schema is not None:
        found[ask.outcomes[0]] = judges[ask.resume_schema]
    return found


def _default(schema: Any, name: str) -> Any:
    """The default that a property declares itself, also through `$ref` and `allOf`."""
    for at, _ in declarations(schema, (name,)):
        for _, piece in pieces(schema, at):
            if "default" in piece:
                return copy(piece["default"])
    return MISSING


def _built(schema: Any, start: Parts) -> Any:
    """The initial value of a state path: its own default, else an object of the defaults of its properties.

    A schema that is met again below itself adds nothing: a recursive type has no end of defaults.
    """
    found: dict[str, Any] = {}
    waiting: list[tuple[Parts, frozenset[str]]] = [(start, frozenset())]
    while waiting:
        parts, seen = waiting.pop()
        places = [place for at, _ in declarations(schema, parts) for place in pieces(schema, at)]
        own = [piece["default"] for _, piece in places if "default" in piece]
        pointers = {at for at, _ in places}
        if own:
            _plant(found, parts, copy(own[0]))
        elif not pointers & seen:
            names = dict.fromkeys(n for _, piece in places for n in (piece.get("properties") or {}))
            waiting += [((*parts, name), seen | pointers) for name in reversed(names)]
    return found.get(start[0], MISSING)


def _plant(tree: dict[str, Any], parts: Parts, value: Any) -> None:
    for part in parts[:-1]:
        tree = tree.setdefault(part, {})
    tree[parts[-1]] = value
