"""How a marked function is called: its parameters as fields of a payload, and what its return type promises."""

from __future__ import annotations

import dataclasses
import inspect
import types
import typing
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from wfc.nodes.hints import HintFault, resolved, schema_of, with_default
from wfc.nodes.models import is_model
from wfc.nodes.readers import reader_of
from wfc.records import dataclass

CONTEXT_NAMES = ("context", "ctx")
_OBJECT: Mapping[str, Any] = {"type": "object"}
_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
_VARIADIC = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


@dataclass(frozen=True, slots=True)
class Signature:
    """What a function takes and gives. `call` is none where the function takes the payload as it is.

    `outcomes` has the output schema of each outcome where the function returns pairs of outcome and output.
    """

    input_schema: Any
    output_schema: Any
    outcomes: Mapping[str, Any]
    call: Callable[..., Any] | None


def signature_of(function: Any, names: Mapping[str, Any], *, takes_payload: bool) -> Signature:
    """Read the type hints of a function; `names` are those that its hints may use besides its module's.

    With `takes_payload` its one parameter is the payload, whatever its hint says. Raises `HintFault`.
    """
    target = function if inspect.isroutine(function) else type(function).__call__
    hints = resolved(target, names) if getattr(target, "__annotations__", None) else {}
    returned = hints.pop("return", inspect.Parameter.empty)
    with _told_of(function, "what is returned by"):
        outcomes = _outcomes(returned)
        output = _OBJECT if outcomes else _output(returned)
    parameters = _parameters(function)
    context = next((one for one in parameters if one.name in CONTEXT_NAMES), None)
    fields = [one for one in parameters if one is not context]
    if takes_payload or (fields and not any(one.name in hints for one in fields)):
        return Signature(_OBJECT, output, outcomes, None)
    if len(fields) == 1 and _is_record(hints[fields[0].name]):
        hint = hints[fields[0].name]
        with _told_of(function, f"parameter `{fields[0].name}` of"):
            schema = schema_of(hint)
        return Signature(schema, output, outcomes, _whole(function, reader_of(hint), context))
    return Signature(_payload(function, fields, hints), output, outcomes, _spread(function, fields, hints, context))


@contextmanager
def _told_of(function: Any, part: str) -> Iterator[None]:
    """A hint that means nothing is told with the function that has it, and where that stands."""
    try:
        yield
    except HintFault as fault:
        code = getattr(inspect.unwrap(function), "__code__", None)
        where = "" if code is None else f" ({code.co_filename}:{code.co_firstlineno})"
        name = getattr(function, "__name__", type(function).__name__)
        raise HintFault(f"{part} `{name}`{where}: {fault}") from None


def _parameters(function: Any) -> list[inspect.Parameter]:
    try:
        return [one for one in inspect.signature(function).parameters.values() if one.kind not in _VARIADIC]
    except ValueError:
        return []  # a function written in C that does not tell its parameters


def _is_record(hint: Any) -> bool:
    plain = typing.get_args(hint)[0] if typing.get_origin(hint) is typing.Annotated else hint
    return is_model(plain) or dataclasses.is_dataclass(plain) or typing.is_typeddict(plain)


def _payload(function: Any, fields: list[inspect.Parameter], hints: Mapping[str, Any]) -> Any:
    """The schema of an object with a field for each parameter."""
    made: dict[str, Any] = {"type": "object", "properties": {}}
    for one in fields:
        if one.kind is inspect.Parameter.POSITIONAL_ONLY:
            raise HintFault(f"parameter `{one.name}` of `{function.__name__}` has no name to call it by")
        with _told_of(function, f"parameter `{one.name}` of"):
            schema = schema_of(hints.get(one.name, Any))
            made["properties"][one.name] = schema if one.default is one.empty else with_default(schema, one.default)
    required = [one.name for one in fields if one.default is one.empty]
    return {**made, "required": required} if required else made


Reader = Callable[[Any], Any]


def _whole(function: Any, read: Reader, context: inspect.Parameter | None) -> Callable[..., Any]:
    """Calls the function with the whole payload as one value."""
    if context is None:
        return lambda payload: function(read(payload))
    name = context.name

    def call(payload: Any, context: Any) -> Any:
        return function(read(payload), **{name: context})

    return call


def _spread(
    function: Any, fields: list[inspect.Parameter], hints: Mapping[str, Any], context: inspect.Parameter | None
) -> Callable[..., Any]:
    """Calls the function with the fields of the payload; one that is not there keeps its default."""
    readers = {one.name: reader_of(hints.get(one.name, Any)) for one in fields}

    def arguments(payload: Any) -> dict[str, Any]:
        return {name: read(payload[name]) for name, read in readers.items() if name in payload}

    if context is None:
        return lambda payload: function(**arguments(payload))
    name = context.name

    def call(payload: Any, context: Any) -> Any:
        return function(**arguments(payload), **{name: context})

    return call


# -- what is returned -------------------------------------------------------------------------------------------------


def _output(returned: Any) -> Any:
    """The schema of what is returned; one that says nothing, and one that says that nothing is, give any object."""
    if returned in (inspect.Parameter.empty, None, type(None)) or _is_result(returned):
        return _OBJECT
    return schema_of(returned)


def _is_result(hint: Any) -> bool:
    return getattr(hint, "__module__", "").startswith("wfc.") or hint is Any


def _outcomes(returned: Any) -> Mapping[str, Any]:
    """The outcomes that a return type names: `tuple[Literal["found"], Note] | tuple[Literal["missing"], Nothing]`."""
    is_union = typing.get_origin(returned) in (typing.Union, types.UnionType)
    pairs = typing.get_args(returned) if is_union else (returned,)
    found: dict[str, Any] = {}
    for pair in pairs:
        parts = typing.get_args(pair)
        if typing.get_origin(pair) is not tuple or len(parts) != 2 or typing.get_origin(parts[0]) is not typing.Literal:
            return {}
        found |= dict.fromkeys(typing.get_args(parts[0]), _output(parts[1]))
    return found
