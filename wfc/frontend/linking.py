"""Which workflow a reference means, and the order in which linked workflows stand in the module.

Reference 1.1: a name is looked up in the module first, then in what is in reach, where exactly one document may hold
it; two forms of one module count as one document. A workflow is known by its document and its index there.
"""

from __future__ import annotations

from collections.abc import Callable

from wfc.frontend.document import Document
from wfc.ir import Ambiguous, Link, Linked, Unknown, Unresolved, WorkflowRef
from wfc.records import dataclass, field

Find = Callable[[Document, str], tuple[Document, ...]]
Same = Callable[[Document, Document], bool]
# The document of a stored version, whose first workflow is meant; or what the reference leads to without one.
Stored = Callable[[str, int], Document | Link]


def nothing_stored(artifact_id: str, version: int) -> Link:
    """Where there is no store."""
    return Unresolved()


@dataclass(frozen=True, slots=True)
class Linker:
    """The workflows of a module, in order of first reference; `same` tells whether two documents mean the same.

    `stored` looks for published workflows. `passed_over` names what was in reach and could not be read, behind the
    document from which somebody looked.
    """

    find: Find
    same: Same
    stored: Stored = nothing_stored
    order: list[tuple[Document, int]] = field(default_factory=list)
    indexes: dict[tuple[str, int], int] = field(default_factory=dict)
    found: dict[tuple[str, str], tuple[Document, ...]] = field(default_factory=dict)
    passed_over: set[tuple[str, str]] = field(default_factory=set)

    def index(self, document: Document, place: int) -> int:
        """The index in the module of a document's workflow, which is added where it is new."""
        key = (document.name, place)
        if key not in self.indexes:
            self.indexes[key] = len(self.order)
            self.order.append((document, place))
        return self.indexes[key]

    def link(self, document: Document, ref: WorkflowRef, pass_over: Callable[[Document], None]) -> Link:
        """What a reference in a document leads to; `pass_over` is told, once, of a document that could not be read."""
        if ref.artifact_id is not None and ref.version is not None:
            found = self.stored(ref.artifact_id, ref.version)
            return Linked(self.index(found, 0)) if isinstance(found, Document) else found
        if ref.name is None:
            return Unresolved()
        here = place_of_name(document, ref.name)
        if here is not None:
            return Linked(self.index(document, here))
        if ref.name in document.promised:
            return Unresolved()
        reached = self._reach(document, ref.name, pass_over)
        if not reached:
            known = document.workflow_names
            return Unknown(known, unsure=len(known) < len(document.workflows()))
        if len(reached) > 1:
            return Ambiguous(tuple(other.name for other in reached))
        place = place_of_name(reached[0], ref.name)
        return Unknown(document.workflow_names) if place is None else Linked(self.index(reached[0], place))

    def _reach(self, document: Document, name: str, pass_over: Callable[[Document], None]) -> tuple[Document, ...]:
        """The documents in reach that hold a name, with one of two forms of the same module."""
        key = (document.name, name)
        if key not in self.found:
            others = tuple(other for other in self.find(document, name) if other.name != document.name)
            for other in others:
                if not other.readable and (document.name, other.name) not in self.passed_over:
                    self.passed_over.add((document.name, other.name))
                    pass_over(other)
            others = tuple(other for other in others if other.readable)
            if len(others) == 2 and _are_two_forms(*others) and self.same(*others):
                others = others[:1]
            self.found[key] = others
        return self.found[key]


def _are_two_forms(first: Document, second: Document) -> bool:
    return first.name.endswith(".json") is not second.name.endswith(".json")


def place_of_name(document: Document, name: str) -> int | None:
    """The index of the first workflow of that name in a document."""
    for place, (_, raw) in enumerate(document.workflows()):
        if isinstance(raw, dict) and raw.get("name") == name:
            return place
    return None
