"""What is known of one workflow: the one fixpoint over what happens to its roots and what its steps give.

Guarantees: sound for every run that has not failed before. Only what is asked for is worked out, each part once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property

from wfc.ir import NodeStep, SubgraphStep, Value
from wfc.passes import types
from wfc.passes.graph.flow import Flow
from wfc.passes.types import ANYTHING, Type
from wfc.passes.values.access import Access, Read, Source
from wfc.passes.values.cells import ALWAYS, UNKNOWN, Cell, whole
from wfc.passes.values.changes import Changes
from wfc.passes.values.fixpoint import Fixpoint, Needing, Recipe, every, known, value_of
from wfc.passes.values.handing import Handed, handed_on, touched
from wfc.passes.values.keys import Given, Known
from wfc.passes.values.looks import Looks
from wfc.passes.values.points import Points, Region
from wfc.passes.values.reaching import Reaching
from wfc.passes.values.results import Exits, payload, reads_its_input, result
from wfc.paths import GraphSourcePath


class Solver:
    """What is known of one workflow, worked out on demand. `exits` tells what a child gives, where it is known.

    `unproved` is the same without taking for proved what a step before has looked at; none where that says no less.
    """

    def __init__(
        self,
        flow: Flow,
        accesses: Mapping[str, Access],
        points: Points,
        looks: Looks,
        exits: Callable[[SubgraphStep], Exits | None],
        unproved: Solver | None = None,
    ) -> None:
        self.flow = flow
        self.accesses = accesses
        self.points = points
        self.looks = looks
        self.exits = exits
        self.unproved = unproved
        self.reaching = Reaching(points)
        self._fixpoint = Fixpoint(self._recipe)
        self._seen: dict[Read, Cell] = {}
        self._results: dict[tuple[str, str], Type] = {}
        self._of_definitions: dict[Given, Needing[Type]] = {}
        self._of_steps: dict[Given, Needing[Type]] = {}

    @cached_property
    def handed(self) -> Mapping[Region, Handed]:
        """What each region hands outward."""
        return handed_on(self.flow, self.points)

    @cached_property
    def _changes(self) -> Changes:
        beginning = self.looks.beginning
        return Changes(
            self.flow,
            self.points,
            self.reaching,
            beginning,
            self.handed,
            touched(self.flow, self.points),
            self._over,
            self._handed_to_bindings,
        )

    # Questions

    def look_at(self, sources: Iterable[Source]) -> None:
        """Work out at once what many looks see."""
        asked = [(source, self._look(source)) for source in sources if isinstance(source, Read)]
        self._fixpoint.work_out(key for _, question in asked for key in question.needs)
        self._seen |= {read: self._fixpoint.told(question) or UNKNOWN for read, question in asked}

    def seen(self, source: Source) -> Cell:
        """What a look sees: whether something is there, and as what. A literal is always there."""
        if isinstance(source, Value):
            return Cell(ALWAYS, types.literal(source.value))
        if source not in self._seen:
            self._seen[source] = self._fixpoint.ask(self._look(source)) or UNKNOWN
        return self._seen[source]

    def seen_at(self, step: str, path: GraphSourcePath) -> Cell:
        """What a look at a path would see where a step reads."""
        return self._fixpoint.ask(self._look_at(step, path, self.points.arrival[step])) or UNKNOWN

    def result(self, step: str, outcome: str) -> Type:
        """The type of what the output bindings of a step read when it takes an outcome."""
        key = (step, outcome)
        if key not in self._results:
            self._results[key] = self._fixpoint.ask(self._handed_to_bindings(Given(step, outcome))) or ANYTHING
        return self._results[key]

    def payload(self, step: str) -> Type:
        """The type of what a step is given, once it has found all that its arguments read."""
        return payload(self.accesses[step].arguments, lambda source: whole(self.seen(source)))

    def cell(self, key: Known) -> Cell:
        return self._fixpoint.ask(value_of(key)) or UNKNOWN

    # Recipes

    def _recipe(self, key: Known | Given) -> Recipe:
        if isinstance(key, Known):
            return self._changes.recipe(key)
        rank = 4 * self.reaching.order.rank[self.points.arrival[key.step]] + 3
        return Recipe(rank, self._given(key.step, key.outcome))

    def _handed_to_bindings(self, key: Given) -> Needing[Type]:
        """What a step hands on; where that depends on nothing that is read, it is told at once."""
        step = self.flow.steps[key.step]
        shared = isinstance(step, NodeStep) and not any(catch.outcome == key.outcome for catch in step.catch)
        of = Given(step.definition, key.outcome) if isinstance(step, NodeStep) and shared else key
        constants = self._of_definitions if shared else self._of_steps
        found = constants.get(of)
        if found is None and reads_its_input(self.flow, step):
            return value_of(key)
        if found is None:
            found = constants[of] = known(self._given(key.step, key.outcome).of(()) or ANYTHING)
        return found

    def _given(self, name: str, outcome: str) -> Needing[Type]:
        step, access = self.flow.steps[name], self.accesses[name]
        exits = self.exits(step) if isinstance(step, SubgraphStep) else None
        reading = reads_its_input(self.flow, step)
        sources = [*(argument.source for argument in access.arguments), access.source] if reading else []
        reads = [source for source in sources if isinstance(source, Read)]

        def given(cells: list[Cell]) -> Type:
            told = dict(zip(reads, map(whole, cells), strict=True))
            return result(self.flow, step, access, outcome, exits, lambda source: _told(source, told))

        return every([self._look(read) for read in reads]).then(given)

    def _over(self, step: str) -> Needing[Cell]:
        source = self.accesses[step].source
        return known(UNKNOWN) if source is None else self._look(source)

    def _look(self, source: Source) -> Needing[Cell]:
        if isinstance(source, Value):
            return known(Cell(ALWAYS, types.literal(source.value)))
        point = self.points.read_at.get(source, self.points.arrival[source.step])
        return self._look_at(source.step, source.path, point)

    def _look_at(self, step: str, path: GraphSourcePath, point: int) -> Needing[Cell]:
        look = self.looks.at(step, path)
        needs = [Known(root, self.reaching.before(root, point)) for root in look.roots]
        return Needing(needs, look.told)


def _told(source: Source, told: Mapping[Read, Type]) -> Type:
    return types.literal(source.value) if isinstance(source, Value) else told[source]
