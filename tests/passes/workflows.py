"""Small workflows for the tests of passes, written as arrows, and what the passes say about them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from wfc.diagnostics import Diagnostic
from wfc.frontend import Document, document_of, elaborate
from wfc.ir import Module
from wfc.passes import PIPELINE, Checked, Examined, accept, examine

Json = dict[str, Any]
NAME = "a.wf.json"
# The passes about names and the graph, which these tests are about; what others say of the same documents is theirs.
PASSES = (
    "references", "duplicates", "definitions", "outcomes", "ends", "reachability", "escapes", "branches", "children",
)  # fmt: skip
CODES = tuple(code for each in PIPELINE if each.name in PASSES for code in each.codes)


def nowhere(document: Document, name: str) -> tuple[Document, ...]:
    """Nothing is in reach."""
    return ()


def flow(arrows: str, *, start: str = "", outcomes: list[str] | None = None, **fields: Any) -> Json:
    """A workflow from arrows such as `c:true->a c:false->__end__`; the first letter of a step's id is its type.

    c condition, e foreach, k fork, j join, h interrupt, x end (with its outcome after a dash), any other a wait. The
    outcomes of an interrupt and the branches of a fork are those of its arrows.
    """
    edges = []
    wired: dict[str, list[str]] = {}
    for arrow in arrows.split():
        source, target = arrow.split("->")
        step, outcome = source.split(":")
        edges.append({"from": step, "outcome": outcome, "to": target})
        wired.setdefault(step, []).append(outcome)
        if target != "__end__":
            wired.setdefault(target, [])
    steps = [_step(name, outcomes_of) for name, outcomes_of in wired.items()]
    named = {} if outcomes is None else {"outcomes": outcomes}
    return {"name": "main", "start": start or edges[0]["from"], **named, "nodes": steps, "edges": edges, **fields}


def _step(name: str, outcomes: list[str]) -> Json:
    made: Mapping[str, Json] = {
        "c": {"type": "condition", "check": {"op": "exists", "path": "input.n"}},
        "e": {"type": "foreach", "over": {"value": [1]}, "as": "item"},
        "k": {"type": "fork", "branches": outcomes},
        "j": {"type": "join"},
        "h": {"type": "interrupt", "kind": "own", "outcomes": outcomes},
        "x": {"type": "end", "outcome": name.rpartition("-")[2] if "-" in name else "ok"},
    }
    return {"id": name, **made.get(name[0], {"type": "wait", "seconds": 0})}


def module_of(document: Any) -> Module:
    module = elaborate(document_of(document, NAME), nowhere).module
    assert module is not None
    return module


def ours(module: Module) -> Examined:
    """What is known of a module, with the findings of these passes."""
    found = examine(module)
    return replace(found, diagnostics=tuple(one for one in found.diagnostics if one.code in CODES))


def examined(document: Any) -> Examined:
    return ours(module_of(document))


def findings(document: Any) -> tuple[Diagnostic, ...]:
    """Everything that is found, reading included."""
    read = elaborate(document_of(document, NAME), nowhere)
    return (*read.diagnostics, *(ours(read.module).diagnostics if read.module else ()))


def told(found: tuple[Diagnostic, ...]) -> list[str]:
    """Findings as code and pointer, in order of code."""
    return sorted(f"{one.code.code} {one.at.pointer}" for one in found)


def check(document: Any) -> list[str]:
    """What the passes find in a document, as code and pointer."""
    return told(examined(document).diagnostics)


def checked(document: Any, *, unchecked: bool = False) -> Checked:
    """The document, accepted for lowering."""
    found = examined(document)
    accepted = accept(found, found.diagnostics, unchecked=unchecked)
    assert accepted is not None, told(found.diagnostics)
    return accepted
