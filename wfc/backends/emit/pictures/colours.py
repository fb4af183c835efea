"""The colours of pictures: fills and strokes by kind, and those of findings and of what a run did."""

from __future__ import annotations

from collections.abc import Mapping

FILLS: Mapping[str, str] = {
    "node": "#eaf2ff",
    "condition": "#fff6d9",
    "foreach": "#e6f7ea",
    "fork": "#fdeee0",
    "join": "#fdeee0",
    "wait": "#eef0f4",
    "interrupt": "#f5e9fb",
    "subgraph": "#e2f6f6",
    "end": "#e9e9ec",
    "start": "#333a45",
    "stop": "#e9e9ec",
    "hole": "#ffffff",
    "missing": "#ffffff",
}
STROKES: Mapping[str, str] = {
    "node": "#3f6fb5",
    "condition": "#a27800",
    "foreach": "#2f8046",
    "fork": "#b5651d",
    "join": "#b5651d",
    "branch": "#b5651d",
    "wait": "#5c6673",
    "interrupt": "#8440a8",
    "subgraph": "#1b7f7f",
    "end": "#44484f",
    "start": "#333a45",
    "stop": "#44484f",
    "hole": "#c62828",
    "missing": "#c62828",
    "workflow": "#9aa3af",
    "error": "#c62828",
    "warning": "#d97706",
    "note": "#3f6fb5",
}
# Fill and stroke of what a run did at a node, where they are not those of its kind.
STATES: Mapping[str, tuple[str, str]] = {
    "failed": ("#fbd5d5", "#c62828"),
    "waiting": ("#ffe6a8", "#d97706"),
    "untouched": ("#f6f6f7", "#b9bec6"),
}
