"""Colour, where a terminal shows it."""

from __future__ import annotations

from collections.abc import Callable

# Text and its role (a severity, `strong`, `faint`, `added`, `removed`) → the text as it is written.
Paint = Callable[[str, str], str]
_ANSI = {"error": "1;31", "warning": "1;33", "note": "1;36", "strong": "1", "faint": "2"} | {
    "added": "32",
    "removed": "31",
}


def plain(text: str, role: str) -> str:
    return text


def coloured(text: str, role: str) -> str:
    return f"\x1b[{_ANSI[role]}m{text}\x1b[0m"


def paint_if(wanted: bool) -> Paint:
    return coloured if wanted else plain
