"""An MCP server as a source: started for a run, kept open during it, started again when it has died; gone afterwards.

Reference 4.2. A call is sent once and no more; what the server does instead of answering becomes the error of that
call, with the name of the source and what the server said. The SDK is imported when a server is started, never before.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wfc.backends.sources.adapters import AdapterSpec, Chain, compile_chain
from wfc.backends.sources.source import LONGEST_SECONDS, Circumstances, is_allowed
from wfc.backends.sources.tool import NotStarted, Said, Tool, ToolFault
from wfc.diagnostics import close_match
from wfc.ir import Answer, Completed, Failed, Invoke, NodeResult, NotJson, copy, kind_of, to_json
from wfc.records import dataclass, field

if TYPE_CHECKING:
    from wfc.backends.sources.mcp_life import Life
    from wfc.backends.sources.mcp_session import Session

CALL_ID_KEY = "wfc/call_id"
ATTEMPT_KEY = "wfc/attempt"
# Shorter values of the environment are no secrets, and would tear holes into every message.
_SECRET_LENGTH = 6


@dataclass(frozen=True, slots=True)
class ToolShape:
    """What a configuration says of one tool: `adapt` makes an output of what it says and `output` judges it, `rename`
    maps a parameter to its name in payloads, `effects` wins over what the server claims."""

    adapt: tuple[AdapterSpec, ...] = ()
    output: Any = None
    effects: str | None = None
    rename: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class McpServer:
    """How to start a server and what to make of its tools.

    It gets the variables of `env`, with their final values, besides the few that are safe for every program. `allow`
    and `deny` are patterns over tool names. `secrets` are what no message may repeat, besides the values of `env`.
    """

    name: str
    command: str
    args: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)
    cwd: Path | None = None
    timeout_seconds: float | None = None
    allow: tuple[str, ...] = ("*",)
    deny: tuple[str, ...] = ()
    effects: Mapping[str, str] = field(default_factory=dict)
    tools: Mapping[str, ToolShape] = field(default_factory=dict)
    secrets: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Prepared:
    """A tool shape made ready: `judge` has the verdict on outputs, `parameter_of` leads back from renamed fields."""

    chain: Chain
    judge: Any
    parameter_of: Mapping[str, str]
    effects: str | None


_AS_IT_IS = _Prepared(Chain(), None, {}, None)


class McpSource:
    """A configured server. Raises `ValueError` when an adapter or an output schema cannot be used."""

    def __init__(self, server: McpServer) -> None:
        self.server = server
        self._prepared = {tool: _prepare(f"{server.name}.{tool}", shape) for tool, shape in server.tools.items()}
        self._secrets = [value for value in (*server.env.values(), *server.secrets) if len(value) >= _SECRET_LENGTH]
        self._life: Life | None = None
        self._tools: Mapping[str, Tool] = {}
        self._unusable: Mapping[str, str] = {}
        self._fault: str | None = None

    @property
    def tools(self) -> Mapping[str, Tool]:
        """The tools that the server listed when it was last started, the denied ones left out."""
        server = self.server
        return {name: tool for name, tool in self._tools.items() if is_allowed(name, server.allow, server.deny)}

    def needs_loop(self, key: str) -> bool:
        return True

    async def open(self) -> None:
        try:
            await self._session()
        except NotStarted as fault:
            self._fault = self._told(str(fault))

    async def close(self) -> None:
        life, self._life = self._life, None
        if life is not None:
            await life.end()

    def missing(self, key: str) -> str | None:
        if self._fault is not None:
            return self._fault
        if key in self.tools:
            return None
        if key in self._tools:
            return f"the configuration of source `{self.server.name}` does not allow `{key}`"
        if key in self._unusable:
            return f"source `{self.server.name}` lists `{key}` in a way that cannot be used: {self._unusable[key]}"
        near = close_match(key, list(self.tools))
        hint = f"nearest: `{near}`" if near else f"its {len(self.tools)} tools have other names"
        return f"source `{self.server.name}` has no tool `{key}`; {hint}"

    def effects(self, key: str) -> str | None:
        configured = self._prepared.get(key, _AS_IT_IS).effects or self.server.effects.get(key)
        tool = self._tools.get(key)
        return configured or (tool.effects if tool else None)

    async def perform(self, key: str, invoke: Invoke, circumstances: Circumstances) -> Answer:
        try:
            session = await self._session()
        except NotStarted as fault:
            return Failed(invoke.call_id, "capability_unavailable", self._told(str(fault)))
        try:
            return Completed(invoke.call_id, await self._result(session, key, invoke))
        except ToolFault as fault:
            message = self._told(f"tool `{key}`: {fault}")
            return Failed(invoke.call_id, fault.code, message, fault.type, _json_or_none(fault.details))

    async def _session(self) -> Session:
        from wfc.backends.sources.mcp_life import Life
        from wfc.backends.sources.process import Command

        # No await between the question and the new life, so that two calls never start two servers.
        if self._life is None or self._life.ended:
            command = Command(self.server.command, self.server.args, self.server.env, self.server.cwd)
            self._life = Life(command, self._life)
        session = await self._life.session()
        self._fault, self._tools, self._unusable = None, session.tools, session.unusable
        return session

    async def _result(self, session: Session, key: str, invoke: Invoke) -> NodeResult:
        from wfc.backends.sources.mcp_life import call

        given = invoke.timeout_seconds if invoke.timeout_seconds is not None else self.server.timeout_seconds
        seconds = None if given is None else min(given, LONGEST_SECONDS)
        meta = {CALL_ID_KEY: invoke.call_id, ATTEMPT_KEY: invoke.attempt}
        prepared = self._prepared.get(key, _AS_IT_IS)
        said = await call(session, key, _arguments(prepared, invoke.payload), meta, seconds)
        output = self._cleaned(_output(prepared, said))
        strays = [self._hidden(line) for line in session.take_strays()]
        notes = {"left_out": [dict(block) for block in said.left_out], "stray_output": strays}
        return NodeResult("ok", output, meta={note: found for note, found in notes.items() if found} or None)

    def _told(self, message: str) -> str:
        return f"source `{self.server.name}`: {self._hidden(message)}"

    def _cleaned(self, output: Any) -> Any:
        """An output without what the server was given to keep: it goes into state, trace and store."""
        if not self._secrets:
            return output
        box = [copy(output)]
        waiting: list[Any] = [box]
        while waiting:
            holder = waiting.pop()
            for key, item in holder.items() if isinstance(holder, dict) else enumerate(holder):
                if isinstance(item, str):
                    holder[key] = self._redacted(item)
                elif isinstance(item, (dict, list)):
                    waiting.append(item)
        return box[0]

    def _hidden(self, text: str) -> str:
        """A text as it may stand in a trace: without what the server was given to keep, and without surrogates."""
        return self._redacted(text).encode("utf-8", "replace").decode()

    def _redacted(self, text: str) -> str:
        for secret in sorted(self._secrets, key=len, reverse=True):
            text = text.replace(secret, "…")
        return text


def _prepare(name: str, shape: ToolShape) -> _Prepared:
    try:
        chain = compile_chain(shape.adapt)
    except ValueError as error:
        raise ValueError(f"`adapt` of `{name}`: {error}") from None
    judge = None if shape.output is None else _judge_of(name, shape.output)
    return _Prepared(chain, judge, {name: parameter for parameter, name in shape.rename.items()}, shape.effects)


def _judge_of(name: str, schema: Any) -> Any:
    from wfc.engine import jsonschema_rs

    try:
        return jsonschema_rs.validator_for(schema, validate_formats=False, offline=True)
    except ValueError as error:
        raise ValueError(f"`output` of `{name}` is no JSON Schema: {error}") from None


def _arguments(prepared: _Prepared, payload: Any) -> dict[str, Any]:
    if not isinstance(payload, dict):
        raise ToolFault("node_failed", f"the payload is {kind_of(payload)}; a tool takes an object")
    given: dict[str, Any] = payload
    return {prepared.parameter_of.get(name, name): value for name, value in given.items()}


def _output(prepared: _Prepared, said: Said) -> Any:
    if said.is_error:
        raise ToolFault("node_failed", said.text or "an error without a text", type=prepared.chain.error_type(said))
    output = prepared.chain.output(said)
    if prepared.judge is not None:
        _require(prepared.judge, output)
    return output


def _json_or_none(details: Any) -> Any:
    try:
        return to_json(details)
    except NotJson:
        return None


def _require(judge: Any, output: Any) -> None:
    try:
        output = to_json(output)
    except NotJson as error:
        raise ToolFault("node_output_invalid", str(error)) from None
    first = next(iter(judge.iter_errors(output)), None)
    if first is not None:
        where = ".".join(str(part) for part in first.instance_path)
        raise ToolFault("node_output_invalid", f"{first.message} at `{where or '.'}`")
