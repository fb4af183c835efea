"""The sources that a configuration names, ready to be opened (reference 4.2). Nothing is started or imported here.

References to secrets become their values here, and only for the sources that a program calls: nobody needs the secrets
of the others.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from wfc.diagnostics import close_match
from wfc.project import ConfigFault, McpSettings, Project, PythonSettings, SourceSettings, resolve_references
from wfc.records import replace

if TYPE_CHECKING:
    from pathlib import Path

    from wfc.backends.sources import McpServer, Source
    from wfc.ir import Program


def sources_of(project: Project, program: Program) -> dict[str, Source]:
    """The configured sources that a program names. Raises `ConfigFault` for one that cannot be used as written."""
    named = {definition.uses.source for routine in program.routines for definition in routine.definitions}
    settings = project.settings.sources
    return {name: _source(name, settings[name], project) for name in settings if name in named}


def _source(name: str, settings: SourceSettings, project: Project) -> Source:
    from wfc.backends.sources import McpSource, PythonSource

    if isinstance(settings, PythonSettings):
        return PythonSource(
            name,
            settings.module,
            folder=project.folder.absolute(),
            effects=settings.effects,
            allow=settings.allow,
            deny=settings.deny,
            timeout_seconds=settings.timeout_seconds,
        )
    if settings.mcp_config is not None:
        settings = _from_file(name, settings, project)
    try:
        return McpSource(_server(name, settings, project))
    except ValueError as error:
        raise ConfigFault(f"{project.file}: source `{name}`: {error}") from None


def _server(name: str, settings: McpSettings, project: Project) -> McpServer:
    from wfc.backends.sources import McpServer, ToolShape

    if settings.command is None:
        raise ConfigFault(f"{project.file}: source `{name}` names no `command`; this version starts servers over stdio")
    args = tuple(resolve_references(arg, os.environ) for arg in settings.args)
    return McpServer(
        name=name,
        command=settings.command,
        args=args,
        secrets=tuple(given for arg, given in zip(settings.args, args, strict=True) if given != arg),
        env={key: resolve_references(value, os.environ) for key, value in settings.env.items()},
        cwd=(project.folder / (settings.cwd or ".")).absolute(),
        timeout_seconds=settings.timeout_seconds,
        allow=settings.allow,
        deny=settings.deny,
        effects=settings.effects,
        tools={
            tool: ToolShape(shape.adapt, shape.output, shape.effects, shape.rename)
            for tool, shape in settings.tools.items()
        },
    )


def _from_file(name: str, settings: McpSettings, project: Project) -> McpSettings:
    """The settings with command, arguments and environment of the server's entry in a file of MCP servers."""
    file = project.folder / str(settings.mcp_config)
    servers = _servers(file)
    entry = servers.get(name)
    if not isinstance(entry, dict):
        close = close_match(name, list(servers))
        known = f"nearest: `{close}`" if close else f"it has {', '.join(f'`{one}`' for one in servers) or 'none'}"
        raise ConfigFault(f"{file} has no server `{name}`; {known}")
    try:
        return replace(
            settings,
            mcp_config=None,
            command=entry.get("command"),
            args=tuple(map(str, entry.get("args", ()))),
            env={**{key: str(value) for key, value in entry.get("env", {}).items()}, **settings.env},
            cwd=settings.cwd or entry.get("cwd"),
            url=entry.get("url"),
        )
    except (ValueError, TypeError, AttributeError) as wrong:
        raise ConfigFault(f"{file}, server `{name}`: {wrong}") from None


def _servers(file: Path) -> Mapping[str, Any]:
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except OSError as wrong:
        raise ConfigFault(f"{file} cannot be read: {wrong.strerror}") from None
    except ValueError as wrong:
        raise ConfigFault(f"{file} is no JSON: {wrong}") from None
    servers = found.get("mcpServers") if isinstance(found, dict) else None
    if not isinstance(servers, dict):
        raise ConfigFault(f"{file} has no `mcpServers`; expected an object of servers by name")
    return servers
