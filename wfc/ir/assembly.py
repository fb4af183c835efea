"""A program as text for people, one line an instruction; `parse_program(print_program(program))` is that program.

    block each: foreach
      enter_foreach  state.files as file parallel max 4 errors skip
      next_item      -> one
      commit         state.failed <- failed on done
      switch         done -> ask

A line is the word of a class and the phrase of that class (`wfc.ir.phrases`); both directions go by the same phrases,
so that a new instruction is written and read without a line here. Indentation and empty lines have no meaning.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from wfc.diagnostics import InternalError
from wfc.ir.phrases import phrase_of
from wfc.ir.program import Program
from wfc.ir.scanner import Scanner
from wfc.ir.shapes import Choice, Json, Many, Record, Shape, shape_of
from wfc.ir.values import canonical
from wfc.ir.wording import read_phrase, say_phrase
from wfc.records import dataclass


@dataclass(frozen=True, slots=True)
class _Line:
    word: str
    phrase: str
    below: tuple[_Line, ...] = ()


def print_program(program: Program) -> str:
    """The assembly of a program."""
    line = _line(shape_of(Program), program)
    return "\n".join([f"{line.word} {line.phrase}", *_laid_out(line.below, "")]) + "\n"


def parse_program(text: str) -> Program:
    """The program of an assembly text. Raises `IrFault` with the line, what was found and what was expected."""
    scanner = Scanner.over(text)
    program: Program = _read_part(shape_of(Program), scanner)
    if not scanner.done:
        scanner.fail("the end of the text")
    return program


def _line(record: Record, value: Any) -> _Line:
    fields = phrase_of(record.type).below
    below = [line for field in fields for line in _lines(field.shape, getattr(value, field.name))]
    return _Line(record.word, say_phrase(record.type, value), tuple(below))


def _lines(shape: Shape, value: Any) -> Iterator[_Line]:
    match shape:
        case Many(Json()):
            yield from (_Line("schema", f"#{index} {canonical(schema)}") for index, schema in enumerate(value))
        case Many(item):
            for each in value:
                yield from _lines(item, each)
        case Choice():
            yield _line(shape.by_type[type(value)], value)
        case Record():
            yield _line(shape, value)
        case _:
            raise InternalError(f"`{shape}` has no line of its own")


def _laid_out(lines: tuple[_Line, ...], margin: str) -> Iterator[str]:
    """Lines with lines below them stand apart; where none of a list has any, the words are a column."""
    column = 0 if any(line.below for line in lines) else 1 + max((len(line.word) for line in lines), default=0)
    before = _Line("", "")
    for line in lines:
        if line.below or before.below:
            yield ""
        yield f"{margin}{line.word:{column}} {line.phrase}".rstrip()
        yield from _laid_out(line.below, margin + "  ")
        before = line


def _read_part(shape: Shape, scanner: Scanner) -> Any:
    match shape:
        case Many(Json()):
            return tuple(_read_schemas(scanner))
        case Many(item):
            return tuple(_read_parts(item, scanner))
        case _:
            return _read_record(_by_word(shape), scanner)


def _read_record(records: Mapping[str, Record], scanner: Scanner) -> Any:
    type_ = records[scanner.word(tuple(records))].type
    made = read_phrase(type_, scanner)
    scanner.end_line()
    for field in phrase_of(type_).below:
        made[field.name] = _read_part(field.shape, scanner)
    return type_(**made)


def _read_parts(item: Shape, scanner: Scanner) -> Iterator[Any]:
    records = _by_word(item)
    while scanner.first_word() in records:
        yield _read_record(records, scanner)


def _read_schemas(scanner: Scanner) -> Iterator[Any]:
    expected = 0
    while scanner.ahead("schema"):
        scanner.take("schema")
        scanner.take_index(expected)
        yield scanner.json()
        scanner.end_line()
        expected += 1


def _by_word(shape: Shape) -> Mapping[str, Record]:
    match shape:
        case Record():
            return {shape.word: shape}
        case Choice(records):
            return records
    raise InternalError(f"`{shape}` has no line of its own")
