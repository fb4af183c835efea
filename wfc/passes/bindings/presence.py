"""Everything that a step reads is there: state is written before, fields are required, or a check has found them."""

from __future__ import annotations

from collections.abc import Iterator

from wfc.diagnostics import Code, Diagnostic, Fix, Severity, Strict
from wfc.passes.bindings.sources import looks
from wfc.passes.examples import example
from wfc.passes.facts import Facts
from wfc.passes.facts.places import around
from wfc.passes.facts.reads import Fault, Optional, Unsure, Unwritten
from wfc.passes.facts.uses import Dropped
from wfc.passes.facts.witnesses import Witnesses, taken_away, undone
from wfc.passes.graph.flow import Flow
from wfc.passes.repairs.filling import filling
from wfc.passes.repairs.guarding import passing_by
from wfc.passes.repairs.offers import Offers
from wfc.passes.repairs.remedies import default_for, requiring
from wfc.passes.repairs.sharing import merging
from wfc.passes.values import Read, Write

_BINDINGS = ("input", "request")
NEVER_WRITTEN = Code(
    code="WF400",
    rule="never-written",
    severity=Severity.ERROR,
    message="`{step}` reads `{got}`, which no run has written by then; expected a write on every way to it",
    help="write `{got}` in a step before `{step}`, or give it a default in the state schema",
    why=(
        "State begins with the defaults of its schema and with what the input seeds; everything else is there once a "
        "step has written it. A read that no write can come before fails with `missing_path` in every run."
    ),
    example=example(
        """{"name": "rest", "start": "nap",
 "state_schema": {"type": "object", "properties": {"n": {"type": "integer", "minimum": 0}}},
 "output_schema": {"type": "object", "properties": {"n": {"type": "integer"}}},
 "nodes": [{"id": "nap", "type": "wait", "seconds": {"path": "state.n"}},
                                                             ^^^^^^^^^
           {"id": "set", "type": "node", "node": "wf.std.record", "input": [{"target": "n", "value": 3}],
            "output": [{"source": "n", "target": "state.n"}]}],
 "edges": [{"from": "nap", "outcome": "ok", "to": "set"}, {"from": "set", "outcome": "ok", "to": "__end__"}]}
""",
        ('"minimum": 0}', '"minimum": 0, "default": 1}'),
    ),
)
MAYBE_UNWRITTEN = Code(
    code="WF401",
    rule="maybe-unwritten",
    severity=Severity.WARNING,
    strict=Strict.ERROR,
    message="`{step}` reads `{got}`, which not every way to it has written; expected it to be there on all of them",
    help="write `{got}` on the way that is shown as well, give it a default, or test `exists` before",
    why=(
        "What only some ways write is missing on the others, and the first run that takes one of those fails with "
        "`missing_path`. A loop may have no items, an item may be skipped, and what replaces an object takes its "
        "fields away."
    ),
    example=example(
        """{"name": "rest", "start": "long",
 "input_schema": {"type": "object", "properties": {"long": {"type": "boolean"}}, "required": ["long"]},
 "state_schema": {"type": "object", "properties": {"n": {"type": "integer", "minimum": 0}}},
 "nodes": [{"id": "long", "type": "condition", "check": {"op": "eq", "left": {"path": "input.long"}, "right": true}},
           {"id": "set", "type": "node", "node": "wf.std.record", "input": [{"target": "n", "value": 3}],
            "output": [{"source": "n", "target": "state.n"}]},
           {"id": "nap", "type": "wait", "seconds": {"path": "state.n"}}],
                                                             ^^^^^^^^^
 "edges": [{"from": "long", "outcome": "true", "to": "set"}, {"from": "long", "outcome": "false", "to": "nap"},
           {"from": "set", "outcome": "ok", "to": "nap"}, {"from": "nap", "outcome": "ok", "to": "__end__"}]}
""",
        ('"minimum": 0}', '"minimum": 0, "default": 1}'),
    ),
)
OPTIONAL_SOURCE = Code(
    code="WF407",
    rule="optional-source",
    severity=Severity.WARNING,
    strict=Strict.ERROR,
    message="`{step}` binds `{got}`, and {owner} does not require it; expected it to be there whenever it is read",
    help="let {owner} require `{field}`, or lead to `{step}` only where `exists {reached}` is true",
    why=(
        "A field that a schema does not require may be left out by whoever fills it, and then the binding finds "
        "nothing and the step fails with `missing_path`. It works until the first caller, or answer, without it."
    ),
    example=example(
        """{"name": "rest", "start": "nap",
 "input_schema": {"type": "object", "properties": {"who": {"type": "string"}}},
 "node_defs": [{"name": "greet", "outcomes": ["ok"],
   "input_schema": {"type": "object", "properties": {"who": {"type": "string"}}, "required": ["who"]}}],
 "nodes": [{"id": "nap", "type": "node", "node": "greet", "input": [{"target": "who", "path": "input.who"}]}],
                                                                                              ^^^^^^^^^^^
 "edges": [{"from": "nap", "outcome": "ok", "to": "__end__"}]}
""",
        ('"who": {"type": "string"}}}', '"who": {"type": "string"}}, "required": ["who"]}'),
    ),
)
UNPROVED_PRESENCE = Code(
    code="WF391",
    rule="unproved-presence",
    severity=Severity.NOTE,
    strict=Strict.ONLY,
    message="`{step}` reads `{got}`, which may be missing: {reason}; expected it to be there whenever it is read",
    help="let a schema require it, or test before that it is there",
    why=(
        "Strict checking promises that no run fails for want of a value, so everything that is read has to be proved "
        "to be there: required by a schema, written on every way, or found by `exists`. Here that could not be proved."
    ),
    example=example(
        """{"name": "rest", "start": "nap",
 "input_schema": {"type": "object", "properties": {"seconds": {"type": "number", "minimum": 0}}},
 "nodes": [{"id": "nap", "type": "wait", "seconds": {"path": "input.seconds"}}],
                                                             ^^^^^^^^^^^^^^^
 "edges": [{"from": "nap", "outcome": "ok", "to": "__end__"}]}
""",
        ('"minimum": 0}}', '"minimum": 0}}, "required": ["seconds"]'),
    ),
)
CODES = (UNPROVED_PRESENCE, NEVER_WRITTEN, MAYBE_UNWRITTEN, OPTIONAL_SOURCE)


