"""Bindings from what a call says: lists of bindings, or mappings and keywords that are written out as such lists.

Reference 1.5, 1.7: nothing is inferred that does not stand in the document; the older maps are read and never written.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from typing import Any

from wfc.frontend.builder.expressions import PathExpr, read_path
from wfc.frontend.builder.written import Written, fields, plain
from wfc.paths import GraphSourcePath, LocalPath, StatePath


def input_from(
    path: PathExpr | GraphSourcePath | StatePath | str | Mapping[str, Any],
    target: LocalPath | str | Mapping[str, Any],
    *,
    extra: Mapping[str, Any] | None = None,
) -> Written:
    """An input binding that reads a path into a field of the payload, or with `.` into all of it."""
    return Written(fields(extra, ("target", local_path(target)), ("path", read_path(path))))


def input_value(
    value: Any, target: LocalPath | str | Mapping[str, Any], *, extra: Mapping[str, Any] | None = None
) -> Written:
    """An input binding with a JSON value; null is one."""
    return Written({**fields(None, ("target", local_path(target))), "value": plain(value), **fields(extra)})


def output_to(
    source: LocalPath | str | Mapping[str, Any],
    path: PathExpr | StatePath | str | Mapping[str, Any],
    *,
    on: Iterable[str] | None = None,
    extra: Mapping[str, Any] | None = None,
) -> Written:
    """An output binding: what an output has at `source` is written to a state path, on all outcomes or on some."""
    outcomes = None if on is None else [on] if isinstance(on, str) else list(on)
    return Written(fields(extra, ("source", local_path(source)), ("target", write_path(path)), ("on", plain(outcomes))))


Inputs = Iterable[Written | Mapping[str, Any]] | Mapping[str, Any]
Outputs = Iterable[Written | Mapping[str, Any]] | Mapping[str, Any]


def inputs(given: Inputs | None, fields_given: Mapping[str, Any]) -> list[Any] | None:
    """The input bindings of a step, from a list or a mapping of targets, and from keywords behind them."""
    made = [_input(target, source) for target, source in fields_given.items()]
    if given is None:
        return made or None
    if isinstance(given, Mapping):
        return [*(_input(target, source) for target, source in given.items()), *made]
    return [*map(_binding, given), *made]


def outputs(given: Outputs | None) -> list[Any] | None:
    """The output bindings of a step, from a list, or a mapping of sources to state paths."""
    if given is None:
        return None
    if isinstance(given, Mapping):
        return [output_to(source, path) for source, path in given.items()]
    return [_binding(one) for one in given]


def _binding(given: Any) -> Any:
    if isinstance(given, (Written, Mapping)):
        return given if isinstance(given, Written) else plain(given)
    raise TypeError(f"{given!r} is no binding; expected one of `input_from`, `input_value` or `output_to`")


def _input(target: str, source: Any) -> Written:
    if isinstance(source, (PathExpr, GraphSourcePath, StatePath)):
        return input_from(source, target)
    return input_value(source, target)


# -- older spellings --------------------------------------------------------------------------------------------------


def older_inputs(
    given: Inputs | None, in_map: Mapping[Any, Any] | None, values: Mapping[Any, Any] | None, names: str
) -> Inputs | None:
    """The bindings that older maps mean: paths first, then values."""
    if in_map is None and values is None:
        return given
    _deprecated(names, "input")
    if given is not None:
        raise TypeError(f"{names} stands beside the bindings that take its place; expected one of them")
    paths = [input_from(path, target) for path, target in (in_map or {}).items()]
    return [*paths, *(input_value(value, target) for target, value in (values or {}).items())]


def older_outputs(given: Outputs | None, out_map: Mapping[Any, Any] | None) -> Outputs | None:
    if out_map is None:
        return given
    _deprecated("`out_map`", "output")
    if given is not None:
        raise TypeError("`out_map` stands beside the bindings that take its place; expected one of them")
    return [output_to(source, path) for source, path in out_map.items()]


def _deprecated(names: str, now: str) -> None:
    from wfc.frontend.builder.calls import caller

    call = caller()
    warnings.warn_explicit(
        f"{names} is an older spelling; write bindings as `{now}` instead",
        DeprecationWarning,
        call.code.co_filename,
        call.span.start.line,
    )


# -- paths ------------------------------------------------------------------------------------------------------------


def local_path(given: Any) -> Any:
    """A local path as it stands in a document. Raises `TypeError` for a path of another kind."""
    if isinstance(given, LocalPath):
        return str(given)
    if isinstance(given, (str, Mapping)):
        return plain(given)
    raise TypeError(f"{given!r} is no path inside a payload; expected {LocalPath.kind}")


def write_path(given: Any) -> Any:
    """A state path as it stands in a document. What is read only is told by the check, as in any form."""
    if isinstance(given, PathExpr):
        return given.text
    if isinstance(given, (StatePath, GraphSourcePath)):
        return str(given)
    if isinstance(given, (str, Mapping)):
        return plain(given)
    raise TypeError(f"{given!r} is no place to write; expected {StatePath.kind}")
