"""A condition as read becomes the flat list of `wfc.ir.conditions`, operands before operators, without recursion."""

from __future__ import annotations

from typing import Any

from wfc.frontend.reader import Record
from wfc.frontend.scalars import HOLE
from wfc.ir import COMPARISONS, Compare, Condition, Every, Exists, Not, Operand, Some, Test, Value


def condition(read: Any) -> Condition | None:
    """The condition; none where any part of it could not be read."""
    if not isinstance(read, Record):
        return None
    order = _operators_first(read)
    if order is None:
        return None
    index = {id(record): len(order) - 1 - at for at, record in enumerate(order)}
    tests = [_test(record, index) for record in reversed(order)]
    base = len(read.pointer)
    if None in tests:
        return None
    return Condition(
        tuple(test for test in tests if test is not None), tuple(record.pointer[base:] for record in reversed(order))
    )


def _operators_first(top: Record) -> list[Record] | None:
    """Every operator, each before its operands and, of these, the last one first; none where there is a hole."""
    order, waiting = [], [top]
    while waiting:
        record = waiting.pop()
        order.append(record)
        inside = record.fields.get("args", [record.fields["arg"]] if "arg" in record.fields else [])
        if inside is HOLE or not all(isinstance(part, Record) for part in inside):
            return None
        waiting += inside
    return order


def _test(record: Record, index: dict[int, int]) -> Test | None:
    match record["op"]:
        case "and":
            return Every(tuple(index[id(part)] for part in record["args"]))
        case "or":
            return Some(tuple(index[id(part)] for part in record["args"]))
        case "not":
            return Not(index[id(record["arg"])])
        case "exists":
            return None if record["path"] is HOLE else Exists(record["path"])
        case op if op in COMPARISONS:
            left, right = operand(record["left"]), operand(record["right"])
            return None if left is None or right is None else Compare(op, left, right)
        case _:
            return None


def operand(read: Any) -> Operand | None:
    """A path or a literal, from its object or bare; none where it could not be read."""
    if read is HOLE:
        return None
    if not isinstance(read, Record):
        return Value(read)
    source = read["value"] if "value" in read.given else read["path"]
    if source is HOLE:
        return None
    return Value(source) if "value" in read.given else source
