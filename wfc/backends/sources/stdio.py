"""An MCP server as a child that speaks in lines: what arrives is read here rather than by the SDK's own transport.

So a server that prints, answers what cannot be read, or ends in a call is told apart and can be quoted.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

from wfc.backends.sources.listing import Sieve, text_of
from wfc.backends.sources.process import Child
from wfc.backends.sources.sdk import (
    MemoryObjectReceiveStream,
    MemoryObjectSendStream,
    SessionMessage,
    ValidationError,
    anyio,
    types,
)
from wfc.backends.sources.tool import ToolFault

_SHOWN = 200
_STRAYS_KEPT = 5
# Both ends of a line that cannot be read: where a server puts the names of its fields.
_HEAD, _TAIL = 2000, 200
_ID = re.compile(rb'"id"\s*:\s*"?(\d+)')


class StdioLine:
    """Messages as lines of a child: what the SDK calls a transport, and at once its sending stream."""

    def __init__(self) -> None:
        self.child: Child | None = None
        self.sieve = Sieve()
        self._asked: set[types.RequestId] = set()
        self._strays: list[str] = []
        streams = anyio.create_memory_object_stream[SessionMessage | Exception](math.inf)
        self._arriving: MemoryObjectSendStream[SessionMessage | Exception] = streams[0]
        self._inbox: MemoryObjectReceiveStream[SessionMessage | Exception] = streams[1]

    @asynccontextmanager
    async def streams(self) -> AsyncIterator[tuple[Any, Any]]:
        yield self._inbox, self

    def end(self) -> None:
        """Nothing will arrive any more: whoever waits is told by the SDK."""
        self._arriving.close()

    def close(self) -> None:
        self._arriving.close()
        self._inbox.close()

    # -- what a session asks ------------------------------------------------------------------------------------------

    @property
    def ended(self) -> bool:
        """Whether no message can be sent any more."""
        return self.child is None or self.child.ended

    @property
    def quoted(self) -> str:
        """What the server said outside the protocol, as the end of a sentence."""
        return ("" if self.child is None else self.child.quoted) + self._printed

    async def epitaph(self) -> str:
        """How the server ended and what it said last."""
        return ("" if self.child is None else await self.child.epitaph()) + self._printed

    @property
    def _printed(self) -> str:
        return f"; it printed: {' | '.join(self._strays)}" if self._strays else ""

    def take_strays(self) -> list[str]:
        """The lines outside the protocol that came since this was last asked, the first few of them."""
        taken, self._strays = self._strays, []
        return taken

    def fault_of(self, error: Any) -> Exception | None:
        """What an error that was made here means."""
        return error.data if isinstance(error.data, ToolFault) else None

    # -- what arrives -------------------------------------------------------------------------------------------------

    def arrived(self, line: bytes) -> None:
        """A line of the server's output: a message, the ruin of an answer, or something that is not for us."""
        message = self._read(line) if line.strip() else None
        if message is None:
            return
        if isinstance(message, types.JSONRPCResponse | types.JSONRPCError):
            self._asked.discard(message.id)
        self.sieve.passed(message)
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
        self.child.write(text_of(item.message.model_dump(by_alias=True, exclude_unset=True)).encode() + b"\n")

    async def aclose(self) -> None:
        """The child is ended by whoever started it."""

    async def __aenter__(self) -> StdioLine:
        return self

    async def __aexit__(self, *about: object) -> None:
        await self.aclose()


def _brief(error: ValidationError) -> str:
    first = error.errors(include_url=False)[0]
    where = ".".join(str(part) for part in first["loc"])
    return f"{first['msg']} at `{where}`" if where else str(first["msg"])


def _excerpt(line: bytes) -> str:
    text = line[: _SHOWN * 4].decode("utf-8", "replace").strip()
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"
