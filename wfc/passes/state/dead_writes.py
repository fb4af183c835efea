"""What is written to state is seen by a step, a condition or an end, on some way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from wfc.diagnostics import Code, Diagnostic, Related, Severity
from wfc.passes import types
from wfc.passes.examples import example
from wfc.passes.facts import Facts
from wfc.passes.facts.reads import Unknown
from wfc.passes.graph.flow import Flow
from wfc.passes.repairs.patches import UNSAFE, leave_out
from wfc.passes.values import Write
from wfc.passes.values.points import Assign
from wfc.passes.values.solving import Solver
from wfc.paths import Parts, StatePath, overlap
from wfc.records import dataclass

DEAD_WRITE = Code(
    code="WF404",
    rule="dead-write",
    severity=Severity.WARNING,
    message="`{step}` writes `{got}`, and {reason}; expected a read of it, or a field of the output",
    help="remove the binding, or read `{got}` where it was meant to be used",
    why=(
        "State is what steps hand to later steps and to the output. A value that nothing looks at before it is written "
        "again, or before the workflow ends, has no effect: either the binding is left over, or what should read it "
        "reads something else."
    ),
    example=example(
        """{"name": "note", "start": "first",
 "state_schema": {"type": "object", "properties": {"note": {"type": "string"}}},
 "output_schema": {"type": "object", "properties": {"note": {"type": "string"}}},
 "nodes": [{"id": "first", "type": "node", "node": "wf.std.record", "input": [{"target": "x", "value": "a"}],
            "output": [{"source": "x", "target": "state.note"}]},
                                                 ^^^^^^^^^^^^
           {"id": "second", "type": "node", "node": "wf.std.record", "input": [{"target": "x", "value": "b"}],
            "output": [{"source": "x", "target": "state.note"}]}],
 "edges": [{"from": "first", "outcome": "ok", "to": "second"}, {"from": "second", "outcome": "ok", "to": "__end__"}]}
""",
        ('"value": "a"}],\n            "output": [{"source": "x", "target": "state.note"}]}', '"value": "a"}]}'),
    ),
)
CODES = (DEAD_WRITE,)
_SHOWN = 3
_LOOKED_AT = 200


def check(facts: Facts) -> Iterator[Diagnostic]:
    """Report each place that nothing ever reads once; what is only overwritten, write by write."""
    for flow in facts.flows:
        if _is_whole(facts, flow):
            yield from _Judging(facts, flow, facts.values.solver(flow)).all()


def _is_whole(facts: Facts, flow: Flow) -> bool:
    """Whether all reads are known, and meant as they stand: a step that is not reached may be what should read."""
    wiring = flow.wiring
    astray = flow.workflow.holes or flow.islands or wiring.dangling or wiring.undeclared or flow.region_faults
    if astray or flow.unwired or flow.endless or wiring.start is None:
        return False
    reads = facts.reads(flow)
    roots = reads.solver.looks.beginning.declared.roots
    looks = (read for access in reads.solver.accesses.values() for read in access.reads)
    # What is not there under another root may have been meant to be read from state.
    meant = (read for read in looks if read.path.base == "state" or (read.path.parts and read.path.parts[0] in roots))
    return not any(isinstance(reads.fault(read), Unknown) for read in meant)


@dataclass(frozen=True)
class _Judging:
    """The writes of one workflow that are of no use."""

    facts: Facts
    flow: Flow
    solver: Solver

    def all(self) -> Iterator[Diagnostic]:
        unread: dict[StatePath, list[Write]] = {}
        for write in self._dead():
            if self._is_read(write.path):
                yield self._report(write, "no run reads it before it is written again or dropped")
            else:
                unread.setdefault(write.path, []).append(write)
        for first, *others in unread.values():
            yield self._report(first, "nothing reads it", others)

    def _dead(self) -> Iterator[Write]:
        """The writes of which no outcome is of use, but for those that are a fault themselves."""
        useful: dict[Write, bool] = {}
        used, enter = self.facts.uses(self.flow).used, self.solver.reaching.order.enter
        for point, effects in enumerate(self.solver.points.effects):
            for effect in effects if enter[point] else ():
                if isinstance(effect, Assign):
                    useful[effect.write] = useful.get(effect.write, False) or effect in used
        roots = self.solver.looks.beginning.declared.roots
        for access in self.solver.accesses.values():
            for write in access.writes:
                if not useful.get(write, True) and write.path.parts[0] in roots and not self._is_faulty(write):
                    yield write

    def _is_faulty(self, write: Write) -> bool:
        """Whether it is told elsewhere what is wrong: writes that exclude one another, or go through
        what is no object, or a read too early."""
        root, *inner = write.path.parts
        held = self.solver.looks.beginning.declared.type((root,))
        if write in self._clashing or types.at(held, tuple(inner)).through:
            return True
        others = (each for each in self.solver.accesses[write.step].writes if each is not write)
        clashing = (each for each in others if set(each.outcomes) & set(write.outcomes))
        return any(overlap(each, write.path.parts) for each in self._early.get(write.path.parts[0], ())) or any(
            overlap(each.path.parts, write.path.parts) for each in clashing
        )

    @cached_property
    def _clashing(self) -> frozenset[Write]:
        clashes = self.facts.clashes(self.flow)
        return frozenset(assign.write for clash in clashes for _, assign in (*clash.outer, *clash.inner))

    @cached_property
    def _early(self) -> dict[str, set[Parts]]:
        """The places that are read where they can never be there, by their first segment."""
        reads, found = self.facts.reads(self.flow), dict[str, set[Parts]]()
        for access in self.solver.accesses.values():
            for read in access.reads:
                looks = read.path.base == "state" and read.role != "output"
                fault = reads.fault(read) if looks else None
                if fault is not None and fault.certain:
                    found.setdefault(read.path.parts[0], set()).add(read.path.parts)
        return found

    @cached_property
    def _read(self) -> dict[str, set[Parts]]:
        """The places that are read, by their first segment; the whole of state stands under the empty one."""
        found: dict[str, set[Parts]] = {}
        for access in self.solver.accesses.values():
            for read in access.reads:
                if read.path.base == "state":
                    found.setdefault("".join(read.path.parts[:1]), set()).add(read.path.parts)
        return found

    def _is_read(self, path: StatePath) -> bool:
        places = (*self._read.get(path.parts[0], ()), *self._read.get("", ()))
        return any(overlap(place, path.parts) for place in places)

    @cached_property
    def _written(self) -> dict[str, list[Write]]:
        found: dict[str, list[Write]] = {}
        for access in self.solver.accesses.values():
            for write in access.writes:
                found.setdefault(write.path.parts[0], []).append(write)
        return found

    def _report(self, write: Write, reason: str, others: Sequence[Write] = ()) -> Diagnostic:
        near = self._written[write.path.parts[0]][:_LOOKED_AT]
        touching = [each for each in near if each is not write and overlap(each.path.parts, write.path.parts)]
        return DEAD_WRITE.at(
            write.at,
            related=tuple(
                Related("written", each.at, f"`{each.step}` writes `{each.path}`") for each in touching[:_SHOWN]
            ),
            fixes=(leave_out("Remove this binding", self.flow.steps[write.step], [write.binding.at], UNSAFE),),
            hides=len(others),
            step=write.step,
            got=str(write.path),
            reason=reason,
            path=self.flow.trail(write.step),
        )
