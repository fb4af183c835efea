"""Workflows as steps, edges and regions, whatever they come from: what both modules and programs are drawn from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from wfc.backends.emit.pictures.picture import Box, Link, Node, Picture, Remark
from wfc.ir import END
from wfc.records import dataclass, field, replace


@dataclass(frozen=True, slots=True)
class Region:
    """The body of a foreach, or a branch of a fork: what is entered by an outcome of a step."""

    step: str
    outcome: str
    kind: str
    title: str


@dataclass(frozen=True, slots=True)
class Step:
    """A step with what is said of it; `child` is the number of the workflow that it runs."""

    id: str
    kind: str
    detail: str = ""
    desc: str = ""
    child: int | None = None
    remarks: tuple[Remark, ...] = ()


@dataclass(frozen=True, slots=True)
class Sketch:
    """One workflow. `edges` are source, outcome and target as written.

    `inside` has the regions around each step, outermost first.
    """

    name: str
    title: str
    start: str | None
    steps: Sequence[Step]
    edges: Sequence[tuple[str, str, str]]
    inside: Mapping[str, tuple[Region, ...]] = field(default_factory=dict)


def draw(name: str, sketches: Sequence[Sketch], remarks: Iterable[Remark] = ()) -> Picture:
    """The picture of workflows, of which the first is the main one."""
    drawings = [_Drawing(number, sketch) for number, sketch in enumerate(sketches)]
    links = [link for drawing in drawings for link in drawing.links()]
    links += [
        Link(drawing.ids[step.id], drawings[step.child].entry, kind="child")
        for drawing in drawings
        for step in drawing.sketch.steps
        if step.child is not None and step.child < len(drawings)
    ]
    nodes = tuple(node for drawing in drawings for node in drawing.nodes.values())
    return Picture(name, tuple(drawing.box() for drawing in drawings), nodes, tuple(links), tuple(remarks))


class _Drawing:
    """One workflow while it is drawn: nodes by id, and where each lies."""

    def __init__(self, number: int, sketch: Sketch) -> None:
        self.number = number
        self.sketch = sketch
        self.ids: dict[str, str] = {}
        self.nodes: dict[str, Node] = {}
        self._places: dict[str, tuple[Region, ...]] = {}
        self.entry = self._add("start", "start", ())
        for step in sketch.steps:
            around = sketch.inside.get(step.id, ())
            detail = step.detail if step.detail != step.id else ""
            made = self._add(step.kind, step.id, around, detail, step.desc, step.remarks)
            # Of several steps with one id, edges lead to the first.
            self.ids.setdefault(step.id, made)

    def _add(
        self,
        kind: str,
        title: str,
        around: tuple[Region, ...],
        detail: str = "",
        desc: str = "",
        remarks: tuple[Remark, ...] = (),
    ) -> str:
        made = f"w{self.number}n{len(self.nodes)}"
        self.nodes[made] = Node(made, kind, title, detail, desc, remarks)
        self._places[made] = around
        return made

    def links(self) -> Iterator[Link]:
        """The edges; each step that leads to the end has an end of its own, which keeps lines short."""
        if self.sketch.start is not None:
            yield Link(self.entry, self._target(self.sketch.start, ""))
        for source, outcome, target in self.sketch.edges:
            yield Link(self._target(source, ""), self._target(target, source), outcome)

    def _target(self, name: str, source: str) -> str:
        key = f"{END} {source}" if name == END else name
        if key not in self.ids:
            kind, title = ("stop", "end") if name == END else ("missing", name)
            around = () if name == END else self.sketch.inside.get(source, ())
            self.ids[key] = self._add(kind, title, around)
        return self.ids[key]

    def box(self) -> Box:
        """The workflow with its regions, each node in its innermost one."""
        top = _Tree(f"w{self.number}", "workflow", self.sketch.title)
        for node, around in self._places.items():
            tree = top
            for region in around:
                tree = tree.below(region)
            tree.nodes.append(node)
        return top.box()


class _Tree:
    """A box while it is filled."""

    def __init__(self, id: str, kind: str, title: str) -> None:
        self.id, self.kind, self.title = id, kind, title
        self.nodes: list[str] = []
        self.inside: dict[tuple[str, str], _Tree] = {}

    def below(self, region: Region) -> _Tree:
        key = (region.step, region.outcome)
        if key not in self.inside:
            self.inside[key] = _Tree(f"{self.id}r{len(self.inside)}", region.kind, region.title)
        return self.inside[key]

    def box(self) -> Box:
        # Boxes are as deep as loops are nested, which is bounded by no rule: made from the innermost outwards.
        order, waiting = [], [self]
        while waiting:
            tree = waiting.pop()
            order.append(tree)
            waiting += tree.inside.values()
        made: dict[str, Box] = {}
        for tree in reversed(order):
            boxes = tuple(made[inner.id] for inner in tree.inside.values())
            made[tree.id] = Box(tree.id, tree.kind, tree.title, tuple(tree.nodes), boxes)
        return made[self.id]


def with_nodes(picture: Picture, nodes: Mapping[str, Node], links: Sequence[Link]) -> Picture:
    """The picture with some nodes and its links said in another way."""
    return replace(picture, nodes=tuple(nodes.get(one.id, one) for one in picture.nodes), links=tuple(links))
