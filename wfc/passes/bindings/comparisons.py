"""What conditions compare has an order, and what they say depends on the run (reference 1.8, 2.5)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from wfc.diagnostics import Applicability, Code, Diagnostic, Fix, Related, Severity, Strict
from wfc.ir import ORDERINGS, Value, canonical
from wfc.passes import types
from wfc.passes.examples import example
from wfc.passes.facts import Facts
from wfc.passes.facts.places import around
from wfc.passes.facts.reads import Unknown
from wfc.passes.graph.flow import Flow
from wfc.passes.repairs.declaring import narrowed
from wfc.passes.repairs.literals import meant_literal
from wfc.passes.repairs.patches import put
from wfc.passes.types import ANYTHING, Type, Verdict, describe
from wfc.passes.values import Comparison, Read, Source
from wfc.passes.values.roots import spot_of
from wfc.records import dataclass, replace

CONSTANT_CONDITION = Code(
    code="WF204",
    rule="constant-condition",
    severity=Severity.WARNING,
    message="{what} is always {answer}, because {reason}; expected a condition that depends on the run",
    help="correct what is compared, or lead the edges as if it were not there",
    why=(
        "A condition that has the same answer in every run decides nothing, and the steps behind its other answer "
        "never run. Most often a literal is misspelt or of another type than what it is compared with."
    ),
    example=example(
        """{"name": "pick", "start": "loud",
 "input_schema": {"type": "object", "properties": {"mode": {"enum": ["loud", "quiet"]}}, "required": ["mode"]},
 "nodes": [{"id": "loud", "type": "condition",
   "check": {"op": "eq", "left": {"path": "input.mode"}, "right": {"value": "luod"}}}],
            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
 "edges": [{"from": "loud", "outcome": "true", "to": "__end__"}, {"from": "loud", "outcome": "false", "to": "__end__"}]}
""",
        ("luod", "loud"),
    ),
)
INCOMPARABLE = Code(
    code="WF311",
    rule="incomparable",
    severity=Severity.ERROR,
    message="`{op}` compares {left} with {right}, which have no order; expected two numbers or two strings",
    help="compare two numbers or two strings, or use `eq` or `ne`",
    why=(
        "Only two numbers, or two strings, come one before the other. Nothing is converted: a number and the text of a "
        "number have no order, and neither have nulls, booleans, arrays or objects. The step fails with "
        "`type_mismatch` whenever this comparison is made."
    ),
    example=example(
        """{"name": "pick", "start": "many",
 "input_schema": {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]},
 "nodes": [{"id": "many", "type": "condition",
   "check": {"op": "gt", "left": {"path": "input.n"}, "right": {"value": "3"}}}],
            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
 "edges": [{"from": "many", "outcome": "true", "to": "__end__"}, {"from": "many", "outcome": "false", "to": "__end__"}]}
""",
        ('"3"', "3"),
    ),
)
UNPROVED_COMPARISON = Code(
    code="WF392",
    rule="unproved-comparison",
    severity=Severity.NOTE,
    strict=Strict.ONLY,
    message="`{op}` compares {left} with {right}, which may have no order; expected two numbers or two strings",
    help="test before that it is not null, or let a schema say that it is a number or a string",
    why=(
        "Strict checking promises that no comparison fails, so both sides must be numbers, or both strings, in every "
        "run. A test for null, or for one value, before this one narrows what can come here."
    ),
    example=example(
        """{"name": "pick", "start": "many",
 "input_schema": {"type": "object", "properties": {"n": {"type": ["integer", "null"]}}, "required": ["n"]},
 "nodes": [{"id": "many", "type": "condition",
   "check": {"op": "gt", "left": {"path": "input.n"}, "right": {"value": 3}}}],
            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
 "edges": [{"from": "many", "outcome": "true", "to": "__end__"}, {"from": "many", "outcome": "false", "to": "__end__"}]}
