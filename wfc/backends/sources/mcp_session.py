"""One life of an MCP server over stdio, from its start to its end: the one door to the `mcp` SDK.

What arrives is read here rather than by the SDK's own transport, so that a server that prints, answers what cannot be
read, or ends in a call is told apart and can be quoted. Nothing is ever sent twice, and no question of a server is
answered.
"""

from __future__ import annotations

import json
import logging
import math
import re
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from typing import Any

import anyio
import mcp_types as types
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.client.client import Client
from mcp.client.stdio import get_default_environment
from mcp.shared.exceptions import MCPError
from mcp.shared.message import SessionMessage
from pydantic import TypeAdapter, ValidationError

from wfc.backends.sources.process import Child, Command
from wfc.backends.sources.tool import NotStarted, Said, Tool, ToolFault
from wfc.records import replace

# Without a handler of its own, what the SDK logs about an untidy server would be printed on our error channel.
for _logger in ("mcp", "client"):
    logging.getLogger(_logger).addHandler(logging.NullHandler())

_SHOWN = 200
_STRAYS_KEPT = 5
# Both ends of a line that cannot be read: where a server puts the names of its fields.
_HEAD, _TAIL = 2000, 200
_ID = re.compile(rb'"id"\s*:\s*"?(\d+)')
_RESULT: TypeAdapter[types.CallToolResult | types.InputRequiredResult] = TypeAdapter(
    types.CallToolResult | types.InputRequiredResult
)

_CLIENT = types.Implementation(name="wfc", version="1")


class Session:
    """A started server with its tools."""

    def __init__(self, client: Client, wire: _Wire, child: Child, tools: Mapping[str, Tool]) -> None:
        self._client = client
        self._wire = wire
        self._child = child
        self.tools = tools

    @property
    def ended(self) -> bool:
        return self._child.ended

    @property
    def quoted(self) -> str:
        """What the server said outside the protocol, as the end of a sentence."""
        return self._child.quoted + self._wire.quoted

    @property
    def unusable(self) -> Mapping[str, str]:
        """The tools that are listed, but not as the protocol wants it, with what is wrong."""
        return self._wire.unusable

    def take_strays(self) -> list[str]:
        """The lines outside the protocol that came since this was last asked, the first few of them."""
        return self._wire.take_strays()

    async def call(self, name: str, arguments: dict[str, Any], meta: dict[str, Any]) -> Said:
        """Make one call; raises `ToolFault` when nothing that can be used comes back."""
        params = types.CallToolRequestParams.model_validate({"name": name, "arguments": arguments, "_meta": meta})
        try:
            result = await self._client.session.send_request(types.CallToolRequest(params=params), _RESULT)
        except MCPError as error:
            raise await self._fault(error) from None
        except ValidationError as error:
            raise _misshapen(error) from None
        except ValueError as error:
            # What the SDK's models can hold is less deep than what was read.
            raise ToolFault("node_output_invalid", f"the answer is nested too deep: {_brief(error)}") from None
        if isinstance(result, types.InputRequiredResult):
            raise ToolFault("node_failed", "the server asks for input during the call; expected an answer")
        said = _said(result)
        if not said.is_error:
            await self._require_promised(name, result, said)
        return said

    async def _fault(self, error: MCPError) -> ToolFault:
        if isinstance(error.data, ToolFault):
            return error.data
        if self.ended:
            return ToolFault("node_failed", f"the server {await self._child.epitaph()}{self._wire.quoted}")
        return ToolFault("node_failed", f"{error.message} (error {error.code})")

    async def _require_promised(self, name: str, result: types.CallToolResult, said: Said) -> None:
        """The SDK's own check of structured content against what the server lists."""
        try:
            await self._client.session.validate_tool_result(name, result)
        except RuntimeError as error:
            first = str(error).split("\n")[0]
            raise ToolFault("node_output_invalid", first, details=said.structured) from None


