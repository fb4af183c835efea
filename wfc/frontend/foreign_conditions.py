"""What a condition means that is written as other systems write one: an expression, or an object of another shape.

Guarantees: where the whole of it has one meaning it is given as a condition of the language, else nothing. A path
counts only with its root. Nesting beyond `_DEEPEST` levels is given up, so that nothing recurses further.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from wfc.frontend.unwrapping import unwrapped
from wfc.paths import GraphSourcePath, PathError
from wfc.records import dataclass

Condition = dict[str, Any]

_DEEPEST, _LONGEST = 20, 2000
_COMPARED = {
    "==": "eq", "===": "eq", "=": "eq", "eq": "eq", "equals": "eq", "!=": "ne", "!==": "ne", "<>": "ne", "ne": "ne",
    "not_equals": "ne", "<": "lt", "lt": "lt", "<=": "le", "le": "le", "lte": "le", ">": "gt", "gt": "gt", ">=": "ge",
    "ge": "ge", "gte": "ge",
}  # fmt: skip
_JOINED = {"and": "and", "&&": "and", "all": "and", "or": "or", "||": "or", "any": "or"}
_NEGATED = ("not", "!")
_PRESENT = ("exists", "defined", "has")
_CONSTANTS = {
    "true": True, "True": True, "false": False, "False": False, "null": None, "None": None, "nil": None,
}  # fmt: skip
_WHOLE = re.compile(r"\s*\$?\{\{?((?:[^{}\"']|\"[^\"]*\"|'[^']*')*)\}?\}\s*\Z")
_TOKEN = re.compile(
    r"""\s*(?:(?P<text>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(?P<number>-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)(?![\w.])
    |(?P<path>\$?\{\{?\s*(?:\$\.)?[A-Za-z_][\w.]*\s*\}?\}|\$\.[A-Za-z_][\w.]*)|(?P<word>[A-Za-z_]\w*(?:\.\w+)*)
    |(?P<mark>===|!==|==|!=|<>|<=|>=|&&|\|\||[=<>!()]))""",
    re.VERBOSE,
)
_LEFT, _RIGHT = ("left", "lhs", "path", "field", "var", "variable"), ("right", "rhs", "value")


class _Foreign(Exception):
    """What is written has no one meaning; raised and caught in this file."""


def condition_meant(written: Any) -> tuple[Condition, bool] | None:
    """The condition that is meant, and whether that is sure: a bare path may ask for more than `true`."""
    try:
        if isinstance(written, str):
            return _Reading(_tokens(written)).all()
        return _shaped(written, 0)
    except _Foreign:
        return None


def _shaped(written: Any, depth: int) -> tuple[Condition, bool]:
    """An object: `{"and": […]}`, `{"==": [a, b]}`, `{"not": …}`, `{"exists": path}`, or a comparison by other keys."""
    if isinstance(written, str):
        return _Reading(_tokens(written)).all()
    if not isinstance(written, dict) or depth > _DEEPEST:
        raise _Foreign
    if len(written) == 1:
        ((key, held),) = written.items()
        return _keyed(key, held, depth)
    op = written.get("op", written.get("operator"))
    if isinstance(op, str) and op in _COMPARED and len(written) == 3:
        left, right = (next((key for key in keys if key in written), None) for keys in (_LEFT, _RIGHT))
        if left is not None and right is not None:
            return _compare(_COMPARED[op], _operand(written[left], True), _operand(written[right])), True
    if isinstance(op, str) and (op in _JOINED or op in _PRESENT or op in _NEGATED) and len(written) == 2:
        (held,) = (value for key, value in written.items() if key not in ("op", "operator"))
        return _keyed(op, held, depth)
    raise _Foreign


def _keyed(key: str, held: Any, depth: int) -> tuple[Condition, bool]:
    if key in _JOINED and isinstance(held, list) and held:
        parts = [_part(each, depth) for each in held]
        return {"op": _JOINED[key], "args": [part for part, _ in parts]}, all(sure for _, sure in parts)
    if key in _NEGATED:
        inside = held[0] if isinstance(held, list) and len(held) == 1 else held
        part, sure = _part(inside, depth)
        return {"op": "not", "arg": part}, sure
    if key in _PRESENT and isinstance(held, str):
        return {"op": "exists", "path": _path(held)}, True
    if key in _COMPARED and isinstance(held, list) and len(held) == 2:
        return _compare(_COMPARED[key], *map(_operand, held)), True
    raise _Foreign


def _part(written: Any, depth: int) -> tuple[Condition, bool]:
    """A condition inside another; one of the language's own shape stays as it is."""
    own = isinstance(written, dict) and "op" in written and {"left", "args", "arg", "path"} & written.keys()
    if own and not ("path" in written and written["op"] != "exists"):
        return written, True
    return _shaped(written, depth + 1)


def _operand(written: Any, is_path: bool = False) -> Condition:
    if isinstance(written, dict) and len(written) == 1 and isinstance(written.get("var"), str):
        return {"path": _path(written["var"])}
    if isinstance(written, dict) and len(written) == 1 and ("path" in written or "value" in written):
        return written
    if isinstance(written, (dict, list)):
        raise _Foreign
    return {"path": _path(written)} if is_path or _is_path(written) else {"value": written}


def _is_path(written: Any) -> bool:
    try:
        _path(written)
    except _Foreign:
        return False
    return True


def _path(written: Any) -> str:
    inner = unwrapped(written) if isinstance(written, str) else None
    if inner is None:
        raise _Foreign
    try:
        GraphSourcePath.parse(inner)
    except PathError:
        raise _Foreign from None
    return inner


def _compare(op: str, left: Condition, right: Condition) -> Condition:
    return {"op": op, "left": left, "right": right}


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str


_END = _Token("end", "")


def _tokens(written: str) -> list[_Token]:
    if len(written) > _LONGEST:
        raise _Foreign
    whole = _WHOLE.match(written)
    text, at, found = whole[1] if whole else written, 0, []
    while text[at:].strip():
        token = _TOKEN.match(text, at)
        if token is None or token.lastgroup is None:
            raise _Foreign
        found.append(_Token(token.lastgroup, token[token.lastgroup]))
        at = token.end()
    return found


class _Reading:
    """An expression: `or` binds least, then `and`, then `not`, then what compares."""

    def __init__(self, tokens: list[_Token]) -> None:
        self.tokens, self.at, self.depth, self.is_sure = tokens, 0, 0, True

    def all(self) -> tuple[Condition, bool]:
        found = self._joined("or", lambda: self._joined("and", self._negated))
        if self.at != len(self.tokens):
            raise _Foreign
        return found, self.is_sure

    def _joined(self, op: str, part: Callable[[], Condition]) -> Condition:
        parts = [part()]
        while _JOINED.get(self._next().text) == op:
            self.at += 1
            parts.append(part())
        return parts[0] if len(parts) == 1 else {"op": op, "args": parts}

    def _negated(self) -> Condition:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise _Foreign
        found = {"op": "not", "arg": self._negated()} if self._took(*_NEGATED) else self._compared()
        self.depth -= 1
        return found

    def _compared(self) -> Condition:
        if self._took("("):
            inside = self._joined("or", lambda: self._joined("and", self._negated))
            self._due(")")
            return inside
        if self._took(*_PRESENT):
            bracket = self._took("(")
            found = {"op": "exists", "path": _path(self._take().text)}
            if bracket:
                self._due(")")
            return found
        left = self._value()
        if self._took("exists"):
            return {"op": "exists", "path": _path(left.get("path"))}
        if self._took("is"):
            return self._identity(left)
        if self._next().text in _COMPARED:
            return _compare(_COMPARED[self._take().text], left, self._value())
        self.is_sure = False
        return _compare("eq", {"path": _path(left.get("path"))}, {"value": True})

    def _identity(self, left: Condition) -> Condition:
        """`is null`, `is not None`, `is defined`, `is not defined`, `is true`."""
        negated = self._took("not")
        if self._took("defined"):
            found: Condition = {"op": "exists", "path": _path(left.get("path"))}
            return {"op": "not", "arg": found} if negated else found
        return _compare("ne" if negated else "eq", left, self._value())

    def _value(self) -> Condition:
        token = self._take()
        if token.kind == "number":
            return {"value": json.loads(token.text)}
        if token.kind == "text":
            return {"value": _unquoted(token.text)}
        if token.kind == "word" and token.text in _CONSTANTS:
            return {"value": _CONSTANTS[token.text]}
        return {"path": _path(token.text)}

    def _next(self) -> _Token:
        return self.tokens[self.at] if self.at < len(self.tokens) else _END

    def _take(self) -> _Token:
        found = self._next()
        self.at += 1
        return found

    def _took(self, *texts: str) -> bool:
        if self._next().kind not in ("word", "mark") or self._next().text not in texts:
            return False
        self.at += 1
        return True

    def _due(self, text: str) -> None:
        if not self._took(text):
            raise _Foreign


def _unquoted(written: str) -> str:
    inner = written[1:-1]
    if "\\" not in inner:
        return inner
    if written[0] == "'":
        inner = inner.replace("\\'", "'").replace('"', '\\"')
    try:
        found: str = json.loads(f'"{inner}"')
    except ValueError:
        raise _Foreign from None
    return found
