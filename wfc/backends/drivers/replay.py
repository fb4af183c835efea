"""The driver that makes no call: it gives a machine what its journal recorded, and the run is there again."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol

from wfc.backends.drivers import loop
from wfc.ir import Entry, answer_of


class Machine(loop.Machine, Protocol):
    """What a journal is given to: all that can happen to a run from outside."""

    def resume(self, outcome: str, payload: Any, interrupt_id: str | None = None) -> None: ...

    def doubt(self, call_id: str) -> None: ...

    def cancel(self, message: str) -> None: ...

    def fail_before(self, code: str, message: str) -> None: ...

    def awaits(self, call_id: str) -> bool: ...


def replay(machine: Machine, entries: Iterable[Entry]) -> None:
    """Give a machine the entries of a journal, each as soon as the machine waits for it.

    Raises `Refused` where the machine does not take an answer to a question, which it took when that was recorded.
    """
    for entry in entries:
        about = entry.about or ""
        if entry.kind in ("completed", "failed", "elapsed", "doubted"):
            reach(machine, about)
        elif entry.kind in ("resumed", "cancelled"):
            settle(machine)
        match entry.kind:
            case "completed" | "failed" | "elapsed":
                answer = answer_of(entry)
                assert answer is not None
                machine.answer(answer)
            case "doubted":
                machine.doubt(about)
            case "resumed":
                outcome, payload = entry.value
                machine.resume(outcome, payload, about)
            case "cancelled":
                machine.cancel(entry.value)
            case "unavailable":
                # Such a run is not kept any more; stores may hold some.
                machine.fail_before(*entry.value)


def reach(machine: Machine, call_id: str) -> None:
    """Let a machine go on until it waits for this call or delay, or can do nothing further."""
    while not machine.awaits(call_id) and machine.poll() is not None:
        continue


def settle(machine: Machine) -> None:
    """Let a machine go on as far as it can without an answer."""
    while machine.poll() is not None:
        continue
