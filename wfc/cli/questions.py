"""What a run asks, for people: the question whole, and for every outcome the command that gives it.

Guarantees: a command can be run as it stands; values that only the person knows are samples of the right type. Of a
call in doubt it is said what was called with what, and when its process was last heard of (reference 2.9).
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from wfc.cli.terminal import pretty
from wfc.ir import InterruptRequest

_IN_DOUBT = "in_doubt"
_SAMPLES = {"string": "…", "boolean": True, "integer": 1, "number": 1, "array": [], "object": {}, "null": None}
_MEANT = {
    "retry": "if it did not happen, make it again with",
    "completed": "if it happened, say what it gave with",
    "fail": "to let it have failed",
}


def utc(seconds: float) -> str:
    """A time as it is told: ISO 8601 in UTC, to the second."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def question(interrupt: InterruptRequest, heard: float | None = None) -> str:
    """What a run asks. `heard`: when the process of a call in doubt was last heard of, in seconds since 1970."""
    head = f"{interrupt.node_id} ({interrupt.kind})"
    if interrupt.kind != _IN_DOUBT:
        return f"{head}\n{pretty(interrupt.payload)}"
    call = interrupt.payload
    when = "" if heard is None else f"; its process was last heard of at {utc(heard)}"
    named = f"the call `{call['call_id']}` of `{call['capability']}`, attempt {call['attempt']}"
    return f"{head}: {named}, had begun and nobody knows whether it happened{when}; its input\n{pretty(call['input'])}"


def answers(interrupt: InterruptRequest, resumed_by: str) -> Iterator[str]:
    """A line for each outcome, with the command that gives it; `resumed_by` is the one that goes on with the run."""
    for number, outcome in enumerate(interrupt.outcomes):
        meant = "answer with" if number == 0 else "or with"
        if interrupt.kind == _IN_DOUBT:
            meant = _MEANT[outcome]
        yield f"{meant}: {resumed_by} --outcome {shlex.quote(outcome)}{_payload(interrupt, outcome)}"


def _payload(interrupt: InterruptRequest, outcome: str) -> str:
    """The option for a payload that an outcome takes: the fields that have to be there, or for the first outcome, where
    none has to be, those that may be there."""
    first = outcome == interrupt.outcomes[0]
    schema = interrupt.resume_schema if first else interrupt.resume_schemas.get(outcome)
    if not isinstance(schema, dict):
        return ""
    fields = schema.get("properties", {})
    wanted = schema.get("required") or (list(fields) if first else [])
    made = {name: _sample(fields.get(name)) for name in wanted}
    return f" --payload {shlex.quote(json.dumps(made, ensure_ascii=False))}" if made else ""


def _sample(schema: Any) -> Any:
    """A value such as the schema wants, as far as its own keywords say."""
    if not isinstance(schema, dict):
        return "…"
    if not schema:
        return {}
    for named in ("default", "const"):
        if named in schema:
            return schema[named]
    if isinstance(schema.get("enum"), list) and schema["enum"]:
        return schema["enum"][0]
    kind = schema.get("type", "object" if "properties" in schema else "string")
    kind = kind[0] if isinstance(kind, list) and kind else kind
    if kind == "object":
        fields = schema.get("properties", {})
        return {name: _sample(fields.get(name)) for name in schema.get("required", ())}
    return max(schema.get("minimum", 1), 1) if kind in ("integer", "number") else _SAMPLES.get(str(kind), "…")
