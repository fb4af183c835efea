"""The sources that a configuration names, ready to be opened (reference 4.2). Nothing is started or imported here.

References to secrets become their values here, and only for the sources that are asked for: nobody needs the secrets
of the others.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

from wfc.project import (
    ConfigFault,
    Lock,
    McpSettings,
    OAuthSettings,
    Project,
    PythonSettings,
    Resolved,
    SourceSettings,
    WorkflowSettings,
    entry_of_file,
    read_lock,
    resolved,
)
from wfc.records import dataclass, field, replace

if TYPE_CHECKING:
    from wfc.backends.sources import McpServer, OAuth, Source, ToolShape
    from wfc.ir import Program


def sources_of(
    project: Project, program: Program, lock: Lock | None = None, within: tuple[str, ...] = ()
) -> dict[str, Source]:
    """The configured sources that a program names. Raises `ConfigFault` for one that cannot be used as written.

    `lock` is what they have to offer; by default the lock of the project. `within` are the published workflows that the
    program is called by.
    """
    named = {definition.uses.source for routine in program.routines for definition in routine.definitions}
    wanted = [name for name in project.settings.sources if name in named]
    known = read_lock(project.folder) if lock is None and wanted else lock
    uses = [definition.uses for routine in program.routines for definition in routine.definitions]
    return {
        name: source_of(
            project, name, known or Lock(), [one.capability_key for one in uses if one.source == name], within
        )
        for name in wanted
    }


def source_of(
    project: Project,
    name: str,
    lock: Lock,
    keys: Collection[str] | None = None,
    within: tuple[str, ...] = (),
) -> Source:
    """One configured source, with what the lock pins of it; `keys` are the capabilities that will be called, by default
    all. Raises `ConfigFault`."""
    from wfc.backends.sources import McpSource, PythonSource

    settings = project.settings.sources[name]
    locked = lock.sources.get(name)
    pinned = locked.capabilities if locked is not None and locked.kind == settings.kind else {}
    if isinstance(settings, PythonSettings):
        return PythonSource(
            name,
            settings.module,
            folder=project.folder.absolute(),
            effects=settings.effects,
            allow=settings.allow,
            deny=settings.deny,
            timeout_seconds=settings.timeout_seconds,
            max_concurrency=settings.max_concurrency,
            locked=pinned,
        )
    if isinstance(settings, WorkflowSettings):
        return _workflows(project, name, settings, lock, keys, within)
    if settings.mcp_config is not None:
        settings = entry_of_file(name, settings, project)
    try:
        return McpSource(replace(_server(name, settings, project), locked=pinned))
    except ValueError as error:
        raise ConfigFault(f"{project.file}: source `{name}`: {error}") from None


def kind_of(settings: SourceSettings) -> str:
    """What a source is, in a word for people."""
    if not isinstance(settings, McpSettings):
        return settings.kind
    return "mcp over HTTP" if settings.url is not None else "mcp"


def _workflows(
    project: Project,
    name: str,
    settings: WorkflowSettings,
    lock: Lock,
    keys: Collection[str] | None,
    within: tuple[str, ...],
) -> Source:
    # Most configurations name no published workflow, and nobody else needs what prepares one.
    from wfc.nested import Below, WorkflowSource
    from wfc.preparing import ready

    store = project.store if settings.store is None else project.placed(settings.store)
    below = Below(
        prepare=lambda reference: ready(reference, project, store).program,
        sources_of=lambda program, led: sources_of(project, program, lock, led),
        within=within,
        step_limit=project.settings.step_limit,
    )
    locked = lock.sources.get(name)
    pinned = locked.capabilities if locked is not None and locked.kind == settings.kind else {}
    return WorkflowSource(name, settings, below, wanted=keys, locked=pinned)


@dataclass(frozen=True, slots=True)
class _Secrets:
    """What the references of a source stood for: credentials, and what is kept out of messages only."""

    credentials: list[str] = field(default_factory=list)
    others: list[str] = field(default_factory=list)

    def open(self, text: str) -> str:
        """A text with its references replaced; what they stood for is kept by what they are called."""
        from wfc.backends.sources import is_credential_name

        found = resolved(text, os.environ)
        for name, value in found.values.items():
            (self.credentials if is_credential_name(name) else self.others).append(value)
        return found.text

    def open_variable(self, name: str, text: str) -> str:
        """The value of a variable; by its own name it may be a credential, also where it is written out."""
        from wfc.backends.sources import is_credential_name

        if not is_credential_name(name):
            return self.open(text)
        value = self.open_credential(text)
        self.credentials.append(value)
        return value

    def open_credential(self, text: str) -> str:
        """A text that is there to hold a credential: whatever a reference in it stood for is one."""
        found: Resolved = resolved(text, os.environ)
        self.credentials.extend(found.values.values())
        return found.text


def _server(name: str, settings: McpSettings, project: Project) -> McpServer:
    from wfc.backends.sources import McpServer

    secrets = _Secrets()
    oauth = None if settings.oauth is None else _oauth(settings.oauth, secrets)
    return McpServer(
        name=name,
        command=settings.command,
        args=tuple(secrets.open(arg) for arg in settings.args),
        env={key: secrets.open_variable(key, value) for key, value in settings.env.items()},
        cwd=(project.folder / (settings.cwd or ".")).absolute(),
        url=None if settings.url is None else secrets.open_credential(settings.url),
        headers={key: secrets.open_credential(value) for key, value in settings.headers.items()},
        headers_from=settings.headers_from,
        oauth=oauth,
        timeout_seconds=settings.timeout_seconds,
        max_concurrency=settings.max_concurrency,
        allow=settings.allow,
        deny=settings.deny,
        effects=settings.effects,
        tools=_shapes(settings),
        credentials=tuple(secrets.credentials),
        secrets=tuple(secrets.others),
    )


def _oauth(settings: OAuthSettings, secrets: _Secrets) -> OAuth:
    from base64 import b64encode

    from wfc.backends.sources import OAuth

    client = secrets.open(settings.client_id)
    secret = secrets.open_credential(settings.client_secret)
    # As it stands in a header.
    secrets.credentials.append(b64encode(f"{client}:{secret}".encode()).decode())
    return OAuth(client, secret, settings.issuer, settings.scope, settings.method)


def _shapes(settings: McpSettings) -> Mapping[str, ToolShape]:
    from wfc.backends.sources import ToolShape

    return {
        tool: ToolShape(shape.adapt, shape.output, shape.effects, shape.rename)
        for tool, shape in settings.tools.items()
    }
