"""Where everything of a picture lies: the one door to Graphviz, which lays graphs out in ranks.

Guarantees: Graphviz is given sizes and ids of our own and never a text, so that what it gives depends on no font of the
machine and on nothing that an author wrote; the same picture always has the same layout.
"""

from __future__ import annotations

import contextlib
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from wfc.backends.emit.pictures.picture import Box, Link, Node, Picture
from wfc.backends.emit.pictures.telling import box_words, columns, is_told_below, kind_words, link_words, node_lines
from wfc.backends.emit.pictures.turns import backwards
from wfc.diagnostics import InternalError
from wfc.records import dataclass

Point = tuple[float, float]

TITLE_WIDTH, SMALL_WIDTH = 7.9, 6.7
TITLE_HEIGHT, SMALL_HEIGHT = 18, 15
_PADDING_X, _PADDING_Y = 24, 14
_SLANTED = ("condition", "interrupt", "fork", "join")
_MARK = (18.0, 18.0)
_STOP = (46.0, 24.0)
_INCH = 72
# So many nodes are laid out as well as Graphviz can; for more, the rounds in which it looks for better places are cut,
# because there are more of them and each takes longer.
_PATIENCE = 1000
_MOST_NODES = 6000


class NoLayout(Exception):
    """A picture that cannot be laid out here; the message says what would help."""


@dataclass(frozen=True, slots=True)
class Placed:
    """The places of a picture, in pixels from the upper left: middles and sizes of nodes, boxes, curves of links."""

    width: float
    height: float
    nodes: Mapping[str, tuple[float, float, float, float]]
    boxes: Mapping[str, tuple[float, float, float, float]]
    """Left, top, width and height."""
    curves: Sequence[tuple[Point, ...]]
    """For each link the points of a Bézier curve, the tip of the arrow last; none where it has no place."""
    labels: Sequence[Point | None]


def size_of(node: Node) -> tuple[float, float]:
    """The width and height that a node needs for what is said at it."""
    if node.kind == "start":
        return _MARK
    if node.kind == "stop":
        return _STOP
    title, *others = node_lines(node)
    small = [kind_words(node), *others]
    width = max([columns(title) * TITLE_WIDTH, *(columns(line) * SMALL_WIDTH for line in small)])
    slant = 24 if node.kind in _SLANTED else 0
    return max(92.0, width + _PADDING_X + slant), float(TITLE_HEIGHT + SMALL_HEIGHT * len(small) + _PADDING_Y)


def layout(picture: Picture) -> Placed:
    """Lay a picture out. Raises `NoLayout` where the library for it is missing, or has too much to do."""
    if len(picture.nodes) > _MOST_NODES:
        told = f"{len(picture.nodes)} nodes are more than can be laid out; expected at most {_MOST_NODES}"
        raise NoLayout(f"{told}: the formats mermaid and dot take any number")
    try:
        import pygraphviz
    except ImportError:
        raise NoLayout("svg and html need the layout of Graphviz: install it with `pip install wfc[graph]`") from None
    graph = pygraphviz.AGraph(string=_described(picture))
    # It remarks on large graphs, on standard error, whatever is done about it.
    with contextlib.redirect_stderr(io.StringIO()):
        drawn = graph.draw(format="json", prog="dot")
    return _read(picture, json.loads(drawn))


def _described(picture: Picture) -> str:
    """What Graphviz has to know: sizes, boxes, links."""
    rounds = (_PATIENCE / len(picture.nodes)) ** 2
    haste = f", nslimit={rounds:.4f}, nslimit1={rounds:.4f}, mclimit=0.2" if rounds < 1 else ""
    nodes = {node.id: node for node in picture.nodes}
    rows = [
        f"digraph {{ graph [rankdir=TB, nodesep=0.35, ranksep=0.4, splines=spline{haste}];",
        'node [shape=box, fixedsize=true, label=""];',
    ]
    for box in picture.boxes:
        rows += _box_rows(box, nodes)
    back = backwards(picture)
    for number, link in enumerate(picture.links):
        ends = (link.target, link.source) if number in back else (link.source, link.target)
        rows.append(f"{' -> '.join(ends)} [{_link(link)}{', dir=back' if number in back else ''}];")
    return "\n".join([*rows, "}"])


