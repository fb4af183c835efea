"""A program as one canonical JSON text, and back: `decode(encode(program))` is that program (reference 4.1, 4.1.1).

The text is ASCII, the same for equal programs, and names its format and its content hash: the sha256 of the text
without the hash. What `decode` gives has passed the hash, the shapes of `wfc.ir.program` and the check of
`wfc.ir.consistency`; whatever is not such a text is an `IrFault` with one sentence.
"""

from __future__ import annotations

import json
from typing import Any, assert_never

from wfc.digests import sha256
from wfc.ir.conditions import Value
from wfc.ir.consistency import faults
from wfc.ir.program import VERSION, Program
from wfc.ir.shapes import Choice, Json, Many, Number, Path, Record, Reference, Shape, Source, Table, Text, shape_of
from wfc.ir.values import canonical
from wfc.paths import GraphSourcePath, PathError

_FAMILY = "wfc.ir/"
IR_FORMAT = f"{_FAMILY}{VERSION}"

_FOREIGN = f"the file is no compiled program; expected one whose `schema` is `{IR_FORMAT}`"
# Python's JSON codec refuses thousands of digits, a thousand levels, and numbers beyond a double.
_BEYOND = "the compiled program is damaged: it holds a value that no workflow can hold"
_KINDS = {str: "a string", int: "an integer", float: "a number", list: "an array", dict: "an object"}


class IrFault(ValueError):
    """A text that is no program, or no longer one; the message is a sentence for the user."""


def encode(program: Program) -> str:
    """The canonical text of a program, with the keys `schema`, `name` and `hash` beside its parts."""
    file = _file(program)
    return canonical({**file, "hash": _digest(file)})


def content_hash(program: Program) -> str:
    """`sha256:` and the digest of the canonical text without its hash."""
    return _digest(_file(program))


def decode(text: str | bytes) -> Program:
    """The program that `encode` wrote. Raises `IrFault` for a text that is damaged, cut off, newer or ill-typed."""
    file = _parse(text)
    _check_format(file.get("schema"))
    _check_hash(file)
    parts = {key: item for key, item in file.items() if key not in ("schema", "hash")}
    program: Program = _read(shape_of(Program), parts, "")
    for fault in faults(program):
        raise IrFault(f"the compiled program is not consistent: {fault}")
    return program


def _file(program: Program) -> dict[str, Any]:
    return {"schema": IR_FORMAT, **_write(shape_of(Program), program)}


def _digest(file: dict[str, Any]) -> str:
    return "sha256:" + sha256(canonical(file).encode())


def _parse(text: str | bytes) -> dict[str, Any]:
    if not text.strip():
        raise IrFault("the file is empty; expected a compiled program")
    try:
        file = json.loads(text if isinstance(text, str) else text.decode(), object_pairs_hook=_unique)
    except json.JSONDecodeError as error:
        raise IrFault(_broken(error)) from None
    except UnicodeDecodeError:
        raise IrFault("the compiled program is damaged: it holds bytes that are not UTF-8") from None
    except IrFault:
        raise
    except (ValueError, RecursionError):
        raise IrFault(_BEYOND) from None
    if not isinstance(file, dict):
        raise IrFault(_FOREIGN)
    return file


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise IrFault("the compiled program is damaged: one of its objects has the same key twice")
    return made


def _broken(error: json.JSONDecodeError) -> str:
    if not error.doc.rstrip().endswith("}"):
        return f"the compiled program is cut off after {len(error.doc)} characters"
    return f"the compiled program is damaged: line {error.lineno}, column {error.colno} is no JSON"


def _check_format(stated: Any) -> None:
    if stated == IR_FORMAT:
        return
    if isinstance(stated, str) and stated.startswith(_FAMILY):
        raise IrFault(f"the compiled program has the format `{stated}`; this wfc reads `{IR_FORMAT}`")
    raise IrFault(_FOREIGN)


