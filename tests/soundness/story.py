"""A failing run told as a workflow test (reference 4.5): the workflow, the answers in order, what became of it."""

from __future__ import annotations

import json
from typing import Any

import wfc
from tests.soundness.judge import errors, judge
from tests.soundness.play import play
from tests.soundness.shapes import Json
from tests.soundness.shrink import shrunk
from wfc.vm import link

_RUNS = 40
_WIDTH = 100


def smallest(made: Json, code: str, wanted: tuple[str, ...] = ()) -> Json:
    """The workflow shrunk: strict checking still finds errors of the `wanted` codes only, a run still fails so."""

    def fails(smaller: Json) -> bool:
        if errors(smaller) != wanted:
            return False
        verdict = judge(smaller, _RUNS)
        return verdict.failure is not None and verdict.failure.code == code

    return shrunk(made, fails)


def crashing(made: Json, crash: str) -> Json:
    """The workflow shrunk that makes the compiler or the machine itself fail in the same way."""
    return shrunk(made, lambda smaller: _last_line(judge(smaller, 8).crash) == _last_line(crash))


def _last_line(told: str | None) -> str | None:
    return told.strip().splitlines()[-1].split(":")[0] if told else None


def as_test(made: Json, name: str) -> Json | None:
    """A test whose run fails; none when no run does."""
    linked = link(wfc.compile(made, unchecked=True))
    for seed in range(_RUNS):
        run = play(linked, seed)
        if run.error is None or not run.structural:
            continue
        mocks: Json = {}
        for step, entry in run.answers:
            mocks.setdefault(step, []).append({key: one for key, one in entry.items() if one is not None})
        told = {"code": run.error.code, "node_id": run.error.node_id}
        workflow = made["workflows"][0] if len(made["workflows"]) == 1 else made
        test = {"name": name, "workflow": workflow, "input": run.state.input, "mocks": mocks}
        resumes = {"resume": list(run.resumes)} if run.resumes else {}
        return {**test, **resumes, "expect": {"status": "failed", "error": told}, "x-message": run.error.message}
    return None


def told(value: Any, indent: int = 0) -> str:
    """JSON on as few lines as stay readable."""
    short = json.dumps(value, ensure_ascii=False)
    if len(short) + indent <= _WIDTH or not isinstance(value, (dict, list)):
        return short
    inner = " " * (indent + 2)
    if isinstance(value, list):
        return "[\n" + ",\n".join(inner + told(one, indent + 2) for one in value) + f"\n{' ' * indent}]"
    pairs = [f"{inner}{json.dumps(key)}: {told(one, indent + 2)}" for key, one in value.items()]
    return "{\n" + ",\n".join(pairs) + f"\n{' ' * indent}}}"
