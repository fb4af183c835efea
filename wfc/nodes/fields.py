"""Fields of a schema with what only a workflow knows of them: reducers and initial values (reference 1.6)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wfc.nodes.hints import NO_DEFAULT, HintFault, schema_of
from wfc.records import dataclass

_DECLARING = ("type", "description", "properties", "$ref", "$defs")
_JSON = (str, int, float, list, dict)


@dataclass(frozen=True, slots=True)
class StateField:
    """A field of state: its type, the reducer that writes meet, and the value that it begins with.

    `type` is a type hint, the name of a JSON type, or a schema; `reducer` a name or `{"ref": …, "config": …}`. It
    stands in a mapping of names to fields, or in the `Annotated` of a field in a dataclass or pydantic model.
    """

    type: Any = Any
    reducer: str | Mapping[str, Any] | None = None
    default: Any = NO_DEFAULT

    def schema_keys(self) -> dict[str, Any]:
        """What this adds to the schema of its type."""
        keys: dict[str, Any] = {} if self.reducer is None else {"reducer": self.reducer}
        return keys if self.default is NO_DEFAULT else {**keys, "default": self.default}

    def schema(self) -> dict[str, Any]:
        own = {"type": self.type} if isinstance(self.type, str) else schema_from(self.type)
        if isinstance(own, bool):
            raise HintFault(f"a state field has the schema `{own}`; expected a type or an object schema")
        return {**own, **self.schema_keys()}

    def __get_pydantic_json_schema__(self, core: Any, handler: Any) -> dict[str, Any]:
        """How pydantic asks what stands in an `Annotated` for its part of the schema."""
        return {**handler(core), **self.schema_keys()}


def schema_from(given: Any, *, required: bool = True) -> Any:
    """A schema from what somebody gave for one: a schema, a type hint, or a mapping of names to hints and fields.

    In a mapping of names every field is required, unless it has a default. Where `required` is false none is, in a type
    as well: of state only what declares its fields counts.
    """
    made: dict[str, Any]
    if isinstance(given, bool):
        return given
    if isinstance(given, str):
        return {"type": given}
    if isinstance(given, StateField):
        return given.schema()
    if not isinstance(given, Mapping):
        made = schema_of(given)
        return made if required else {key: made[key] for key in _DECLARING if key in made}
    if all(isinstance(value, _JSON) or value is None for value in given.values()):
        return given
    made = {"type": "object"}
    made["properties"] = {name: schema_from(one) for name, one in given.items()}
    wanted = [name for name, one in made["properties"].items() if one is True or "default" not in one]
    return {**made, "required": wanted} if required and wanted else made
