"""What is written goes where it may: into objects, with a type that the state path can have (reference 1.5, 2.4)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from wfc.diagnostics import Diagnostic, Fix, Related
from wfc.ir import BY_NAME, NodeStep, Value, canonical, std
from wfc.passes import types
from wfc.passes.bindings.fitting import BAD_LITERAL, TYPE_MISMATCH
from wfc.passes.bindings.sources import PATH_THROUGH_SCALAR
from wfc.passes.facts import Facts
from wfc.passes.facts.places import declared
from wfc.passes.graph.flow import Flow
from wfc.passes.repairs.literals import meant_literal
from wfc.passes.repairs.patches import rewrite
from wfc.passes.repairs.sharing import appending
from wfc.passes.types import ANYTHING, Type, Verdict, describe
from wfc.passes.values import Argument, Write
from wfc.paths import GraphSourcePath, StatePath
from wfc.records import dataclass

CODES = (BAD_LITERAL, PATH_THROUGH_SCALAR, TYPE_MISMATCH)
_HANDED_THROUGH = ("identity", "record")


@dataclass(frozen=True, slots=True)
class Destination:
    """Where one binding writes. `output` tells where the schema of an outcome's output stands."""

    facts: Facts
    flow: Flow
    name: str
    write: Write
    output: Callable[[str], tuple[Related, ...]]

    def all(self) -> Iterator[Diagnostic]:
        """Report a target once. One that is not declared is another question."""
        known, parts = self.facts.values.solver(self.flow).looks.beginning.declared, self.write.path.parts
        if parts[0] not in known.roots:
            return
        for depth in range(1, len(parts)):
            above = known.type(parts[:depth])
            if types.is_object(above) is Verdict.NEVER:
                yield self._blocked(StatePath(parts[:depth]), above)
                return
        taken = known.type(parts)
        for outcome in self.write.outcomes if not types.is_empty(taken) else ():
            given = self.facts.values.source(self.write, outcome).type
            if types.kinds(given) and self._never_fits(given, taken):
                yield self._mismatch(outcome, given, taken)
                return

    def _never_fits(self, given: Type, taken: Type) -> bool:
        """Whether the state path can never hold what the reducer makes of the value, whatever it held before.

        A reducer that does not work on the path at all is a fault of the schema.
        """
        reducer = self.write.reducer
        if self.write.replaces:
            return types.disjoint(given, taken)
        if types.disjoint(types.after_reducer(reducer.name, reducer.config, None, ANYTHING), taken):
            return False
        if reducer.name == "wf.std.append":
            return types.disjoint(given, types.elements(taken))
        if all(types.reducer_accepts(reducer.name, given, each) is Verdict.NEVER for each in (None, taken)):
            return reducer.name in BY_NAME
        after = [types.after_reducer(reducer.name, reducer.config, each, given) for each in (None, taken)]
        return all(types.disjoint(each, taken) for each in after)

    def _blocked(self, above: StatePath, type: Type) -> Diagnostic:
        return PATH_THROUGH_SCALAR.at(
            self.write.at,
            related=declared(self.flow, GraphSourcePath("state", above.parts)),
            got=str(self.write.path),
            field=self.write.path.parts[len(above.parts)],
            through=f"`{above}`",
            type=describe(type),
            path=self.flow.trail(self.name),
        )

    def _mismatch(self, outcome: str, given: Type, taken: Type) -> Diagnostic:
        """What a built-in hands through is judged where it is bound, when that is a literal."""
        reducer, path = self.write.reducer, self.write.path
        expected = types.elements(taken) if reducer.name == "wf.std.append" else taken
        there = declared(self.flow, GraphSourcePath("state", path.parts), f"what `{path}` holds")
        facts: dict[str, Any] = {
            "taker": f"`{path}`" if self.write.replaces else f"`{path}`, with the reducer `{reducer.name}`,",
            "expected": describe(expected),
            "path": [*self.flow.trail(self.name)[:-1], f"{self.name}:{outcome}"],
        }
        literal = self._literal(outcome)
        if literal is not None and isinstance(literal.source, Value):
            at, value = literal.binding.at.below("value"), literal.source.value
            got, fixes = f"`{describe(types.literal(value))}`", _repairs(literal, value, expected)
            return BAD_LITERAL.at(at, related=there, fixes=fixes, got=got, witness=value, **facts)
        witness = types.fits(given, expected).witness
        return TYPE_MISMATCH.at(
            self.write.at,
            related=(*self.output(outcome), *there),
            fixes=appending(self.facts.values.solver(self.flow), path, given) if self.write.replaces else (),
            source=f"`{self.write.source}` of `{self.name}` under `{outcome}`",
            got=describe(given),
            **({} if witness is None else {"witness": witness[0]}),
            **facts,
        )

    def _literal(self, outcome: str) -> Argument | None:
        """The argument whose value is just what is written."""
        step = self.flow.steps[self.name]
        definition = self.flow.definitions.get(step.definition) if isinstance(step, NodeStep) else None
        if definition is None or definition.uses.source != std.SOURCE or outcome != "ok":
            return None
        if definition.uses.capability_key not in _HANDED_THROUGH:
            return None
        arguments = self.facts.values.arguments(self.flow, self.name)
        return next((each for each in arguments if each.target.parts == self.write.source.parts), None)


def _repairs(literal: Argument, value: Any, expected: Type) -> tuple[Fix, ...]:
    found = meant_literal(value, expected)
    if found is None:
        return ()
    at = literal.binding.at.below("value")
    return (rewrite(f"Write `{canonical(found[0])}`", at, value, found[0], found[1]),)
