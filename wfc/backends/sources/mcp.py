"""An MCP server as a source: started for a run, kept open during it, started again when it has died; gone afterwards.

Reference 4.2. A call is sent once and no more; what the server does instead of answering becomes the error of that
call, with the name of the source and what the server said. The SDK is imported when a server is started, never before.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager, nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wfc.backends.sources.hiding import Hiding
from wfc.backends.sources.shaping import Prepared, ToolShape, prepare
from wfc.backends.sources.source import LONGEST_SECONDS, Circumstances
from wfc.backends.sources.tool import TOOL_AUTH, NotAuthorised, NotStarted, Tool, ToolFault
from wfc.diagnostics import close_match
from wfc.ir import (
    Answer,
    Completed,
    Failed,
    Invoke,
    Listing,
    NodeResult,
    NotJson,
    difference,
    effects_by_pattern,
    is_allowed,
    to_json,
)
from wfc.records import dataclass, field, replace

if TYPE_CHECKING:
    from wfc.backends.sources.http import Address
    from wfc.backends.sources.mcp_life import Life
    from wfc.backends.sources.mcp_session import Introduction, Session
    from wfc.backends.sources.oauth import OAuth
    from wfc.backends.sources.process import Command

CALL_ID_KEY = "wfc/call_id"
ATTEMPT_KEY = "wfc/attempt"


@dataclass(frozen=True, slots=True)
class McpServer:
    """How to reach a server and what to make of its tools; one of `command` and `url` is there.

    A child gets the variables of `env`, with their final values, besides the few that are safe for every program.
    `allow` and `deny` are patterns over tool names. `credentials` are what nothing may repeat, `secrets` what no
    message may, besides the values of `env`. `locked` is what the lock pins, `max_concurrency` how many calls it gets
    at a time.
    """

    name: str
    command: str | None = None
    args: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)
    cwd: Path | None = None
    timeout_seconds: float | None = None
    allow: tuple[str, ...] = ("*",)
    deny: tuple[str, ...] = ()
    effects: Mapping[str, str] = field(default_factory=dict)
    tools: Mapping[str, ToolShape] = field(default_factory=dict)
    secrets: tuple[str, ...] = ()
    url: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    headers_from: str | None = None
    oauth: OAuth | None = None
    credentials: tuple[str, ...] = ()
    max_concurrency: int | None = None
    locked: Mapping[str, Listing] = field(default_factory=dict)


class McpSource:
    """A configured server. Raises `ValueError` when an adapter or a schema cannot be used."""

    def __init__(self, server: McpServer) -> None:
        self.server = server
        self.max_concurrency = server.max_concurrency
        names = dict.fromkeys((*server.tools, *server.locked))
        self._prepared = {
            tool: prepare(f"{server.name}.{tool}", server.tools.get(tool, ToolShape()), server.locked.get(tool))
            for tool in names
        }
        self._hiding = Hiding(server.credentials, (*server.env.values(), *server.secrets))
        self._life: Life | None = None
        self._tools: Mapping[str, Tool] = {}
        self._unusable: Mapping[str, str] = {}
        self._introduction: Introduction | None = None
        self._ready: Session | None = None
        self._fault: str | None = None
        self._wants: str | None = None
        self._turns: AbstractAsyncContextManager[Any] | None = None

    @property
    def tools(self) -> Mapping[str, Tool]:
        """The tools that the server listed when it was last asked, the denied ones left out."""
        server = self.server
        return {name: tool for name, tool in self._tools.items() if is_allowed(name, server.allow, server.deny)}

    @property
    def listed(self) -> tuple[str, ...]:
        """The names of all tools that it listed, the denied ones among them."""
        return tuple(self._tools)

    @property
    def unusable(self) -> Mapping[str, str]:
        """The tools that it lists in a way that cannot be used, with what is wrong."""
        return self._unusable

    def take_strays(self) -> list[str]:
        """What the server printed outside of the protocol since this was last asked, the first few lines."""
        return [self._hiding.message(line) for line in self._ready.take_strays()] if self._ready is not None else []

    @property
    def introduction(self) -> Introduction | None:
        """Who answered last."""
        return self._introduction

    @property
    def fault(self) -> str | None:
        """Why the server could not be reached when it was last tried."""
        return self._fault

    @property
    def wants_authorisation(self) -> str | None:
        """What the server said when it asked for authorisation instead of beginning a session."""
        return self._wants

    def needs_loop(self, key: str) -> bool:
        return True

    async def open(self) -> None:
        try:
            await self._session()
        except NotStarted as fault:
            self._fault = self._told(str(fault))
        except NotAuthorised as fault:
            self._wants = self._told(str(fault))

    async def close(self) -> None:
        life, self._life = self._life, None
        if life is not None:
            await life.end()

    def missing(self, key: str) -> str | None:
        if self._fault is not None:
            return self._fault
        if not is_allowed(key, self.server.allow, self.server.deny):
            return f"the configuration of source `{self.server.name}` does not allow `{key}`"
        # Whether it is there can be known when a person has seen to it, and the calls say so until then.
        if key in self._tools or self._wants is not None:
            return None
        if key in self._unusable:
            return f"source `{self.server.name}` lists `{key}` in a way that cannot be used: {self._unusable[key]}"
        near = close_match(key, list(self.tools))
        hint = f"nearest: `{near}`" if near else f"its {len(self.tools)} tools have other names"
        return f"source `{self.server.name}` has no tool `{key}`; {hint}"

    def drifted(self, key: str) -> str | None:
        locked, now = self.server.locked.get(key), self.listing(key)
        if locked is None or now is None or locked.hash == now.hash:
            return None
        return difference(locked, now, old_name=f"{self.server.name}.{key} (locked)", new_name="now") or None

    def listing(self, key: str) -> Listing | None:
        """What the server listed of a tool when it was last asked."""
        tool = self._tools.get(key)
        return None if tool is None else self._hiding.listing(tool.listing)

    def effects(self, key: str) -> str | None:
        prepared = self._prepared.get(key)
        configured = (prepared.effects if prepared else None) or effects_by_pattern(key, self.server.effects)
        listing = self.server.locked.get(key) or self.listing(key)
        return configured or (listing.effects if listing is not None else None)

    async def perform(self, key: str, invoke: Invoke, circumstances: Circumstances) -> Answer:
        async with self._turn():
            try:
                session = await self._session()
                await self._require_same(session, key)
                return Completed(invoke.call_id, await self._result(session, key, invoke, circumstances))
            except NotStarted as fault:
                return Failed(invoke.call_id, "capability_unavailable", self._told(str(fault)))
            except NotAuthorised as fault:
                return self._unauthorised(key, invoke, fault)
            except ToolFault as fault:
                message = self._told(f"tool `{key}`: {fault}")
                details = self._hiding.data(_json_or_none(fault.details))
                return Failed(invoke.call_id, fault.code, message, fault.type, details)

    def _turn(self) -> AbstractAsyncContextManager[Any]:
        """What a call goes through, so that no more than the configured number are under way."""
        if self.server.max_concurrency is None:
            return nullcontext()
        if self._turns is None:
            import asyncio

            self._turns = asyncio.Semaphore(self.server.max_concurrency)
        return self._turns

    async def _session(self) -> Session:
        from wfc.backends.sources.mcp_life import Life

        # No await between the question and the new life, so that two calls never start two servers.
        if self._life is None or self._life.ended:
            self._life = Life(self._find, self._life)
        session = await self._life.session()
        if session.changed:
            await session.list_again()
        self._fault = self._wants = None
        self._tools, self._unusable = session.tools, session.unusable
        self._introduction, self._ready = session.introduction, session
        return session

    async def _find(self) -> Command | Address:
        from wfc.backends.sources.finding import Whereabouts, found

        server = self.server
        return await found(
            Whereabouts(
                command=server.command,
                args=server.args,
                env=server.env,
                cwd=server.cwd,
                url=server.url,
                headers=server.headers,
                headers_from=server.headers_from,
                oauth=server.oauth,
            ),
            self._hiding,
        )

    async def _require_same(self, session: Session, key: str) -> None:
        """A server that was started again, or has changed its tools, still offers what is called."""
        why = self.missing(key)
        if why is not None:
            raise NotStarted(f"tool `{key}`: {why}")
        drift = self.drifted(key)
        if drift is not None:
            raise ToolFault("drift", f"it is no longer what the lock says of it:\n{drift}")

    async def _result(self, session: Session, key: str, invoke: Invoke, circumstances: Circumstances) -> NodeResult:
        from wfc.backends.sources.mcp_life import call

        given = invoke.timeout_seconds if invoke.timeout_seconds is not None else self.server.timeout_seconds
        seconds = None if given is None else min(given, LONGEST_SECONDS)
        meta = {CALL_ID_KEY: invoke.call_id, ATTEMPT_KEY: invoke.attempt}
        prepared = self._prepared.get(key, _AS_IT_IS)
        told = None if circumstances.progress is None else partial(circumstances.progress, invoke)
        said = await call(session, key, prepared.arguments(invoke.payload), meta, seconds, told)
        if circumstances.heard is not None:
            circumstances.heard(
                replace(said, text=self._hiding.data(said.text), structured=self._hiding.data(said.structured))
            )
        output = self._hiding.data(prepared.output(said))
        strays = [self._hiding.message(line) for line in session.take_strays()]
        left_out = self._hiding.data([dict(block) for block in said.left_out])
        notes = {"left_out": left_out, "stray_output": strays}
        return NodeResult("ok", output, meta={note: found for note, found in notes.items() if found} or None)

    def _unauthorised(self, key: str, invoke: Invoke, fault: NotAuthorised) -> Failed:
        """A call that a person has to see to before it can be made."""
        details = {
            "source": self.server.name,
            "reason": str(fault),
            **({} if fault.url is None else {"url": fault.url}),
        }
        where = "" if fault.url is None else f"; see {fault.url}"
        message = self._told(f"tool `{key}`: {fault}{where}")
        return Failed(invoke.call_id, "node_failed", message, TOOL_AUTH, self._hiding.data(details))

    def _told(self, message: str) -> str:
        return f"source `{self.server.name}`: {self._hiding.message(message)}"


_AS_IT_IS = Prepared()


def _json_or_none(details: Any) -> Any:
    try:
        return to_json(details)
    except NotJson:
        return None
