"""One life of an MCP server, from the handshake to its end, whatever carries the messages.

Nothing is ever sent twice, and no question of a server is answered. The newest protocol is tried first, then the old
handshake.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from typing import Any

from wfc.backends.sources.http import Address, HttpLine
from wfc.backends.sources.listing import listed
from wfc.backends.sources.process import Child, Command
from wfc.backends.sources.sdk import (
    Client,
    MCPError,
    TypeAdapter,
    ValidationError,
    get_default_environment,
    types,
)
from wfc.backends.sources.stdio import StdioLine
from wfc.backends.sources.tool import NotAuthorised, NotStarted, Progress, Said, Tool, ToolFault
from wfc.records import dataclass, replace

Line = StdioLine | HttpLine
Told = Callable[[Progress], None]

_RESULT: TypeAdapter[types.CallToolResult | types.InputRequiredResult] = TypeAdapter(
    types.CallToolResult | types.InputRequiredResult
)
_CLIENT = types.Implementation(name="wfc", version="1")


@dataclass(frozen=True, slots=True)
class Introduction:
    """What a server says of itself: the version of the protocol, its name and version where it tells them."""

    protocol: str
    name: str | None
    version: str | None


class Session:
    """A server that is ready, with its tools. `changed` tells that it has other tools by now."""

    def __init__(self, client: Client, line: Line, tools: Mapping[str, Tool]) -> None:
        self._client = client
        self._line = line
        self.tools = tools
        self.changed = False

    @property
    def ended(self) -> bool:
        return self._line.ended

    @property
    def quoted(self) -> str:
        """What the server said outside the protocol, as the end of a sentence."""
        return self._line.quoted

    @property
    def unusable(self) -> Mapping[str, str]:
        """The tools that are listed, but not as the protocol wants it, with what is wrong."""
        return self._line.sieve.unusable

    @property
    def introduction(self) -> Introduction:
        """Who answers."""
        server = self._client.server_info
        named = (None, None) if server is None else (server.name, server.version)
        return Introduction(self._client.protocol_version, *named)

    def take_strays(self) -> list[str]:
        """The lines outside the protocol that came since this was last asked, the first few of them."""
        return self._line.take_strays()

    async def list_again(self) -> None:
        """Know the tools that the server has now. Raises `ToolFault`, `NotStarted` or `NotAuthorised`."""
        self.changed = False
        try:
            self.tools = await listed(self._client, self._line.sieve)
        except MCPError as error:
            raise await self._fault(error) from None
        except ValidationError as error:
            raise ToolFault("node_failed", f"the server lists its tools wrongly: {_brief(error)}") from None

    async def call(self, name: str, arguments: dict[str, Any], meta: dict[str, Any], told: Told | None = None) -> Said:
        """Make one call; raises `ToolFault` when nothing that can be used comes back, `NotStarted` when it was never
        sent, `NotAuthorised` when the server did not take it from us."""
        params = types.CallToolRequestParams.model_validate({"name": name, "arguments": arguments, "_meta": meta})

        async def on_progress(progress: float, total: float | None, message: str | None) -> None:
            if told is not None:
                told(Progress(progress, total, message))

        try:
            result = await self._client.session.send_request(
                types.CallToolRequest(params=params),
                _RESULT,
                progress_callback=None if told is None else on_progress,
            )
        except MCPError as error:
            raise await self._fault(error) from None
        except ValidationError as error:
            raise _misshapen(error) from None
        except ValueError as error:
            # What the SDK's models can hold is less deep than what was read.
            raise ToolFault("node_output_invalid", f"the answer is nested too deep: {_brief(error)}") from None
        if isinstance(result, types.InputRequiredResult):
            raise _asks(result)
        said = _said(result)
        if not said.is_error:
            await self._require_promised(name, result, said)
        return said

    async def _fault(self, error: MCPError) -> Exception:
        known = self._line.fault_of(error)
        if known is not None:
            return known
        if error.code == types.URL_ELICITATION_REQUIRED:
            return NotAuthorised(error.message, _first_url(error.data))
        if self.ended or error.code == types.CONNECTION_CLOSED:
            return ToolFault("node_failed", f"the server {await self._line.epitaph()}")
        return ToolFault("node_failed", f"{_brief(error)} (error {error.code})")

    async def _require_promised(self, name: str, result: types.CallToolResult, said: Said) -> None:
        """The SDK's own check of structured content against what the server lists."""
        try:
            await self._client.session.validate_tool_result(name, result)
        except RuntimeError as error:
            first = str(error).split("\n")[0]
            raise ToolFault("node_output_invalid", first, details=said.structured) from None

    async def hear(self, message: Any) -> None:
        """What the server says unasked."""
        if isinstance(message, types.ToolListChangedNotification):
            self.changed = True


# -- starting ---------------------------------------------------------------------------------------------------------


