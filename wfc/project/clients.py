"""Files in which other clients keep their MCP servers, as they write them (reference 4.2).

Known are the objects `mcpServers` and `servers`, `command` with `args`, `env` and `cwd`, and an address as `url`,
`serverUrl` or `httpUrl` with `headers`. What such a file says besides is for its own client.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from wfc.diagnostics import close_match
from wfc.project.find import Project
from wfc.project.settings import ConfigFault, McpSettings
from wfc.records import replace

if TYPE_CHECKING:
    from pathlib import Path

_TABLES = ("mcpServers", "servers")
_ADDRESSES = ("url", "serverUrl", "httpUrl")
_TRANSPORTS = ("stdio", "http", "streamable-http", "streamableHttp", "streamable_http")


def entry_of_file(name: str, settings: McpSettings, project: Project) -> McpSettings:
    """The settings with command, arguments, environment or address of the server's entry in the file that they name.

    Raises `ConfigFault`.
    """
    file = project.folder / str(settings.mcp_config)
    servers = _servers(file)
    entry = servers.get(name)
    if not isinstance(entry, dict):
        close = close_match(name, list(servers))
        known = f"nearest: `{close}`" if close else f"it has {', '.join(f'`{one}`' for one in servers) or 'none'}"
        raise ConfigFault(f"{file} has no server `{name}`; {known}")
    transport = entry.get("type", entry.get("transport", "stdio"))
    if transport not in _TRANSPORTS:
        told = json.dumps(transport)
        raise ConfigFault(f"{file}, server `{name}`: it speaks {told}; expected stdio or streamable HTTP")
    try:
        return replace(
            settings,
            mcp_config=None,
            command=_text(entry, "command"),
            args=tuple(map(str, entry.get("args", ()))),
            env={**_texts(entry, "env"), **settings.env},
            cwd=settings.cwd or _text(entry, "cwd"),
            url=next((_text(entry, key) for key in _ADDRESSES if key in entry), None),
            headers={**_texts(entry, "headers"), **settings.headers},
        )
    except (ValueError, TypeError) as wrong:
        raise ConfigFault(f"{file}, server `{name}`: {wrong}") from None


def _text(entry: Mapping[str, Any], key: str) -> str | None:
    value = entry.get(key)
    if value is not None and not isinstance(value, str):
        raise ValueError(f"`{key}` is no text")
    return value


def _texts(entry: Mapping[str, Any], key: str) -> dict[str, str]:
    value = entry.get(key) or {}
    if not isinstance(value, dict):
        raise ValueError(f"`{key}` is no object")
    return {str(name): str(text) for name, text in value.items()}


def _servers(file: Path) -> Mapping[str, Any]:
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except OSError as wrong:
        raise ConfigFault(f"{file} cannot be read: {wrong.strerror}") from None
    except (ValueError, RecursionError) as wrong:
        raise ConfigFault(f"{file} is no JSON: {wrong}") from None
    tables = [found[name] for name in _TABLES if name in found] if isinstance(found, dict) else []
    if len(tables) != 1 or not isinstance(tables[0], dict):
        raise ConfigFault(f"{file} has no `mcpServers`; expected an object of servers by name")
    servers: Mapping[str, Any] = tables[0]
    return servers
