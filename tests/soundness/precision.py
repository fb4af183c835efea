"""Is every error true? Small workflows with a fault, and for each error a run that fails so, there.

Only errors that could be suppressed are asked for: the others leave a run without meaning (reference 3.2).
"""

from __future__ import annotations

import multiprocessing
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

import wfc
from bench.mutations.expectations import expectations
from bench.mutations.findings import errors, findings
from bench.mutations.survey import kinds
from tests.soundness import generate
from tests.soundness.nudge import nudged
from tests.soundness.play import Run, play
from tests.soundness.shapes import Json
from wfc.diagnostics import Diagnostic
from wfc.passes import blocks
from wfc.vm import Linked, link

_RUNS = 400
_TRIALS, _DRAWS = 20, 12

# By code: the run errors that confirm it, and whether they have to arise at the step where the finding is. The machine
# lets a write to an undeclared path be; that it happens is what confirms WF307.
MEANING: dict[str, tuple[tuple[str, ...], bool]] = {
    "WF108": (("unwired_outcome",), True),
    "WF202": (("step_limit",), False),
    "WF300": (("node_input_invalid",), True),
    "WF301": (("node_input_invalid",), True),
    "WF302": (("node_input_invalid", "state_invalid", "type_mismatch", "reducer_failed", "output_invalid"), True),
    "WF305": (("missing_path",), True),
    "WF306": (("missing_path",), True),
    "WF307": (("undeclared write", "state_invalid"), True),
    "WF309": (("missing_path",), True),
    "WF310": (("node_input_invalid", "state_invalid", "reducer_failed"), True),
    "WF311": (("type_mismatch",), True),
    "WF400": (("missing_path",), True),
    "WF407": (("missing_path",), True),
    "WF402": (("output_invalid",), False),
    "WF413": (("state_invalid",), False),
    "WF500": (("state_conflict",), False),
    "WF502": (("state_conflict",), False),
}


@dataclass(frozen=True)
class Claim:
    """One error that was reported: its code, where, and whether a run confirmed it. `kind`: the fault put in.

    `reached`: whether some run came to the step at all; what none comes to is a miss as well.
    """

    number: int
    kind: str
    code: str
    pointer: str
    message: str
    confirmed: bool
    reached: bool


@dataclass
class Precision:
    """By code: errors reported, and confirmed; the claims that nothing confirmed. `stopped`: nothing could be run."""

    reported: Counter[str] = field(default_factory=Counter)
    confirmed: Counter[str] = field(default_factory=Counter)
    misses: list[Claim] = field(default_factory=list)
    stopped: int = 0


def faulty(seed: int, number: int) -> tuple[str, Json]:
    """A small workflow with a fault, and the kind of it: of a planner, or whatever a few small changes make."""
    rng = Random(f"{seed}/precision/{number}")
    made = _reachable(rng)
    if number % 2:
        return "nudged", nudged(rng, made, 1)
    fitting = [name for name, one in expectations().items() if MEANING.keys() & set(one.codes)]
    reached = _reached(made)
    for name in rng.sample(fitting, len(fitting)):
        found = [one for one in kinds()[name](made) if any(_step_at(made, at) in reached for at in one.at)]
        if found:
            return name, rng.choice(found).document
    return "none", made


def _reachable(rng: Random) -> Json:
    """A small workflow of which each step is reached by some run.

    A constant condition makes no step unreachable by the reference, and no run confirms what is said behind it.
    """
    for _ in range(_DRAWS):
        made = generate.workflow(rng, depth=1, budget=0)
        if {step["id"] for each in made["workflows"] for step in each["nodes"]} <= _reached(made):
            break
    return made


def _reached(made: Json) -> set[str]:
    """The steps to which some run of a workflow comes: a fault anywhere else could not be confirmed."""
    linked = link(wfc.compile(made, unchecked=True))
    return {entry["step"] for seed in range(_TRIALS) for entry in play(linked, seed).state.trace}


def _step_at(made: Json, pointer: str) -> str | None:
    """The step in which, or from which, a pointer's place is."""
    _, _, workflow, key, index, *_ = [*pointer.split("/"), "", ""]
    within = made["workflows"][int(workflow)]
    if key == "edges" and int(index) < len(within["edges"]):
        return str(within["edges"][int(index)]["from"])
    return str(within["nodes"][int(index)]["id"]) if key == "nodes" else None


def claims(seed: int, number: int) -> list[Claim] | None:
    """What was said of one faulty workflow, each claim tried; none when errors leave no run."""
    kind, made = faulty(seed, number)
    found = errors(findings(made))
    if any(blocks(one.code.code) for one in found):
        return None
    linked = link(wfc.compile(made, unchecked=True))
    return [_claim(number, kind, one, linked) for one in found]


def _claim(number: int, kind: str, one: Diagnostic, linked: Linked) -> Claim:
    reached = False
    for seed in range(_RUNS):
        run = play(linked, seed)
        reached = reached or any(entry["step"] == one.at.step for entry in run.state.trace)
        if confirms(run, one):
            return Claim(number, kind, one.code.code, one.at.pointer, one.message, True, True)
    return Claim(number, kind, one.code.code, one.at.pointer, one.message, False, reached)


def confirms(run: Run, found: Diagnostic) -> bool:
    """Whether a run shows what the finding says, be it in a lineage that others took no notice of."""
    codes, there = MEANING[found.code.code]
    seen = [(entry["error"]["code"], entry["step"]) for entry in run.state.trace if entry.get("error")]
    seen += [(run.error.code, run.error.node_id)] if run.error else []
    seen += run.refusals
    seen += [("step_limit", None)] if run.cut else []
    seen += [("undeclared write", step) for step in undeclared_writes(run, found)]
    there = there and found.at.step is not None
    return any(code in codes and (not there or step == found.at.step) for code, step in seen)


def undeclared_writes(run: Run, found: Diagnostic) -> list[str]:
    """The steps that have written a path which the finding names as undeclared."""
    changed = [(entry["step"], change["path"]) for entry in run.state.trace for change in entry.get("changes", ())]
    return [step for step, path in changed if f"`{path}`" in found.message]


def precision(seed: int, workflows: int, jobs: int) -> Precision:
    total = Precision()
    for judged in _each(seed, workflows, jobs):
        if judged is None:
            total.stopped += 1
            continue
        total.reported.update(claim.code for claim in judged)
        total.confirmed.update(claim.code for claim in judged if claim.confirmed)
        total.misses += [claim for claim in judged if not claim.confirmed]
    return total


def _each(seed: int, workflows: int, jobs: int) -> Iterator[list[Claim] | None]:
    work = [(seed, number) for number in range(workflows)]
    if jobs == 1:
        yield from (claims(*one) for one in work)
        return
    with multiprocessing.Pool(jobs) as pool:
        yield from pool.imap(_claims, work, chunksize=20)


def _claims(work: tuple[int, int]) -> list[Claim] | None:
    return claims(*work)


def _miss(one: Claim) -> str:
    what = "no run fails so" if one.reached else "no run comes there"
    return f"- {what}: {one.code} {one.pointer} of workflow {one.number} ({one.kind}): {one.message}"


def told(total: Precision) -> str:
    lines = ["", "| error | reported | confirmed by a run |", "| --- | ---: | ---: |"]
    lines += [f"| {code} | {count} | {total.confirmed[code]} |" for code, count in sorted(total.reported.items())]
    lines += [f"| none could be run | {total.stopped} | |", ""]
    lines += [_miss(one) for one in total.misses]
    return "\n".join(lines) + "\n"
