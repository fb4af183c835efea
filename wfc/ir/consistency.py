"""What is inconsistent in a program: one without faults can be linked, and what means the same is written the same way.

Nothing here is about the author's workflow, which diagnostics judge; a fault is one of lowering or of the file.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from wfc.ir.calls import END
from wfc.ir.conditions import Condition, Every, Not, Some
from wfc.ir.program import (
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
    Label,
    NextItem,
    Pause,
    Program,
    Routine,
    Switch,
)
from wfc.ir.shapes import references, shape_of, snake
from wfc.ir.values import canonical

# What the block of a step is made of. A commit that writes nothing is left out.
BODIES: dict[str, tuple[type, ...]] = {
    "node": (Bind, Call, Commit, Switch),
    "condition": (Decide,),
    "foreach": (EnterForeach, NextItem, Commit, Switch),
    "fork": (Fork,),
    "join": (Switch,),
    "wait": (Pause, Switch),
    "interrupt": (Bind, Ask, Commit, Switch),
    "subgraph": (Bind, EnterChild, Commit, Switch),
    "end": (Finish,),
}


def faults(program: Program) -> Iterator[str]:
    """What is not as `wfc.ir.program` says, a sentence each."""
    if not program.routines:
        yield "it has no routine"
        return
    if program.routines[0].name != program.name:
        yield f"it is named `{program.name}` and starts with the routine `{program.routines[0].name}`"
    yield from _repeated("schema", [canonical(schema) for schema in program.schemas])
    yield from _repeated("routine", [routine.name for routine in program.routines])
    for routine in program.routines:
        for fault in _routine_faults(routine, program):
            yield f"routine `{routine.name}`: {fault}"
    yield from _recursion(program)


def _routine_faults(routine: Routine, program: Program) -> Iterator[str]:
    definitions = {definition.name: definition for definition in routine.definitions}
    kinds = {block.id: block.kind for block in routine.blocks}
    yield from _repeated("block", [block.id for block in routine.blocks])
    yield from _repeated("definition", [definition.name for definition in routine.definitions])
    yield from _unsorted("definitions", list(definitions))
    if routine.start not in kinds:
        yield f"it starts at `{routine.start}`, which is no block"
    known = {
        "Label": {*kinds, END},
        "SchemaIndex": range(len(program.schemas)),
        "RoutineIndex": range(len(program.routines)),
    }
    for to, referred in references(shape_of(Routine), routine):
        if referred not in known[to]:
            yield f"`{referred}` is no {to}"
    for definition in routine.definitions:
        yield from _definition_faults(definition)
    for block in routine.blocks:
        for fault in _block_faults(block, definitions, kinds):
            yield f"block `{block.id}`: {fault}"


def _definition_faults(definition: Definition) -> Iterator[str]:
    yield from _repeated(f"outcome of `{definition.name}`", definition.outcomes)
    yield from _unsorted(f"outcomes of `{definition.name}` after the first", definition.outcomes[1:])


def _block_faults(block: Block, definitions: Collection[str], kinds: Mapping[Label, str]) -> Iterator[str]:
    made = (*map(type, block.body), type(block.end))
    expected = BODIES.get(block.kind, ())
    if made not in (expected, tuple(part for part in expected if part is not Commit)):
        yield f"it is made of {_named(made)}; expected {_named(expected)} for a step of type `{block.kind}`"
        return
    for instruction in (*block.body, block.end):
        match instruction:
            case Call(called) if called not in definitions:
                yield f"it calls `{called}`, which is no definition"
            case Switch(arms):
                yield from _repeated("arm", [arm.outcome for arm in arms])
            case Decide(check, arms):
                yield from _repeated("arm", [arm.outcome for arm in arms])
                yield from _condition_faults(check)
            case Fork(branches, _, join):
                yield from _repeated("branch", [branch.outcome for branch in branches])
                for branch in branches:
                    yield from () if branch.when is None else _condition_faults(branch.when)
                if join is not None and kinds.get(join) != "join":
                    yield f"its fork is closed by `{join}`, which is no join"


def _condition_faults(condition: Condition) -> Iterator[str]:
    """An entry names the entries right before it, each of them once: the one order for one condition."""
    open_entries: list[int] = []
    for index, test in enumerate(condition.tests):
        match test:
            case Not(arg):
                args = [arg]
            case Every(several) | Some(several):
                args = list(several)
            case _:
                args = []
        first = len(open_entries) - len(args)
        if open_entries[max(first, 0) :] != args:
            yield f"entry {index} of its condition names the entries {args}; expected {open_entries[max(first, 0) :]}"
            return
        open_entries[first:] = [index]
    if len(open_entries) != 1:
        yield f"its condition has {len(open_entries)} answers; expected one"


def _recursion(program: Program) -> Iterator[str]:
    """What contains no routine, or only such as are done, is done; what is left over contains itself."""
    children = [_children(routine, len(program.routines)) for routine in program.routines]
    parents = [[parent for parent, below in enumerate(children) if child in below] for child in range(len(children))]
    done = [index for index, below in enumerate(children) if not below]
    while done:
        child = done.pop()
        for parent in parents[child]:
            children[parent].discard(child)
            if not children[parent]:
                done.append(parent)
    for index, below in enumerate(children):
        if below:
            yield f"routine `{program.routines[index].name}` contains itself, or one that does"


def _children(routine: Routine, count: int) -> set[int]:
    found = {index for to, index in references(shape_of(Routine), routine) if to == "RoutineIndex"}
    return found.intersection(range(count))


def _repeated(what: str, names: Sequence[str]) -> Iterator[str]:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            yield f"the {what} `{name}` stands twice"
        seen.add(name)


def _unsorted(what: str, names: Sequence[str]) -> Iterator[str]:
    if list(names) != sorted(names):
        yield f"the {what} are not in the order of their names"


def _named(parts: Sequence[type]) -> str:
    return ", ".join(f"`{snake(part.__name__)}`" for part in parts) or "nothing"
