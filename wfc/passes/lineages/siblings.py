"""Lineages that run side by side write different places, or through reducers that merge (reference 2.6)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from wfc.diagnostics import Code, Diagnostic, Fix, Related, Severity, Strict
from wfc.ir import ForeachStep, ForkStep
from wfc.passes import types
from wfc.passes.examples import example
from wfc.passes.facts import Facts
from wfc.passes.facts.barrier_writes import Clash
from wfc.passes.facts.places import declared_at
from wfc.passes.graph.flow import Flow
from wfc.passes.repairs.sharing import local_to, merging, one_by_one
from wfc.passes.values import Write
from wfc.passes.values.points import Assign
from wfc.passes.values.roots import Parts, Root
from wfc.paths import GraphSourcePath, StatePath, overlap
from wfc.records import dataclass

_SHOWN = 3
SIBLING_CONFLICT = Code(
    code="WF500",
    rule="sibling-conflict",
    severity=Severity.ERROR,
    message="{who} `{got}` side by side, and each replaces it; expected one writer, or a reducer that merges",
    help="make `{got}` local to each with `locals`, or give it a reducer that merges, such as `wf.std.append`",
    why=(
        "Branches of a fork and items of a parallel foreach do not see one another, and which of them is done last "
        "decides nothing. A place that two of them replace has no one value afterwards, so that the run fails with "
        "`state_conflict` where they meet, even if the values are equal."
    ),
    example=example(
        """{"name": "toss", "start": "both",
 "state_schema": {"type": "object", "properties": {"sides": {"type": "object"}}},
 "output_schema": {"type": "object", "properties": {"sides": {"type": "object"}}},
 "nodes": [{"id": "both", "type": "fork", "branches": ["a", "b"]},
           {"id": "head", "type": "node", "node": "wf.std.record", "input": [{"target": "x.head", "value": 1}],
            "output": [{"source": "x", "target": "state.sides"}]},
           {"id": "tail", "type": "node", "node": "wf.std.record", "input": [{"target": "x.tail", "value": 2}],
            "output": [{"source": "x", "target": "state.sides"}]},
                                                 ^^^^^^^^^^^^^
           {"id": "met", "type": "join"}],
 "edges": [{"from": "both", "outcome": "a", "to": "head"}, {"from": "both", "outcome": "b", "to": "tail"},
           {"from": "head", "outcome": "ok", "to": "met"}, {"from": "tail", "outcome": "ok", "to": "met"},
           {"from": "met", "outcome": "ok", "to": "__end__"}]}
""",
        ('"sides": {"type": "object"}', '"sides": {"type": "object", "reducer": "wf.std.merge_object"}'),
    ),
)
MAYBE_SIBLING_CONFLICT = Code(
    code="WF501",
    rule="maybe-sibling-conflict",
    severity=Severity.WARNING,
    strict=Strict.ERROR,
    message="{who} `{got}` side by side, and each replaces it; expected one writer, or a reducer that merges",
    help="make `{got}` local to each with `locals`, or give it a reducer that merges, such as `wf.std.append`",
    why=(
        "Branches of a fork and items of a parallel foreach do not see one another. As soon as two of them have "
        "replaced one place, the run fails with `state_conflict` where they meet. Here that depends on the ways they "
        "take, or on how many items there are."
    ),
    example=example(
        """{"name": "words", "start": "each",
 "input_schema": {"type": "object", "required": ["lists"], "properties": {"lists": {"type": "array",
    "items": {"type": "array", "items": {"type": "string"}}}}},
 "state_schema": {"type": "object", "properties": {"all": {"type": "array", "items": {"type": "string"}}}},
 "output_schema": {"type": "object", "properties": {"all": {"type": "array"}}},
 "nodes": [{"id": "each", "type": "foreach", "over": "input.lists", "as": "it", "mode": "parallel"},
           {"id": "keep", "type": "node", "node": "wf.std.record", "input": [{"target": "x", "path": "context.it"}],
            "output": [{"source": "x", "target": "state.all"}]}],
                                                 ^^^^^^^^^^^
 "edges": [{"from": "each", "outcome": "item", "to": "keep"}, {"from": "keep", "outcome": "ok", "to": "each"},
           {"from": "each", "outcome": "done", "to": "__end__"}]}
