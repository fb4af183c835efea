"""What is there before the first step: input with its defaults, state with defaults and seeds (reference 2.3.1)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from wfc.ir import Schema, declarations, pieces, root_properties
from wfc.passes import types
from wfc.passes.types import ANYTHING, Type, both
from wfc.passes.values.cells import ABSENT, ALWAYS, MAYBE, UNKNOWN, Cell, joined
from wfc.passes.values.declared import Declared, Parts, is_plain
from wfc.passes.values.roots import Root
from wfc.records import dataclass


@dataclass(frozen=True)
class Beginning:
    """The input and the first state of a workflow. State keys are seeded only from what the input schema lists."""

    input_schema: Schema
    declared: Declared

    @cached_property
    def _schema(self) -> Any:
        return self.input_schema.value

    @cached_property
    def seeds(self) -> Mapping[str, Any]:
        """The input keys that seed state, with their schemas."""
        return root_properties(self._schema)

    @cached_property
    def input_defaults(self) -> Mapping[str, Any]:
        """What is put in where a top-level input key is missing."""
        return {name: found[0] for name in self.seeds if (found := _default(self._schema, name)) is not None}

    @cached_property
    def input(self) -> Type:
        """The type of the whole input, once defaults are filled in."""
        filled = types.open_record(dict.fromkeys(self.input_defaults, (ANYTHING, True)))
        return both(types.of(self.input_schema), filled)

    def cell(self, root: Root) -> Cell:
        """What is known of a root before the first step."""
        if root.base == "item":
            return UNKNOWN
        if root.base == "input":
            return self._input(root.name)
        default = self.defaults.get(root.name)
        begun = ABSENT if default is None else Cell(ALWAYS, self._begun(root.name, default[0]))
        if root.name not in self.seeds:
            return begun
        given = self._input(root.name)
        seeded = Cell(given.there, both(self.declared.type((root.name,)), given.type))
        if given.there is ALWAYS:
            return seeded
        return joined([begun, Cell(ALWAYS, seeded.type)]) if given.there is MAYBE else begun

    def _begun(self, name: str, default: Any) -> Type:
        """A default that its schema refuses is a fault of its own (WF409), so that something fitting is meant."""
        declared, given = self.declared.type((name,)), types.literal(default)
        return declared if types.disjoint(given, declared) else given

    def _input(self, name: str) -> Cell:
        found = types.field(self.input, name)
        return Cell(found.presence, found.type)

    @cached_property
    def defaults(self) -> Mapping[str, tuple[Any]]:
        """The first value of each state field that has one, in a one-tuple."""
        return {name: value for name in self.declared.roots if (value := _built(self.declared.value, name)) is not None}


def _default(schema: Any, name: str) -> tuple[Any] | None:
    """The default that a top-level property declares itself, also through `$ref` and `allOf`."""
    own = root_properties(schema)[name]
    if is_plain(own):
        return (own["default"],) if isinstance(own, dict) and "default" in own else None
    found = (piece for at, _ in declarations(schema, (name,)) for _, piece in pieces(schema, at))
    return next(((piece["default"],) for piece in found if "default" in piece), None)


def _built(schema: Any, name: str) -> tuple[Any] | None:
    """The first value of a state field: its own default, else an object of the defaults of its properties.

    A schema that is met again below itself adds nothing: a recursive type has no end of defaults.
    """
    whole = root_properties(schema)[name]
    if is_plain(whole) and not root_properties(whole):
        return (whole["default"],) if isinstance(whole, dict) and "default" in whole else None
    found: dict[str, Any] = {}
    waiting: list[tuple[Parts, frozenset[str]]] = [((name,), frozenset())]
    while waiting:
        parts, seen = waiting.pop()
        places = [place for at, _ in declarations(schema, parts) for place in pieces(schema, at)]
        own = [piece["default"] for _, piece in places if "default" in piece]
        pointers = {at for at, _ in places}
        if own:
            _plant(found, parts, own[0])
        elif not pointers & seen:
            names = dict.fromkeys(inner for _, piece in places for inner in root_properties(piece))
            waiting += [((*parts, inner), seen | pointers) for inner in reversed(names)]
    return (found[name],) if name in found else None


def _plant(tree: dict[str, Any], parts: Parts, value: Any) -> None:
    for part in parts[:-1]:
        tree = tree.setdefault(part, {})
    tree[parts[-1]] = value
