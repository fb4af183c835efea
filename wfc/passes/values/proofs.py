"""What the answer of a comparison proves of its operands (reference 1.8, 2.5).

A comparison that has an answer has read both operands, and an ordering has compared two numbers or two strings.
"""

from __future__ import annotations

from typing import assert_never

from wfc.ir import ORDERINGS, Compare, Exists, Operand, Value, kind_of
from wfc.passes import types
from wfc.passes.types import ANYTHING, Type
from wfc.passes.types.forms import Number, made
from wfc.paths import GraphSourcePath
from wfc.records import dataclass

_NUMBER, _TEXT = types.of({"type": "number"}), types.of({"type": "string"})
_OPPOSITE = {"lt": "ge", "le": "gt", "gt": "le", "ge": "lt", "eq": "ne", "ne": "eq"}
_MIRRORED = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le", "eq": "eq", "ne": "ne"}


@dataclass(frozen=True, slots=True)
class Proof:
    """Of a path: whether it is there, and what its value is like when it is."""

    path: GraphSourcePath
    there: bool
    type: Type = ANYTHING


def proved_by(test: Exists | Compare, answer: bool) -> tuple[Proof, ...]:
    """What is certain when a test has given an answer."""
    match test:
        case Exists(path):
            return (Proof(path, answer),)
        case Compare(op, left, right):
            held = op if answer else _OPPOSITE[op]
            return (*_of_operand(held, left, right), *_of_operand(_MIRRORED[held], right, left))
        case other:
            assert_never(other)


def _of_operand(op: str, operand: Operand, other: Operand) -> tuple[Proof, ...]:
    if isinstance(operand, Value):
        return ()
    return (Proof(operand, True, _narrowed(op, other)),)


def _narrowed(op: str, other: Operand) -> Type:
    """The type of what stands in a relation to an operand."""
    if op in ORDERINGS:
        return _ordered(op, other)
    if not isinstance(other, Value):
        return ANYTHING
    return types.equal_to(other.value) if op == "eq" else types.without(ANYTHING, other.value)


def _ordered(op: str, other: Operand) -> Type:
    if not isinstance(other, Value):
        return types.either(_NUMBER, _TEXT)
    kind = kind_of(other.value)
    if kind == "number":
        return _bounded(op, other.value)
    return _TEXT if kind == "string" else types.either(_NUMBER, _TEXT)


def _bounded(op: str, bound: int | float) -> Type:
    if op in ("lt", "le"):
        return made(Number(high=bound, high_open=op == "lt"))
    return made(Number(low=bound, low_open=op == "gt"))