async def start(stack: AsyncExitStack, command: Command) -> Session:
    """Start a server and list its tools; it ends with the stack. Raises `NotStarted`.

    Besides what the command names it gets the few variables that are safe for every program. The newest protocol is
    tried first. There are servers that end when they are asked a question that they do not know; such a one is started
    once more and gets the old handshake.
    """
    whole = replace(command, env={**get_default_environment(), **command.env})
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
    wire = _Wire()
    own.callback(wire.close)
    try:
        child = await Child.start(command, wire.arrived, wire.end)
    except (OSError, ValueError) as error:
        raise NotStarted(f"`{command.program}` cannot be started: {error}") from None
    own.push_async_callback(child.stop)
    wire.child = child
    try:
        client = await own.enter_async_context(Client(wire.streams(), mode=mode, cache=None, client_info=_CLIENT))
        return Session(client, wire, child, await _listed(client, wire))
    except Exception as error:  # noqa: BLE001 - told apart, and raised again where it is not the server's
        fault = await _start_fault(_innermost(error), child)
        await own.aclose()
        raise fault from None


async def _start_fault(error: BaseException, child: Child) -> BaseException:
    """What to tell of a handshake that failed; an error that is none of the server's is given back as it is."""
    if isinstance(error, MCPError) and child.ended:
        return _EndedEarly(f"the server {await child.epitaph()}")
    if isinstance(error, MCPError):
        return NotStarted(f"the server refuses the handshake: {error.message} (error {error.code}){child.quoted}")
    if isinstance(error, (ValidationError, RuntimeError)):
        return NotStarted(f"the server answers the handshake with what cannot be used: {_brief(error)}{child.quoted}")
    return error


def _innermost(error: BaseException) -> BaseException:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


async def _listed(client: Client, wire: _Wire) -> dict[str, Tool]:
    """All tools, page after page. One that is listed wrongly costs itself, never the list."""
    tools: dict[str, Tool] = {}
    seen: set[str | None] = {None}
    cursor: str | None = None
    while True:
        try:
            page = await client.list_tools(cursor=cursor)
        except ValidationError as error:
            if not wire.leave_out(error):
                raise
            continue
        except MCPError as error:
            if error.code == types.METHOD_NOT_FOUND:
                return tools
            raise
        tools.update((tool.name, _tool(tool)) for tool in page.tools)
        cursor = page.next_cursor
        if cursor in seen:
            return tools
        seen.add(cursor)


def _tool(listed: types.Tool) -> Tool:
    hints = listed.annotations.model_dump(by_alias=True, exclude_none=True) if listed.annotations else {}
    return Tool(listed.name, listed.description, listed.input_schema, listed.output_schema, hints)


def _said(result: types.CallToolResult) -> Said:
    texts = [block.text for block in result.content if isinstance(block, types.TextContent)]
    others = tuple(_noted(block) for block in result.content if not isinstance(block, types.TextContent))
    return Said("\n".join(texts), result.structured_content, result.is_error, others)


def _noted(block: types.ContentBlock) -> dict[str, Any]:
    whole = block.model_dump(mode="json", by_alias=True, exclude_none=True)
    return {key: whole[key] for key in ("type", "mimeType", "uri", "name") if key in whole}


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


