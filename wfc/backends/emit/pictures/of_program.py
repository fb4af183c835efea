"""A program as a picture: what a run really ran. Regions follow from the program itself, which is well formed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from wfc.backends.emit.pictures.picture import Picture
from wfc.backends.emit.pictures.sketch import Region, Sketch, Step, draw
from wfc.backends.emit.pictures.words import condition_words, foreach_words, wait_words
from wfc.ir import (
    END,
    Ask,
    Block,
    Call,
    Decide,
    EnterChild,
    EnterForeach,
    Finish,
    Fork,
    NextItem,
    Pause,
    Program,
    Routine,
    Switch,
)


def picture_of_program(program: Program) -> Picture:
    """The routines of a program, the one that runs first in front."""
    return draw(program.name, [_sketch(routine) for routine in program.routines])


def _sketch(routine: Routine) -> Sketch:
    edges = [(str(block.id), outcome, str(target)) for block in routine.blocks for outcome, target in exits(block)]
    steps = [_step(block) for block in routine.blocks]
    return Sketch(routine.name, f"workflow {routine.name}", str(routine.start), steps, edges, _inside(routine, edges))


def exits(block: Block) -> Iterator[tuple[str, str]]:
    """The wired outcomes of a block, each with its target."""
    for instruction in block.body:
        if isinstance(instruction, NextItem) and instruction.target is not None:
            yield "item", str(instruction.target)
    match block.end:
        case Switch(arms) | Decide(_, arms):
            yield from ((arm.outcome, str(arm.target)) for arm in arms)
        case Fork(branches):
            yield from ((one.outcome, str(one.target)) for one in branches if one.target is not None)
        case Finish():
            return


def _step(block: Block) -> Step:
    detail, child = "", None
    for instruction in block.body:
        match instruction:
            case Call():
                detail = instruction.definition
            case EnterChild():
                detail, child = instruction.workflow, instruction.routine
            case Ask():
                detail = instruction.kind
            case Pause():
                detail = wait_words(instruction.seconds)
            case EnterForeach():
                detail = foreach_words(instruction.alias, instruction.over, instruction.mode, instruction.limit)
            case _:
                continue
    if isinstance(block.end, Decide):
        detail = condition_words(block.end.check)
    if isinstance(block.end, Finish):
        detail = block.end.outcome
    return Step(str(block.id), block.kind, detail, block.desc or "", child)


def _inside(routine: Routine, edges: list[tuple[str, str, str]]) -> Mapping[str, tuple[Region, ...]]:
    """The regions around each step, outermost first: of two that hold a step the larger is the outer one."""
    followers: dict[str, list[str]] = {}
    for source, _, target in edges:
        followers.setdefault(source, []).append(target)
    found = [(region, _reached(first, stop, followers)) for region, first, stop in _openings(routine)]
    found.sort(key=lambda pair: -len(pair[1]))
    inside: dict[str, tuple[Region, ...]] = {}
    for region, steps in found:
        for step in steps:
            inside[step] = (*inside.get(step, ()), region)
    return inside


def _openings(routine: Routine) -> Iterator[tuple[Region, str, str]]:
    """Each region with its first step and the step at which it ends."""
    for block in routine.blocks:
        name = str(block.id)
        alias = next((one.alias for one in block.body if isinstance(one, EnterForeach)), "item")
        for instruction in block.body:
            if isinstance(instruction, NextItem) and instruction.target is not None:
                title = f"for each {alias} of {name}"
                yield Region(name, "item", "foreach", title), str(instruction.target), name
        if isinstance(block.end, Fork) and block.end.join is not None:
            for one in block.end.branches:
                if one.target is not None:
                    title = f"branch {one.outcome} of {name}"
                    yield Region(name, one.outcome, "branch", title), str(one.target), str(block.end.join)


def _reached(first: str, stop: str, followers: Mapping[str, list[str]]) -> dict[str, None]:
    seen: dict[str, None] = {}
    waiting = [first]
    while waiting:
        step = waiting.pop()
        if step not in seen and step not in (stop, END):
            seen[step] = None
            waiting += followers.get(step, ())
    return seen
