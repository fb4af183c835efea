"""Runs that belong to the server, not to the request that began them (reference 4.7).

Guarantees: a run id is begun at most once, whoever asks for it and however often; a request that stops waiting stops
no run; when the server ends, its runs are stopped as a signal stops them, and can be taken up again.
"""

from __future__ import annotations

import asyncio
import json
import os
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

from wfc.records import dataclass, field
from wfc.services.processes import Ended, run_command

_KEPT = 200
Progress = Callable[[int, str], Awaitable[None]]


class RunFault(Exception):
    """What was asked of a run cannot be done: one sentence."""


@dataclass(frozen=True, slots=True)
class Beginning:
    """A run that is to begin: the name of the workflow, the text of the program, and where it is in the store, if it is
    there."""

    name: str
    program: str
    input: Any
    mocks: Any = None
    reference: str | None = None


@dataclass(slots=True, eq=False)
class Going:
    """A run while a process goes on with it: what was asked, how many calls it made, and the last one."""

    run_id: str
    asked: str
    calls: int = 0
    last_call: str = ""
    changed: asyncio.Event = field(default_factory=asyncio.Event)

    def heard(self, call: str) -> None:
        self.calls += 1
        self.last_call = call
        self.changed.set()


class Runs:
    """The runs of one server. `store` is where they are kept; none: where the configuration says."""

    def __init__(self, store: str | None = None) -> None:
        self._store = () if store is None else ("--store", store)
        self._going: dict[str, tuple[Going, asyncio.Task[Ended]]] = {}

    def begin(self, asked: Beginning, *, run_id: str | None) -> Going:
        """Begin a run; with the id of one that was begun here before, that one is meant."""
        chosen = run_id or f"{asked.name}-{os.urandom(4).hex()}"
        words = json.dumps(["run", asked.reference, asked.program, asked.input, asked.mocks], sort_keys=True)
        known = self._going.get(chosen)
        if known is not None:
            if known[0].asked != words:
                raise RunFault(f"the run id `{chosen}` is in use for another workflow or input; give another or none")
            return known[0]
        return self._started(chosen, words, lambda going: self._run(going, asked))

    def resume(self, run_id: str, outcome: str | None, payload: Any, interrupt_id: str | None) -> Going:
        """Go on with a run. The same answer to the same question, given twice, is one answer."""
        asked = json.dumps(["resume", outcome, payload, interrupt_id], sort_keys=True)
        known = self._going.get(run_id)
        if known is not None and known[0].asked == asked and (interrupt_id is not None or not known[1].done()):
            return known[0]
        if known is not None and not known[1].done():
            raise RunFault(f"the run `{run_id}` goes on already; wait until it rests")
        return self._started(run_id, asked, lambda going: self._resume(going, outcome, payload, interrupt_id))

    async def wait(self, going: Going, seconds: float, progress: Progress) -> Ended | None:
        """How a run came to rest; none where it still goes on after so many seconds. Tells of every call meanwhile."""
        _, task = self._going[going.run_id]
        loop = asyncio.get_running_loop()
        until = loop.time() + seconds
        while not task.done():
            left = until - loop.time()
            if left <= 0:
                return None
            going.changed.clear()
            heard = asyncio.ensure_future(going.changed.wait())
            try:
                await asyncio.wait({task, heard}, timeout=min(left, 1.0), return_when=asyncio.FIRST_COMPLETED)
            finally:
                heard.cancel()
            await progress(going.calls, going.last_call or "starting")
        return task.result()

    def going(self, run_id: str) -> Going | None:
        """The run, if a process of this server goes on with it now."""
        known = self._going.get(run_id)
        return known[0] if known is not None and not known[1].done() else None

    def forget(self, going: Going) -> None:
        """A beginning that came to nothing, so that the next request of this id is not taken for a repeated one."""
        if (known := self._going.get(going.run_id)) is not None and known[0] is going and known[1].done():
            del self._going[going.run_id]

    async def cancel(self, run_id: str) -> Ended:
        """End a run for good; where it goes on it ends before it begins anything further."""
        return await self.command("cancel", run_id, "--json")

    async def command(self, *arguments: str) -> Ended:
        """A command that reads the store, to its end."""
        return await run_command(*arguments, *self._store)

    async def close(self) -> None:
        """Stop every run that goes on, and wait for it."""
        tasks = [task for _, task in self._going.values() if not task.done()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _started(self, run_id: str, asked: str, work: Callable[[Going], Awaitable[Ended]]) -> Going:
        going = Going(run_id, asked)
        # A task of its own: the request that is answered now may be cancelled at any time.
        self._going.pop(run_id, None)
        self._going[run_id] = going, asyncio.ensure_future(work(going))
        self._forget()
        return going

    def _forget(self) -> None:
        """Keep the last few that rest."""
        resting = [run_id for run_id, (_, task) in self._going.items() if task.done()]
        for run_id in resting[: max(0, len(self._going) - _KEPT)]:
            del self._going[run_id]

    async def _run(self, going: Going, asked: Beginning) -> Ended:
        with tempfile.TemporaryDirectory(prefix="wfc-") as folder:
            arguments = ["--run-id", going.run_id, "--input", f"@{_written(folder, 'input.json', asked.input)}"]
            if asked.mocks is not None:
                arguments += ["--mock", _written(folder, "mocks.json", asked.mocks)]
            # What is in the store is pinned by whoever runs it from there.
            if asked.reference is not None:
                return await self._gone(going, "run", asked.reference, *arguments)
            return await self._gone(going, "run", "-", *arguments, stdin=asked.program)

    async def _resume(self, going: Going, outcome: str | None, payload: Any, interrupt_id: str | None) -> Ended:
        arguments: Sequence[str] = () if interrupt_id is None else ("--interrupt", interrupt_id)
        if outcome is None:
            return await self._gone(going, "resume", going.run_id, *arguments)
        answer = ("--outcome", outcome, "--payload", "-")
        return await self._gone(going, "resume", going.run_id, *arguments, *answer, stdin=json.dumps(payload))

    async def _gone(self, going: Going, *arguments: str, stdin: str = "") -> Ended:
        return await run_command(*arguments, "--json", *self._store, stdin=stdin, heard=going.heard)


def _written(folder: str, name: str, value: Any) -> str:
    path = Path(folder) / name
    path.write_text(json.dumps(value), "utf-8")
    return str(path)
