"""How an author lays JSON out, and how new values are written so that they look like the rest of the text."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from wfc.records import dataclass

WIDTH = 100
# An author's habits show early.
_LOOKED_AT = 20_000
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_STEP = re.compile(r"[\[{][ \t]*\r?\n([ \t]+)\S")
_COMMA = re.compile(r",([ \t]*)[^\s]")
_COLON = re.compile(r'"([ \t]*:[ \t]*)\S')
_PAD = re.compile(r'\{([ \t]*)"')
_LEAF = re.compile(r"[\[{][^\S\n]*[^\s\[\]{}][^\n\[\]{}]*[\]}]")
_BRACE = re.compile(r'"(?:[^"\\]|\\.)*"|\{(?!\})|(?<!\{)\}')


@dataclass(frozen=True, slots=True)
class Style:
    """A layout. `step` is one level of indentation, none where everything stands on one line.

    `short` tells whether containers that fit on one line are written on one; `pad` stands inside their braces.
    """

    step: str | None
    newline: str
    comma: str
    colon: str
    pad: str
    short: bool
    ascii: bool


def style_of(text: str) -> Style:
    """The layout of a JSON text."""
    seen = _STRING.sub('""', text[:_LOOKED_AT])
    step, comma, colon, pad = (pattern.search(seen) for pattern in (_STEP, _COMMA, _COLON, _PAD))
    lines = "\n" in seen.strip()
    return Style(
        step=(step[1] if step else "  ") if lines else None,
        newline="\r\n" if "\r\n" in seen else "\n",
        comma="," + (comma[1] if comma else "" if colon and colon[1] == ":" else " "),
        colon=colon[1] if colon else ": ",
        pad=pad[1] if pad else "",
        short=not lines or _LEAF.search(seen) is not None,
        ascii=text.isascii() and "\\u" in text[:_LOOKED_AT],
    )


def indentation(text: str, at: int) -> str:
    """The blanks with which the line of a place begins."""
    start = text.rfind("\n", 0, at) + 1
    end = start
    while end < at and text[end] in " \t":
        end += 1
    return text[start:end]


def reindented(text: str, old: str, new: str) -> str:
    """A value that was written at an indentation, for a place at another. No string of JSON holds a line end."""
    return text if old == new else text.replace("\n" + old, "\n" + new)


def key_text(style: Style, key: str) -> str:
    return json.dumps(key, ensure_ascii=style.ascii)


def value_text(style: Style, value: Any, indent: str, one_line: bool | None = None) -> str:
    """A value written at an indentation. `one_line` says whether it has to be on one line, or must not be."""
    return "".join(_written(style, value, indent, one_line))


def _written(style: Style, value: Any, indent: str, one_line: bool | None) -> Iterator[str]:
    waiting: list[tuple[str, Any, str]] = [("", value, indent)]
    while waiting:
        lead, item, pad = waiting.pop()
        yield lead
        if item is _CLOSED:
            continue
        flat = _on_one_line(style, item)
        if not isinstance(item, (dict, list)) or not item or _stays(style, flat, pad, one_line):
            yield flat
            continue
        inner = pad + (style.step or "")
        one_line = one_line or None
        if isinstance(item, dict):
            rows = [(f"{key_text(style, key)}{style.colon}", inside) for key, inside in item.items()]
        else:
            rows = [("", inside) for inside in item]
        yield "{" if isinstance(item, dict) else "["
        waiting.append((style.newline + pad + ("}" if isinstance(item, dict) else "]"), _CLOSED, ""))
        for place in range(len(rows) - 1, -1, -1):
            head, inside = rows[place]
            waiting.append((("," if place else "") + style.newline + inner + head, inside, inner))


_CLOSED = object()


def _stays(style: Style, flat: str, pad: str, one_line: bool | None) -> bool:
    """Whether a container stays on one line, which takes `flat` there."""
    if style.step is None or one_line is not None:
        return style.step is None or bool(one_line)
    return style.short and len(pad) + len(flat) <= WIDTH


def _on_one_line(style: Style, value: Any) -> str:
    flat = json.dumps(value, ensure_ascii=style.ascii, separators=(style.comma, style.colon))
    if not style.pad:
        return flat
    return _BRACE.sub(lambda found: {"{": "{" + style.pad, "}": style.pad + "}"}.get(found[0], found[0]), flat)
