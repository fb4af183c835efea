"""What a node says below its name: what it calls, decides, asks, waits for, in a few words."""

from __future__ import annotations

from typing import assert_never

from wfc.ir import Compare, Condition, Every, Exists, Not, Some, Value, canonical
from wfc.paths import GraphSourcePath

_SIGNS = {"eq": "=", "ne": "≠", "lt": "<", "le": "≤", "gt": ">", "ge": "≥"}
_LONGEST_VALUE = 24


def condition_words(condition: Condition) -> str:
    """A condition between its operands, as people read it."""
    # For each entry its words, and whether they have to stand in brackets inside another operator.
    made: list[tuple[str, bool]] = []
    for test in condition.tests:
        match test:
            case Exists(path):
                made.append((f"{path} exists", False))
            case Compare(op, left, right):
                made.append((f"{operand_words(left)} {_SIGNS[op]} {operand_words(right)}", False))
            case Not(arg):
                made.append((f"not {_inside(made[arg])}", False))
            case Every(args) | Some(args):
                sign = " and " if isinstance(test, Every) else " or "
                made.append((sign.join(_inside(made[arg]) for arg in args), len(args) > 1))
            case other:
                assert_never(other)
    return made[-1][0] if made else ""


def _inside(said: tuple[str, bool]) -> str:
    words, compound = said
    return f"({words})" if compound else words


def operand_words(operand: GraphSourcePath | Value) -> str:
    if isinstance(operand, GraphSourcePath):
        return str(operand)
    text = canonical(operand.value)
    return text if len(text) <= _LONGEST_VALUE else text[: _LONGEST_VALUE - 1] + "…"


def foreach_words(alias: str, over: GraphSourcePath | Value, mode: str, limit: int) -> str:
    together = f", {limit} at a time" if mode == "parallel" else ""
    return f"{alias} in {operand_words(over)}{together}"


def wait_words(seconds: GraphSourcePath | Value) -> str:
    return f"{operand_words(seconds)} s" if isinstance(seconds, Value) else operand_words(seconds)
