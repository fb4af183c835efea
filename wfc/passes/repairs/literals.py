"""What an author meant by a literal that is refused: the repairs that planners' slips call for."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from wfc.diagnostics import Applicability
from wfc.ir import canonical
from wfc.passes import types
from wfc.passes.repairs.patches import SAFE, UNSAFE
from wfc.passes.spelling import meant
from wfc.passes.types import Type
from wfc.passes.types.atoms import atoms_of
from wfc.passes.types.forms import Literals
from wfc.paths import GraphSourcePath, PathError

_PYTHON = {"True": True, "False": False, "None": None}
_LONGEST = 1000


def meant_literal(value: Any, wanted: Type) -> tuple[Any, Applicability] | None:
    """A literal that the type takes and that was surely, or probably, meant by another one."""
    return next((found for found in _guesses(value, wanted) if types.holds(wanted, found[0])), None)


def _guesses(value: Any, wanted: Type) -> Iterator[tuple[Any, Applicability]]:
    if isinstance(value, str) and len(value) <= _LONGEST:
        if value in _PYTHON:
            yield _PYTHON[value], SAFE
        yield from _parsed(value)
        close = meant(value, [one for one in listed(wanted) if isinstance(one, str)])
        if close is not None:
            yield close, SAFE
    elif value is not None and not isinstance(value, (str, list, dict)):
        yield canonical(value), SAFE
    if isinstance(value, list) and len(value) == 1:
        yield value[0], UNSAFE
    yield [value], UNSAFE


def listed(type: Type) -> list[Any]:
    """The values that a type lists one by one."""
    return [member.value for atom in atoms_of(type) if isinstance(atom, Literals) for member in atom.members]


def _parsed(text: str) -> Iterator[tuple[Any, Applicability]]:
    try:
        yield json.loads(text, parse_constant=_refuse), SAFE
    except (ValueError, RecursionError):
        return


def _refuse(text: str) -> None:
    raise ValueError(f"`{text}` is no JSON")


def meant_path(value: Any) -> GraphSourcePath | None:
    """The path that a text spells which was given as a value."""
    if not isinstance(value, str) or len(value) > _LONGEST:
        return None
    bare = (
        value.strip()
        .removeprefix("{{")
        .removesuffix("}}")
        .removeprefix("${")
        .removesuffix("}")
        .strip()
        .removeprefix("$.")
    )
    try:
        found = GraphSourcePath.parse(bare)
    except PathError:
        return None
    return found if found.parts else None
