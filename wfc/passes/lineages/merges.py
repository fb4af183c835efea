"""What lineages that run side by side have written fits where it is put together (reference 2.6).

Guarantees to a workflow without these findings: what a barrier puts together, out of writes that do not clash and are
right by themselves, is taken by the reducers, and by every schema at and above the places that were written.
"""

from __future__ import annotations

from collections.abc import Iterator

from wfc.diagnostics import Code, Diagnostic, InternalError, Related, Severity, Strict
from wfc.ir import InterruptStep
from wfc.passes import types
from wfc.passes.examples import example
from wfc.passes.facts import Facts
from wfc.passes.facts.barrier_writes import Meeting, is_mergeable, meetings
from wfc.passes.facts.places import declared_at
from wfc.passes.facts.uses import incoming
from wfc.passes.graph.flow import Flow
from wfc.passes.types import ANYTHING, NOTHING, Type, describe
from wfc.passes.types.forms import Names
from wfc.passes.types.shapes import objects_of
from wfc.passes.values.barriers import Written
from wfc.passes.values.cells import ALWAYS, NEVER, Cell, put, reach, whole
from wfc.passes.values.keys import Known
from wfc.passes.values.points import Assign
from wfc.passes.values.reaching import Seen
from wfc.passes.values.roots import Parts, Root
from wfc.passes.values.solving import Solver
from wfc.paths import GraphSourcePath, StatePath

UNPROVED_SIBLINGS = Code(
    code="WF590",
    rule="unproved-siblings",
    severity=Severity.NOTE,
    strict=Strict.ONLY,
    message="what lineages of `{region}` write to `{got}` may be refused together: {reason}; expected {expected}",
    help="loosen the schema of `{got}`, or write it in one lineage",
    why=(
        "Each lineage sees its own writes only, and each by itself may be right. Where they meet, all of them are put "
        "together and judged once, and a limit on how many there are, or a rule about several fields, can be broken by "
        "no one of them alone. Strict checking promises that no run fails there."
    ),
    unrepaired="whether the bound is given up, or the writes are made one after the other, depends on what the "
    "bound is for",
    example=example(
        """{"name": "pick", "start": "each",
 "input_schema": {"type": "object", "properties": {"all": {"type": "array", "items": {"type": "string"}}},
                  "required": ["all"]},
 "state_schema": {"type": "object", "properties": {"few": {"type": "array", "items": {"type": "string"}, "maxItems": 9,
                  "reducer": "wf.std.append", "default": []}}},
 "output_schema": {"type": "object", "properties": {"few": {"type": "array"}}},
 "nodes": [{"id": "each", "type": "foreach", "over": "input.all", "as": "it", "mode": "parallel"},
           {"id": "keep", "type": "node", "node": "wf.std.record", "input": [{"target": "x", "path": "context.it"}],
            "output": [{"source": "x", "target": "state.few"}]}],
                                                 ^^^^^^^^^^^
 "edges": [{"from": "each", "outcome": "item", "to": "keep"}, {"from": "keep", "outcome": "ok", "to": "each"},
           {"from": "each", "outcome": "done", "to": "__end__"}]}
""",
        (', "maxItems": 9', ""),
    ),
)
CODES = (UNPROVED_SIBLINGS,)
# What these give is one of the values that lineages have had, each of which was right.
_CHOOSING = ("wf.std.max", "wf.std.min")


def check(facts: Facts) -> Iterator[Diagnostic]:
    """Report each place once, at the innermost barrier where it is in doubt, which comes last."""
    for flow in facts.flows:
        solver = facts.values.solver(flow)
        found: dict[tuple[Root, Parts], Diagnostic] = {}
        for met in meetings(flow, solver):
            doubt = _doubt(solver, met)
            if doubt is not None:
                found[met.root, met.parts] = _report(flow, met, *doubt)
        yield from found.values()


