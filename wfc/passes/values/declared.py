"""What a workflow's state schema says of a state path: its reducer, its type, its default (reference 1.6)."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from wfc.ir import REPLACE, ReducerRef, Schema, declarations, pieces, reducer_ref, root_properties
from wfc.passes import types
from wfc.passes.types import ANYTHING, Type
from wfc.records import dataclass, field
from wfc.source import pointer

Parts = tuple[str, ...]


@dataclass(frozen=True)
class Declared:
    """A state schema, read once; answers are kept by path."""

    schema: Schema
    _reducers: dict[Parts, ReducerRef] = field(default_factory=dict, compare=False, repr=False)
    _types: dict[Parts, Type] = field(default_factory=dict, compare=False, repr=False)

    @cached_property
    def value(self) -> Any:
        return self.schema.value

    @cached_property
    def roots(self) -> dict[str, Any]:
        """The top-level fields with their schemas, in the order of the document."""
        return root_properties(self.value)

    def is_open(self, root: str) -> bool:
        """Whether the schema says by itself that there may be further fields such as this one."""
        said = [self.value.get(keyword, False) for keyword in ("additionalProperties", "unevaluatedProperties")]
        return types.field(types.of(self.schema), root).listed or any(each is not False for each in said)

    def reducer(self, parts: Parts) -> ReducerRef:
        """The reducer that is declared for exactly this path; `wf.std.replace` where none is."""
        found = self._reducers.get(parts)
        if found is None:
            found = self._reducers[parts] = _reducer(self.value, parts)
        return found

    def type(self, parts: Parts) -> Type:
        """What the path holds, by declaration, whenever it is there: every write leaves valid all that it touches."""
        found = self._types.get(parts)
        if found is None:
            found = self._types[parts] = self._declared(parts)
        return found

    def _declared(self, parts: Parts) -> Type:
        if len(parts) > 1:
            return types.field(self.type(parts[:-1]), parts[-1]).type
        return types.of(self.schema, pointer("properties", parts[0])) if parts[0] in self.roots else ANYTHING


def is_plain(schema: Any) -> bool:
    """Whether a schema says everything itself, without `$ref` and `allOf`."""
    return not (isinstance(schema, dict) and ("$ref" in schema or "allOf" in schema))


def _reducer(schema: Any, parts: Parts) -> ReducerRef:
    piece = root_properties(schema).get(parts[0])
    if len(parts) == 1 and is_plain(piece):
        named = reducer_ref(piece["reducer"]) if isinstance(piece, dict) and "reducer" in piece else None
        return named or REPLACE
    for at, _ in declarations(schema, parts):
        for _, piece in pieces(schema, at):
            found = reducer_ref(piece["reducer"]) if "reducer" in piece else None
            if found is not None:
                return found
    return REPLACE