""",
        (
            '"all": {"type": "array", "items": {"type": "string"}}',
            '"all": {"type": "array", "items": {"type": "string"}, "reducer": "wf.std.extend"}',
        ),
    ),
)
SIBLING_OVERLAP = Code(
    code="WF502",
    rule="sibling-overlap",
    severity=Severity.ERROR,
    strict=Strict.ERROR,
    message="{who} `{got}` and, inside it, `{inner}` side by side; expected places of which none holds another",
    help="write them in one lineage, or let each write places of its own",
    why=(
        "Branches of a fork and items of a parallel foreach do not see one another. Where one writes an object and "
        "another a field of it, the result would depend on which of them comes last, so that the run fails with "
        "`state_conflict` where they meet. A reducer does not help, for it is that of one place only."
    ),
    unrepaired="which of the writers has to write elsewhere, or later, depends on what the place is for",
    example=example(
        """{"name": "file", "start": "both",
 "state_schema": {"type": "object", "properties": {"card": {"type": "object", "properties": {"name": {}, "size": {}}}}},
 "output_schema": {"type": "object", "properties": {"card": {"type": "object"}}},
 "nodes": [{"id": "both", "type": "fork", "branches": ["a", "b"]},
           {"id": "all", "type": "node", "node": "wf.std.record", "input": [{"target": "x.name", "value": "n"}],
            "output": [{"source": "x", "target": "state.card"}]},
           {"id": "one", "type": "node", "node": "wf.std.record", "input": [{"target": "x", "value": 3}],
            "output": [{"source": "x", "target": "state.card.size"}]},
                                                 ^^^^^^^^^^^^^^^^^
           {"id": "met", "type": "join"}],
 "edges": [{"from": "both", "outcome": "a", "to": "all"}, {"from": "both", "outcome": "b", "to": "one"},
           {"from": "all", "outcome": "ok", "to": "met"}, {"from": "one", "outcome": "ok", "to": "met"},
           {"from": "met", "outcome": "ok", "to": "__end__"}]}