class _Wire:
    """Messages as lines of a child: what the SDK calls a transport, and at once its sending stream."""

    def __init__(self) -> None:
        self.child: Child | None = None
        self._asked: set[types.RequestId] = set()
        self._strays: list[str] = []
        self._listing: list[Any] = []
        self._left_out: set[str] = set()
        self.unusable: dict[str, str] = {}
        streams = anyio.create_memory_object_stream[SessionMessage | Exception](math.inf)
        self._arriving: MemoryObjectSendStream[SessionMessage | Exception] = streams[0]
        self._inbox: MemoryObjectReceiveStream[SessionMessage | Exception] = streams[1]

    @asynccontextmanager
    async def streams(self) -> AsyncIterator[tuple[Any, _Wire]]:
        yield self._inbox, self

    def end(self) -> None:
        """Nothing will arrive any more: whoever waits is told by the SDK."""
        self._arriving.close()

    def close(self) -> None:
        self._arriving.close()
        self._inbox.close()

    @property
    def quoted(self) -> str:
        return f"; it printed: {' | '.join(self._strays)}" if self._strays else ""

    def take_strays(self) -> list[str]:
        taken, self._strays = self._strays, []
        return taken

    def leave_out(self, error: ValidationError) -> bool:
        """Hide the tools of the last listing that the SDK found wrong; whether there were any."""
        wrong = {found["loc"][1]: found for found in error.errors(include_url=False) if found["loc"][:1] == ("tools",)}
        for number, found in wrong.items():
            tool = self._listing[int(number)]
            self._left_out.add(_text(tool))
            name = tool.get("name") if isinstance(tool, dict) else None
            self.unusable[str(name)] = f"{found['msg']} at `{'.'.join(map(str, found['loc'][2:]))}`"
        return bool(wrong)

    def arrived(self, line: bytes) -> None:
        """A line of the server's output: a message, the ruin of an answer, or something that is not for us."""
        message = self._read(line) if line.strip() else None
        if message is None:
            return
        if isinstance(message, types.JSONRPCResponse | types.JSONRPCError):
            self._asked.discard(message.id)
        if isinstance(message, types.JSONRPCResponse) and isinstance(message.result.get("tools"), list):
            self._listing = [tool for tool in message.result["tools"] if _text(tool) not in self._left_out]
            message.result["tools"] = self._listing
        with suppress(anyio.ClosedResourceError, anyio.BrokenResourceError):
            self._arriving.send_nowait(SessionMessage(message))

    def _read(self, line: bytes) -> types.JSONRPCMessage | None:
        try:
            return types.jsonrpc_message_adapter.validate_python(json.loads(line.decode()), by_name=False)
        except RecursionError:
            fault = ToolFault("node_output_invalid", "the answer is nested too deep to be read")
        except ValidationError as error:
            fault = ToolFault("node_failed", f"the server answers with what is no message: {_brief(error)}")
        except (json.JSONDecodeError, UnicodeDecodeError) as error:
            fault = ToolFault("node_failed", f"the server answers what cannot be read ({error}): {_excerpt(line)}")
        except ValueError:
            fault = ToolFault("node_output_invalid", "the answer holds an integer of too many digits to be read")
        meant = self._meant(line)
        if meant is not None:
            data = types.ErrorData(code=types.PARSE_ERROR, message=str(fault), data=fault)
            return types.JSONRPCError(jsonrpc="2.0", id=meant, error=data)
        if len(self._strays) < _STRAYS_KEPT:
            self._strays.append(_excerpt(line))
        return None

    def _meant(self, line: bytes) -> types.RequestId | None:
        """The open request that an unreadable line was to answer, as far as can be told."""
        ends = line[:_HEAD] + b"\n" + line[_HEAD:][-_TAIL:]
        if b'"method"' in ends or not (b'"jsonrpc"' in ends or b'"result"' in ends):
            return None
        named = [int(number) for number in _ID.findall(ends)]
        if named:
            return next((number for number in named if number in self._asked), None)
        return next(iter(self._asked)) if len(self._asked) == 1 else None

    # -- what the SDK calls -------------------------------------------------------------------------------------------

    async def send(self, item: SessionMessage, /) -> None:
        if self.child is None or self.child.ended:
            raise anyio.BrokenResourceError
        if isinstance(item.message, types.JSONRPCRequest):
            self._asked.add(item.message.id)
        self.child.write(_text(item.message.model_dump(by_alias=True, exclude_unset=True)).encode() + b"\n")

    async def aclose(self) -> None:
        """The child is ended by whoever started it."""

    async def __aenter__(self) -> _Wire:
        return self

    async def __aexit__(self, *about: object) -> None:
        await self.aclose()


def _text(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


def _excerpt(line: bytes) -> str:
    text = line[: _SHOWN * 4].decode("utf-8", "replace").strip()
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"