async def start(stack: AsyncExitStack, server: Command | Address) -> Session:
    """Start a server, or begin to speak with one, and list its tools; it ends with the stack.

    Raises `NotStarted` or `NotAuthorised`. Besides what a command names, a child gets the few variables that are safe
    for every program. There are servers that end when they are asked a question that they do not know; such a one is
    started once more and gets the old handshake.
    """
    if isinstance(server, Address):
        own = await stack.enter_async_context(AsyncExitStack())
        line = HttpLine(server)
        session = await _greeted(own, line, "auto")
        line.greeted()
        return session
    whole = replace(server, env={**get_default_environment(), **server.env})
    ended: _EndedEarly | None = None
    for mode in ("auto", "legacy"):
        try:
            return await _start(stack, whole, mode)
        except _EndedEarly as early:
            ended = early
    raise NotStarted(str(ended))


class _EndedEarly(Exception):
    """A server that ended before it was ready."""


async def _start(stack: AsyncExitStack, command: Command, mode: str) -> Session:
    own = await stack.enter_async_context(AsyncExitStack())
    line = StdioLine()
    own.callback(line.close)
    try:
        child = await Child.start(command, line.arrived, line.end)
    except (OSError, ValueError) as error:
        raise NotStarted(f"`{command.program}` cannot be started: {error}") from None
    own.push_async_callback(child.stop)
    line.child = child
    return await _greeted(own, line, mode)


async def _greeted(own: AsyncExitStack, line: Line, mode: str) -> Session:
    """The session after the handshake. What was opened for it is closed where there is none."""
    heard: list[Session] = []

    async def hear(message: Any) -> None:
        for session in heard:
            await session.hear(message)

    asked = Client(line.streams(), mode=mode, cache=None, client_info=_CLIENT, message_handler=hear)
    try:
        client = await own.enter_async_context(asked)
        heard.append(Session(client, line, await listed(client, line.sieve)))
        return heard[0]
    except Exception as error:  # noqa: BLE001 - told apart, and raised again where it is not the server's
        fault = await _start_fault(_innermost(error), line)
        await own.aclose()
        raise fault from None


async def _start_fault(error: BaseException, line: Line) -> BaseException:
    """What to tell of a handshake that failed; an error that is none of the server's is given back as it is."""
    if isinstance(error, MCPError):
        known = line.fault_of(error)
        if isinstance(known, ToolFault):
            return NotStarted(f"the server refuses the handshake: {known}")
        if known is not None:
            return known
        if isinstance(line, StdioLine) and line.ended:
            return _EndedEarly(f"the server {await line.epitaph()}")
        return NotStarted(f"the server refuses the handshake: {error.message} (error {error.code}){line.quoted}")
    if isinstance(error, (ValidationError, RuntimeError)):
        return NotStarted(f"the server answers the handshake with what cannot be used: {_brief(error)}{line.quoted}")
    return error


def _innermost(error: BaseException) -> BaseException:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


# -- answers ----------------------------------------------------------------------------------------------------------


def _said(result: types.CallToolResult) -> Said:
    texts = [block.text for block in result.content if isinstance(block, types.TextContent)]
    others = tuple(_noted(block) for block in result.content if not isinstance(block, types.TextContent))
    return Said("\n".join(texts), result.structured_content, result.is_error, others)


def _noted(block: types.ContentBlock) -> dict[str, Any]:
    whole = block.model_dump(mode="json", by_alias=True, exclude_none=True)
    return {key: whole[key] for key in ("type", "mimeType", "uri", "name") if key in whole}


def _asks(result: types.InputRequiredResult) -> Exception:
    """A call that asks for input instead of answering: for authorisation, or for what nobody is there to give."""
    for request in (result.input_requests or {}).values():
        params = getattr(request, "params", None)
        if isinstance(params, types.ElicitRequestURLParams):
            return NotAuthorised(params.message, params.url)
    return ToolFault("node_failed", "the server asks for input during the call; expected an answer")


def _first_url(data: Any) -> str | None:
    """The address of the first request in the data of an error that asks a person to go there."""
    asked = data.get("elicitations") if isinstance(data, dict) else None
    first = asked[0] if isinstance(asked, list) and asked else None
    url = first.get("url") if isinstance(first, dict) else None
    return url if isinstance(url, str) else None


def _misshapen(error: ValidationError) -> ToolFault:
    structured = any("structuredContent" in found["loc"] for found in error.errors(include_url=False))
    code = "node_output_invalid" if structured else "node_failed"
    return ToolFault(code, f"the server answers with what is no result of a tool: {_brief(error)}")


def _brief(error: Exception) -> str:
    """The first thing that is wrong, in one line."""
    if not isinstance(error, ValidationError):
        return str(error).split("\n")[0]
    first = error.errors(include_url=False)[0]
    where = ".".join(str(part) for part in first["loc"])
    return f"{first['msg']} at `{where}`" if where else first["msg"]
