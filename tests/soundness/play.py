"""One run of a program with whatever its contracts allow: inputs, answers, failures, resumes, orders of answers.

Everything follows from one seed, and an answer from the call alone, so the same seed gives the same run in any order.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from random import Random
from typing import Any

from tests.soundness.values import value
from wfc.backends.sources.std import NODES
from wfc.ir import (
    STRUCTURAL,
    Answer,
    Commit,
    Completed,
    Definition,
    Delay,
    Elapsed,
    Failed,
    Invoke,
    NodeFailed,
    NodeResult,
    Program,
    Refused,
    RunError,
    RunState,
    Withdraw,
    canonical,
)
from wfc.vm import Linked, Machine

STEP_LIMIT = 400
_QUESTIONS = 12
_FAILURES = (
    *("node_failed", "node_failed", "node_failed", "node_timeout", "node_output_invalid"),
    *("undeclared_outcome", "capability_unavailable"),
)
_STRUCTURAL = {*STRUCTURAL, "node_input_invalid"}


@dataclass(frozen=True)
class Run:
    """How a run ended, and what was answered on the way: enough to write it down as a test.

    `refusals`: the reasons of refused resumes, each with its step. `cut`: it asked more questions than were answered.
    """

    state: RunState
    answers: tuple[tuple[str, Any], ...]
    resumes: tuple[dict[str, Any], ...]
    refusals: tuple[tuple[str, str | None], ...] = ()
    cut: bool = False

    @property
    def error(self) -> RunError | None:
        return self.state.error

    @property
    def structural(self) -> bool:
        """Whether it failed in a way that a clean workflow never does (reference 2.12)."""
        return self.error is not None and is_structural(self.error.code, self.error.message)


def is_structural(code: str, message: str) -> bool:
    return code in _STRUCTURAL and not (code == "reducer_failed" and "finite" in message)


def rng_of(*parts: Any) -> Random:
    """A random stream that follows from JSON values, alike on every hash seed."""
    return Random(hashlib.sha256(canonical(list(parts)).encode()).digest())


def play(linked: Linked, seed: int) -> Run:
    """Run a program with answers that follow from the seed, a third of the time in a racing order."""
    rng = rng_of("run", seed)
    program = linked.program
    machine = Machine.start(linked, first_input(program, rng), run_id="r", step_limit=STEP_LIMIT)
    racing = rng.random() < 0.35
    answers: list[tuple[str, Any]] = []
    resuming = _Resuming(seed)
    cut = True
    for _ in range(_QUESTIONS):
        (_race if racing else _serve)(machine, program, seed, rng, answers)
        if machine.status != "interrupted" or not _resume(machine, program, resuming):
            cut = False
            break
    return Run(machine.snapshot(), tuple(answers), tuple(resuming.given), tuple(resuming.refused), cut)


def first_input(program: Program, rng: Random) -> Any:
    return value(rng, program.schemas[program.routines[0].input_schema])


def _serve(machine: Machine, program: Program, seed: int, rng: Random, answers: list[tuple[str, Any]]) -> None:
    while (effect := machine.poll()) is not None:
        if isinstance(effect, (Invoke, Delay)):
            machine.answer(_noted(program, effect, seed, answers))


def _race(machine: Machine, program: Program, seed: int, rng: Random, answers: list[tuple[str, Any]]) -> None:
    under_way: dict[str, Invoke | Delay] = {}
    while True:
        while (effect := machine.poll()) is not None:
            if isinstance(effect, Withdraw):
                under_way.pop(effect.call_id, None)
            else:
                under_way[effect.call_id] = effect
        if not under_way:
            return
        chosen = under_way.pop(rng.choice(sorted(under_way)))
        machine.answer(_noted(program, chosen, seed, answers))


def _noted(program: Program, effect: Invoke | Delay, seed: int, answers: list[tuple[str, Any]]) -> Answer:
    given = answer(program, effect, seed)
    if isinstance(effect, Invoke) and not effect.capability.startswith("wf.std."):
        answers.append((effect.node_id, _scripted(given)))
    return given


def _scripted(given: Answer) -> dict[str, Any]:
    """An answer as an entry of `mocks`."""
    if isinstance(given, Failed):
        told = {"code": given.code, "message": given.message} | ({"type": given.type} if given.type else {})
        return {"error": told, "times": 1}
    assert isinstance(given, Completed)
    return {"outcome": given.result.outcome, "output": given.result.output, "times": 1}


def answer(program: Program, effect: Invoke | Delay, seed: int) -> Answer:
    """An answer within the contract of what is called, or a failure."""
    if isinstance(effect, Delay):
        return Elapsed(effect.call_id)
    if effect.capability.startswith("wf.std."):
        return _builtin(effect)
    rng = rng_of(seed, effect.call_id, effect.attempt, effect.payload)
    # Half of the runs see no failure, so that long ways are gone to their end, and some see many.
    if seed % 2 and rng.random() < (0.15 if seed % 8 < 7 else 0.6):
        code = rng.choice(_FAILURES)
        if code == "undeclared_outcome":
            return Completed(effect.call_id, NodeResult("never_declared", {}))
        return Failed(effect.call_id, code, "boom", rng.choice(("Boom", None)) if code == "node_failed" else None)
    definition = _definition(program, effect.workflow, effect.definition)
    outcome = rng.choice(definition.outcomes)
    schema = program.schemas[definition.outcome_schemas.get(outcome, definition.output_schema)]
    return Completed(effect.call_id, NodeResult(outcome, value(rng, schema)))


def _builtin(effect: Invoke) -> Answer:
    try:
        outcome, output = NODES[effect.capability.removeprefix("wf.std.")](effect.payload)
    except NodeFailed as failure:
        return Failed(effect.call_id, "node_failed", str(failure), failure.type)
    return Completed(effect.call_id, NodeResult(outcome, output))


def _definition(program: Program, workflow: str, name: str) -> Definition:
    routine = next(one for one in program.routines if one.name == workflow)
    return next(one for one in routine.definitions if one.name == name)


@dataclass
class _Resuming:
    """What was answered to questions so far, and what of it was refused."""

    seed: int
    given: list[dict[str, Any]] = field(default_factory=list)
    refused: list[tuple[str, str | None]] = field(default_factory=list)

    def tried(self, machine: Machine, step: str, outcome: str, payload: Any) -> bool:
        self.given.append({"outcome": outcome, "payload": payload})
        try:
            machine.resume(outcome, payload)
        except Refused as refusal:
            self.refused.append((refusal.reason, step))
            return False
        return True


def _resume(machine: Machine, program: Program, resuming: _Resuming) -> bool:
    """Answer the question that waits, now and then first with nonsense; false when every answer was refused."""
    asked = machine.snapshot().interrupt
    assert asked is not None
    step = asked.route[-1]["step"] if asked.route else asked.node_id
    rng = rng_of(resuming.seed, asked.id)
    if rng.random() < 0.3:
        nonsense = rng.choice(("never", *asked.outcomes)), rng.choice((None, {"approved": 3}, {}))
        if resuming.tried(machine, step, *nonsense):
            return True
    for _ in range(6):
        outcome = rng.choice(asked.outcomes)
        schema = asked.resume_schemas.get(outcome, asked.resume_schema if outcome == asked.outcomes[0] else None)
        payload = value(rng, schema or {"type": "object"})
        told = payload if isinstance(payload, dict) else {}
        if rng.random() < 0.8:
            told = {**_bound(rng, program, step, outcome), **told}
        if resuming.tried(machine, step, outcome, told):
            return True
    return False


def _bound(rng: Random, program: Program, step: str, outcome: str) -> dict[str, Any]:
    """The fields that bindings read of an answer, as the state that they write is declared."""
    routine, block = next((one, block) for one in program.routines for block in one.blocks if block.id == step)
    state = program.schemas[routine.state_schema]
    fields = state.get("properties", {})
    writes = [write for one in block.body if isinstance(one, Commit) for write in one.writes]
    applying = [write for write in writes if (write.on is None or outcome in write.on) and write.source.parts]
    return {write.source.parts[0]: value(rng, fields.get(write.target.parts[0], {}), state) for write in applying}
