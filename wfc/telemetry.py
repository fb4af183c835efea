"""A run as OpenTelemetry spans: one for the run, and below it one for every attempt of a call.

Needs the extra `otel`. Spans hold names, ids, outcomes and codes, and never a value of a run: no payload, output, or
message of an error, so that no secret and nothing private leaves by them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wfc.ir import Answer, Failed, Invoke
from wfc.observing import Observer, Watched, outcome_of

if TYPE_CHECKING:
    from opentelemetry.trace import Span, Tracer, TracerProvider

_NAME = "wfc"


class Spans(Observer):
    """An observer that makes spans, by the given provider or the global one. One observer follows one run at a time.

    Raises `ImportError` where OpenTelemetry is not installed.
    """

    def __init__(self, provider: TracerProvider | None = None) -> None:
        from opentelemetry import trace

        self._trace = trace
        self._tracer: Tracer = trace.get_tracer(_NAME, tracer_provider=provider)
        self._run: Span | None = None
        self._calls: dict[tuple[str, int], Span] = {}

    def begins(self, run: Watched) -> None:
        about = {"wfc.run_id": run.run_id, "wfc.workflow": run.workflow}
        self._run = self._tracer.start_span(f"workflow {run.workflow}", attributes=about)

    def calls(self, invoke: Invoke) -> None:
        about: dict[str, Any] = {
            "wfc.node_id": invoke.node_id,
            "wfc.frame_id": invoke.frame_id,
            "wfc.capability": invoke.capability,
            "wfc.call_id": invoke.call_id,
            "wfc.attempt": invoke.attempt,
        }
        around = None if self._run is None else self._trace.set_span_in_context(self._run)
        span = self._tracer.start_span(f"call {invoke.capability}", around, attributes=about)
        self._calls[invoke.call_id, invoke.attempt] = span

    def answers(self, invoke: Invoke, answer: Answer, seconds: float) -> None:
        span = self._calls.pop((invoke.call_id, invoke.attempt))
        if isinstance(answer, Failed):
            span.set_attribute("wfc.error", answer.code)
            span.set_status(self._trace.StatusCode.ERROR, answer.code)
        elif (outcome := outcome_of(answer)) is not None:
            span.set_attribute("wfc.outcome", outcome)
        span.end()

    def rests(self, run: Watched) -> None:
        for span in self._calls.values():
            span.end()
        self._calls.clear()
        if self._run is None:
            return
        self._run.set_attribute("wfc.status", run.status)
        if run.status == "failed":
            self._run.set_status(self._trace.StatusCode.ERROR, run.status)
        self._run.end()
        self._run = None
