"""What is laid out of a workflow before anything is asked about it: its looks and writes, its roots, its points."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from wfc.ir import SubgraphStep, root_properties
from wfc.passes import types
from wfc.passes.graph.flow import Flow
from wfc.passes.values.access import Access, Read, access_of
from wfc.passes.values.beginning import Beginning
from wfc.passes.values.cells import MAYBE, NEVER
from wfc.passes.values.declared import Declared
from wfc.passes.values.layout import lay_out
from wfc.passes.values.looks import Looks
from wfc.passes.values.results import Exits
from wfc.passes.values.roots import Root, spot_of
from wfc.passes.values.solving import Solver


def ground(flow: Flow, exits: Callable[[SubgraphStep], Exits | None]) -> Solver:
    """A workflow about which questions can be asked. `exits` tells what a child gives, where it is known."""
    declared = Declared(flow.workflow.state_schema)
    beginning = Beginning(flow.workflow.input_schema, declared)
    output = tuple(root_properties(flow.workflow.output_schema.value))
    accesses = {name: access_of(flow, name, declared, output) for name in flow.reachable}
    state = tuple(dict.fromkeys(_state_roots(beginning, accesses)))

    looks = Looks(flow, beginning, state)
    never = frozenset(_never(flow, exits))
    solver = Solver(flow, accesses, lay_out(flow, accesses, state, never), looks, exits)
    doubtful = _doubtful(solver)
    if not doubtful:
        return solver
    return Solver(flow, accesses, lay_out(flow, accesses, state, never, doubtful), looks, exits, unproved=solver)


def _never(flow: Flow, exits: Callable[[SubgraphStep], Exits | None]) -> Iterator[tuple[str, str]]:
    """The outcomes that no run takes: those of a node that always fails, and those that a child does not give."""
    for name in flow.reachable:
        step = flow.steps[name]
        given = exits(step) if isinstance(step, SubgraphStep) else None
        if isinstance(step, SubgraphStep) and given is not None:
            yield from ((name, outcome) for outcome in step.declared if outcome not in given)
        if flow.always_fails(step):
            yield name, "ok"


def _doubtful(solver: Solver) -> frozenset[Root]:
    """The roots below which a look may find nothing, so that it makes a difference whether it has found something."""
    reads = [read for access in solver.accesses.values() for read in access.reads]
    solver.look_at(reads)
    unsure = [read for read in reads if read.role not in ("exists", "output") and _is_unsure(solver, read)]
    spots = (spot_of(solver.flow, read.step, read.path) for read in unsure)
    return frozenset(spot.root for spot in spots if spot is not None)


def _is_unsure(solver: Solver, read: Read) -> bool:
    """Also where a declared state field is never there: no run goes on behind that, so that one fault is told once."""
    there, parts = solver.seen(read).there, read.path.parts
    if there is not NEVER or read.path.base != "state" or not parts:
        return there is MAYBE
    declared = solver.looks.beginning.declared
    return parts[0] in declared.roots and bool(types.kinds(declared.type(parts)))


def _state_roots(beginning: Beginning, accesses: Mapping[str, Access]) -> Iterator[Root]:
    """Every top-level field that state may have, or that somebody looks for."""
    for name in (*beginning.declared.roots, *beginning.seeds):
        yield Root("state", name)
    for access in accesses.values():
        for read in access.reads:
            if read.path.base == "state" and read.path.parts:
                yield Root("state", read.path.parts[0])
        for write in access.writes:
            yield Root("state", write.path.parts[0])
