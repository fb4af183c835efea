"""How a frame reads: paths become getters, conditions closures, bindings builders (reference 2.3, 2.5)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, assert_never

from wfc.ir import (
    Compare,
    Condition,
    Every,
    Exists,
    Move,
    Not,
    Operand,
    Some,
    Test,
    Value,
    equal,
    kind_of,
)
from wfc.paths import GraphSourcePath, overlap
from wfc.vm.fault import MISSING, Fault
from wfc.vm.frames import Frame, context

Getter = Callable[[Frame], Any]
Check = Callable[[Frame], bool]


def walk(value: Any, parts: Sequence[str]) -> Any:
    """The value of a path inside a JSON value, or `MISSING`; only objects are descended."""
    for part in parts:
        if not isinstance(value, dict) or part not in value:
            return MISSING
        value = value[part]
    return value


def lookup_getter(path: GraphSourcePath) -> Getter:
    """A function from a frame to the value of the path, or `MISSING`."""
    parts = path.parts
    match path.base:
        case "state":
            return lambda frame: frame.lineage.read(parts)
        case "input":
            return lambda frame: walk(frame.scope.input, parts)
        case _:
            return lambda frame: walk(context(frame), parts)


def getter(source: Operand) -> Getter:
    """A function from a frame to the value of a path or literal; a missing path raises `missing_path`."""
    if isinstance(source, Value):
        constant = source.value
        return lambda frame: constant
    look, text = lookup_getter(source), str(source)

    def present(frame: Frame) -> Any:
        value = look(frame)
        if value is MISSING:
            raise Fault("missing_path", f"`{text}` is not there", path=text)
        return value

    return present


def payload_builder(moves: Sequence[Move]) -> Getter:
    """A function from a frame to the payload that the moves build; a target `.` is the payload itself."""
    steps = [(move.target.parts, getter(move.source)) for move in moves]
    if overlapping_targets([parts for parts, _ in steps]):
        return _refuse_overlap
    if len(steps) == 1 and not steps[0][0]:
        return steps[0][1]
    if all(len(parts) == 1 for parts, _ in steps):
        flat = [(parts[0], get) for parts, get in steps]
        return lambda frame: {name: get(frame) for name, get in flat}

    def build(frame: Frame) -> Any:
        payload: dict[str, Any] = {}
        for parts, get in steps:
            _place(payload, parts, get(frame))
        return payload

    return build


def overlapping_targets(targets: list[tuple[str, ...]]) -> bool:
    return any(overlap(target, other) for number, target in enumerate(targets) for other in targets[:number])


def _refuse_overlap(frame: Frame) -> Any:
    raise Fault("node_input_invalid", "two input bindings of the step have overlapping targets")


def _place(payload: dict[str, Any], parts: Sequence[str], value: Any) -> None:
    for part in parts[:-1]:
        payload = payload.setdefault(part, {})
    payload[parts[-1]] = value


def checker(condition: Condition) -> Check:
    """A function from a frame to the answer of a condition."""
    made: list[Check] = []
    for test in condition.tests:
        made.append(_compiled(test, made))
    return made[-1]


def _compiled(test: Test, made: list[Check]) -> Check:
    match test:
        case Exists(path):
            look = lookup_getter(path)
            return lambda frame: look(frame) is not MISSING
        case Compare(op, left, right):
            return _comparison(op, getter(left), getter(right))
        case Not(arg):
            inner = made[arg]
            return lambda frame: not inner(frame)
        case Every(args):
            every = [made[arg] for arg in args]
            return lambda frame: all(check(frame) for check in every)
        case Some(args):
            some = [made[arg] for arg in args]
            return lambda frame: any(check(frame) for check in some)
        case other:
            assert_never(other)


def _comparison(op: str, left: Getter, right: Getter) -> Check:
    if op == "eq":
        return lambda frame: equal(left(frame), right(frame))
    if op == "ne":
        return lambda frame: not equal(left(frame), right(frame))
    holds = _ORDERINGS[op]
    return lambda frame: holds(*_orderable(op, left(frame), right(frame)))


_ORDERINGS: dict[str, Callable[[Any, Any], bool]] = {
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
}


def _orderable(op: str, left: Any, right: Any) -> tuple[Any, Any]:
    kinds = (kind_of(left), kind_of(right))
    if kinds not in (("number", "number"), ("string", "string")):
        raise Fault(
            "type_mismatch",
            f"`{op}` compares two numbers or two strings, got {kinds[0]} and {kinds[1]}",
        )
    return left, right
