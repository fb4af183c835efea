"""An answer to the question of a run, asked for at the terminal, a field at a time (reference 4.1, `wfc resume`)."""

from __future__ import annotations

import json
from typing import Any

import click

from wfc.cli.given import read
from wfc.cli.questions import question
from wfc.cli.terminal import say
from wfc.ir import InterruptRequest

_LEFT_OUT: Any = object()


def ask(interrupt: InterruptRequest, heard: float | None) -> tuple[str, Any]:
    """Outcome and payload, as somebody types them. What the resume schema refuses is the run's to say. `heard` is told
    of a call in doubt."""
    say(question(interrupt, heard))
    outcome = interrupt.outcomes[0]
    if len(interrupt.outcomes) > 1:
        outcome = click.prompt("outcome", type=click.Choice(interrupt.outcomes), err=True)
    first = outcome == interrupt.outcomes[0]
    schema = interrupt.resume_schema if first else interrupt.resume_schemas.get(outcome)
    if not isinstance(schema, dict) or not isinstance(schema.get("properties"), dict):
        return outcome, _any_json("payload (JSON)", True)
    required = schema.get("required", ())
    answers = {name: _field(name, field, name in required) for name, field in schema["properties"].items()}
    return outcome, {name: value for name, value in answers.items() if value is not _LEFT_OUT}


def _field(name: str, schema: Any, required: bool) -> Any:
    """The value of one field; nothing typed leaves out a field that is not required."""
    plain = schema if isinstance(schema, dict) else {}
    kind = plain.get("type")
    hint = plain.get("description") or (kind if isinstance(kind, str) else "JSON")
    if isinstance(plain.get("enum"), list):
        hint = " or ".join(json.dumps(value, ensure_ascii=False) for value in plain["enum"])
    label = f"{name} ({hint}{'' if required else ', may be left out'})"
    if kind == "boolean":
        return _yes_or_no(label, required)
    if kind == "string":
        typed = _typed(label, required)
        return typed if typed or required else _LEFT_OUT
    return _any_json(label, required)


def _yes_or_no(label: str, required: bool) -> Any:
    while True:
        typed = _typed(f"{label} [y/n]", required).lower()
        if typed in ("y", "yes", "n", "no"):
            return typed.startswith("y")
        if typed == "" and not required:
            return _LEFT_OUT
        say("expected y or n")


def _any_json(label: str, required: bool) -> Any:
    while True:
        typed = _typed(label, required)
        if typed == "" and not required:
            return _LEFT_OUT
        document = read(label, typed)
        if document.readable:
            return document.value
        say(f"this is no JSON: {document.diagnostics[0].message}")


def _typed(label: str, required: bool) -> str:
    """A line; an empty one only where nothing is required."""
    typed: str = click.prompt(label, default=None if required else "", show_default=False, err=True)
    return typed
