"""What steps write, and what the input seeds, is accepted by state: by reducers and by schemas (reference 2.4, 2.6)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import cached_property
from typing import Any

from wfc.diagnostics import Code, Diagnostic, Fix, Related, Severity, Strict
from wfc.ir import BY_NAME, InterruptStep
from wfc.passes import types
from wfc.passes.bindings.fitting import TYPE_MISMATCH
from wfc.passes.examples import example
from wfc.passes.facts import Facts
from wfc.passes.facts.places import declared_at
from wfc.passes.graph.flow import Flow
from wfc.passes.repairs.declaring import loosened
from wfc.passes.types import ANYTHING, Fit, Type, Verdict, describe
from wfc.passes.types.fields import OBJECT
from wfc.passes.values import Write
from wfc.passes.values.cells import Cell, reach, whole
from wfc.passes.values.keys import Known
from wfc.passes.values.points import Barrier
from wfc.passes.values.roots import Parts, Root
from wfc.passes.values.solving import Solver
from wfc.paths import GraphSourcePath, StatePath
from wfc.records import dataclass

UNPROVED_STATE = Code(
    code="WF393",
    rule="unproved-state",
    severity=Severity.NOTE,
    strict=Strict.ONLY,
    message="`{target}` may be refused: {reason}; expected {expected}",
    help="narrow what is written, or let the state schema take it",
    why=(
        "A write is judged by the schema of its place and of the objects around it, and refused as a whole. Strict "
        "checking promises that none is, whatever nodes answer and whatever the input seeds, and here that could not "
        "be proved."
    ),
    example=example(
        """{"name": "note", "start": "ask",
 "state_schema": {"type": "object", "properties": {"note": {"type": "string", "maxLength": 80}}},
 "output_schema": {"type": "object", "properties": {"note": {"type": "string"}}},
 "node_defs": [{"name": "write", "outcomes": ["ok"], "output_schema": {"type": "object",
   "properties": {"text": {"type": "string"}}, "required": ["text"]}}],
 "nodes": [{"id": "ask", "type": "node", "node": "write", "output": [{"source": "text", "target": "state.note"}]}],
                                                                                                  ^^^^^^^^^^^^
 "edges": [{"from": "ask", "outcome": "ok", "to": "__end__"}]}
""",
        (', "maxLength": 80', ""),
    ),
)
UNPROVED_REDUCER = Code(
    code="WF394",
    rule="unproved-reducer",
    severity=Severity.NOTE,
    strict=Strict.ONLY,
    message="`{reducer}` of `{target}` may meet {got}; expected {expected}",
    help="let the schemas say that what is written, and what is there, is of the kind that `{reducer}` takes",
    why=(
        "A reducer takes values of one kind: arrays, objects, numbers, or what can be put in order. It refuses all "
        "others, nulls among them, and the step that writes fails with `reducer_failed`. Strict checking asks for "
        "proof that this cannot happen."
    ),
    unrepaired="whether the value is narrowed where it comes from, or kept out by a condition, depends on what "
    "it is there for",
    example=example(
        """{"name": "note", "start": "ask",
 "state_schema": {"type": "object", "properties": {"n": {"reducer": "wf.std.add"}}},
 "output_schema": {"type": "object", "properties": {"n": {}}},
 "node_defs": [{"name": "count", "outcomes": ["ok"], "output_schema": {"type": "object",
   "properties": {"n": {"type": ["integer", "null"]}}, "required": ["n"]}}],
 "nodes": [{"id": "ask", "type": "node", "node": "count", "output": [{"source": "n", "target": "state.n"}]}],
                                                                                               ^^^^^^^^^
 "edges": [{"from": "ask", "outcome": "ok", "to": "__end__"}]}
