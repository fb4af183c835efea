"""What a tool said becomes an output: a chain of adapters, compiled once from what the configuration holds.

Reference 4.2. Without a chain the output is the structured content, else `{"text": …}`. Patterns are the author's own;
nothing limits how long one searches.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from wfc.backends.sources.strict_json import read_strict
from wfc.backends.sources.tool import Said, ToolFault
from wfc.ir import NotJson, kind_of, to_json
from wfc.records import dataclass

AdapterSpec = str | Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class _Guard:
    """A text in which the pattern is found is an error of this type."""

    pattern: re.Pattern[str]
    type: str | None


@dataclass(frozen=True, slots=True)
class _Shape:
    """A value from the value before it, which is what was said at first. Raises `ValueError`."""

    name: str
    of: Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class Chain:
    """Compiled adapters, applied from left to right."""

    steps: tuple[_Guard | _Shape, ...] = ()

    def error_type(self, said: Said) -> str | None:
        """The type that the first guard gives to this text."""
        found = (step.type for step in self.steps if isinstance(step, _Guard) and step.pattern.search(said.text))
        return next(found, None)

    def output(self, said: Said) -> Any:
        """The output; raises `ToolFault`."""
        value: Any = said
        for step in self.steps:
            if isinstance(step, _Shape):
                value = _shaped(step, value)
            elif step.pattern.search(said.text):
                raise ToolFault("node_failed", said.text, type=step.type)
        if value is not said:
            return value
        return {"text": said.text} if said.structured is None else said.structured


def compile_chain(specs: Sequence[AdapterSpec]) -> Chain:
    """The chain that a configuration's `adapt` means; raises `ValueError` with what was found and expected."""
    return Chain(tuple(_compiled(spec) for spec in specs))


def _compiled(spec: AdapterSpec) -> _Guard | _Shape:
    match spec:
        case str() if spec in _NAMED:
            return _Shape(spec, _NAMED[spec])
        case {"regex": str(pattern), "all": True}:
            return _Shape("regex", _every(_pattern(pattern)))
        case {"regex": str(pattern)}:
            return _Shape("regex", _first(_pattern(pattern)))
        case {"unwrap": str(name)}:
            return _Shape("unwrap", _unwrapped(name))
        case {"error-when": str(pattern), "type": str(type)}:
            return _Guard(_pattern(pattern), type)
        case {"error-when": str(pattern)}:
            return _Guard(_pattern(pattern), None)
    known = ", ".join(f"`{name}`" for name in (*_NAMED, "regex", "unwrap", "error-when"))
    raise ValueError(f"`{spec}` is no adapter; expected one of {known}")


def _pattern(text: str) -> re.Pattern[str]:
    try:
        return re.compile(text)
    except re.error as error:
        raise ValueError(f"`{text}` is no regular expression: {error}") from None


def _shaped(step: _Shape, value: Any) -> Any:
    try:
        return step.of(value)
    except ValueError as error:
        raise ToolFault("node_output_invalid", f"adapter `{step.name}`: {error}") from None


def _text(value: Any) -> str:
    if isinstance(value, Said):
        return value.text
    if not isinstance(value, str):
        raise ValueError(f"the value before it is {kind_of(value)}; expected text")
    return value


def _lines(text: str) -> list[str]:
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    return lines if lines[-1] else lines[:-1]


def _literal(text: str) -> Any:
    try:
        return to_json(ast.literal_eval(text.strip()))
    except NotJson:
        raise
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError) as error:
        raise ValueError(f"the text is no Python literal: {error}") from None


def _first(pattern: re.Pattern[str]) -> Callable[[Any], Any]:
    def record(value: Any) -> dict[str, str | None]:
        found = pattern.search(_text(value))
        if found is None:
            raise ValueError(f"`{pattern.pattern}` is not found in the text")
        return found.groupdict()

    return record


def _every(pattern: re.Pattern[str]) -> Callable[[Any], Any]:
    return lambda value: {"matches": [found.groupdict() for found in pattern.finditer(_text(value))]}


def _unwrapped(name: str) -> Callable[[Any], Any]:
    def inner(value: Any) -> Any:
        whole = value.structured if isinstance(value, Said) else value
        if isinstance(whole, dict) and name in whole:
            return whole[name]
        found = "there is no structured content" if whole is None else f"{kind_of(whole)} without it"
        raise ValueError(f"{found}; expected an object with the field `{name}`")

    return inner


_NAMED: Mapping[str, Callable[[Any], Any]] = {
    "text": lambda value: {"text": _text(value)},
    "json": lambda value: read_strict(_text(value)),
    "python-literal": lambda value: _literal(_text(value)),
    "lines": lambda value: {"lines": _lines(_text(value))},
}
