"""A workflow as somebody looks at it: boxes in boxes, nodes, links, and what is said about them.

Guarantees: ids are made here and hold nothing of the author's, so that no format can mistake a name for something of
its own; the order of everything is that of the workflow, so that the same workflow gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterator

from wfc.records import dataclass, field


@dataclass(frozen=True, slots=True)
class Remark:
    """A finding, as a picture tells it."""

    severity: str
    code: str
    message: str


@dataclass(frozen=True, slots=True)
class Visit:
    """One entry of a trace at a node: its number in the whole trace, from 1, and what came of it."""

    number: int
    outcome: str | None
    changes: tuple[tuple[str, str], ...] = ()
    """State paths, each with the value that was written, as JSON."""
    error: str | None = None
    index: int | None = None
    """The number of the item, from 0, where it is an item of a loop."""


@dataclass(frozen=True, slots=True)
class Node:
    """A step, or one of the marks at which a workflow begins and ends.

    `kind` is the type of step, or `start`, `stop` for an edge to `__end__`, `missing` for a step that is not there.
    """

    id: str
    kind: str
    title: str
    detail: str = ""
    desc: str = ""
    remarks: tuple[Remark, ...] = ()
    visits: tuple[Visit, ...] = ()
    state: str = ""
    """With a run: `visited`, `failed`, `waiting`, `untouched`."""


@dataclass(frozen=True, slots=True)
class Link:
    """An edge, or with the kind `child` what a subgraph step runs. `taken` counts how often a run went there."""

    source: str
    target: str
    label: str = ""
    kind: str = "edge"
    taken: int | None = None


@dataclass(frozen=True, slots=True)
class Box:
    """A region: a workflow, the body of a foreach, or a branch of a fork."""

    id: str
    kind: str
    title: str
    nodes: tuple[str, ...] = ()
    boxes: tuple[Box, ...] = ()

    def every(self) -> Iterator[Box]:
        """This box and all inside it, each before those that it holds."""
        waiting = [self]
        while waiting:
            box = waiting.pop()
            yield box
            waiting += reversed(box.boxes)


@dataclass(frozen=True, slots=True)
class Told:
    """What a run came to, in words."""

    title: str
    lines: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Picture:
    """Everything that is drawn. `boxes` are the workflows, the main one first."""

    name: str
    boxes: tuple[Box, ...]
    nodes: tuple[Node, ...]
    links: tuple[Link, ...]
    remarks: tuple[Remark, ...] = ()
    """What is said about no node."""
    run: Told | None = field(default=None)
