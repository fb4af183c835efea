"""Reads the shapes that hold nothing else: texts, names, numbers, choices, schemas, paths.

Each gives the value and at most one finding. A name of the wrong alphabet is still a name: it is reported once, where
it is given, and everything that refers to it is read as if it were well formed.
"""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import Any, assert_never

from wfc.diagnostics import Applicability
from wfc.frontend.findings import Finding, Repair, ranked, rewritten, shown, surely_meant
from wfc.frontend.reader_codes import BAD_NAME, BAD_PATH, BAD_VALUE, WRONG_PATH_ROOT
from wfc.frontend.schema_codes import BAD_SCHEMA
from wfc.frontend.shapes import Choice, Integer, Json, Name, Number, PathText, Scalar, SchemaText, Text
from wfc.frontend.unwrapping import unwrapped, without_index
from wfc.ir import canonical
from wfc.paths import LocalPath, PathError, StatePath

MAX_NAME = 128
_NUMERAL = re.compile(r"-?(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{1,14})?")


class _Hole:
    """The one value that stands for what could not be read."""

    def __repr__(self) -> str:
        return "HOLE"


HOLE: Any = _Hole()


def scalar(shape: Scalar, written: Any, pointer: str) -> tuple[Any, Finding | None]:
    """The value of a scalar shape, and what is wrong with it."""
    match shape:
        case PathText():
            return path(shape, written, pointer)
        case Text():
            fits = isinstance(written, str) and len(written) >= shape.least
            fits = fits and (shape.pattern is None or re.fullmatch(shape.pattern, written) is not None)
            return (written, None) if fits else _no_text(shape, written, pointer)
        case Json():
            return written, None
        case Name():
            return _name(shape, written, pointer)
        case Number():
            return (written, None) if _is_number(shape, written) else _no_number(shape, written, pointer)
        case Integer():
            return (int(written), None) if _is_whole(shape, written) else _no_number(shape, written, pointer)
        case Choice():
            return _choice(shape, written, pointer)
        case SchemaText():
            return _schema(written, pointer)
        case other:
            assert_never(other)


def bad_value(written: Any, expected: str, pointer: str, repairs: tuple[Repair, ...] = ()) -> Finding:
    """WF012 at a value: what was found, what its place asks for."""
    return Finding(BAD_VALUE, pointer, {"got": shown(written), "expected": expected}, repairs=repairs)


def _bad(written: Any, expected: str, pointer: str) -> tuple[Any, Finding]:
    return HOLE, bad_value(written, expected, pointer)


def _no_text(shape: Text, written: Any, pointer: str) -> tuple[Any, Finding]:
    """What is no text and stands for one, such as `true` for the outcome of that name, is read as that."""
    meant = None if isinstance(written, (str, dict, list)) else shape.meant.get(canonical(written))
    if meant is None:
        return _bad(written, shape.what, pointer)
    return meant, bad_value(written, shape.what, pointer, (rewritten(f'Write `"{meant}"`', pointer, written, meant),))


def _no_number(shape: Number | Integer, written: Any, pointer: str) -> tuple[Any, Finding]:
    """A number in quotes is read as that number."""
    if not isinstance(written, str) or _NUMERAL.fullmatch(written) is None:
        return _bad(written, shape.what, pointer)
    number = json.loads(written)
    fits = _is_whole(shape, number) if isinstance(shape, Integer) else _is_number(shape, number)
    if not fits:
        return _bad(written, shape.what, pointer)
    repair = rewritten(f"Write `{written}`, a number", pointer, written, number)
    return number, bad_value(written, shape.what, pointer, (repair,))


def _is_number(shape: Number, written: Any) -> bool:
    if isinstance(written, bool) or not isinstance(written, (int, float)):
        return False
    return shape.least is None or (written > shape.least if shape.open else written >= shape.least)


def _is_whole(shape: Integer, written: Any) -> bool:
    if isinstance(written, bool) or not isinstance(written, (int, float)) or written != int(written):
        return False
    return shape.least is None or written >= shape.least


