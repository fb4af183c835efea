"""How a value of a program reads inside a line of assembly: `read(shape, scanner)` takes what `say(shape, value)` gave.

Conditions are prefix calls, `and(exists(state.x), not(eq(state.n, 3)))`; neither direction recurses into them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, assert_never

from wfc.diagnostics import InternalError
from wfc.ir.codec import IrFault
from wfc.ir.conditions import COMPARISONS, Compare, Condition, Every, Exists, Not, Some, Test, Value
from wfc.ir.phrases import Option, Words, phrase_of
from wfc.ir.scanner import Scanner, is_word
from wfc.ir.shapes import (
    Choice,
    Field,
    Json,
    Many,
    Number,
    Path,
    Record,
    Reference,
    Shape,
    Source,
    Table,
    Text,
)
from wfc.ir.values import canonical
from wfc.paths import GraphSourcePath, PathError

_OPERATORS: Mapping[str, Callable[[tuple[int, ...]], Test]] = {
    "not": lambda args: Not(*args),
    "and": Every,
    "or": Some,
}


def say(shape: Shape, value: Any) -> str:
    """A value inside a line."""
    match shape:
        case Record(type_):
            return _say_condition(value) if type_ is Condition else say_phrase(type_, value)
        case Many(Text()):
            return "|".join([_say_word(each) for each in value]) or "|"
        case Many(item):
            return ", ".join([say(item, each) for each in value]) or "()"
        case Table(item):
            return ", ".join(f"{_say_word(key)}: {say(item, value[key])}" for key in sorted(value)) or "()"
        case Path():
            return str(value)
        case Source():
            return str(value) if isinstance(value, GraphSourcePath) else canonical(value.value)
        case Text():
            return _say_word(value)
        case Reference():
            return _say_word(value) if isinstance(value, str) else f"#{value}"
        case Number() | Json():
            return canonical(value)
        case Choice():
            raise InternalError("one of several records is a line of its own")
        case other:
            assert_never(other)


def say_phrase(type_: type, value: Any) -> str:
    """The line of a record without its word and without what stands below it."""
    return "".join(_say_parts(type_, value)).strip()


def _say_parts(type_: type, value: Any) -> Iterator[str]:
    for part in phrase_of(type_).parts:
        match part:
            case Words(text):
                yield text
            case Field(name, shape):
                yield say(shape, getattr(value, name))
            case Option(words, field):
                item = getattr(value, field.name)
                if type(item) is not type(field.absent) or item != field.absent:
                    yield words.text + say(field.shape, item)


def _say_word(text: str) -> str:
    return text if is_word(text) else canonical(text)


def _say_condition(condition: Condition) -> str:
    """The calls of a condition. An operand that is not there yet is shown by its index: the verifier shows faults."""
    said: list[str] = []

    def operands(*args: int) -> str:
        return ", ".join([said[arg] if arg < len(said) else f"#{arg}" for arg in args])

    for test in condition.tests:
        match test:
            case Exists(path):
                said.append(f"exists({path})")
            case Compare(op, left, right):
                said.append(f"{op}({say(Source(), left)}, {say(Source(), right)})")
            case Not(arg):
                said.append(f"not({operands(arg)})")
            case Every(args):
                said.append(f"and({operands(*args)})")
            case Some(args):
                said.append(f"or({operands(*args)})")
            case other:
                assert_never(other)
    return said[-1] if said else "()"


def read(shape: Shape, scanner: Scanner) -> Any:
    """The value that stands next on the line. Raises `IrFault`."""
    match shape:
        case Record(type_):
            return _read_condition(scanner) if type_ is Condition else type_(**read_phrase(type_, scanner))
        case Many(Text(allowed)):
            return tuple(_read_list(scanner, "|", "|", lambda: scanner.word(allowed)))
        case Many(item):
            return tuple(_read_list(scanner, ",", "()", lambda: read(item, scanner)))
        case Table(item):
            return dict(_read_list(scanner, ",", "()", lambda: _read_entry(item, scanner)))
        case Path(type_):
            return _read_path(type_, scanner)
        case Source():
            return Value(scanner.json()) if scanner.literal_ahead() else _read_path(GraphSourcePath, scanner)
        case Text(allowed):
            return scanner.word(allowed)
        case Reference(_, type_):
            return scanner.index() if type_ is int else scanner.word()
        case Number(types):
            return scanner.number(types)
        case Json():
            return scanner.json()
        case Choice():
            raise InternalError("one of several records is a line of its own")
        case other:
            assert_never(other)


def read_phrase(type_: type, scanner: Scanner) -> dict[str, Any]:
    """The fields that stand in the line of a record."""
    made: dict[str, Any] = {}
    for part in phrase_of(type_).parts:
        match part:
            case Words():
                _take(part, scanner)
            case Field(name, shape):
                made[name] = read(shape, scanner)
            case Option(words, field) if scanner.ahead(words.tokens[0]):
                _take(words, scanner)
                made[field.name] = read(field.shape, scanner)
            case Option(_, field):
                made[field.name] = field.absent
    return made


def _take(words: Words, scanner: Scanner) -> None:
    for token in words.tokens:
        scanner.take(token)


def _read_list(scanner: Scanner, separator: str, empty: str, item: Callable[[], Any]) -> list[Any]:
    if scanner.ahead(empty):
        scanner.take(empty)
        return []
    items = [item()]
    while scanner.ahead(separator):
        scanner.take(separator)
        items.append(item())
    return items


def _read_entry(shape: Shape, scanner: Scanner) -> tuple[str, Any]:
    key = scanner.word()
    scanner.take(":")
    return key, read(shape, scanner)


def _read_path(type_: Any, scanner: Scanner) -> Any:
    written = scanner.path()
    try:
        return type_.parse(written)
    except PathError as error:
        raise IrFault(f"line {scanner.line + 1}: {error}") from None


def _read_condition(scanner: Scanner) -> Condition:
    tests: list[Test] = []
    waiting: list[tuple[str, list[int]]] = []
    while True:
        word = scanner.word(("exists", *COMPARISONS, *_OPERATORS))
        scanner.take("(")
        if word in _OPERATORS:
            waiting.append((word, []))
            continue
        tests.append(_read_leaf(word, scanner))
        _read_ends(tests, waiting, scanner)
        if not waiting:
            return Condition(tuple(tests))


def _read_leaf(word: Any, scanner: Scanner) -> Test:
    operands = [read(Source(), scanner)]
    if word != "exists":
        scanner.take(",")
        operands.append(read(Source(), scanner))
    scanner.take(")")
    return Exists(operands[0]) if word == "exists" else Compare(word, *operands)


def _read_ends(tests: list[Test], waiting: list[tuple[str, list[int]]], scanner: Scanner) -> None:
    """Close every operator whose last operand was just read; what is left in `waiting` has another one coming."""
    while waiting:
        word, operands = waiting[-1]
        operands.append(len(tests) - 1)
        if word != "not" and scanner.ahead(","):
            scanner.take(",")
            break
        scanner.take(")")
        tests.append(_OPERATORS[word](tuple(operands)))
        waiting.pop()
