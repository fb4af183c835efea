"""A child process that speaks in lines. When `stop` has returned, or Python ends, nothing of it is left.

The child runs in a session of its own, so that a Ctrl-C in the terminal reaches us alone and its whole family can be
ended at once. Its error channel is always drained; the last of it is kept for messages.

Limit: a line of more than 64 MiB ends the child.
"""

from __future__ import annotations

import asyncio
import atexit
import os
import signal
import subprocess
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import cast

from wfc.records import dataclass, field

MAX_LINE_BYTES = 64 * 1024 * 1024

_SAID_BYTES = 4096
_SAID_LINES = 12
# From the end of its input, and from the polite signal, until a child is ended by force.
_GRACE_SECONDS = 2.0
# A descendant may hold the pipe open when the child itself has ended; what is still in the pipe comes within this time.
_DRAIN_SECONDS = 0.2
# What the loop tells as the exit code of a child whose end somebody else has learned.
_LOOP_KNOWS_NOTHING = 255
_HAS_GROUPS = hasattr(os, "killpg")
_FORCE = signal.SIGKILL if _HAS_GROUPS else signal.SIGTERM


@dataclass(frozen=True, slots=True)
class Command:
    """What to start. `env` is the whole environment of the child."""

    program: str
    args: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)
    cwd: Path | None = None


class Child(asyncio.SubprocessProtocol):
    """A running child. `on_line` gets each line of its output, `on_end` is called once when there will be no more."""

    def __init__(self, on_line: Callable[[bytes], None], on_end: Callable[[], None]) -> None:
        self._on_line = on_line
        self._on_end = on_end
        self._line = bytearray()
        self._errors = bytearray()
        self._input: asyncio.WriteTransport | None = None
        self._transport: asyncio.SubprocessTransport | None = None
        self._silent = False
        self._over = False
        self._gone = asyncio.Event()
        self._told = asyncio.Event()

    @classmethod
    async def start(cls, command: Command, on_line: Callable[[bytes], None], on_end: Callable[[], None]) -> Child:
        """Start a child; raises `OSError` or `ValueError` when the system cannot."""
        loop = asyncio.get_running_loop()
        _, child = await loop.subprocess_exec(
            lambda: cls(on_line, on_end),
            command.program,
            *command.args,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=dict(command.env),
            cwd=command.cwd,
            start_new_session=True,
        )
        return child

    @property
    def ended(self) -> bool:
        """Whether it has exited, or will say nothing any more."""
        return self._silent or self._gone.is_set()

    @property
    def quoted(self) -> str:
        """The last lines of its error channel as the end of a sentence; empty when it wrote none."""
        lines = self._errors.decode("utf-8", "replace").split("\n")
        kept = ["".join(sign for sign in line if sign.isprintable()) for line in lines if line.strip()]
        return f"; it said: {' | '.join(kept[-_SAID_LINES:])}" if kept else ""

    def write(self, data: bytes) -> None:
        """Send bytes. What is sent to a child that has ended is lost."""
        if self._input is not None and not self.ended:
            self._input.write(data)

    async def epitaph(self) -> str:
        """How it ended and what it said last, for a child that has ended or is about to."""
        if await self._in_time(self._gone, _GRACE_SECONDS):
            await self._in_time(self._told, _DRAIN_SECONDS)
        return f"{self._end_told()}{self.quoted}"

    def _end_told(self) -> str:
        code = self._code()
        if code is None:
            return "closed its output"
        return f"ended with exit code {code}" if code >= 0 else f"was ended by signal {-code}"

    def _code(self) -> int | None:
        """The exit code. Two ask the system for it, the loop and what closes the transport, and only the first is told:
        the loop then knows but 255, the other but 0."""
        if self._transport is None:
            return None
        popen = self._transport.get_extra_info("subprocess")
        told, learned = self._transport.get_returncode(), None if popen is None else popen.returncode
        return told if learned is None or told not in (None, _LOOP_KNOWS_NOTHING) else learned

    async def _in_time(self, event: asyncio.Event, seconds: float) -> bool:
        with suppress(TimeoutError):
            await asyncio.wait_for(event.wait(), seconds)
        return event.is_set()

    async def stop(self) -> None:
        """End the child: close its input, then ask, then force."""
        try:
            if self._input is not None:
                self._input.close()
            if not await self._in_time(self._gone, _GRACE_SECONDS):
                self._signal(signal.SIGTERM)
                await self._in_time(self._gone, _GRACE_SECONDS)
        finally:
            self.kill()
        await self._in_time(self._gone, _GRACE_SECONDS)

    def kill(self) -> None:
        """End the child and its descendants by force, at once."""
        self._signal(_FORCE)
        # From here on the number of the group may belong to somebody else.
        self._over = True
        atexit.unregister(self._signal)
        if self._transport is not None:
            self._transport.close()

    def _signal(self, number: int) -> None:
        """Signal the child and its descendants: the group has the child's number, also when the child is gone."""
        if self._over or self._transport is None:
            return
        with suppress(ProcessLookupError, PermissionError):
            if _HAS_GROUPS:
                os.killpg(self._transport.get_pid(), number)
            else:
                self._transport.kill()

    # -- what asyncio calls -------------------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # Not every event loop derives its transports from those of `asyncio`.
        self._transport = cast(asyncio.SubprocessTransport, transport)
        self._input = cast(asyncio.WriteTransport, self._transport.get_pipe_transport(0))
        # For an end of Python in which nobody could call `stop`.
        atexit.register(self._signal, _FORCE)

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        if fd == 2:
            self._errors += data
            del self._errors[:-_SAID_BYTES]
            return
        start = len(self._line)
        self._line += data
        newline = self._line.find(b"\n", start)
        while newline >= 0:
            line = bytes(self._line[:newline])
            del self._line[: newline + 1]
            self._on_line(line)
            newline = self._line.find(b"\n")
        if len(self._line) > MAX_LINE_BYTES:
            self._errors += b"\n(a line of more than %d bytes on its output)" % MAX_LINE_BYTES
            self._line.clear()
            self.kill()

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        if fd == 0:
            self._input = None
        elif fd == 1:
            self._fall_silent()
        else:
            self._told.set()

    def process_exited(self) -> None:
        self._gone.set()
        asyncio.get_running_loop().call_later(_DRAIN_SECONDS, self._leave)

    def _leave(self) -> None:
        self.kill()
        self._fall_silent()

    def _fall_silent(self) -> None:
        if not self._silent:
            self._silent = True
            self._on_end()
