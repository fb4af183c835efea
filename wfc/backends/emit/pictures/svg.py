"""A picture as SVG: it needs no script, no font and no network, and says in titles what does not fit into a node.

Guarantees: every text of an author is escaped; numbers have one decimal, so that the same picture has the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from wfc.backends.emit.pictures.colours import FILLS, STATES, STROKES
from wfc.backends.emit.pictures.layout import (
    SMALL_HEIGHT,
    SMALL_WIDTH,
    TITLE_HEIGHT,
    TITLE_WIDTH,
    Placed,
    Point,
    layout,
)
from wfc.backends.emit.pictures.picture import Box, Link, Node, Picture
from wfc.backends.emit.pictures.shapes import outline
from wfc.backends.emit.pictures.telling import (
    box_words,
    columns,
    is_told_below,
    kind_words,
    link_words,
    node_lines,
    visible,
)

MARGIN = 16
_HEAD = 26
FONT = "ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace"
STYLE = f"""\
text {{ font-family: {FONT}; font-size: 11px; fill: #22262d; }}
.t {{ font-size: 13px; font-weight: 600; }}
.k {{ fill: #5c6673; }}
.f {{ fill: #b3261e; font-weight: 600; }}
.v {{ fill: #1b5e20; }}
.link {{ fill: none; stroke: #5c6673; stroke-width: 1.2; }}
.link.child {{ stroke-dasharray: 2 4; }}
.link.taken {{ stroke: #1b5e20; stroke-width: 2.4; }}
.link.idle, .label.idle {{ opacity: 0.45; }}
.label {{ paint-order: stroke; stroke: #ffffff; stroke-width: 4px; stroke-linejoin: round; }}
.box {{ fill: none; stroke-width: 1.2; }}
.untouched text {{ fill: #8a909a; }}
"""


def svg(picture: Picture) -> str:
    """The text of a drawing that stands by itself. Ends with a newline. Raises `NoLayout`."""
    told = [*([picture.run.title, *picture.run.lines] if picture.run else []), *_unplaced(picture)]
    placed = layout(picture)
    width = max([placed.width, *(columns(line) * SMALL_WIDTH for line in told)]) + 2 * MARGIN
    top = MARGIN + len(told) * SMALL_HEIGHT + (10 if told else 0)
    height = placed.height + top + MARGIN
    rows = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" role="img" aria-label="{_text(picture.name)}">',
        f"<style>\n{STYLE}</style>",
        '<rect width="100%" height="100%" fill="#ffffff"/>',
    ]
    rows += [
        f'<text x="{MARGIN}" y="{MARGIN + SMALL_HEIGHT * (number + 0.8):.1f}">{_text(line)}</text>'
        for number, line in enumerate(told)
    ]
    rows += [f'<g transform="translate({MARGIN} {top})">', *scene(picture, placed), "</g>", "</svg>"]
    return "\n".join(rows) + "\n"


def _unplaced(picture: Picture) -> list[str]:
    return [f"{one.severity} {one.code}: {one.message}" for one in picture.remarks]


def scene(picture: Picture, placed: Placed) -> Iterator[str]:
    """Boxes, links, and nodes over them."""
    yield (
        '<defs><marker id="tip" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="9" markerHeight="9" '
        'markerUnits="userSpaceOnUse" orient="auto"><path d="M0,1 L10,5 L0,9 z" fill="context-stroke"/></marker></defs>'
    )
    for top in picture.boxes:
        for box in top.every():
            yield _box(box, placed)
    for link, curve in zip(picture.links, placed.curves, strict=True):
        if curve:
            yield _curve(link, curve)
    for top in picture.boxes:
        for box in top.every():
            yield _box_title(box, placed)
    for link, at in zip(picture.links, placed.labels, strict=True):
        if at is not None:
            yield _label(link, at)
    for node in picture.nodes:
        yield _node(node, placed)


def _box(box: Box, placed: Placed) -> str:
    x, y, width, height = placed.boxes[box.id]
    colour = STROKES[box.kind]
    shade = "none" if box.kind == "workflow" else FILLS["foreach" if box.kind == "foreach" else "fork"]
    dashes = "" if box.kind == "workflow" else ' stroke-dasharray="6 4"'
    frame = (
        f'<rect class="box" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" rx="8" '
        f'stroke="{colour}"{dashes} style="fill:{shade};fill-opacity:0.35"/>'
    )
    return f'<g data-box="{box.id}"><title>{_text(box.title)}</title>{frame}</g>'


def _box_title(box: Box, placed: Placed) -> str:
    """The name of a region, over the links that cross it."""
    x, y, _, height = placed.boxes[box.id]
    line = y + (height - 8 if is_told_below(box) else SMALL_HEIGHT + 2)
    return _line(box_words(box), x + 12, line, "k label", SMALL_WIDTH, "start")


def _curve(link: Link, points: tuple[Point, ...]) -> str:
    first, *others = points
    *bends, tip = others
    path = f"M{_at(first)} C{' '.join(map(_at, bends))} L{_at(tip)}"
    state = "" if link.taken is None else " taken" if link.taken else " idle"
    kind = " child" if link.kind == "child" else ""
    ends = f'data-from="{link.source}" data-to="{link.target}"'
    return f'<path class="link{kind}{state}" {ends} d="{path}" marker-end="url(#tip)"/>'


def _at(point: Point) -> str:
    return f"{point[0]:.1f},{point[1]:.1f}"


def _label(link: Link, at: Point) -> str:
    words = link_words(link)
    idle = " idle" if link.taken == 0 else ""
    return _line(words, at[0], at[1] + 4, f"label{idle}", SMALL_WIDTH, "middle")


def _node(node: Node, placed: Placed) -> str:
    x, y, width, height = placed.nodes[node.id]
    fill, stroke = STATES.get(node.state, (FILLS.get(node.kind, "#fff"), STROKES.get(node.kind, "#333")))
    severities = {remark.severity for remark in node.remarks}
    heavy = node.state in ("failed", "waiting") or bool(severities & {"error", "warning"})
    if severities and node.state not in ("failed", "waiting"):
        stroke = STROKES[next(one for one in ("error", "warning", "note") if one in severities)]
    paint = f'fill="{fill}" stroke="{stroke}" stroke-width="{3 if heavy else 1.4}"'
    drawn = outline(node.kind, x, y, width, height, paint)
    said = "".join(_words(node, x, y - height / 2))
    classes = f"node {node.kind} {node.state}".rstrip()
    return f'<g class="{classes}" data-node="{node.id}"><title>{_text(_whole(node))}</title>{drawn}{said}</g>'


def _words(node: Node, x: float, top: float) -> Iterator[str]:
    if node.kind == "start":
        return
    if node.kind == "stop":
        yield _line("end", x, top + 16, "", SMALL_WIDTH, "middle")
        return
    title, *others = node_lines(node)
    y = top + 7 + SMALL_HEIGHT * 0.8
    yield _line(kind_words(node), x, y, "k", SMALL_WIDTH, "middle")
    y += TITLE_HEIGHT
    yield _line(title, x, y, "t", TITLE_WIDTH, "middle")
    marks = [""] * (1 if node.detail else 0) + ["f"] * bool(node.remarks) + ["v"] * bool(node.visits)
    for line, mark in zip(others, marks, strict=True):
        y += SMALL_HEIGHT
        yield _line(line, x, y, mark, SMALL_WIDTH, "middle")


def _line(text: str, x: float, y: float, mark: str, each: float, anchor: str) -> str:
    """A line of text that is as wide as it was taken for, whatever font there is."""
    if not text:
        return ""
    named = f' class="{mark}"' if mark else ""
    wide = f'textLength="{columns(text) * each:.1f}" lengthAdjust="spacingAndGlyphs"'
    return f'<text{named} x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" {wide}>{_text(text)}</text>'


def _whole(node: Node) -> str:
    """All that there is to say about a node, for a tooltip."""
    lines = [f"{kind_words(node)} {node.title}".strip(), node.detail, node.desc]
    lines += [f"{one.severity} {one.code}: {one.message}" for one in node.remarks]
    for visit in node.visits:
        changes = "; ".join(f"{path} = {value}" for path, value in visit.changes)
        parts = [f"#{visit.number}", visit.outcome or "", changes, visit.error or ""]
        lines.append(" ".join(part for part in parts if part))
    return "\n".join(line for line in lines if line)


def _text(text: str) -> str:
    return "\n".join(escape(visible(line)) for line in text.split("\n"))
