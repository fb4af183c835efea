"""Runs on the real machine, observed: what each probe is shown, and what the trace tells of every step."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.values import answering
from wfc.ir import Delay, Invoke, Refused, RunState
from wfc.vm import Machine


@dataclass
class Observed:
    """What was seen of a run: per probe, with its workflow, what it was shown; and the run itself."""

    shown: list[tuple[str, str, Mapping[str, Any]]] = field(default_factory=list)
    run: RunState | None = None

    @property
    def entries(self) -> Iterator[Mapping[str, Any]]:
        assert self.run is not None
        yield from self.run.trace


def observed(machine: Machine, choose: random.Random) -> Observed:
    """Answer whatever is asked, so often at most, with what contracts admit."""
    seen = Observed()
    for _ in range(20):
        for _ in range(600):
            effect = machine.poll()
            if effect is None:
                break
            if isinstance(effect, Invoke) and effect.definition == "probe":
                seen.shown.append((effect.workflow, effect.node_id, effect.payload))
            if isinstance(effect, (Invoke, Delay)):
                machine.answer(answering.answer(effect, choose))
        if machine.status != "interrupted":
            break
        _resume(machine, choose)
    seen.run = machine.snapshot()
    return seen


def _resume(machine: Machine, choose: random.Random) -> None:
    payload = {"approved": True, "comment": "c", "more": {"x": choose.choice((1, "t", None))}}
    for outcome in choose.sample(["yes", "no"], 2):
        try:
            machine.resume(outcome, payload if choose.randrange(3) else {})
            return
        except Refused:
            continue
    machine.resume("yes", payload)
