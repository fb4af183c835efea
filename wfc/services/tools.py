"""The ten tools as data: what each is called, takes, gives and does to the world (reference 4.7).

Guarantees: together they cost a client less than 3,000 tokens; what they give is loose enough to be said in few words,
and every answer fits it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wfc.records import dataclass


@dataclass(frozen=True, slots=True)
class ToolText:
    """One tool. `hints` are those of the protocol: read only, destructive, idempotent, open world."""

    name: str
    description: str
    takes: Mapping[str, Any]
    gives: Mapping[str, Any]
    hints: tuple[bool, bool, bool, bool]
    required: tuple[str, ...] = ()

    @property
    def input_schema(self) -> dict[str, Any]:
        made: dict[str, Any] = {"type": "object", "properties": dict(self.takes), "additionalProperties": False}
        return {**made, "required": list(self.required)} if self.required else made

    @property
    def output_schema(self) -> dict[str, Any]:
        return {"type": "object", "properties": dict(self.gives)}


_TEXT = {"type": "string"}
_BOOL = {"type": "boolean"}
_LIST = {"type": "array"}
_OBJECT = {"type": "object"}
_COUNT = {"type": "integer", "minimum": 0}
_STRINGS = {"type": "array", "items": _TEXT}
_WORKFLOW = {
    "description": "the object, its text (either form), a file's path, artifact:ID@N, or a hash that a tool here gave",
    "type": ["object", "string"],
}
_WAIT = {"type": "number", "minimum": 0, "maximum": 600, "description": "seconds to wait for it to rest; default 10"}
_RUN = {
    "run_id": _TEXT,
    "status": _TEXT,
    "outcome": {"type": ["string", "null"]},
    "output": {},
    "interrupt": {"type": ["object", "null"]},
    "error": {},
    "calls": _COUNT,
    "hash": _TEXT,
}
_CHECK = {"ok": _BOOL, "hash": _TEXT, "summary": _OBJECT, "diagnostics": _LIST, "skipped": _LIST}
_LOOKS, _WRITES, _RUNS = (True, False, True, False), (False, True, True, False), (False, True, True, True)

TOOLS: tuple[ToolText, ...] = (
    ToolText(
        "search_capabilities",
        "Find what a workflow can call: signatures that fit the words of a query, best first. Without one, all.",
        {"query": _TEXT, "offset": _COUNT, "limit": {"type": "integer", "minimum": 1, "maximum": 50}},
        {"capabilities": _LIST, "total": _COUNT, "next_offset": _COUNT, "faults": _LIST},
        _LOOKS,
    ),
    ToolText(
        "describe_capabilities",
        "Schemas, outcomes and effects of capabilities by full name, such as fs.read_file.",
        {"names": {**_STRINGS, "maxItems": 20}},
        {"capabilities": _LIST, "unknown": _LIST},
        _LOOKS,
        ("names",),
    ),
    ToolText(
        "language_help",
        "How to write workflows. Topic: text (the short form, on a page), card (JSON, on a page), model, rules,"
        " nodes, or a code such as WF101.",
        {"topic": _TEXT},
        {"topic": _TEXT, "text": _TEXT, "topics": _LIST},
        _LOOKS,
    ),
    ToolText(
        "check_workflow",
        "Find what is wrong with a workflow before it runs. Each finding has a place, help, and often a fix.",
        {"workflow": _WORKFLOW, "strict": _BOOL, "limit": {"type": "integer", "minimum": 1, "maximum": 100}},
        _CHECK,
        _LOOKS,
        ("workflow",),
    ),
    ToolText(
        "patch_workflow",
        "Change a checked workflow, named by its hash, and check again: by the fixes of findings (ids), by an RFC 6902"
        " patch, or, with neither, by all safe fixes. No file is changed.",
        {
            "hash": _TEXT,
            "fixes": _STRINGS,
            "patch": {"type": "array", "items": _OBJECT},
            "return_workflow": _BOOL,
        },
        {**_CHECK, "changed": _BOOL, "workflow": _TEXT},
        _LOOKS,
        ("hash",),
    ),
    ToolText(
        "save_workflow",
        "Save a workflow without errors: to a file (path: *.wf.json, *.wf; over another one only with its hash), or,"
        " without a path, as an immutable version, artifact:ID@N (artifact_id; default: its name).",
        {"workflow": _WORKFLOW, "path": _TEXT, "replaces": _TEXT, "artifact_id": _TEXT},
        {**_CHECK, "saved": _BOOL, "path": _TEXT, "artifact": _TEXT, "new": _BOOL},
        _WRITES,
        ("workflow",),
    ),
    ToolText(
        "plan_run",
        "What a run would do, without doing it: steps in order, calls by effect, questions to people; judges an input."
        " Here and in run_workflow a workflow may also be deployment:NAME.",
        {"workflow": _WORKFLOW, "input": _OBJECT},
        {
            "ok": _BOOL,
            "hash": _TEXT,
            "steps": _LIST,
            "effects": _OBJECT,
            "approvals": _LIST,
            "input_faults": _LIST,
            "skipped": _LIST,
        },
        _LOOKS,
        ("workflow",),
    ),
    ToolText(
        "run_workflow",
        "Run a workflow. It goes on by itself when it takes longer than you wait: read it by its run_id. A run_id of"
        " your own makes a repeated call find the same run.",
        {"workflow": _WORKFLOW, "input": _OBJECT, "run_id": _TEXT, "wait_seconds": _WAIT, "mocks": _OBJECT},
        {**_RUN, "ok": _BOOL, "diagnostics": _LIST},
        _RUNS,
        ("workflow",),
    ),
    ToolText(
        "read_run",
        "Look at a run, or without run_id at the list of runs. Part: summary, output, state, trace; a JSON pointer"
        " leads inside; long values come in pages.",
        {
            "run_id": _TEXT,
            "part": {"enum": ["summary", "output", "state", "trace"]},
            "pointer": _TEXT,
            "offset": _COUNT,
            "limit": {"type": "integer", "minimum": 1},
        },
        {**_RUN, "part": _TEXT, "value": {}, "total": _COUNT, "next_offset": _COUNT},
        _LOOKS,
    ),
    ToolText(
        "control_run",
        "resume: answer the question of a run (outcome, payload, interrupt_id) or take up a stopped one; wait: wait"
        " longer; cancel: end it for good.",
        {
            "run_id": _TEXT,
            "action": {"enum": ["resume", "wait", "cancel"]},
            "outcome": _TEXT,
            "payload": {},
            "interrupt_id": _TEXT,
            "wait_seconds": _WAIT,
        },
        {**_RUN, "ok": _BOOL},
        _RUNS,
        ("run_id", "action"),
    ),
)
BY_NAME = {tool.name: tool for tool in TOOLS}
