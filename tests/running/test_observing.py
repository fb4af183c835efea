"""Looking on: entries as they happen, attempts and durations beside the trace, spans without values."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

import wfc
from wfc.cli.progress import drawn
from wfc.observing import Together

SECRET = "hunter2-hunter2"


def document(mode: str) -> dict[str, Any]:
    node = {
        "name": "say",
        "input_schema": {},
        "output_schema": {},
        "outcomes": ["ok", "odd"],
        "retry": {"max_attempts": 2},
    }
    return {
        "name": "talk",
        "input_schema": {"type": "object", "properties": {"xs": {"type": "array"}}, "required": ["xs"]},
        "node_defs": [node],
        "start": "each",
        "nodes": [
            {"id": "each", "type": "foreach", "over": "input.xs", "as": "x", "mode": mode},
            {"id": "body", "type": "node", "node": "say", "input": [{"target": "x", "path": "context.x"}]},
        ],
        "edges": [
            {"from": "each", "outcome": "item", "to": "body"},
            {"from": "body", "outcome": "ok", "to": "each"},
            {"from": "body", "outcome": "odd", "to": "each"},
            {"from": "each", "outcome": "done", "to": "__end__"},
        ],
    }


class Say:
    """Fails at the first attempt for `b`."""

    def __init__(self) -> None:
        self.failed = False

    def __call__(self, payload: dict[str, Any]) -> Any:
        if payload["x"] == "b" and not self.failed:
            self.failed = True
            raise ValueError(SECRET)
        return ("odd", {"said": SECRET}) if payload["x"] == "c" else {"said": SECRET}


class Seen(wfc.Observer):
    """Notes what it is told."""

    def __init__(self) -> None:
        self.entries: list[dict[str, Any]] = []
        self.told: list[str] = []

    def begins(self, run: Any) -> None:
        self.told.append(f"{run.workflow} {run.status}")

    def enters(self, entry: dict[str, Any]) -> None:
        self.entries.append(entry)

    def calls(self, invoke: Any) -> None:
        self.told.append(f"call {invoke.payload['x']}")

    def rests(self, run: Any) -> None:
        self.told.append(run.status)


def ran(observer: wfc.Observer | None = None, mode: str = "serial") -> wfc.RunState:
    program = wfc.compile(document(mode), unchecked=True)
    watching: Any = {} if observer is None else {"observer": observer}
    return wfc.execute_workflow(program, {"xs": ["a", "b", "c"]}, run_id="r", handlers={"say": Say()}, **watching)


def test_entries_are_told_as_they_happen() -> None:
    seen = Seen()
    run = ran(seen)
    assert tuple(seen.entries) == tuple(run.trace)
    assert seen.told == ["talk running", "call a", "call b", "call b", "call c", "completed"]


@pytest.mark.parametrize("mode", ["serial", "parallel"])
def test_a_run_is_the_same_whether_somebody_looks_on_or_not(mode: str) -> None:
    assert ran(Seen(), mode).to_json() == ran(None, mode).to_json()


def test_every_attempt_has_its_duration_beside_the_trace() -> None:
    durations = wfc.Durations()
    program = wfc.compile(document("serial"), unchecked=True)

    async def slow(payload: Any) -> Any:
        await asyncio.sleep(0.02)
        return {}

    asyncio.run(wfc.execute_workflow_async(program, {"xs": ["a"]}, handlers={"say": slow}, observer=durations))
    ran(durations)
    assert [(one.node_id, one.attempt, one.error) for one in durations.attempts] == [
        ("body", 1, None),
        ("body", 1, None),
        ("body", 1, "node_failed"),
        ("body", 2, None),
        ("body", 1, None),
    ]
    # What waits and what measures read two clocks.
    assert durations.attempts[0].seconds > 0.01


def test_spans_tell_names_and_codes_and_no_value() -> None:
    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    ran(wfc.Spans(provider))
    spans = exporter.get_finished_spans()
    told = [(span.name, (span.attributes or {}).get("wfc.attempt"), span.status.status_code.name) for span in spans]
    assert told == [
        ("call say", 1, "UNSET"),
        ("call say", 1, "ERROR"),
        ("call say", 2, "UNSET"),
        ("call say", 1, "UNSET"),
        ("workflow talk", None, "UNSET"),
    ]
    assert [(span.attributes or {}).get("wfc.outcome") for span in spans] == [None, None, None, "odd", None]
    run = spans[-1]
    assert all(span.parent is not None and span.parent.span_id == run.context.span_id for span in spans[:-1])
    assert SECRET not in "".join(span.to_json() for span in spans)


def test_frames_are_drawn_as_a_tree() -> None:
    drawings: list[str] = []

    class Drawing(wfc.Observer):
        def begins(self, run: Any) -> None:
            self.run = run

        def calls(self, invoke: Any) -> None:
            from rich.console import Console

            console = Console(width=60)
            with console.capture() as captured:
                console.print(drawn(self.run, {invoke.frame_id: (invoke.capability, invoke.attempt)}, 1))
            drawings.append(captured.get())

    ran(Together((Drawing(), Seen())), "parallel")
    assert drawings[0].splitlines() == [
        "talk r: 1 call",
        "└── each (blocked)",
        "    ├── item 0: body: say",
        "    ├── item 1: body (ready)",
        "    └── item 2: body (ready)",
    ]
