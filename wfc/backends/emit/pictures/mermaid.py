"""A picture as Mermaid text, which many sites draw where it stands.

Guarantees: of what an author wrote, only letters, digits and signs that mean nothing in a quoted label stand in the
text as they are; every other character is a numeric entity, so that nothing can end a label or begin anything.
"""

from __future__ import annotations

from collections.abc import Iterator

from wfc.backends.emit.pictures.picture import Box, Link, Node, Picture
from wfc.backends.emit.pictures.telling import box_words, kind_words, link_words, node_lines

_BRACKETS = {
    "condition": ("{{", "}}"),
    "end": ("([", "])"),
    "foreach": ("[/", "\\]"),
    "fork": ("[\\", "/]"),
    "interrupt": ("[/", "/]"),
    "join": ("[/", "\\]"),
    "start": ("((", "))"),
    "stop": ("([", "])"),
    "subgraph": ("[[", "]]"),
    "wait": ("(", ")"),
}
_CLASSES = (
    "classDef node fill:#eef4ff,stroke:#4a6fa5,color:#111",
    "classDef choice fill:#fff7e0,stroke:#a67c00,color:#111",
    "classDef region fill:#eefaf0,stroke:#3c7d4b,color:#111",
    "classDef asks fill:#f6eefb,stroke:#7d4a9c,color:#111",
    "classDef ends fill:#f1f1f1,stroke:#666,color:#111",
    "classDef fault stroke:#c62828,stroke-width:3px",
    "classDef doubt stroke:#e08600,stroke-width:3px",
    "classDef untouched opacity:0.45",
    "classDef failed fill:#fde0e0,stroke:#c62828,stroke-width:3px",
    "classDef waiting fill:#ffe9b8,stroke:#e08600,stroke-width:3px",
)
_HARMLESS = " _.,:/+=?!-×≤≥≠…✗▲"
_CLASS_OF = {
    "condition": "choice",
    "fork": "choice",
    "join": "choice",
    "foreach": "region",
    "subgraph": "region",
    "interrupt": "asks",
    "wait": "asks",
    "end": "ends",
    "start": "ends",
    "stop": "ends",
    "missing": "fault",
}


def mermaid(picture: Picture) -> str:
    """The text of a flowchart. Ends with a newline."""
    rows = ["flowchart TD"]
    nodes = {node.id: node for node in picture.nodes}
    for box in picture.boxes:
        rows += _box_rows(box, nodes)
    rows += [f"  {_link(link)}" for link in picture.links]
    rows += [f"  {row}" for row in _CLASSES]
    members: dict[str, list[str]] = {}
    for node in picture.nodes:
        for name in _classes(node):
            members.setdefault(name, []).append(node.id)
    rows += [f"  class {','.join(ids)} {name}" for name, ids in sorted(members.items(), key=_class_rank)]
    return "\n".join(rows) + "\n"


def _box_rows(top: Box, nodes: dict[str, Node]) -> Iterator[str]:
    waiting: list[tuple[Box | None, int]] = [(top, 1)]
    while waiting:
        box, depth = waiting.pop()
        pad = "  " * depth
        if box is None:
            yield f"{pad}end"
            continue
        yield f'{pad}subgraph {box.id}["{escaped(box_words(box))}"]'
        yield f"{pad}  direction TB"
        yield from (f"{pad}  {_node(nodes[name])}" for name in box.nodes)
        waiting += [(None, depth), *((inner, depth + 1) for inner in reversed(box.boxes))]


def _node(node: Node) -> str:
    begin, end = _BRACKETS.get(node.kind, ("[", "]"))
    lines = [kind_words(node), *node_lines(node)]
    return f'{node.id}{begin}"{"<br/>".join(escaped(line) for line in lines if line)}"{end}'


def _link(link: Link) -> str:
    label = link_words(link)
    arrow = "-.->" if link.kind == "child" else "==>" if link.taken else "-->"
    return f"{link.source} {arrow}" + (f'|"{escaped(label)}"| ' if label else " ") + link.target


def _class_rank(entry: tuple[str, list[str]]) -> int:
    """Classes that say more come later, and so over those that say what kind a node is."""
    return next(place for place, row in enumerate(_CLASSES) if row.split()[1] == entry[0])


def _classes(node: Node) -> Iterator[str]:
    yield _CLASS_OF.get(node.kind, "node")
    severities = {remark.severity for remark in node.remarks}
    if severities:
        yield "fault" if "error" in severities else "doubt"
    if node.state in ("untouched", "failed", "waiting"):
        yield node.state


def escaped(text: str) -> str:
    """Text as a quoted label takes it: a `#` and a number for whatever could be read as something else."""
    return "".join(one if one.isalnum() or one in _HARMLESS else f"#{ord(one)};" for one in text)
