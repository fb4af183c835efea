"""The verdict on one workflow: what strict checking says, and whether some run fails in a way that it rules out.

A workflow that strict checking finds clean but for one code on which the promise rests is run as well: that is one
which would be clean if the pass of that code were switched off.
"""

from __future__ import annotations

import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from tests.soundness import generate, nudge
from tests.soundness.play import Run, play
from tests.soundness.shapes import Json
from wfc import driver
from wfc.diagnostics import Diagnostic, Severity, Strict
from wfc.ir import verify
from wfc.passes import Examined, accept, blocks, examine, lower
from wfc.vm import Linked, link


@dataclass(frozen=True)
class Failure:
    """A run that failed structurally: the seed of its answers, the code of its error and the step."""

    run: int
    code: str
    step: str | None


@dataclass(frozen=True)
class Verdict:
    """`codes`: of the strict errors, sorted. `crash`: what went wrong in the compiler or the machine itself."""

    codes: tuple[str, ...]
    failure: Failure | None = None
    crash: str | None = None
    runs: int = 0
    completed: int = 0

    @property
    def clean(self) -> bool:
        return not self.codes and self.crash is None

    @property
    def only(self) -> str | None:
        """The one code that stands between this workflow and being clean."""
        return self.codes[0] if len(self.codes) == 1 else None


# The codes marked S and W+S in reference 3.2: what only strict mode makes an error. Never so for WF705, which is not
# about how runs fail.
STRICT_CODES = tuple(f"WF{number}" for number in (305, 306, 309, 312, *range(390, 396), 401, 403, 407, 501, 502, 590))


def document(seed: int, index: int, depth: int = 2) -> Json:
    """The workflow of that number; every second one has been changed a little after it was made."""
    rng = Random(f"{seed}/{index}")
    made = generate.workflow(rng, depth=depth)
    return nudge.nudged(rng, made) if index % 2 else made


def judge(made: Json, runs: int) -> Verdict:
    """Check a workflow, and run it so many times when it is clean, or would be without one code of strict mode."""
    try:
        studied = _study(made)
        verdict = Verdict(studied.codes)
        if studied.examined is None or not (verdict.clean or studied.could_be_clean):
            return verdict
        played = list(_until_failure(_linked(studied.examined), runs))
    except Exception:  # noqa: BLE001  whatever the compiler raises is what is looked for
        return Verdict((), crash=traceback.format_exc(limit=-3))
    last, run = played[-1]
    failure = Failure(last, run.error.code, run.error.node_id) if run.error and run.structural else None
    completed = sum(one.state.status == "completed" for _, one in played)
    return Verdict(verdict.codes, failure, None, len(played), completed)


def errors(made: Json) -> tuple[str, ...]:
    """The codes of the errors under strict."""
    return _study(made).codes


@dataclass(frozen=True)
class _Studied:
    """What was found in a workflow. `wfc.check` and then `wfc.compile` would find all of it twice."""

    examined: Examined | None
    found: tuple[Diagnostic, ...]

    @property
    def codes(self) -> tuple[str, ...]:
        strictly = (one for one in self.found if _is_error(one) or one.strict is not Strict.SAME)
        return tuple(sorted({one.code.code for one in strictly}))

    @property
    def could_be_clean(self) -> bool:
        """Whether it would be clean without one of the passes on which the promise rests."""
        stopped = any(_is_error(one) and blocks(one.code.code) for one in self.found)
        return len(self.codes) == 1 and self.codes[0] in STRICT_CODES and not stopped


def _study(made: Json) -> _Studied:
    elaborated = driver.from_value(made).elaborated
    examined = None if elaborated.module is None else examine(elaborated.module)
    return _Studied(examined, (*elaborated.diagnostics, *(() if examined is None else examined.diagnostics)))


def _is_error(found: Diagnostic) -> bool:
    return found.severity is Severity.ERROR


def _linked(examined: Examined) -> Linked:
    checked = accept(examined, examined.diagnostics, unchecked=True)
    assert checked is not None
    program = lower(checked)
    verify(program)
    return link(program)


def _until_failure(linked: Linked, runs: int) -> Iterator[tuple[int, Run]]:
    for seed in range(runs):
        run = play(linked, seed)
        yield seed, run
        if run.structural:
            return


def features(made: Json) -> tuple[str, ...]:
    """What of the language a workflow uses, each once: step types, reducers that are written, modes, policies."""
    found: set[str] = set()
    for workflow in made["workflows"]:
        for step in workflow["nodes"]:
            found |= set(_of_step(step))
            for binding in (*step.get("output", ()), *step.get("resume", ())):
                found.add(f"reducer {_reducer(workflow['state_schema'], binding['target'])}")
    return tuple(sorted(found))


def _of_step(step: Json) -> Iterator[str]:
    yield f"step {step['type']}"
    if step["type"] == "foreach":
        yield f"mode {step['mode']}"
        yield f"on_item_error {step.get('on_item_error', 'fail')}"
    if step.get("node", "").startswith("wf.std."):
        yield f"node {step['node']}"
    for key in ("catch", "locals", "retry"):
        if step.get(key):
            yield f"with {key}"
    if any(isinstance(one, dict) for one in step.get("branches", ())):
        yield "with when"
    if step["type"] == "interrupt":
        yield f"kind {step['kind']}"


def _undisguised(schema: Json, field: Any) -> Json:
    """A field of state with what its `$ref` and its `allOf` say of it."""
    if not isinstance(field, dict):
        return {}
    parts = [schema.get("$defs", {}).get(str(field.get("$ref")).rpartition("/")[2], {}), *field.get("allOf", ())]
    return {key: held for part in (*parts, field) if isinstance(part, dict) for key, held in part.items()}


def _reducer(schema: Json, path: str) -> str:
    held: Any = {"properties": schema["properties"]}
    for part in path.split(".")[1:]:
        held = _undisguised(schema, held.get("properties", {}).get(part, {}))
    reducer = held.get("reducer", "wf.std.replace")
    return reducer if isinstance(reducer, str) else f"wf.std.{reducer['ref']['capability_key']}"