def _check_hash(file: dict[str, Any]) -> None:
    stated = file.get("hash")
    try:
        actual = _digest({key: item for key, item in file.items() if key != "hash"})
    except (ValueError, RecursionError):
        raise IrFault(_BEYOND) from None
    if stated != actual:
        raise IrFault(f"the compiled program was changed: its content has the hash `{actual}`, it states `{stated}`")


def _write(shape: Shape, value: Any) -> Any:
    match shape:
        case Record(_, tag, fields):
            made = {} if tag is None else {"op": tag}
            for field in fields:
                item = getattr(value, field.name)
                if item is not None or not field.optional:
                    made[field.name] = _write(field.shape, item)
            return made
        case Choice():
            return _write(shape.by_type[type(value)], value)
        case Many(item):
            return [_write(item, each) for each in value]
        case Table(item):
            return {key: _write(item, each) for key, each in value.items()}
        case Path():
            return value.to_json()
        case Source():
            return value.to_json() if isinstance(value, GraphSourcePath) else {"value": value.value}
        case Text() | Number() | Reference() | Json():
            return value
        case other:
            assert_never(other)


def _read(shape: Shape, value: Any, at: str) -> Any:
    match shape:
        case Record():
            return _read_record(shape, value, at)
        case Choice():
            return _read_record(_chosen(shape, value, at), value, at)
        case Many(item):
            return tuple([_read(item, each, f"{at}/{index}") for index, each in enumerate(_expect(list, value, at))])
        case Table(item):
            return {key: _read(item, each, f"{at}/{key}") for key, each in _expect(dict, value, at).items()}
        case Path(type_):
            return _read_path(type_, value, at)
        case Source():
            literal = isinstance(value, dict) and value.keys() == {"value"}
            return Value(value["value"]) if literal else _read_path(GraphSourcePath, value, at)
        case Text(allowed):
            if allowed and value not in allowed:
                raise _misfit(at, value, "one of " + ", ".join(f"`{word}`" for word in allowed))
            return _expect(str, value, at)
        case Reference(_, type_):
            return _expect(type_, value, at)
        case Number(types):
            return _expect(types, value, at)
        case Json():
            return value
        case other:
            assert_never(other)


def _read_record(record: Record, value: Any, at: str) -> Any:
    given = dict(_expect(dict, value, at))
    if record.tag is not None:
        del given["op"]
    made = {}
    for field in record.fields:
        if field.name in given:
            made[field.name] = _read(field.shape, given.pop(field.name), f"{at}/{field.name}")
        elif field.optional:
            made[field.name] = None
        else:
            raise IrFault(f"`{at or '/'}` of the compiled program lacks the key `{field.name}`")
    for key in given:
        raise IrFault(f"`{at or '/'}` of the compiled program has the key `{key}`, which is not known there")
    return record.type(**made)


def _chosen(choice: Choice, value: Any, at: str) -> Record:
    tag = _expect(dict, value, at).get("op")
    if not isinstance(tag, str) or tag not in choice.records:
        raise _misfit(f"{at}/op", tag, "one of " + ", ".join(f"`{word}`" for word in choice.records))
    return choice.records[tag]


def _read_path(type_: Any, value: Any, at: str) -> Any:
    try:
        return type_.parse(_expect(dict, value, at))
    except PathError as error:
        raise IrFault(f"`{at}` of the compiled program: {error}") from None


def _expect(types: type | tuple[type, ...], value: Any, at: str) -> Any:
    if not isinstance(value, types) or isinstance(value, bool):
        wanted = types if isinstance(types, tuple) else (types,)
        raise _misfit(at, value, " or ".join(_KINDS[type_] for type_ in wanted))
    return value


def _misfit(at: str, value: Any, expected: str) -> IrFault:
    return IrFault(f"`{at or '/'}` of the compiled program is `{canonical(value)[:40]}`; expected {expected}")
