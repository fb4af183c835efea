"""A TOML table becomes `Settings`, or a `ConfigFault` that names the file, the key and what was expected there.

The room's one door to pydantic: imported only when a configuration was found. Unknown keys are found section by
section, so that each can be told the nearest name.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from wfc.diagnostics import close_match
from wfc.project.settings import (
    CheckSettings,
    ConfigFault,
    McpSettings,
    OAuthSettings,
    PlanSettings,
    PythonSettings,
    Settings,
    SourceSettings,
    ToolSettings,
    WorkflowSettings,
)
from wfc.records import dataclass

_T = TypeVar("_T")
# Fields whose key has a dash; all others are written like the field.
_KEYS = {"per_file_ignores": "per-file-ignores", "fail_level": "fail-level"}
_KINDS_OF_JSON = {
    "a valid array": "an array",
    "an object": "a table",
    "a valid string": "a string",
    "a valid integer": "an integer",
    "a valid number": "a number",
    "a valid boolean": "true or false",
}
_SECRETIVE = ("env", "headers", "headers_from", "args", "url", "client_secret")
SOURCE_KINDS = ("mcp", "python", "workflow")
ADAPTERS = ("text", "json", "python-literal", "lines")
ADAPTER_TABLES: Mapping[str, tuple[str, ...]] = {
    "regex": ("regex", "all"),
    "unwrap": ("unwrap",),
    "error-when": ("error-when", "type"),
}


@dataclass(frozen=True, slots=True)
class _Place:
    """A section of a configuration file, for messages."""

    file: str
    keys: tuple[str, ...] = ()

    def below(self, *keys: str) -> _Place:
        return _Place(self.file, (*self.keys, *keys))

    def fault(self, message: str) -> ConfigFault:
        section = f", `[{'.'.join(self.keys)}]`" if self.keys else ""
        return ConfigFault(f"{self.file}{section}: {message}")


def parse_settings(table: Mapping[str, Any], file: str) -> Settings:
    """Read a whole configuration; `file` names it in messages. Raises `ConfigFault`."""
    top = _Place(file)
    flat = dict(table)
    check = _section(CheckSettings, flat.pop("check", {}), top.below("check"))
    plan = _section(PlanSettings, flat.pop("plan", {}), top.below("plan"))
    named = _table(flat.pop("sources", {}), top.below("sources"))
    sources = {name: _source(name, value, top.below("sources", name)) for name, value in named.items()}
    settings = _section(Settings, flat, top)
    return dataclasses.replace(settings, check=check, plan=plan, sources=sources)


def _source(name: str, value: Any, at: _Place) -> SourceSettings:
    table = dict(_table(value, at))
    if "." in name:
        raise at.fault(f"the source name `{name}` has a dot; expected a name without one")
    kind = table.get("kind")
    if kind not in SOURCE_KINDS:
        found = "a key is missing: `kind`" if kind is None else f"`kind` is {json.dumps(kind, default=str)}"
        raise at.fault(f"{found}; expected one of {_listed(SOURCE_KINDS)}")
    if kind == "python":
        return _section(PythonSettings, table, at)
    if kind == "workflow":
        return _section(WorkflowSettings, table, at)
    tools = _table(table.pop("tools", {}), at.below("tools"))
    made = {tool: _tool(content, at.below("tools", tool)) for tool, content in tools.items()}
    written = table.pop("oauth", None)
    oauth = None if written is None else _section(OAuthSettings, dict(_table(written, at)), at.below("oauth"))
    return dataclasses.replace(_section(McpSettings, table, at), tools=made, oauth=oauth)


def _tool(value: Any, at: _Place) -> ToolSettings:
    table = dict(_table(value, at))
    adapt = table.pop("adapt", [])
    adapters = tuple(_adapter(one, at) for one in (adapt if isinstance(adapt, list) else [adapt]))
    return dataclasses.replace(_section(ToolSettings, table, at), adapt=adapters)


def _adapter(value: Any, at: _Place) -> str | Mapping[str, Any]:
    expected = f"expected one of {_listed(ADAPTERS)} or a table with one of {_listed(tuple(ADAPTER_TABLES))}"
    if isinstance(value, str) and value in ADAPTERS:
        return value
    leading = [key for key in ADAPTER_TABLES if isinstance(value, dict) and key in value]
    if len(leading) != 1:
        raise at.fault(f"`adapt` has {json.dumps(value, default=str)}; {expected}")
    known = ADAPTER_TABLES[leading[0]]
    for key, setting in value.items():
        if key not in known:
            raise at.fault(_unknown_key(key, known))
        wanted, told = (bool, "true or false") if key == "all" else (str, "a string")
        if not isinstance(setting, wanted):
            raise at.fault(f"`{key}` of `adapt` is {json.dumps(setting, default=str)}; expected {told}")
    return dict(value)


def _table(value: Any, at: _Place) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise _Place(at.file, at.keys[:-1]).fault(f"`{at.keys[-1]}` is no table; expected `[{'.'.join(at.keys)}]`")
    return value


def _section(kind: type[_T], value: Any, at: _Place) -> _T:
    """One section as a value of `kind`; what stands in it in tables of their own has been taken out before."""
    table = _table(value, at) if at.keys else value
    fields = {_KEYS.get(field.name, field.name): field.name for field in dataclasses.fields(kind)}  # type: ignore[arg-type]
    for key in table:
        if key not in fields:
            raise at.fault(_unknown_key(key, tuple(fields)))
    # As JSON, because only there does a strict reading take an array for a tuple.
    text = json.dumps({fields[key]: content for key, content in table.items()}, default=str)
    try:
        return TypeAdapter(kind).validate_json(text, strict=True)
    except ValidationError as wrong:
        raise at.fault(_worded(wrong)) from None


def _unknown_key(key: str, known: tuple[str, ...]) -> str:
    close = close_match(key, known)
    return f"`{key}` is no key here; " + (f"nearest: `{close}`" if close else f"expected one of {_listed(known)}")


def _worded(wrong: ValidationError) -> str:
    first = wrong.errors(include_url=False)[0]
    where = ".".join(_KEYS.get(str(part), str(part)) for part in first["loc"])
    if first["type"] == "value_error":
        return str(first["ctx"]["error"])
    if first["type"] == "missing":
        return f"a key is missing: `{where}`"
    expected = first["msg"].removeprefix("Input should be ")
    # What stands in these may be a secret, and no error text shows one.
    found = "of another kind" if first["loc"][0] in _SECRETIVE else json.dumps(first["input"])
    return f"`{where}` is {found}; expected {_KINDS_OF_JSON.get(expected, expected)}"


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(f"`{name}`" for name in names)
