"""pydantic models as schemas, without importing pydantic: whoever has a model has imported it already.

A model's schema names classes and fields once more in titles, and keeps nested models apart in `$defs`. Here both are
undone, so that a model says the same as the schema that somebody writes by hand.
"""

from __future__ import annotations

import sys
from typing import Any

_REF = "#/$defs/"


def is_model(hint: Any) -> bool:
    """Whether a class is a pydantic model."""
    pydantic = sys.modules.get("pydantic")
    return pydantic is not None and isinstance(hint, type) and issubclass(hint, pydantic.BaseModel)


def model_schema(model: Any) -> dict[str, Any]:
    """The JSON Schema of a model's values as they are given."""
    written = model.model_json_schema()
    definitions = written.pop("$defs", {})
    inlined: dict[str, Any] = _Inliner(definitions).schema(written, model.__name__, ())
    kept = _kept(inlined, definitions)
    return {**inlined, "$defs": kept} if kept else inlined


class _Inliner:
    """Puts definitions where they are used; one that is used inside itself stays a definition."""

    def __init__(self, definitions: dict[str, Any]) -> None:
        self.definitions = definitions

    def schema(self, written: Any, title: str, inside: tuple[str, ...]) -> Any:
        if isinstance(written, list):
            return [self.schema(one, title, inside) for one in written]
        if not isinstance(written, dict):
            return written
        name = str(written.get("$ref", "")).removeprefix(_REF)
        if name in self.definitions:
            beside = {key: value for key, value in written.items() if key != "$ref"}
            if name in inside or self._holds_itself(name):
                return {**beside, "$ref": _REF + name}
            return {**self.schema(self.definitions[name], name, (*inside, name)), **beside}
        made = {key: value for key, value in written.items() if key != "title" or value not in _titles(title)}
        return {key: self._inside(key, value, title, inside) for key, value in made.items()}

    def _inside(self, key: str, value: Any, title: str, inside: tuple[str, ...]) -> Any:
        if key in ("properties", "patternProperties"):
            return {name: self.schema(one, name, inside) for name, one in value.items()}
        if key in ("default", "enum", "const", "examples", "required"):
            return value
        return self.schema(value, title, inside)

    def _holds_itself(self, name: str) -> bool:
        seen: set[str] = set()
        waiting = refs(self.definitions[name])
        while waiting:
            one = waiting.pop()
            if one == name:
                return True
            if one not in seen and one in self.definitions:
                seen.add(one)
                waiting += refs(self.definitions[one])
        return False


def _titles(name: str) -> tuple[str, str]:
    """The titles that say nothing but a name again."""
    return name, name.title().replace("_", " ").strip()


def _kept(schema: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    """The definitions that a schema still refers to, directly or not."""
    kept: dict[str, Any] = {}
    waiting = refs(schema)
    while waiting:
        name = waiting.pop()
        if name in definitions and name not in kept:
            kept[name] = _Inliner(definitions).schema(definitions[name], name, (name,))
            waiting += refs(kept[name])
    return dict(sorted(kept.items()))


def refs(schema: Any) -> list[str]:
    """The names of the definitions that a schema refers to."""
    found: list[str] = []
    waiting = [schema]
    while waiting:
        one = waiting.pop()
        if isinstance(one, list):
            waiting += one
        elif isinstance(one, dict):
            ref = one.get("$ref")
            if isinstance(ref, str) and ref.startswith(_REF):
                found.append(ref.removeprefix(_REF))
            waiting += one.values()
    return found