def _box_rows(top: Box, nodes: Mapping[str, Node]) -> Iterator[str]:
    waiting: list[Box | None] = [top]
    while waiting:
        box = waiting.pop()
        if box is None:
            yield "}"
            continue
        title = _blank(columns(box_words(box)) * SMALL_WIDTH + 8, SMALL_HEIGHT + 4)
        loc = "b" if is_told_below(box) else "t"
        yield f"subgraph cluster_{box.id} {{ graph [label={title}, labeljust=l, labelloc={loc}, margin=14];"
        for name in box.nodes:
            width, height = size_of(nodes[name])
            yield f"{name} [width={width / _INCH:.4f}, height={height / _INCH:.4f}];"
        waiting += [None, *reversed(box.boxes)]


def _link(link: Link) -> str:
    given = [f"constraint={'false' if link.kind == 'child' else 'true'}"]
    words = link_words(link)
    if words:
        given.append(f"label={_blank(columns(words) * SMALL_WIDTH + 6, SMALL_HEIGHT)}")
    return ", ".join(given)


def _blank(width: float, height: float) -> str:
    """A label of a size, without a text."""
    cell = f'<TD FIXEDSIZE="TRUE" WIDTH="{width:.0f}" HEIGHT="{height:.0f}"></TD>'
    return f'<<TABLE BORDER="0" CELLBORDER="0" CELLPADDING="0" CELLSPACING="0"><TR>{cell}</TR></TABLE>>'


# -- reading what it gives --------------------------------------------------------------------------------------------


def _read(picture: Picture, drawn: Any) -> Placed:
    _, _, width, height = _numbers(drawn["bb"])
    objects = {one["name"]: one for one in drawn.get("objects", ())}
    nodes = {}
    for node in picture.nodes:
        x, y = _numbers(objects[node.id]["pos"])
        nodes[node.id] = (x, height - y, *size_of(node))
    boxes = {}
    for top in picture.boxes:
        for box in top.every():
            left, bottom, right, upper = _numbers(objects[f"cluster_{box.id}"]["bb"])
            boxes[box.id] = (left, height - upper, right - left, upper - bottom)
    edges = _edges(picture, drawn)
    curves = [_curve(edge, height) for edge in edges]
    labels = [_label(edge, height) for edge in edges]
    return Placed(width, height, nodes, boxes, curves, labels)


def _edges(picture: Picture, drawn: Any) -> list[Any]:
    """The edges in the order of the links."""
    names = {one["_gvid"]: one["name"] for one in drawn.get("objects", ())}
    waiting: dict[tuple[str, str], list[Any]] = {}
    for edge in drawn.get("edges", ()):
        waiting.setdefault((names[edge["tail"]], names[edge["head"]]), []).append(edge)
    for several in waiting.values():
        several.sort(key=lambda edge: edge["_gvid"])
    try:
        back = backwards(picture)
        ends = [
            (one.target, one.source) if at in back else (one.source, one.target) for at, one in enumerate(picture.links)
        ]
        return [waiting[pair].pop(0) for pair in ends]
    except (KeyError, IndexError):
        raise InternalError("a link has no edge in the layout", json.dumps(drawn)[:2000]) from None


def _curve(edge: Any, height: float) -> tuple[Point, ...]:
    """The points of an edge from its source to the tip of its arrow, which is at its head or, turned, at its tail."""
    points: list[Point] = []
    head: list[Point] = []
    tail: list[Point] = []
    for word in edge.get("pos", "").split():
        end, point = word[:2], _point(word.removeprefix("e,").removeprefix("s,"), height)
        (head if end == "e," else tail if end == "s," else points).append(point)
    return (*reversed(points), *tail) if tail else (*points, *head)


def _label(edge: Any, height: float) -> Point | None:
    return _point(edge["lp"], height) if "lp" in edge else None


def _point(written: str, height: float) -> Point:
    x, y = _numbers(written)
    return x, height - y


def _numbers(written: str) -> list[float]:
    return [float(one) for one in written.split(",")]