""",
        ('"source": "x", "target": "state.card"', '"source": "x.name", "target": "state.card.name"'),
    ),
)
CODES = (SIBLING_CONFLICT, MAYBE_SIBLING_CONFLICT, SIBLING_OVERLAP)


def check(facts: Facts) -> Iterator[Diagnostic]:
    """Report each place once at each barrier, but not again further out for the same reason."""
    for flow in facts.flows:
        doubtful = facts.field_uses(flow).doubtful
        looks = _Looks(facts, flow)
        for clash in _innermost(flow, facts.clashes(flow)):
            # Whether writes can be merged depends on the declaration that was meant; what is refused meets nothing.
            writes = [assign.write for assign in clash.pair]
            refused = any(write.path.parts in doubtful or _is_refused(facts, flow, write) for write in writes)
            if not refused:
                yield _Reporting(facts, flow, clash, looks).diagnostic()


def _is_refused(facts: Facts, flow: Flow, write: Write) -> bool:
    """Whether a write always fails, for what its place can take is another type, or nothing: then that is the fault."""
    known, parts = facts.values.solver(flow).looks.beginning.declared, write.path.parts
    if parts[0] not in known.roots:
        return False
    held = known.type(parts)
    given = [facts.values.source(write, outcome).type for outcome in write.outcomes]
    taken = [types.taken(write.reducer.name, write.reducer.config, each, held) for each in given]
    return types.is_empty(held) or (bool(taken) and all(map(types.is_empty, taken)))


def _innermost(flow: Flow, found: list[Clash]) -> list[Clash]:
    """The clashes, but for those of a place that clashes further in, or as a whole, and as surely."""
    told: dict[tuple[Root, Parts], list[Clash]] = {}
    for clash in sorted(found, key=lambda clash: (-_depth(flow, clash.barrier.step), bool(clash.inner))):
        same = told.setdefault((clash.root, clash.parts), [])
        if not any(_says_it(flow, other, clash) for other in same):
            same.append(clash)
    kept = {id(clash) for same in told.values() for clash in same}
    return [clash for clash in found if id(clash) in kept]


def _says_it(flow: Flow, other: Clash, clash: Clash) -> bool:
    inside = other.barrier is clash.barrier or flow.is_inside(other.barrier.step, clash.barrier.step)
    return inside and (other.certain or not clash.certain)


def _depth(flow: Flow, step: str) -> int:
    region = flow.region(step)
    return 0 if region is None else sum(1 for _ in region.outwards())


@dataclass(frozen=True)
class _Looks:
    """Which steps and ends of a flow look at which places of state."""

    facts: Facts
    flow: Flow

    def are_outside(self, opener: str, parts: Parts) -> bool:
        """Whether somebody who is not in a region looks at a place."""
        return any(not self.flow.is_inside(name, opener) for name in self._at(parts))

    @cached_property
    def handing_on(self) -> frozenset[str]:
        """The loops in which an item looks at a place that is written only after it has looked, so that its next one
        would see it: side by side, nobody does."""
        used = self.facts.uses(self.flow).used
        unseen = (
            one
            for one in self.facts.clashes(self.flow)
            if not one.inner and used.isdisjoint(assign for _, assign in one.outer)
        )
        return frozenset(one.barrier.step for one in unseen if any(self._at((one.root.name, *one.parts))))

    def _at(self, parts: Parts) -> Iterator[str]:
        for seen, name in (*self._by_field.get((), ()), *self._by_field.get(parts[:1], ())):
            if overlap(seen, parts):
                yield name

    @cached_property
    def _by_field(self) -> dict[Parts, list[tuple[Parts, str]]]:
        found: dict[Parts, list[tuple[Parts, str]]] = {}
        for name, access in self.facts.values.solver(self.flow).accesses.items():
            for read in access.reads:
                if read.path.base == "state":
                    found.setdefault(read.path.parts[:1], []).append((read.path.parts, name))
        return found


@dataclass(frozen=True, slots=True)
class _Reporting:
    """One clash, told at the second of its writes."""

    facts: Facts
    flow: Flow
    clash: Clash
    looks: _Looks

    def diagnostic(self) -> Diagnostic:
        clash, (first, second) = self.clash, self.clash.pair
        code = SIBLING_OVERLAP if clash.inner else SIBLING_CONFLICT if clash.certain else MAYBE_SIBLING_CONFLICT
        path = StatePath((clash.root.name, *clash.parts))
        return code.at(
            second.write.at,
            severity=Severity.ERROR if clash.certain else Severity.WARNING,
            confidence="proved" if clash.certain else "likely",
            related=(*self._others(first, second), *self._declared(path)),
            fixes=() if clash.inner else self._repairs(path),
            hides=max(0, len({number for number, _ in (*clash.outer, *clash.inner)}) - 2),
            who=self._who(first, second),
            got=str(path),
            inner=self._inner(),
            writers=[first.write.step, second.write.step],
            region=clash.barrier.step,
            path=self.flow.trail(second.write.step),
        )

    def _who(self, first: Assign, second: Assign) -> str:
        opener, certain = self.clash.barrier.step, self.clash.certain
        if isinstance(self.flow.steps[opener], ForeachStep):
            each = "all items" if certain else "items"
            return f"{each} of `{opener}` {'' if certain else 'may '}write"
        steps = " and ".join(dict.fromkeys(f"`{assign.write.step}`" for assign in (first, second)))
        return f"{steps} {'' if certain else 'may '}write"

    def _inner(self) -> str:
        return str(self.clash.inner[0][1].write.path) if self.clash.inner else ""

    def _others(self, first: Assign, second: Assign) -> Iterator[Related]:
        told = [second.write]
        for assign in (first, *(each for _, each in (*self.clash.outer, *self.clash.inner))):
            if assign.write not in told and len(told) <= _SHOWN:
                told.append(assign.write)
                yield Related("conflicts", assign.write.at, f"`{assign.write.step}` writes `{assign.write.path}`")
        opener = self.flow.steps[self.clash.barrier.step]
        yield Related("on the path", opener.at, f"`{self.clash.barrier.step}` runs them side by side")

    def _declared(self, path: StatePath) -> Iterator[Related]:
        at = declared_at(self.flow, GraphSourcePath("state", path.parts))
        if at is not None:
            yield Related("declared", at, "declared here")

    def _repairs(self, path: StatePath) -> tuple[Fix, ...]:
        """`locals` where nobody outside looks at the place, else a reducer where the values call for one.

        Where items hand something on to the next one, neither keeps what is meant.
        """
        solver = self.facts.values.solver(self.flow)
        writes = [assign for _, assign in self.clash.outer]
        opener = self.flow.steps[self.clash.barrier.step]
        if isinstance(opener, ForeachStep) and self.clash.barrier.step in self.looks.handing_on:
            return one_by_one(opener)
        merged = merging(solver, path, writes)
        if isinstance(opener, ForeachStep | ForkStep) and not self.looks.are_outside(
            self.clash.barrier.step, path.parts
        ):
            return (*local_to(self.flow, opener, path), *merged)
        return merged