""",
        ('["integer", "null"]', '"integer"'),
    ),
)
CODES = (UNPROVED_STATE, UNPROVED_REDUCER)
_ORDERING = ("wf.std.max", "wf.std.min")
_ORDERED = (types.of({"type": "number"}), types.of({"type": "string"}))
_TAKES = {
    "wf.std.append": "an array to add to",
    "wf.std.extend": "two arrays",
    "wf.std.set_union": "two arrays",
    "wf.std.merge_object": "two objects",
    "wf.std.max": "two numbers or two strings",
    "wf.std.min": "two numbers or two strings",
    "wf.std.add": "two numbers",
    "wf.std.modulo_add": "two numbers",
}


def check(facts: Facts) -> Iterator[Diagnostic]:
    """Report input fields that may seed state with what it refuses; one that always does is another question."""
    for flow in facts.flows:
        beginning = facts.values.solver(flow).looks.beginning
        for name in beginning.seeds:
            if name in beginning.declared.roots:
                given = types.field(beginning.input, name).type
                fit = types.fits(given, beginning.declared.type((name,)))
                if fit.verdict is Verdict.MAYBE:
                    yield _seed(flow, name, fit)


def _seed(flow: Flow, name: str, fit: Fit) -> Diagnostic:
    return UNPROVED_STATE.at(
        flow.workflow.at.below("input_schema", "properties", name),
        confidence="likely" if fit.witness is None else "proved",
        related=_declared(flow, (name,)),
        fixes=_taking(flow, (name,), fit),
        target=f"state.{name}",
        reason=f"the input seeds it with {describe(fit.source)}",
        expected=describe(fit.target),
        **_witness(fit),
    )


def _taking(flow: Flow, parts: Parts, fit: Fit | None) -> tuple[Fix, ...]:
    """Let the place take what is written, where that is known."""
    at, schema = flow.workflow.at.below("state_schema"), flow.workflow.state_schema.value
    return () if fit is None else loosened(schema, parts, at, ".".join(("state", *parts)), fit.source)


def of_step(facts: Facts, flow: Flow, name: str, faulty: Collection[Write]) -> Iterator[Diagnostic]:
    """Judge the patches of a step, one for each outcome; a write is reported once, and not if it is faulty already."""
    solver = facts.values.solver(flow)
    told = set(faulty)
    for outcome in dict.fromkeys(outcome for write in solver.accesses[name].writes for outcome in write.outcomes):
        point = solver.points.leaving.get((name, outcome))
        if point is None or not solver.reaching.order.enter[point]:
            continue
        patch = [write for write in solver.accesses[name].writes if outcome in write.outcomes]
        for write, found in _Patch(solver, name, outcome, point, patch).all():
            if write not in told:
                told.add(write)
                yield found


@dataclass(frozen=True)
class _Patch:
    """What a step writes when it takes an outcome."""

    solver: Solver
    name: str
    outcome: str
    point: int
    writes: Sequence[Write]

    @property
    def flow(self) -> Flow:
        return self.solver.flow

    def all(self) -> Iterator[tuple[Write, Diagnostic]]:
        """A resume that would be refused is answered otherwise, so that only its barriers can fail (reference 2.7)."""
        for write in self.writes:
            found = None if self._is_refusable else self._parent(write) or self._reducer(write) or self._exact(write)
            found = found or self._siblings(write) or self._without_locals(write)
            if found is not None:
                yield write, found
        if not self._is_refusable:
            yield from self._around()

    @cached_property
    def _is_refusable(self) -> bool:
        return isinstance(self.flow.steps[self.name], InterruptStep)

    # What is there, and what comes

    def _before(self, parts: Parts) -> Cell:
        """What is known of a state path before the patch."""
        root = Root("state", parts[0])
        return reach(self.solver.cell(Known(root, self.solver.reaching.before(root, self.point))), parts[1:])

    def _declared(self, parts: Parts) -> Type:
        return self.solver.looks.beginning.declared.type(parts)

    def _incoming(self, write: Write) -> Type:
        return types.at(self.solver.result(self.name, self.outcome), write.source.parts).type

    def _present(self, write: Write) -> list[Type | None]:
        """The types of what may be there before the write; none among them where it may be missing."""
        cell = self._before(write.path.parts)
        there: list[Type | None] = [] if cell.there is Verdict.NEVER else [whole(cell)]
        return there if cell.there is Verdict.ALWAYS else [*there, None]

    @cached_property
    def _after(self) -> dict[Write, Type]:
        """What each path holds after its write, as the reducer makes it; of one not built in nothing is known."""
        return {write: types.either(*self._reduced(write)) for write in self.writes}

    def _reduced(self, write: Write) -> Iterator[Type]:
        reducer, incoming = write.reducer, self._incoming(write)
        if write.replaces:
            yield incoming
            return
        for each in self._present(write):
            yield types.after_reducer(reducer.name, reducer.config, each, incoming)

    # One write

    def _parent(self, write: Write) -> Diagnostic | None:
        """What lies above is an object, or is made one."""
        parts = write.path.parts
        for depth in range(1, len(parts)):
            cell = self._before(parts[:depth])
            if cell.there is not Verdict.NEVER and types.is_object(cell.type) is not Verdict.ALWAYS:
                above = StatePath(parts[:depth])
                return self._state(write, f"`{above}` may be {describe(cell.type)}", "an object there")
        return None

    def _reducer(self, write: Write) -> Diagnostic | None:
        """One that never takes what comes fails for certain; to replace takes everything."""
        if write.replaces:
            return None
        incoming, present = self._incoming(write), self._present(write)
        if write.reducer.name not in BY_NAME or not types.kinds(incoming):
            return None
        verdicts = [types.reducer_accepts(write.reducer.name, incoming, each) for each in present]
        unsure = [each for each, verdict in zip(present, verdicts, strict=True) if verdict is not Verdict.ALWAYS]
        if not unsure:
            return None
        never = all(verdict is Verdict.NEVER for verdict in verdicts)
        return self._refused_by_reducer(write, incoming, unsure[0], TYPE_MISMATCH if never else UNPROVED_REDUCER)

    def _refused_by_reducer(self, write: Write, incoming: Type, there: Type | None, code: Code) -> Diagnostic:
        name = write.reducer.name
        beside = "" if there is None else f", with {describe(there)} there"
        return code.at(
            write.at,
            confidence="proved" if code is TYPE_MISMATCH else "likely",
            related=_declared(self.flow, write.path.parts),
            source=f"`{write.source}` of `{self.name}` under `{self.outcome}`",
            taker=f"`{name}` of `{write.path}`",
            target=str(write.path),
            reducer=name,
            got=f"{describe(incoming)}{beside}",
            expected=_TAKES[name],
            path=self._way(),
        )

    def _exact(self, write: Write) -> Diagnostic | None:
        after, taken = self._after[write], self._declared(write.path.parts)
        if not types.kinds(after):
            return None
        fit = types.fits(after, taken)
        if fit.verdict is Verdict.ALWAYS:
            return None
        made = "" if write.replaces else f"`{write.reducer.name}` makes of it "
        return self._state(write, f"{made or 'it is '}{describe(after)}", describe(taken), fit)

    # The objects around

    def _around(self) -> Iterator[tuple[Write, Diagnostic]]:
        """Every object that the patch writes into is one that its schema takes, innermost first."""
        above = {write.path.parts[:depth]: None for write in self.writes for depth in range(1, len(write.path.parts))}
        if not above:
            return
        fields: dict[Parts, dict[str, tuple[Type, bool]]] = {}
        for write in self.writes:
            *_, last = parts = write.path.parts
            fields.setdefault(parts[:-1], {})[last] = (types.both(self._after[write], self._declared(parts)), True)
        for parts in sorted(above, key=len, reverse=True):
            found, taken = _with_fields(self._before(parts), types.record(fields[parts])), self._declared(parts)
            fields.setdefault(parts[:-1], {})[parts[-1]] = (types.both(found, taken), True)
            fit = types.fits(found, taken)
            if fit.verdict is not Verdict.ALWAYS and types.kinds(found):
                write = next(write for write in self.writes if write.path.parts[: len(parts)] == parts)
                yield write, self._state(write, f"`{StatePath(parts)}` becomes {describe(found)}", describe(taken), fit)

    # Barriers

    def _siblings(self, write: Write) -> Diagnostic | None:
        """Where lineages are merged, the reducer meets what the others have made of the path."""
        if write.replaces or write.reducer.name not in BY_NAME:
            return None
        for point, barrier in self._barriers(write):
            root = Root("state", write.path.parts[0])
            merged = self.solver.cell(Known(root, self.solver.reaching.before(root, point)))
            found = reach(merged, write.path.parts[1:]) if barrier.side_by_side else None
            if found is not None and found.there is not Verdict.NEVER:
                incoming = self._accepted(write)
                if types.reducer_accepts(write.reducer.name, incoming, whole(found)) is not Verdict.ALWAYS:
                    return self._refused_by_reducer(write, incoming, whole(found), UNPROVED_REDUCER)
        return None

    def _accepted(self, write: Write) -> Type:
        """What is written; of the answer to a question only what the reducer has taken in its own lineage."""
        incoming, reducer = self._incoming(write), write.reducer
        if not self._is_refusable or reducer.name == "wf.std.append":
            return incoming
        taken = types.both(incoming, types.after_reducer(reducer.name, reducer.config, None, ANYTHING))
        if reducer.name not in _ORDERING:
            return taken
        return types.either(*(self._comparable(write, taken, each) for each in self._present(write)))

    def _comparable(self, write: Write, incoming: Type, current: Type | None) -> Type:
        """What is taken beside a current value: what can be put in order with it."""
        if current is None:
            return types.both(incoming, self._declared(write.path.parts))
        return types.either(
            *(types.both(incoming, each) for each in _ORDERED if types.kinds(types.both(current, each)))
        )

    def _without_locals(self, write: Write) -> Diagnostic | None:
        """At a barrier the objects around are judged without what is local to a lineage."""
        for _, barrier in self._barriers(write):
            shared = {_common(write.path.parts, (root.name, *parts)) for root, parts in barrier.locals}
            for above in sorted(shared - {()}, key=len):
                field = write.path.parts[len(above)]
                entry = self._at_entry(barrier, above)
                written = types.record({field: (self._declared((*above, field)), True)})
                found, taken = _with_fields(entry, written), self._declared(above)
                fit = types.fits(found, taken)
                if fit.verdict is not Verdict.ALWAYS:
                    reason = (
                        f"without what is local to `{barrier.step}`, `{StatePath(above)}` becomes {describe(found)}"
                    )
                    return self._state(write, reason, describe(taken), fit)
        return None

    def _barriers(self, write: Write) -> Iterator[tuple[int, Barrier]]:
        """The barriers at which the write is handed outward, innermost first, with the points behind them."""
        region = self.flow.region(self.name)
        for around in region.outwards() if region is not None else ():
            found = self.solver.points.barrier_of.get(around.step)
            if found is None:
                continue
            if any(write.path.parts[: len(parts) + 1] == (root.name, *parts) for root, parts in found[1].locals):
                return
            yield found

    def _at_entry(self, barrier: Barrier, parts: Parts) -> Cell:
        root = Root("state", parts[0])
        return reach(self.solver.cell(Known(root, self.solver.reaching.after(root, barrier.entry))), parts[1:])

    # Findings

    def _state(self, write: Write, reason: str, expected: str, fit: Fit | None = None) -> Diagnostic:
        witness = {} if fit is None else _witness(fit)
        return UNPROVED_STATE.at(
            write.at,
            confidence="proved" if witness else "likely",
            related=_declared(self.flow, write.path.parts),
            fixes=_taking(self.flow, write.path.parts, fit) if write.replaces else (),
            target=str(write.path),
            reason=reason,
            expected=expected,
            **witness,
            path=self._way(),
        )

    def _way(self) -> list[str]:
        return [*self.flow.trail(self.name)[:-1], f"{self.name}:{self.outcome}"]


def _with_fields(cell: Cell, written: Type) -> Type:
    """The object that a place holds once fields are written into it, whether it is there before or is made."""
    found = [] if cell.there is Verdict.ALWAYS else [written]
    if cell.there is not Verdict.NEVER:
        found.append(types.after_reducer("wf.std.merge_object", {}, types.both(whole(cell), OBJECT), written))
    return types.either(*found)


def _common(parts: Parts, other: Parts) -> Parts:
    """What holds both of two places that lie apart; nothing where one holds the other."""
    depth = next((at for at, (a, b) in enumerate(zip(parts, other, strict=False)) if a != b), 0)
    return parts[:depth]


def _declared(flow: Flow, parts: Parts) -> tuple[Related, ...]:
    at = declared_at(flow, GraphSourcePath("state", parts))
    return () if at is None else (Related("declared", at, "declared here"),)


def _witness(fit: Fit) -> dict[str, Any]:
    return {} if fit.witness is None else {"witness": fit.witness[0]}