""",
        ('["integer", "null"]', '"integer"'),
    ),
)
CODES = (CONSTANT_CONDITION, INCOMPARABLE, UNPROVED_COMPARISON)


_ORDERED = frozenset({"number", "string"})


def check(facts: Facts) -> Iterator[Diagnostic]:
    for flow in facts.flows:
        for access in facts.values.solver(flow).accesses.values():
            for each in access.checks:
                for index in sorted({*each.comparisons, *each.reads}):
                    comparison = each.comparisons.get(index)
                    if comparison is not None:
                        yield from _Comparing(facts, flow, comparison).all()
                    else:
                        yield from _exists(facts, flow, each.reads[index][0])


@dataclass(frozen=True, slots=True)
class _Comparing:
    """One comparison of a condition."""

    facts: Facts
    flow: Flow
    comparison: Comparison

    def all(self) -> Iterator[Diagnostic]:
        op, left, right = self.comparison.op, self.comparison.left, self.comparison.right
        types_ = self._type(left), self._type(right)
        reads = self.facts.reads(self.flow)
        if reads.is_lost(left) or reads.is_lost(right) or not all(types.kinds(type) for type in types_):
            return
        ordered = types.comparable(*types_) if op in ORDERINGS else Verdict.ALWAYS
        if ordered is not Verdict.ALWAYS:
            yield self._orderless(types_, ordered)
            return
        declared = self._declared(left), self._declared(right)
        answer = types.compared(op, *declared)
        if answer is not Verdict.MAYBE:
            yield self._constant(declared, answer)

    def _type(self, source: Source) -> Type:
        return self.facts.values.type_of(source)

    def _declared(self, source: Source) -> Type:
        """The type by declaration, so that what steps or conditions before have made sure of counts for nothing."""
        if isinstance(source, Value):
            return types.literal(source.value)
        if source.path.base != "context":
            return self.facts.reads(self.flow).declared(source.path)
        if spot_of(self.flow, source.step, source.path) is None:
            return ANYTHING
        cell = self.facts.values.solver(self.flow).seen(source)
        return cell.origin or cell.type

    def _orderless(self, found: tuple[Type, Type], ordered: Verdict) -> Diagnostic:
        comparison = self.comparison
        never = ordered is Verdict.NEVER
        return (INCOMPARABLE if never else UNPROVED_COMPARISON).at(
            comparison.at,
            confidence="proved" if never else "likely",
            related=self._related(),
            fixes=self._repairs() if never else self._narrowed(found),
            op=comparison.op,
            left=_told(comparison.left, found[0]),
            right=_told(comparison.right, found[1]),
            got=[describe(type) for type in found],
            path=self.flow.trail(comparison.step),
        )

    def _constant(self, found: tuple[Type, Type], answer: Verdict) -> Diagnostic:
        comparison = self.comparison
        true = answer is Verdict.ALWAYS
        left, right = (_told(source, type) for source, type in zip(self._sides, found, strict=True))
        return CONSTANT_CONDITION.at(
            comparison.at,
            related=self._related(),
            fixes=self._repairs(),
            what=f"`{comparison.op}` of {left} and {right}",
            answer="true" if true else "false",
            reason="no other value is possible",
            got=[describe(type) for type in found],
            path=self.flow.trail(comparison.step),
        )

    @property
    def _sides(self) -> tuple[Source, Source]:
        return self.comparison.left, self.comparison.right

    def _related(self) -> tuple[Related, ...]:
        paths = [side.path for side in self._sides if isinstance(side, Read)]
        return tuple(one for path in paths for one in around(self.facts, self.flow, path))

    def _narrowed(self, found: tuple[Type, Type]) -> tuple[Fix, ...]:
        """What is read, of the kind of the other side: a number or a string."""
        common = types.kinds(found[0]) & types.kinds(found[1]) & _ORDERED
        if len(common) != 1:
            return ()
        paths = dict.fromkeys(side.path for side in self._sides if isinstance(side, Read))
        return tuple(fix for path in paths for fix in narrowed(self.flow, path, common))

    def _repairs(self) -> tuple[Fix, ...]:
        """A literal that was meant to be of the type of the other side, as that is declared."""
        left, right = self._sides
        for name, side, other in (("left", left, right), ("right", right, left)):
            if isinstance(side, Value) and isinstance(other, Read):
                guess = meant_literal(side.value, self._declared(other))
                if guess is not None and not isinstance(guess[0], list):
                    return (self._written(name, side.value, *guess),)
        return ()

    def _written(self, name: str, old: Any, new: Any, applicability: Applicability) -> Fix:
        step = self.flow.steps[self.comparison.step]
        title = f"Compare with `{canonical(new)}` instead of `{canonical(old)}`"
        return put(title, step, [(self.comparison.at.below(name), {"value": new})], applicability)


def _told(source: Source, type: Type) -> str:
    """A side of a comparison in words: a literal by itself, a path with its type."""
    return f"`{describe(type)}`" if isinstance(source, Value) else f"`{source.path}` ({describe(type)})"


def _exists(facts: Facts, flow: Flow, read: Read) -> Iterator[Diagnostic]:
    """Whether something exists is constant where schemas say so; what steps have written is no fault of a guard."""
    there, reads = facts.values.presence(read), facts.reads(flow)
    if isinstance(reads.fault(read), Unknown) or there is Verdict.MAYBE or not read.path.parts:
        return
    if read.path.base == "context" or not reads.is_declared(read.path, there):
        return
    if there is Verdict.NEVER and read.path.base == "state" and reads.follows(read.path.parts):
        return
    yield CONSTANT_CONDITION.at(
        replace(read.at, pointer=read.at.pointer.removesuffix("/path")),
        related=around(facts, flow, read.path),
        what=f"`exists` of `{read.path}`",
        answer="true" if there is Verdict.ALWAYS else "false",
        reason="it is there from the beginning" if there is Verdict.ALWAYS else "nothing ever writes it",
        got=str(read.path),
        path=flow.trail(read.step),
    )
