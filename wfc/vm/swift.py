"""Steps made ready to run at full speed: their ordinary course as drafted Python, everything else left to `steps`.

A swift step does exactly what `wfc.vm.steps` does, with the same run state and trace; `tests/vm/test_swift.py` compares
both. It is made when a run first comes to it, and none is made where a step has no ordinary course that pays: then it
is done by `steps` alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from wfc.ir import Bind, Block, Compare, Decide, Exists, Operand, Test, Value, root_properties
from wfc.paths import GraphSourcePath, Parts
from wfc.records import dataclass, field, fields, replace
from wfc.source import lookup, pointer_parts
from wfc.vm import drafts
from wfc.vm.drafts import Drafted, Put, Read, drafted
from wfc.vm.fault import Fault
from wfc.vm.flow import resolved
from wfc.vm.frames import CONTEXT_NAMES, Frame
from wfc.vm.kinds import Kinds, kinds_of_checks, kinds_of_object
from wfc.vm.link import Keeper, Linked, LinkedBlock, LinkedRoutine
from wfc.vm.patch import commit
from wfc.vm.plans import Check, Plan, admits_all, says_the_same
from wfc.vm.reading import getter, overlapping_targets
from wfc.vm.sprints import PLAIN_KINDS, Shape, Sprint, sprint
from wfc.vm.trace import Mark
from wfc.vm.turns import Turning, turn
from wfc.vm.verdicts import Judge, Verdict


@dataclass(slots=True, eq=False)
class Swift:
    """One step. `begin(frame, limit, foreign, given)` gives the payload of its call, with `begin_with` as `given`;
    it is none for a step that calls nothing.

    `end(frame, output, given)` takes the output of the first outcome, with `end_with`; for a step that calls nothing
    `end(frame, limit, given)` does it. They give the swift step that follows, none where there is none, or `LATE` and
    `PLOD` (see `drafts`). `ends` are the functions and constants of every outcome that has an edge. `slot` is the place
    of the definition among those of the program, `inputs` the names of the values that `begin` leaves as the payload of
    the frame; none where it leaves the payload itself.

    `sprint` does both, and the call between them, for this step and those that follow (see `sprints`); `given` are its
    constants, `outcome`, `edge` and `target` say how it leaves the step, and `turning` to which loop it may lead back.
    """

    end: Callable[..., Any]
    end_with: tuple[Any, ...]
    begin: Callable[..., Any] | None = None
    begin_with: tuple[Any, ...] = ()
    slot: int = -1
    inputs: tuple[str, ...] | None = None
    ends: Mapping[str | None, Drafted] = field(default_factory=dict)
    sprint: Sprint | None = None
    given: tuple[Any, ...] = ()
    outcome: str = ""
    edge: Mapping[str, str] = field(default_factory=dict)
    target: str = ""
    turning: Turning | None = None


def made_swift(linked: Linked) -> None:
    """Give every routine of a program its swift steps."""
    for routine in linked.routines:
        if routine.swift is None:
            routine.swift = SwiftSteps(routine, linked)


@dataclass(frozen=True, slots=True)
class _Begin:
    """The first half of a step that calls, and what of it a sprint needs: its part of the shape, and the constants."""

    inputs: tuple[str, ...] | None
    drafted: Drafted
    shape: tuple[Any, ...]
    constants: dict[str, Any]


@dataclass(frozen=True, slots=True)
class _End:
    """The other half, for one outcome."""

    drafted: Drafted
    shape: tuple[Any, ...]
    constants: dict[str, Any]


class SwiftSteps(dict[str, Swift | None]):
    """The swift steps of a routine by label, each made at its first use; none for a label that has none."""

    def __init__(self, routine: LinkedRoutine, linked: Linked) -> None:
        super().__init__()
        self._routine = routine
        self._slots, self._marks = linked.slots, linked.marks
        self._blocks: dict[str, Block] = {block.id: block for block in routine.routine.blocks}
        self._shells: dict[str, Swift] = {}
        self._turnings: dict[str, Turning] = {}

    def __missing__(self, label: str) -> Swift | None:
        block = self._blocks.get(label)
        made = None if block is None else self._made(block, self._routine.blocks[label])
        if made is not None:
            shell = self.shell(label)
            for one in fields(made):
                setattr(shell, one.name, getattr(made, one.name))
            made = shell
        self[label] = made
        return made

    def shell(self, label: str) -> Swift:
        """The step of a label as others lead to it: when it is come to, it becomes what it is."""
        if label not in self._shells:
            self._shells[label] = Swift(_become, (self, label))
        return self._shells[label]

    def _made(self, block: Block, linked: LinkedBlock) -> Swift | None:
        match block.kind:
            case "node":
                return self._call(block, linked)
            case "condition":
                return self._choice(block, linked)
            case "foreach":
                turning = self._turning(block.id)
                return None if turning is None else Swift(turn, (turning,))
            case "join" if "ok" in linked.arms and not linked.writes:
                return Swift(*drafted(drafts.join_lines(), self._way(linked, "ok")))
            case _:
                return None

    # -- calls --------------------------------------------------------------------------------------------------------

    def _call(self, block: Block, linked: LinkedBlock) -> Swift | None:
        assert linked.call and linked.contract
        if linked.call.timeout_seconds is not None:
            return None
        first = linked.contract.definition.outcomes[0]
        begin = self._begin(block, linked)
        ends = {
            one: end for one in linked.contract.definition.outcomes for end in self._ends(linked, one, begin.inputs)
        }
        if first not in ends:
            return None
        slot = self._slots[self._routine.name, linked.contract.definition.name]
        every: dict[str | None, Drafted] = {one: end.drafted for one, end in ends.items()}
        every[None] = every[first]
        constants = {**begin.constants, **ends[first].constants, "slot": slot}
        left = {name: constants.pop(name) for name in ("outcome", "edge", "target")}
        shape = Shape(*begin.shape, *ends[first].shape)
        turning = self._turning(left["target"])
        if turning is not None and shape.puts is not None:
            constants["turning"] = left["turning"] = turning
            shape = replace(shape, closes="parallel" if turning.is_parallel else "serial")
        left["sprint"], left["given"] = sprint(shape, tuple(constants)), tuple(constants.values())
        return Swift(*every[first], *begin.drafted, slot, begin.inputs, every, **left)

    def _begin(self, block: Block, linked: LinkedBlock) -> _Begin:
        assert linked.contract
        constants: dict[str, Any] = {}
        judge = linked.contract.input
        judged = _judged(judge, constants, "accepts")
        moves = next(part.moves for part in block.body if isinstance(part, Bind))
        names = [move.target.parts for move in moves]
        if any(len(parts) != 1 for parts in names) or overlapping_targets(names):
            constants["build"] = linked.payload
            whole = drafted(drafts.whole_lines(judged=judged), constants)
            return _Begin(None, whole, (None, judged), constants)
        reads = []
        for number, move in enumerate(moves):
            constants[f"t{number}"] = move.target.parts[0]
            reads.append(_read(move.source, number, constants))
        inputs = tuple(parts[0] for parts in names)
        begin = drafted(drafts.begin_lines(tuple(reads), judged=judged), constants)
        every = kinds_of_object(judge, inputs)
        reads = [replace(read, sure=_sure(every[n], f"r{n}", constants)) for n, read in enumerate(reads)]
        return _Begin(inputs, begin, (tuple(reads), judged), constants)

    def _ends(self, linked: LinkedBlock, outcome: str, inputs: tuple[str, ...] | None) -> list[_End]:
        """What is drafted for an outcome; nothing where it has no edge, or its writes overlap."""
        assert linked.contract
        try:
            patch = linked.patch(self._routine, outcome)
        except Fault:
            return []
        if outcome not in linked.arms:
            return []
        constants: dict[str, Any] = {}
        judge = linked.contract.output(outcome)
        judged = _judged(judge, constants, "accepted")
        named = _named(linked.contract.keeper(outcome), constants)
        single = _single(judge, patch, constants)
        puts = _puts(self._routine.state, judge, patch, constants)
        if puts is None:
            constants["commit"] = _commit(self._routine, patch)
        lines = drafts.end_lines(puts, single=single, named=named, judged=judged)
        mark = Mark(linked.id, linked.kind, outcome, linked.arms[outcome], tuple(patch), inputs)
        if single:
            constants["single"] = self._marked(replace(mark, output=constants["only"]))
        constants |= self._way(linked, outcome, mark)
        end = drafted(lines, constants)
        from_single = tuple(single and source == (constants["only"],) for source, _ in patch)
        return [_End(end, (puts, from_single, _single_kinds(judge, constants), judged, named), constants)]

    def _turning(self, label: str) -> Turning | None:
        """How the items of a foreach turn; none for other steps, and where a merge is to be judged after each."""
        linked = self._routine.blocks.get(label)
        target = None if linked is None or linked.foreach is None else linked.activations[0][2]
        if linked is None or linked.foreach is None or target is None or linked.locals:
            return None
        if label not in self._turnings:
            mark = self._marked(Mark(linked.id, linked.kind, "item", target))
            edge = {"from": linked.id, "outcome": "item", "to": target}
            is_parallel = linked.foreach.mode == "parallel"
            self._turnings[label] = Turning(linked.id, mark, target, edge, is_parallel, self.shell(target))
        return self._turnings[label]

    # -- conditions ---------------------------------------------------------------------------------------------------

    def _choice(self, block: Block, linked: LinkedBlock) -> Swift | None:
        if not {"true", "false"} <= linked.arms.keys() or linked.writes or not isinstance(block.end, Decide):
            return None
        constants: dict[str, Any] = {"check": linked.check}
        tests = block.end.check.tests
        lines = _test(tests[0], constants) if len(tests) == 1 else ["answer = check(frame)"]
        for name, outcome in (("if_true", "true"), ("if_false", "false")):
            way = self._way(linked, outcome)
            constants[name] = tuple(way.values())
        return Swift(*drafted(drafts.choice_lines(lines), constants))

    def _way(self, linked: LinkedBlock, outcome: str, mark: Mark | None = None) -> dict[str, Any]:
        """The constants of an outcome and its edge."""
        target = linked.arms[outcome]
        return {
            "mark": self._marked(mark or Mark(linked.id, linked.kind, outcome, target)),
            "outcome": outcome,
            "edge": {"from": linked.id, "outcome": outcome, "to": target},
            "target": target,
            "after": self.shell(target),
        }

    def _marked(self, mark: Mark) -> int:
        self._marks.append(mark)
        return len(self._marks) - 1


def _become(frame: Frame, limit: int, given: tuple[SwiftSteps, str]) -> Swift | None:
    """What a step does that was not come to before: it is made, and goes on."""
    steps, label = given
    return steps[label]


def _judged(judge: Judge, constants: dict[str, Any], name: str) -> bool:
    """Whether a schema has to be asked, which is done by the constant `name`; one that admits everything has not."""
    constants[name] = judge.is_valid
    return not admits_all(judge.schema)


def _named(keeper: Keeper, constants: dict[str, Any]) -> bool:
    """Whether an output may have keys that do not stay in it."""
    if keeper.keeps_all:
        return False
    constants["names"] = keeper.names
    return True


def _single(judge: Judge, patch: Sequence[tuple[Parts, Plan]], constants: dict[str, Any]) -> bool:
    """Whether an output will most likely have one key: the one that is declared, or else the one that is read."""
    declared = list(root_properties(judge.schema))
    names = declared or list({source[0] for source, _ in patch if source})
    if len(names) != 1 or names[0] not in constants.get("names", names):
        return False
    constants["only"] = names[0]
    return True


def _read(source: Operand, number: int, constants: dict[str, Any]) -> Read:
    """How an operand is read, and the constants for it."""
    n = f"r{number}"
    if isinstance(source, Value):
        constants[f"{n}_value"] = source.value
        return Read("value")
    keys, way = source.parts, source.base
    if way == "context" and keys:
        way, keys = _of_context(keys, n, constants), keys[1:]
    if way == "get" or (way == "state" and not keys) or way == "context" or (way == "index" and keys):
        constants[f"{n}_get"] = getter(source)
        return Read("get")
    constants |= {f"{n}_k{depth}": key for depth, key in enumerate(keys)}
    if way == "state":
        constants[f"{n}_parts"] = keys
    return Read(way, len(keys))


def _of_context(keys: Parts, n: str, constants: dict[str, Any]) -> str:
    name = keys[0]
    if name in ("loop_item", "loop_index"):
        return "item" if name == "loop_item" else "index"
    if name in CONTEXT_NAMES:
        return "get"
    constants[f"{n}_alias"] = name
    return "alias"


def _verdicts(state: Judge, checks: Sequence[Check], said: Sequence[tuple[Any, Any]]) -> list[Verdict]:
    """What of these checks has to be asked about a value of which a schema has `said` something already; each such
    schema comes with its root."""
    asked = []
    for check in checks:
        schema = _schema_at(state, check)
        known = any(says_the_same(one, root, schema, state.schema) for one, root in said)
        if not known and not admits_all(schema):
            asked.append(check.verdict)
    return asked


def _puts(
    state: Judge, output: Judge, patch: Sequence[tuple[Parts, Plan]], constants: dict[str, Any]
) -> tuple[Put, ...] | None:
    """The writes of a patch one by one; none where one of them is beyond a single key of the state."""
    puts = []
    for number, (source, plan) in enumerate(patch):
        n = f"w{number}"
        checks = plan.elements if plan.way == "append" else plan.checks
        if not plan.way or not source or checks is None:
            return None
        declared = root_properties(output.schema).get(source[0]) if len(source) == 1 else None
        verdicts = _verdicts(state, checks, [(declared, output.schema)])
        constants |= {f"{n}_s{depth}": key for depth, key in enumerate(source)}
        constants |= {f"{n}_v{check}": verdict.is_valid for check, verdict in enumerate(verdicts)}
        constants |= {f"{n}_key": plan.parts[0], f"{n}_parts": plan.parts, f"{n}_plan": plan}
        kinds = kinds_of_checks([_schema_at(state, check) for check in checks], checks)
        puts.append(Put(plan.way, len(source), len(verdicts), _sure(kinds, n, constants) if verdicts else ""))
    return tuple(puts)


def _sure(kinds: Kinds, name: str, constants: dict[str, Any]) -> str:
    """How it is told that a value is of one of these kinds, and the constant for it (see `sprints`)."""
    if not kinds:
        return ""
    constants[f"{name}_kind"] = next(iter(kinds)) if len(kinds) == 1 else kinds
    return "one" if len(kinds) == 1 else "some"


def _single_kinds(judge: Judge, constants: Mapping[str, Any]) -> tuple[str, ...] | None:
    """Which plain kinds the value under the key `only` may have for sure; none where there is no such key."""
    if "only" not in constants:
        return None
    (kinds,) = kinds_of_object(judge, [constants["only"]])
    return tuple(name for name, kind in PLAIN_KINDS.items() if kind in kinds)


def _schema_at(judge: Judge, check: Check) -> Any:
    return lookup(judge.schema, pointer_parts(check.at))[0]


def _commit(routine: LinkedRoutine, patch: Sequence[tuple[Parts, Plan]]) -> Callable[[Frame, Any], None]:
    """A function that commits a patch as the reference does."""

    def done(frame: Frame, output: Any) -> None:
        commit(routine.state, frame.lineage, resolved(patch, output))

    return done


def _test(test: Test, constants: dict[str, Any]) -> list[str]:
    match test:
        case Compare(op, left, right):
            return drafts.comparison(op, _read(left, 0, constants), _read(right, 1, constants))
        case Exists(GraphSourcePath() as path):
            read = _read(path, 0, constants)
            return ["answer = check(frame)"] if read.way == "get" else drafts.exists(read)
        case _:
            return ["answer = check(frame)"]
