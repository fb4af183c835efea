"""How each class of a program reads in assembly: one phrase, from which a line is both written and read.

In a phrase `{field}` stands for a field, `[ word {field}]` is left out where the field holds what it holds when nothing
is said, and the rest is written as it stands. Fields that a phrase does not name are lines of their own, below.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from wfc.ir.calls import CapabilityRef, Retry
from wfc.ir.program import (
    Activation,
    Arm,
    Ask,
    Bind,
    Block,
    Call,
    Decide,
    Definition,
    EnterChild,
    EnterForeach,
    Fork,
    Handler,
    Move,
    NextItem,
    Program,
    Routine,
    Write,
)
from wfc.ir.shapes import Field, shape_of
from wfc.records import dataclass

_REMARKS = "[ desc {desc}][ extra {extra}]"

_PHRASES: Mapping[type, str] = {
    Program: "{name}[ extra {extra}]",
    Routine: "{name}: {input_schema} -> {output_schema} state {state_schema} outcomes {outcomes} start {start}"
    + _REMARKS,
    Definition: "{name}: {input_schema} -> {output_schema} outcomes {outcomes}[ each {outcome_schemas}] uses {uses}"
    "[ effects {effects}][ retry {retry}][ timeout {timeout_seconds}]" + _REMARKS,
    CapabilityRef: "{capability_key}[ from {source}]",
    Retry: "{max_attempts}[ delay {delay_seconds}][ backoff {backoff}][ at most {max_delay_seconds}][ on {on}]",
    Block: "{id}: {kind}" + _REMARKS,
    Move: "{target} <- {source}",
    Write: "{target} <- {source}[ on {on}]",
    Arm: "{outcome} -> {target}",
    Handler: "{codes} -> {outcome}",
    Activation: "{outcome}[ when {when}][ -> {target}]",
    Bind: "{moves}[ as {schema}]",
    Call: "{definition}[ retry {retry}][ timeout {timeout_seconds}][ catch {catch}]",
    EnterChild: "{workflow}[ routine {routine}][ catch {catch}]",
    Ask: "{kind} outcomes {outcomes}[ resume {resume_schema}][ each {resume_schemas}]",
    EnterForeach: "{over} as {alias} {mode} max {limit} errors {on_item_error}[ locals {locals}]",
    Decide: "{check}: {arms}",
    NextItem: "[ -> {target}]",
    Fork: "{branches}[ join {join}][ locals {locals}]",
}
_PART = re.compile(r"\[([^]]*)\]|\{(\w+)\}|([^[{]+)")


@dataclass(frozen=True, slots=True)
class Words:
    """What is written as it stands; `tokens` are what is read."""

    text: str
    tokens: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Option:
    """What is left out where the field holds `field.absent`; `words` tell when reading that it is there."""

    words: Words
    field: Field


@dataclass(frozen=True, slots=True)
class Phrase:
    """The parts of a line in order, and the fields that stand in lines below it."""

    parts: tuple[Words | Field | Option, ...]
    below: tuple[Field, ...]


@cache
def phrase_of(type_: type) -> Phrase:
    """The phrase of a class: its own, or one made of its field names."""
    fields = {field.name: field for field in shape_of(type_).fields}
    written = _PHRASES.get(type_) or _default(list(fields.values()))
    parts: list[Words | Field | Option] = []
    for option, name, text in _PART.findall(written):
        parts.append(_option(option, fields) if option else fields[name] if name else _words(text))
    named = set(re.findall(r"\{(\w+)\}", written))
    return Phrase(tuple(parts), tuple(field for field in fields.values() if field.name not in named))


def _option(written: str, fields: Mapping[str, Field]) -> Option:
    text, name, _ = re.split(r"\{(\w+)\}", written)
    return Option(_words(text), fields[name])


def _words(text: str) -> Words:
    return Words(text, tuple(text.split()))


def _default(fields: list[Field]) -> str:
    """The first field as it is, the others behind their names; an optional one is left out where it is none."""
    first, *others = fields
    return (_named(first) if first.optional else f"{{{first.name}}}") + "".join(map(_named, others))


def _named(field: Field) -> str:
    said = f" {field.name} {{{field.name}}}"
    return f"[{said}]" if field.optional else said
