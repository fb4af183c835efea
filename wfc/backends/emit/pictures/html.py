"""A picture as one page that needs no network: to move about in, to search, and to see what a run did step by step.

Guarantees: the page runs one script, whose hash it names, and nothing else; what an author wrote stands in it as
escaped text, or as data that no browser reads as markup.
"""

from __future__ import annotations

import base64
import hashlib
import json
from html import escape
from pathlib import Path
from typing import Any

from wfc.backends.emit.pictures.layout import Placed, layout
from wfc.backends.emit.pictures.picture import Node, Picture, Remark
from wfc.backends.emit.pictures.svg import STYLE, scene
from wfc.backends.emit.pictures.telling import kind_words, visible

_HERE = Path(__file__).parent
_TIME = """\
<footer>
<button type="button" id="back" aria-label="one entry back">‹</button>
<button type="button" id="forth" aria-label="one entry on">›</button>
<input id="time" type="range" min="0" value="0" aria-label="entry of the trace">
<span id="moment"></span>
</footer>"""
_NO_TIME = '<footer hidden><input id="time" type="range"><span id="moment"></span></footer>'


def html(picture: Picture) -> str:
    """The text of the page. Ends with a newline. Raises `NoLayout`."""
    placed = layout(picture)
    script = (_HERE / "page.js").read_text("utf-8")
    style = (_HERE / "page.css").read_text("utf-8") + STYLE
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"
    name = escape(visible(picture.name))
    drawing = "\n".join(_reachable(row) for row in scene(picture, placed))
    return f"""\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{name}</title>
<style>
{style}</style>
</head>
<body>
<header>
<h1>{name}</h1>
<input id="search" type="search" placeholder="search  /" aria-label="search steps">
<span id="count" role="status"></span>
<button type="button" id="farther" aria-label="farther">−</button>
<button type="button" id="closer" aria-label="closer">+</button>
<button type="button" id="fit">all</button>
<span class="quiet">{_head(picture)}</span>
</header>
<main id="stage"><svg role="group" aria-label="{name}"><g id="scene">
{drawing}
</g></svg></main>
<aside id="panel" aria-live="polite"></aside>
{_TIME if picture.run else _NO_TIME}
<script type="application/json" id="data">{_data(picture, placed)}</script>
<script>{script}</script>
</body>
</html>
"""


def _head(picture: Picture) -> str:
    return escape(visible(picture.run.title)) if picture.run else f"{len(picture.nodes)} nodes"


def _reachable(row: str) -> str:
    """A row of the drawing, its node one that the keyboard reaches."""
    return row.replace(' data-node="', ' tabindex="0" role="button" data-node="', 1) if "<g class=" in row[:10] else row


def _data(picture: Picture, placed: Placed) -> str:
    """What the script tells, as JSON in which nothing looks like markup."""
    run = picture.run and {"title": visible(picture.run.title), "lines": [visible(one) for one in picture.run.lines]}
    value = {
        "name": visible(picture.name),
        "width": round(placed.width, 1),
        "height": round(placed.height, 1),
        "entries": sum(len(node.visits) for node in picture.nodes),
        "run": run,
        "remarks": [_remark(one) for one in picture.remarks],
        "nodes": [_node(node, placed) for node in picture.nodes],
        "links": [
            {"source": one.source, "target": one.target, "label": visible(one.label), "taken": one.taken}
            for one in picture.links
        ],
    }
    text = json.dumps(value, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _node(node: Node, placed: Placed) -> dict[str, Any]:
    x, y, _, _ = placed.nodes[node.id]
    remarks = [_remark(one) for one in node.remarks]
    said = [node.title, node.detail, node.desc, kind_words(node), node.kind, node.state]
    said += [f"{one['code']} {one['message']}" for one in remarks]
    return {
        "id": node.id,
        "kind": node.kind,
        "words": kind_words(node),
        "title": visible(node.title),
        "detail": visible(node.detail),
        "desc": visible(node.desc),
        "state": node.state,
        "at": [round(x, 1), round(y, 1)],
        "text": visible(" ".join(said)).lower(),
        "remarks": remarks,
        "visits": [
            {
                "number": visit.number,
                "index": visit.index,
                "outcome": visit.outcome,
                "error": visit.error,
                "changes": [[path, visible(value)] for path, value in visit.changes],
            }
            for visit in node.visits
        ],
    }


def _remark(remark: Remark) -> dict[str, str]:
    return {"severity": remark.severity, "code": remark.code, "message": visible(remark.message)}
