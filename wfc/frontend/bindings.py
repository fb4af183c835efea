"""Bindings, catches and retry policies as read become those of `wfc.ir.steps`; what could not be read is left out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from wfc.diagnostics import Place
from wfc.frontend.conditions import operand
from wfc.frontend.reader import Record
from wfc.frontend.scalars import HOLE
from wfc.ir import Catch, InputBinding, OutputBinding, Retry


def records(read: Any) -> Iterator[Record]:
    """The entries of a list that could be read."""
    for entry in read if isinstance(read, (list, tuple)) else ():
        if isinstance(entry, Record):
            yield entry


def has_gaps(read: Any) -> bool:
    """Whether a list of bindings lacks an entry, or may, because something in it could not be read."""
    if not isinstance(read, (list, tuple)):
        return True
    return any(not isinstance(entry, Record) or any(_is_hole(part) for part in entry.fields.values()) for entry in read)


def _is_hole(read: Any) -> bool:
    return read is HOLE or (isinstance(read, (list, tuple)) and HOLE in read)


def input_bindings(read: Any, at: Place) -> tuple[InputBinding, ...]:
    """The input bindings of a step or the request of an interrupt; `at` is the step."""
    return tuple(binding for record in records(read) if (binding := _input_binding(record, at)) is not None)


def _input_binding(record: Record, at: Place) -> InputBinding | None:
    source = operand(record)
    if source is None or record["target"] is HOLE:
        return None
    return InputBinding(record["target"], source, inside(at, record.pointer))


def output_bindings(read: Any, at: Place) -> tuple[OutputBinding, ...]:
    """The output bindings of a step or the resume bindings of an interrupt; `at` is the step."""
    return tuple(binding for record in records(read) if (binding := _output_binding(record, at)) is not None)


def _output_binding(record: Record, at: Place) -> OutputBinding | None:
    on = record["on"]
    if HOLE in (record["source"], record["target"], on) or (on is not None and HOLE in on):
        return None
    return OutputBinding(
        record["source"], record["target"], None if on is None else tuple(on), inside(at, record.pointer)
    )


def catches(read: Any, at: Place) -> tuple[Catch, ...]:
    """The catch entries of a step."""
    return tuple(catch for record in records(read) if (catch := _catch(record, at)) is not None)


def _catch(record: Record, at: Place) -> Catch | None:
    """The entry; without codes where they could not be read, since its outcome is declared all the same."""
    if record["outcome"] is HOLE:
        return None
    codes = () if record["codes"] is HOLE else tuple(code for code in record["codes"] if code is not HOLE)
    return Catch(codes, record["outcome"], inside(at, record.pointer))


def retry(read: Any) -> Retry | None:
    """A retry policy, from a bare number of attempts or from its object."""
    if isinstance(read, int):
        return Retry(read)
    if not isinstance(read, Record) or HOLE in read.fields.values():
        return None
    codes = tuple(code for code in read["on"] if code is not HOLE)
    return Retry(read["max_attempts"], read["delay_seconds"], read["backoff"], read["max_delay_seconds"], codes)


def inside(at: Place, pointer: str) -> Place:
    """The place at `pointer`, which lies inside the step, definition or workflow at `at`."""
    field = pointer[len(at.pointer) + 1 :].partition("/")[0] or None
    return Place(at.file, pointer, at.workflow, at.step, field)
