"""A picture in the language of Graphviz, for its tools.

Guarantees: what an author wrote stands in quoted strings only, in which backslashes and quotes are escaped.
"""

from __future__ import annotations

from collections.abc import Iterator

from wfc.backends.emit.pictures.colours import FILLS, STATES, STROKES
from wfc.backends.emit.pictures.picture import Box, Link, Node, Picture
from wfc.backends.emit.pictures.telling import box_words, kind_words, link_words, node_lines, visible
from wfc.backends.emit.pictures.turns import backwards

_SHAPES = {
    "condition": "hexagon",
    "foreach": "box3d",
    "fork": "trapezium",
    "join": "invtrapezium",
    "wait": "cds",
    "interrupt": "parallelogram",
    "subgraph": "component",
    "end": "doubleoctagon",
    "start": "circle",
    "stop": "doublecircle",
    "missing": "note",
}


def dot(picture: Picture) -> str:
    """The text of a digraph. Ends with a newline."""
    nodes = {node.id: node for node in picture.nodes}
    rows = [
        f"digraph {quoted(visible(picture.name))} {{",
        '  graph [rankdir=TB, compound=true, fontname="Helvetica"];',
        '  node [shape=box, style="filled,rounded", fontname="Helvetica", fontsize=11];',
        '  edge [fontname="Helvetica", fontsize=10];',
    ]
    for box in picture.boxes:
        rows += _box_rows(box, nodes)
    back = backwards(picture)
    rows += [f"  {_link(link, turned=number in back)}" for number, link in enumerate(picture.links)]
    return "\n".join([*rows, "}"]) + "\n"


def _box_rows(top: Box, nodes: dict[str, Node]) -> Iterator[str]:
    waiting: list[tuple[Box | None, int]] = [(top, 1)]
    while waiting:
        box, depth = waiting.pop()
        pad = "  " * depth
        if box is None:
            yield f"{pad}}}"
            continue
        style = "solid" if box.kind == "workflow" else "dashed"
        yield f"{pad}subgraph cluster_{box.id} {{"
        yield f'{pad}  graph [label={quoted(box_words(box))}, style="{style}", color="{STROKES[box.kind]}"];'
        yield from (f"{pad}  {_node(nodes[name])}" for name in box.nodes)
        waiting += [(None, depth), *((inner, depth + 1) for inner in reversed(box.boxes))]


def _node(node: Node) -> str:
    lines = [line for line in (kind_words(node), *node_lines(node)) if line]
    label = "" if node.kind == "start" else "\n".join(lines)
    fill = STATES.get(node.state, (FILLS[node.kind], ""))[0] or FILLS[node.kind]
    given = [f"label={quoted(label)}", f'fillcolor="{fill}"', f'color="{_stroke(node)}"']
    if node.kind in _SHAPES:
        given.append(f"shape={_SHAPES[node.kind]}")
    if node.remarks or node.state in ("failed", "waiting"):
        given.append("penwidth=3")
    return f"{node.id} [{', '.join(given)}];"


def _stroke(node: Node) -> str:
    severities = {remark.severity for remark in node.remarks}
    if severities:
        return STROKES["error" if "error" in severities else "warning"]
    return STATES.get(node.state, ("", ""))[1] or STROKES[node.kind]


def _link(link: Link, *, turned: bool) -> str:
    label = link_words(link)
    given = [f"label={quoted(label)}"] if label else []
    if link.kind == "child":
        given += ["style=dotted", "constraint=false"]
    if link.taken:
        given.append("penwidth=2.5")
    if link.taken == 0:
        given.append('color="#bbbbbb"')
    ends = [link.target, link.source] if turned else [link.source, link.target]
    if turned:
        given.append("dir=back")
    return " -> ".join(ends) + (f" [{', '.join(given)}];" if given else ";")


def quoted(text: str) -> str:
    """Text as a quoted string, in which a line break is one."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