def check(facts: Facts) -> Iterator[Diagnostic]:
    for flow in facts.flows:
        reads, witnesses, offers = facts.reads(flow), Witnesses(facts), Offers(facts, flow)
        drops = _Drops(facts, flow)
        for read in looks(reads):
            match reads.fault(read):
                case Unwritten() as fault:
                    yield _unwritten(facts, flow, fault, witnesses, offers, drops)
                case Optional() as fault if read.role in _BINDINGS:
                    yield _optional(facts, flow, fault, drops)
                case Optional() | Unsure() as fault:
                    yield _unproved(facts, flow, fault, drops)


class _Drops:
    """The replaces of objects that leave out what a look needs: they are told with it, and counted at the first."""

    def __init__(self, facts: Facts, flow: Flow) -> None:
        self._solver = facts.values.solver(flow)
        self._of: dict[Read, list[Dropped]] = {}
        for dropped in facts.uses(flow).dropped:
            for read in dropped.reads:
                self._of.setdefault(read, []).append(dropped)

    def writes(self, read: Read) -> list[Write]:
        return list(dict.fromkeys(dropped.assign.write for dropped in self._of.get(read, ())))

    def hidden(self, read: Read) -> int:
        return len({dropped.assign.write for dropped in self._of.get(read, ()) if dropped.reads[0] == read})

    def fixes(self, read: Read) -> tuple[Fix, ...]:
        """One replace may be made a merge."""
        found = self._of.get(read, [])
        return merging(self._solver, found[0].assign.write.path, [found[0].assign]) if len(found) == 1 else ()


def _unwritten(
    facts: Facts, flow: Flow, fault: Unwritten, witnesses: Witnesses, offers: Offers, drops: _Drops
) -> Diagnostic:
    read, early = fault.read, fault.certain and fault.reached.parts[:1] in facts.reads(flow).written
    filled = filling(facts, flow, fault.reached, read.step)
    # Where steps do write it, only later, another path was meant.
    others = offers.instead(read) if early or not filled else ()
    witness = None if fault.certain else witnesses.of(read, fault.depth)
    return (NEVER_WRITTEN if fault.certain else MAYBE_UNWRITTEN).at(
        read.at,
        confidence="proved" if fault.certain or witness else "likely",
        related=(*(undone(witness) or taken_away(drops.writes(read))), *around(facts, flow, fault.reached)),
        fixes=(*others, *filled, *drops.fixes(read), *default_for(facts, flow, fault.reached)),
        hides=facts.reads(flow).hidden[read] + drops.hidden(read),
        step=read.step,
        got=str(read.path),
        path=list(witness.way) if witness else flow.trail(read.step),
    )


def _optional(facts: Facts, flow: Flow, fault: Optional, drops: _Drops) -> Diagnostic:
    read, hidden = fault.read, facts.reads(flow).hidden[fault.read]
    # Where others read it, too, they would be next.
    around_it = () if hidden else passing_by(flow, read.step, fault.reached)
    return OPTIONAL_SOURCE.at(
        read.at,
        severity=Severity.ERROR if fault.certain else Severity.WARNING,
        related=(*taken_away(drops.writes(read)), *around(facts, flow, fault.reached)),
        fixes=(*requiring(flow, fault.reached), *around_it),
        hides=hidden + drops.hidden(read),
        step=read.step,
        got=str(read.path),
        reached=str(fault.reached),
        owner=_owner(fault),
        field=read.path.parts[fault.depth],
        path=flow.trail(read.step),
    )


def _owner(fault: Fault) -> str:
    above = fault.above
    return f"what `{above}` holds" if above.parts else "the input schema"


def _unproved(facts: Facts, flow: Flow, fault: Fault, drops: _Drops) -> Diagnostic:
    read = fault.read
    return UNPROVED_PRESENCE.at(
        read.at,
        confidence="likely",
        related=(*taken_away(drops.writes(read)), *around(facts, flow, fault.reached)),
        fixes=requiring(flow, fault.reached) if isinstance(fault, Optional) else (),
        hides=facts.reads(flow).hidden[read] + drops.hidden(read),
        step=read.step,
        got=str(read.path),
        reason=f"{_owner(fault)} does not require `{read.path.parts[fault.depth]}`",
        path=flow.trail(read.step),
    )
