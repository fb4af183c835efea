"""Runs in processes that are killed: what such a process does, how it is killed, and who answers its questions.

Every call of a capability appends a line to a log before it does anything else, so that the log tells afterwards what
really happened, whatever became of the process.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import random
import signal
import time
from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import wfc
from tests import generated
from wfc.backends.stores import Store, StoredRun, UnknownRun, open_store
from wfc.ir import InterruptRequest, RunState, canonical
from wfc.runs import durable, replaying

INPUT = {"seed": 2}


@dataclass(frozen=True)
class Victim:
    """One run: a generated workflow, and how its node behaves; `stops_at` is the call in which its process stops, and
    `turn` tells runs apart that are else the same."""

    seed: int
    effects: str
    is_async: bool
    address: str
    log: Path
    stops_at: int = 0
    turn: int = 0

    @property
    def run_id(self) -> str:
        return f"{self.seed}-{self.effects}-{'async' if self.is_async else 'sync'}-{self.turn}"

    def handlers(self, *, disturbed: bool) -> dict[str, Any]:
        def begin(payload: Any, context: wfc.CallContext) -> float:
            if not disturbed:
                return 0.0
            with open(self.log, "a") as log:
                log.write(f"{context.call_id} {context.attempt}\n")
            if self.calls().total() == self.stops_at:
                os.kill(os.getpid(), signal.SIGSTOP)
            return random.random() * 0.004

        def work(payload: Any, context: wfc.CallContext) -> wfc.NodeResult:
            time.sleep(begin(payload, context))
            return result(self.seed, context.call_id, context.attempt, payload)

        async def work_later(payload: Any, context: wfc.CallContext) -> wfc.NodeResult:
            await asyncio.sleep(begin(payload, context))
            return result(self.seed, context.call_id, context.attempt, payload)

        return {"work": work_later if self.is_async else work}

    def calls(self) -> Counter[str]:
        """How often each attempt of a call was made."""
        return _lines(self.log)

    def retries(self) -> Counter[str]:
        """How often a person said that it should be made again."""
        return _lines(self.log.with_suffix(".retries"))


def _lines(file: Path) -> Counter[str]:
    return Counter(file.read_text().splitlines()) if file.exists() else Counter()


@cache
def program(seed: int, effects: str) -> wfc.Program:
    """A generated workflow whose delays are short."""
    module = generated.workflow(random.Random(seed).randrange, 2)
    for workflow in module["workflows"]:
        workflow["node_defs"] = [{**definition, "effects": effects} for definition in workflow["node_defs"]]
        for step in workflow["nodes"]:
            if step["type"] == "wait":
                step["seconds"] /= 200
            if "delay_seconds" in step.get("retry", {}):
                step["retry"]["delay_seconds"] /= 200
    return wfc.compile(module, unchecked=True)


def result(seed: int, call_id: str, attempt: int, payload: Any) -> wfc.NodeResult:
    """What the node gives: it follows from the call alone. Some calls fail."""
    said = canonical([seed, call_id.partition(":")[2], attempt, payload])
    number = int(hashlib.sha256(said.encode()).hexdigest()[:8], 16)
    if number % 9 == 0:
        raise wfc.NodeFailed("boom", type="Boom")
    output = {"n": number % 5, "ns": [number % 3, number % 4], "beside": True}
    return wfc.NodeResult("other" if number % 4 == 0 else "ok", output)


def undisturbed(victim: Victim) -> RunState:
    """The run as it is when nothing happens to it, and nothing is kept."""
    ready, handlers = program(victim.seed, victim.effects), victim.handlers(disturbed=False)

    async def through() -> RunState:
        run = await wfc.execute_workflow_async(ready, INPUT, run_id=victim.run_id, step_limit=2000, handlers=handlers)
        while run.status == "interrupted":
            assert run.interrupt is not None
            outcome, payload = said_to(run.interrupt, victim)
            run = await wfc.resume_workflow_async(ready, run, outcome=outcome, payload=payload, handlers=handlers)
        return run

    return asyncio.run(through())


def said_to(asked: InterruptRequest, victim: Victim) -> tuple[str, Any]:
    """The answer of a person who looks into the log when a call is in doubt."""
    if asked.kind != "in_doubt":
        number = int(hashlib.sha256(f"{victim.seed}{asked.id}".encode()).hexdigest()[:8], 16)
        return ("yes", {"approved": True, "comment": str(number % 7)}) if number % 3 else ("no", None)
    call = asked.payload
    if not victim.calls()[f"{call['call_id']} {call['attempt']}"]:
        return "retry", None
    try:
        given = result(victim.seed, call["call_id"], call["attempt"], call["input"])
    except wfc.NodeFailed:
        return "retry", None
    return "completed", {"outcome": given.outcome, "output": given.output}


def work(victim: Victim) -> None:
    """What the process does: begin the run or go on with it, answer what it asks, until it has ended."""
    ready, store = program(victim.seed, victim.effects), open_store(victim.address)
    outside = durable.Outside(store, None, {"handlers": victim.handlers(disturbed=True)})
    while True:
        stored = _stored(store, victim)
        if stored is None:
            durable.begin(ready, INPUT, outside, run_id=victim.run_id, step_limit=2000)
            continue
        if stored.status in durable.ENDED:
            return
        asked = replaying.standing(ready, stored).interrupt
        if asked is None:
            durable.resume(ready, stored, store, outside)
            continue
        outcome, payload = said_to(asked, victim)
        if asked.kind == "in_doubt" and outcome == "retry":
            with open(victim.log.with_suffix(".retries"), "a") as log:
                log.write(f"{asked.payload['call_id']} {asked.payload['attempt']}\n")
        durable.resume(ready, stored, store, outside, outcome=outcome, payload=payload, interrupt_id=asked.id)


def _stored(store: Store, victim: Victim) -> StoredRun | None:
    try:
        return store.load(victim.run_id)
    except UnknownRun:
        return None


def started(victim: Victim) -> int:
    """A process of its own that works on a run. It shares nothing with this one but what was imported."""
    pid = os.fork()
    if pid:
        return pid
    code = 1
    try:
        work(victim)
        code = 0
    except Exception:  # noqa: BLE001 - told by the exit code, in a process of its own
        import traceback

        traceback.print_exc()
    finally:
        os._exit(code)


def killed(victim: Victim, calls: int, after: float) -> bool:
    """Kill a process that works on a run some seconds after it has made so many calls; false when it had ended."""
    wanted = victim.calls().total() + calls
    pid = started(victim)
    while victim.calls().total() < wanted:
        if os.waitpid(pid, os.WNOHANG)[0]:
            return False
        time.sleep(0.001)
    time.sleep(after)
    os.kill(pid, signal.SIGKILL)
    _, status = os.waitpid(pid, 0)
    return os.WIFSIGNALED(status)


def ended(pid: int) -> int:
    """The exit code of a process that nobody disturbs."""
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
