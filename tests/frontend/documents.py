"""Small documents and the shared cases, for the tests of reading."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wfc.frontend import Document, Elaborated, document_of, elaborate, read_json
from wfc.ir import Module, Workflow

TESTS = Path(__file__).parents[1]
Json = dict[str, Any]


@dataclass(frozen=True)
class Case:
    """A shared case: the workflow, and what is expected of it."""

    name: str
    workflow: Any
    expect: Json

    @property
    def code(self) -> str | None:
        """The code that is promised for a workflow that has to be refused."""
        return self.expect.get("x-code") if self.expect.get("check_fails") else None

    @property
    def at(self) -> str | None:
        return self.expect.get("at")


def cases() -> Iterator[Case]:
    """Every shared case and every test of a real workflow."""
    for folder in (TESTS / "conformance", TESTS / "corpora" / "real"):
        for path in sorted(folder.glob("*.wftest.json")):
            held = json.loads(path.read_text("utf-8"))
            for test in held.get("tests", [held]):
                workflow = test.get("workflow", held.get("workflow"))
                yield Case(f"{path.name}: {test['name']}", workflow, test.get("expect", {}))


def nowhere(document: Document, name: str) -> tuple[Document, ...]:
    """Nothing is in reach."""
    return ()


def elaborated(value: Any) -> Elaborated:
    return elaborate(document_of(value), nowhere)


def told(read: Elaborated) -> list[str]:
    """The findings as code and pointer."""
    return [f"{found.code.code} {found.at.pointer}" for found in read.diagnostics]


def found_in(value: Any) -> list[str]:
    return told(elaborated(value))


def found_in_text(text: str | bytes) -> list[str]:
    return told(elaborate(read_json("a.wf.json", text), nowhere))


def module_of(value: Any) -> Module:
    read = elaborated(value)
    assert [found for found in read.diagnostics if found.code.code != "WF014"] == []
    assert read.module is not None
    return read.module


def workflow_of(value: Any) -> Workflow:
    """The main workflow of a document without faults."""
    module = module_of(value)
    assert module.main is not None
    return module.workflows[module.main]


def small(**changes: Any) -> Json:
    """A workflow of one end step, with some keys changed; none takes a key away."""
    whole = {"name": "a", "start": "s", "nodes": [{"id": "s", "type": "end", "outcome": "ok"}], **changes}
    return {key: value for key, value in whole.items() if value is not ABSENT}


ABSENT = object()


def stepped(step: Json, **changes: Any) -> Json:
    """A workflow that begins with the given step, whose id is `s`."""
    return small(nodes=[{"id": "s", **step}], **changes)
