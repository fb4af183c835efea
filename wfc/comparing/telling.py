"""Differences and interfaces, told: as lines for people, and as JSON (schema `wfc.diff/1`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from wfc.comparing.differences import Change
from wfc.comparing.interface import Aspect, Interface
from wfc.report import Paint, visible

FORMAT = "wfc.diff/1"
_SIGNS = {"added": "+", "removed": "-", "changed": "~", "renamed": "~"}
_ROLES = {"added": "added", "removed": "removed"}
_VERDICTS = {True: "kept", False: "not kept", None: "not proved"}


def comparison_json(old: str, new: str, changes: Sequence[Change], found: Interface) -> dict[str, Any]:
    """One JSON document of everything."""
    return {
        "schema": FORMAT,
        "old": old,
        "new": new,
        "same": not changes,
        "changes": [_change_json(one) for one in changes],
        "interface": {
            "kept": found.kept,
            "aspects": {one.name: {"kept": one.kept, "reasons": list(one.reasons)} for one in found.aspects},
        },
    }


def _change_json(change: Change) -> dict[str, Any]:
    return {
        "workflow": change.workflow,
        "what": change.what,
        "name": change.name,
        "change": change.kind,
        "old": change.old,
        "new": change.new,
        "parts": list(change.parts),
    }


def comparison_text(changes: Sequence[Change], found: Interface, paint: Paint) -> str:
    """The changes, workflow by workflow, and then the interface."""
    rows: list[str] = []
    workflow: str | None = None
    for change in changes:
        if change.workflow != workflow:
            workflow = change.workflow
            rows.append(paint(f"workflow {workflow}" if workflow else "module", "strong"))
        rows += _change_rows(change, paint)
    if not changes:
        rows.append("no differences")
    rows.append(paint(f"interface: {_VERDICTS[found.kept]}", "strong"))
    for aspect in found.aspects:
        rows += _aspect_rows(aspect, paint)
    return "\n".join(rows) + "\n"


def _change_rows(change: Change, paint: Paint) -> Iterator[str]:
    name = "" if change.name == change.what else f" {change.name}"
    lead = f"{_SIGNS[change.kind]} {change.what}{name}"
    old, new = (None if one is None else visible(one) for one in (change.old, change.new))
    if change.what in ("step", "definition") and change.kind != "renamed":
        about = f": {', '.join(change.parts)}" if change.parts else ""
        yield "  " + paint(visible(lead + about), _ROLES.get(change.kind, "strong"))
        if old is not None:
            yield "      " + paint(f"- {old}", "removed")
        if new is not None:
            yield "      " + paint(f"+ {new}", "added")
        return
    if change.kind == "renamed":
        yield "  " + paint(visible(f"~ {change.what} {new}: was {old}"), "strong")
        return
    told = " => ".join(one for one in (old, new) if one is not None)
    yield "  " + paint(visible(lead), _ROLES.get(change.kind, "strong")) + (f": {told}" if told else "")


def _aspect_rows(aspect: Aspect, paint: Paint) -> Iterator[str]:
    yield f"  {aspect.name}: {_VERDICTS[aspect.kept]}"
    yield from (f"      {visible(reason)}" for reason in aspect.reasons)
