"""The command line as a process of its own: what a run does there harms nothing here, and both share one code path.

Guarantees: a process outlives whoever waits for it; it ends with `stop`, and then what it did is kept.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from wfc.records import dataclass

# Commands say then on standard error which calls they make, a line each.
CALLS_VARIABLE = "WFC_CALLS"
_MARK = b"call "
_PIECE = 1 << 16
_STOP_SECONDS = 15.0
# The format in which a command says why it has no result; see `wfc.cli.faults`.
_NO_RESULT = "wfc.error/1"


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one result that it printed; none where it printed none, or said in JSON too why there is none."""
        try:
            printed = json.loads(self.out)
        except ValueError:
            return None
        return None if isinstance(printed, dict) and printed.get("schema") == _NO_RESULT else printed

    @property
    def fault(self) -> str:
        """What it said was wrong, in one line."""
        lines = [line for line in self.err.splitlines() if line.strip()]
        told = [line for line in lines if line.startswith("error: ")]
        return (told or lines or [f"the command ended with exit code {self.code}"])[-1].removeprefix("error: ")


async def run_command(*arguments: str, stdin: str = "", heard: Callable[[str], None] = lambda call: None) -> Ended:
    """Run one command to its end; `heard` is told of every call that it makes.

    When this is cancelled the command is stopped as a signal stops it, and waited for.
    """
    process = await asyncio.create_subprocess_exec(
        # Without -P a file of the current folder could take the place of a module of Python.
        *(sys.executable, "-P", "-m", "wfc", *arguments),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env={**os.environ, CALLS_VARIABLE: "lines", "PYTHONIOENCODING": "utf-8"},
    )
    assert process.stdin is not None and process.stdout is not None and process.stderr is not None
    fed = asyncio.create_task(_feed(process.stdin, stdin.encode()))
    out, err = asyncio.create_task(process.stdout.read()), asyncio.create_task(_listen(process.stderr, heard))
    try:
        await asyncio.gather(fed, out, err)
        code = await process.wait()
    finally:
        await _ended(process)
    return Ended(code, out.result().decode("utf-8", "replace"), err.result().decode("utf-8", "replace"))


async def _feed(pipe: asyncio.StreamWriter, data: bytes) -> None:
    # A command that wants no input may be gone before it is written.
    with suppress(BrokenPipeError, ConnectionResetError):
        pipe.write(data)
        await pipe.drain()
    pipe.close()


async def _listen(pipe: asyncio.StreamReader, heard: Callable[[str], None]) -> bytes:
    """Everything that is said besides calls. Lines may be of any length."""
    said, rest = b"", b""
    while piece := await pipe.read(_PIECE):
        *lines, rest = (rest + piece).split(b"\n")
        for line in lines:
            if line.startswith(_MARK):
                heard(line.removeprefix(_MARK).decode("utf-8", "replace"))
            else:
                said += line + b"\n"
    return said + rest


async def _ended(process: asyncio.subprocess.Process) -> None:
    """Stop a process that still runs, and wait for it."""
    if process.returncode is not None:
        return
    with suppress(ProcessLookupError):
        process.terminate()
    try:
        await asyncio.wait_for(asyncio.shield(process.wait()), _STOP_SECONDS)
    except TimeoutError:
        process.kill()
        await process.wait()
