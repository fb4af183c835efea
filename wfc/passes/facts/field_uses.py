"""What a workflow does with each field of its input and state, path by path.

Guarantees: a field that is not used here is used by no step that could be read; `is_whole` says whether all could be.
Each step is looked at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from wfc.ir import ForeachStep, ForkStep, root_properties
from wfc.passes import types
from wfc.passes.facts.reducer_places import Counting, Misplaced, is_unknown, reducers
from wfc.passes.graph.flow import Flow
from wfc.passes.types import Verdict
from wfc.passes.types.fields import lists_fields
from wfc.passes.values.access import Access, Read, Write, access_of
from wfc.passes.values.beginning import Beginning
from wfc.passes.values.declared import Declared
from wfc.records import dataclass, field

Parts = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Paths:
    """The looks at paths of each root, and the writes to state paths; a root itself has no parts."""

    read: Mapping[str, dict[Parts, list[Read]]]
    written: dict[Parts, list[Write]]


@dataclass(frozen=True)
class FieldUses:
    """The reads and writes of one workflow, and the fields that its schemas list.

    `accesses` are those of the steps that a run may come to.
    """

    flow: Flow
    accesses: Mapping[str, Access] = field(repr=False)

    # What is declared

    @cached_property
    def declared(self) -> Declared:
        return Declared(self.flow.workflow.state_schema)

    @cached_property
    def beginning(self) -> Beginning:
        return Beginning(self.flow.workflow.input_schema, self.declared)

    @property
    def inputs(self) -> Mapping[str, Any]:
        """The fields that the input schema lists, with their schemas; each seeds the state field of its name."""
        return self.beginning.seeds

    @cached_property
    def outputs(self) -> Mapping[str, Any]:
        """The state fields that are projected as output, with their schemas there."""
        return root_properties(self.flow.workflow.output_schema.value)

    @cached_property
    def reducers(self) -> tuple[Sequence[Counting], Sequence[Misplaced]]:
        """The reducers that the state schema names: those that count, and the others."""
        return reducers(self.declared.value)

    # What is used

    @property
    def is_whole(self) -> bool:
        """Whether everything that uses a field could be read."""
        return not self.flow.workflow.holes

    @cached_property
    def paths(self) -> Paths:
        """The paths that steps use which a run may come to."""
        return _paths(self.accesses.values())

    @cached_property
    def _lost(self) -> Paths:
        """The paths that only steps use which no run comes to."""
        names = [name for name in self.flow.steps if name not in self.accesses]
        return _paths([access_of(self.flow, name, self.declared, ()) for name in names])

    @cached_property
    def read(self) -> Mapping[str, frozenset[Parts]]:
        """The paths that any step reads, by their root."""
        return {base: frozenset((*found, *self._lost.read[base])) for base, found in self.paths.read.items()}

    @cached_property
    def written(self) -> frozenset[Parts]:
        """The state paths that any step writes."""
        return frozenset((*self.paths.written, *self._lost.written))

    def refuses(self, parts: Parts) -> bool:
        """Whether no object that the schema admits has a state path, though there may be objects on the way to it."""
        whole = self.declared.type(parts[:1])
        if len(parts) == 1 or types.is_empty(whole):
            return False
        found = types.at(whole, parts[1:])
        return found.presence is Verdict.NEVER and not found.through

    def is_unlisted(self, parts: Parts) -> bool:
        """Whether an object on the way to a state path lists its fields, and says nothing of the one that is named.

        An object that lists none, or admits further ones by itself, is a map: every path in it is declared by that.
        """
        for depth in range(1, len(parts)):
            holder = self.declared.type(parts[:depth])
            found = types.field(holder, parts[depth])
            if not found.listed and found.further == "silent" and lists_fields(holder):
                return True
        return False

    @cached_property
    def doubtful(self) -> frozenset[Parts]:
        """The written paths whose declaration is an error: there is none, or its reducer is unknown.

        What is only warned of explains nothing: a workflow may be clean with it, and what else is wrong has to be told.
        """
        counting, _ = self.reducers
        strange = {each.parts for each in counting if is_unknown(each.written)}
        return frozenset(
            parts
            for parts in self.paths.written
            if parts in strange or self._is_undeclared(parts[0]) or self.refuses(parts)
        )

    def _is_undeclared(self, root: str) -> bool:
        return root not in self.declared.roots and not self.declared.is_open(root)

    @cached_property
    def local(self) -> frozenset[Parts]:
        """The state paths that belong to single items or branches."""
        openers = (step for step in self.flow.steps.values() if isinstance(step, ForeachStep | ForkStep))
        return frozenset(path.parts for step in openers for path in step.locals)

    @cached_property
    def unwritten(self) -> tuple[str, ...]:
        """The declared state fields that neither a step nor the input gives a value."""
        given = {parts[0] for parts in self.written} | self.inputs.keys()
        return tuple(name for name in self.declared.roots if name not in given)


def looks(access: Access) -> Iterator[Read]:
    """What a step looks at itself; what is projected where it ends the workflow is left out."""
    for argument in access.arguments:
        if isinstance(argument.source, Read):
            yield argument.source
    if isinstance(access.source, Read):
        yield access.source
    for check in access.checks:
        for reads in check.reads.values():
            yield from reads


def _paths(accesses: Iterable[Access]) -> Paths:
    read: dict[str, dict[Parts, list[Read]]] = {"input": {}, "state": {}, "context": {}}
    written: dict[Parts, list[Write]] = {}
    for access in accesses:
        for look in looks(access):
            read[look.path.base].setdefault(look.path.parts, []).append(look)
        for write in access.writes:
            written.setdefault(write.path.parts, []).append(write)
    return Paths(read, written)