def _schema(written: Any, pointer: str) -> tuple[Any, Finding | None]:
    if isinstance(written, (dict, bool)):
        return written, None
    facts = {"got": shown(written), "expected": "a JSON Schema: an object, `true` or `false`"}
    return HOLE, Finding(BAD_SCHEMA, pointer, facts)


def _name(shape: Name, written: Any, pointer: str) -> tuple[Any, Finding | None]:
    if not isinstance(written, str):
        return _bad(written, f"{shape.what}: a string", pointer)
    if len(written) > MAX_NAME:
        expected = f"at most {MAX_NAME} characters"
    elif written.startswith("__") or written in shape.taken:
        expected = "one that the language has not reserved"
    elif re.fullmatch(shape.pattern, written) is None:
        expected = f"letters, digits and {' '.join(f'`{mark}`' for mark in shape.marks)}, a letter or `_` first"
    else:
        return written, None
    got = written if len(written) <= MAX_NAME else written[: MAX_NAME - 3] + "..."
    return written, Finding(BAD_NAME, pointer, {"got": got, "what": shape.what, "expected": expected})


def _choice(shape: Choice, written: Any, pointer: str) -> tuple[Any, Finding | None]:
    choices = ", ".join(f"`{value}`" for value in shape.values)
    expected = f"one of {choices}" + (f", or `{shape.prefix}` with a type" if shape.prefix else "")
    if not isinstance(written, str):
        return _bad(written, expected, pointer)
    if written in shape.values or (shape.prefix and written.startswith(shape.prefix) and written != shape.prefix):
        return written, None
    meant = shape.meant.get(written) or surely_meant(written, shape.values)
    repairs = (rewritten(f"Write `{meant}`", pointer, written, meant),) if meant else ()
    facts = {"got": shown(written), "expected": expected, "allowed": ranked(written, shape.values)}
    return meant or HOLE, Finding(BAD_VALUE, pointer, facts, repairs=repairs)


def path(shape: PathText, written: Any, pointer: str, *, key: bool = False) -> tuple[Any, Finding | None]:
    """A path of a kind; with `key` one that stands as a key of an object."""
    if not isinstance(written, (str, dict)):
        return _bad(written, shape.kind.kind, pointer)
    try:
        return (_parsed(shape, written) if isinstance(written, str) else shape.kind.parse(written)), None
    except PathError as wrong:
        code = WRONG_PATH_ROOT if wrong.wrong_root else BAD_PATH
        problem = str(wrong).partition("; expected")[0]
        facts = {"problem": problem, "got": written, "expected": shape.kind.kind}
        repairs = () if key or isinstance(written, dict) else tuple(_path_repairs(shape, written, pointer))
        return HOLE, Finding(code, pointer, facts, key=key, repairs=repairs)


@lru_cache(maxsize=4096)
def _parsed(shape: PathText, written: str) -> Any:
    return shape.kind.parse(written)


def _path_repairs(shape: PathText, written: str, pointer: str) -> list[Repair]:
    """The paths that were surely meant: without braces or a dollar sign, or with the root that the place asks for."""
    indexed = without_index(written)
    if indexed is not None and _reads(shape, indexed):
        # What the index chose is lost, so that somebody has to look at it.
        return [Repair(f"Read `{indexed}`", rewritten("", pointer, written, indexed).patch, Applicability.UNSAFE)]
    inner = unwrapped(written)
    if inner is None:
        return []
    if _reads(shape, inner):
        return [rewritten(f"Write `{inner}`", pointer, written, inner)]
    first, _, rest = inner.partition(".")
    if shape.kind is StatePath:
        target = f"state.{rest if rest and first in ('input', 'output', 'context') else inner}"
        return [rewritten(f"Write `{target}`", pointer, written, target)] if _reads(shape, target) else []
    if shape.kind is LocalPath:
        return []
    inner = rest if rest and first == "output" else inner
    guesses = [f"{root}.{inner}" for root in ("state", "input")]
    return [
        Repair(f"Read `{guess}`", rewritten("", pointer, written, guess).patch, Applicability.UNSAFE)
        for guess in guesses
        if _reads(shape, guess)
    ]


def _reads(shape: PathText, written: str) -> bool:
    try:
        _parsed(shape, written)
    except PathError:
        return False
    return True