def _doubt(solver: Solver, met: Meeting) -> tuple[str, str] | None:
    """Why what meets at a place may be refused, and what was expected; what clashes fails anyway."""
    declared = solver.looks.beginning.declared
    if met.root.base != "state" or met.root.name not in declared.roots:
        return None
    held = declared.type((met.root.name, *met.parts))
    here = [assign for each in met.lineages for assign in each.written.here]
    if not here:
        return _of_fields(held)
    return _of_one_place(solver, met, held, here) if is_mergeable(here[0]) else None


def _of_one_place(solver: Solver, met: Meeting, held: Type, writes: list[Assign]) -> tuple[str, str] | None:
    """Any number of the values, in any order, through one reducer; what may be refused alone is told elsewhere.

    An answer that is refused is given once more (reference 2.7), so that of answers those count that were taken.
    """
    reducer = writes[0].write.reducer
    given = NOTHING
    for assign in writes:
        if isinstance(solver.flow.steps[assign.write.step], InterruptStep):
            given = types.either(given, types.taken(reducer.name, reducer.config, incoming(solver, assign), held))
        elif _is_right_alone(solver, assign, held):
            given = types.either(given, incoming(solver, assign))
        else:
            return None
    entry = _cell(solver, met.root, solver.reaching.after(met.root, met.barrier.entry), met.parts)
    first = types.after_reducer(reducer.name, reducer.config, None, given)
    if entry.there is not ALWAYS and types.reducer_accepts(reducer.name, given, first) is not ALWAYS:
        return f"`{reducer.name}` may meet values that it does not take together", "values of one kind"
    after = types.after_reducer(reducer.name, reducer.config, held, given)
    if reducer.name in _CHOOSING or types.fits(after, held).verdict is ALWAYS:
        return None
    return f"`{reducer.name}` may make {describe(after)} of them", describe(held)


def _is_right_alone(solver: Solver, assign: Assign, held: Type) -> bool:
    """Whether a write is surely taken in its own lineage."""
    reducer, given = assign.write.reducer, incoming(solver, assign)
    point = solver.points.leaving[assign.write.step, assign.outcome]
    cell = _cell(solver, assign.root, solver.reaching.before(assign.root, point), assign.parts)
    current = None if cell.there is NEVER else whole(cell)
    accepted = types.reducer_accepts(reducer.name, given, current)
    return accepted is ALWAYS and types.fits(put(cell, reducer, given, ANYTHING).type, held).verdict is ALWAYS


def _cell(solver: Solver, root: Root, seen: Seen, parts: Parts) -> Cell:
    return reach(solver.cell(Known(root, seen)), parts)


def _of_fields(held: Type) -> tuple[str, str] | None:
    """Fields of one object, written by several; each field fits by itself."""
    objects = list(objects_of(held))
    if not objects:
        return None
    if len(objects) > 1:
        return "its schema holds alternatives", "an object whose fields do not depend on one another"
    (only,) = objects
    if only.most is not None:
        return f"its schema limits the number of keys to {only.most}", "any number of keys"
    if all(isinstance(rule, Names) for rule in only.rules):
        return None
    return "its schema has a rule about several fields", "an object whose fields do not depend on one another"


def _report(flow: Flow, met: Meeting, reason: str, expected: str) -> Diagnostic:
    first, last = (_any_write(met.lineages[at].written) for at in (0, 1))
    path = StatePath((met.root.name, *met.parts))
    at = declared_at(flow, GraphSourcePath("state", path.parts))
    return UNPROVED_SIBLINGS.at(
        last.write.at,
        confidence="likely",
        related=(
            *(
                [Related("conflicts", first.write.at, f"`{first.write.step}` writes there, too")]
                if first.write is not last.write
                else []
            ),
            Related("on the path", flow.steps[met.barrier.step].at, f"`{met.barrier.step}` runs them side by side"),
            *([] if at is None else [Related("declared", at, "declared here")]),
        ),
        got=str(path),
        region=met.barrier.step,
        reason=reason,
        expected=expected,
        path=flow.trail(last.write.step),
    )


def _any_write(written: Written) -> Assign:
    """The first write at a place, or else below it; there is one."""
    waiting = [written]
    for each in waiting:
        if each.here:
            return each.here[0]
        waiting += each.below.values()
    raise InternalError("a lineage meets others at a place where it has written nothing")
