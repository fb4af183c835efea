"""Whether what is known of a workflow agrees with what is observed of its runs."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from typing import Any

from tests.values import answering, making
from tests.values.observing import Observed, observed
from tests.values.studied import Json, Studied
from wfc.ir import ForeachStep
from wfc.passes import types
from wfc.passes.graph.flow import Flow
from wfc.passes.types import Type, Verdict
from wfc.paths import GraphSourcePath
from wfc.vm import Machine, link

_GONE = object()


def disagreements(document: Json, choose: random.Random, runs: int = 3) -> Iterator[str]:
    """Everything that some runs of a workflow show and that what is known of it rules out."""
    studied = Studied(document)
    linked = link(studied.program())
    for _ in range(runs):
        machine = Machine.start(linked, answering.given(choose), run_id="r", step_limit=2000)
        seen = observed(machine, choose)
        yield from _of_probes(studied, seen)
        yield from _of_entries(studied, seen)
        yield from _of_the_end(studied, seen)


def _of_probes(studied: Studied, seen: Observed) -> Iterator[str]:
    flows = {flow.workflow.name: flow for flow in studied.flows}
    for name, step, shown in seen.shown:
        flow = flows[name]
        for path in _paths(flow, step):
            value: Any = shown[path.base]
            for part in path.parts:
                value = value.get(part, _GONE) if isinstance(value, dict) else _GONE
            known = studied.values.seen_at(flow, step, path)
            yield from _compared(f"{name}.{step} {path}", known.presence, known.type, value)


def _paths(flow: Flow, step: str) -> Iterator[GraphSourcePath]:
    written = [f"state.{target}" for _, target in making.WRITES]
    inside = [f"context.{key}{rest}" for key in _keys(flow, step) for rest in ("", ".x", ".deep.k", ".y")]
    for path in dict.fromkeys((*making.READS, *written, *making.ROOTS, *inside)):
        yield GraphSourcePath.parse(path)


def _keys(flow: Flow, step: str) -> list[str]:
    aliases = [each.alias for each in flow.steps.values() if isinstance(each, ForeachStep)]
    return [*aliases, "loop_item", "loop_index", "item_of_nothing"]


def _compared(where: str, presence: Verdict, type: Type, value: Any) -> Iterator[str]:
    if value is _GONE:
        if presence is Verdict.ALWAYS:
            yield f"{where} is said to be there and is not"
    elif presence is Verdict.NEVER:
        yield f"{where} is said to be missing and is {value}"
    elif types.holds(type, value) is False:
        yield f"{where} is said to be {types.describe(type)} and is {value}"


def _of_entries(studied: Studied, seen: Observed) -> Iterator[str]:
    """The steps of the run itself: their outputs and payloads, and what they failed to find."""
    flow, values = studied.flow, studied.values
    for entry in (entry for entry in seen.entries if entry["scope"] == "root"):
        step = entry["step"]
        if entry.get("output") is not None and entry["type"] in ("node", "interrupt", "subgraph", "foreach"):
            told = values.output(flow, step, entry["outcome"])
            if types.holds(told, entry["output"]) is False:
                yield f"{step}:{entry['outcome']} is said to give {types.describe(told)} and gave {entry['output']}"
        if entry.get("input") is not None and entry["type"] in ("node", "interrupt", "subgraph"):
            told = values.payload(flow, step)
            if types.holds(told, entry["input"]) is False:
                yield f"{step} is said to be given {types.describe(told)} and was given {entry['input']}"
        yield from _of_changes(studied, step, entry)
        yield from _of_error(studied, step, entry.get("error") or {})


def _of_changes(studied: Studied, step: str, entry: Mapping[str, Any]) -> Iterator[str]:
    writes = studied.values.writes_of(studied.flow, step)
    for change in entry.get("changes", ()):
        for write in (write for write in writes if str(write.path) == change["path"]):
            if entry["outcome"] in write.outcomes:
                source = studied.values.source(write, entry["outcome"])
                yield from _compared(f"{step} {write.source}", source.presence, source.type, change["value"])


def _of_error(studied: Studied, step: str, error: Mapping[str, Any]) -> Iterator[str]:
    if error.get("code") != "missing_path":
        return
    values = studied.values
    reads = [read for read in studied.reads(step) if str(read.path) == error["path"]]
    writes = [write for write in values.writes_of(studied.flow, step) if str(write.source) == error["path"]]
    sources = [values.source(write, outcome).presence for write in writes for outcome in write.outcomes]
    if Verdict.ALWAYS in (*map(values.presence, reads), *sources) and not any(
        each is not Verdict.ALWAYS for each in (*map(values.presence, reads), *sources)
    ):
        yield f"{step} did not find {error['path']}, which is said to be there"


def _of_the_end(studied: Studied, seen: Observed) -> Iterator[str]:
    run = seen.run
    if run is None or run.status != "completed" or run.outcome is None:
        return
    told = studied.values.exits(studied.flow)[run.outcome]
    if types.holds(told, run.output) is False:
        yield f"the outcome {run.outcome} is said to give {types.describe(told)} and gave {run.output}"
