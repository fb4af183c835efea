"""The journal of a run as values: what happened to it from outside, in order (reference 4.3).

The journal, the program and the input are the run: whoever applies the same entries to a fresh machine has it again.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wfc.ir.results import Answer, Completed, Elapsed, Failed, NodeResult, Unfit, json_result
from wfc.records import dataclass, field

COMPLETED, FAILED, ELAPSED = "completed", "failed", "elapsed"
BEGUN, RESUMED, DOUBTED = "begun", "resumed", "doubted"
CANCELLED, UNAVAILABLE = "cancelled", "unavailable"


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that happened: `kind`, the call or interrupt that it is about, and a JSON value that fits the kind.

    `begun` are the calls and delays that began with it, by call id: when a delay is over, in seconds of the epoch, and
    none for a call.
    """

    kind: str
    about: str | None = None
    value: Any = None
    begun: Mapping[str, float | None] = field(default_factory=dict)


def entry_of(answer: Answer, begun: Mapping[str, float | None]) -> Entry:
    """An answer as an entry; its result is JSON already. `begun` is what begins with it."""
    match answer:
        case Completed(call_id, result):
            beside = [] if result.meta is None and result.extra is None else [result.meta, result.extra]
            return Entry(COMPLETED, call_id, [result.outcome, result.output, *beside], begun)
        case Failed(call_id):
            whole = [answer.code, answer.message, answer.type, answer.details, answer.path]
            while whole[-1] is None:
                whole.pop()
            return Entry(FAILED, call_id, whole, begun)
        case Elapsed(call_id):
            return Entry(ELAPSED, call_id, None, begun)


def answer_of(entry: Entry) -> Answer | None:
    """The answer that an entry records; none when it records something else."""
    call_id = entry.about or ""
    match entry.kind:
        case "completed":
            return Completed(call_id, NodeResult(*entry.value))
        case "failed":
            return Failed(call_id, *entry.value)
        case "elapsed":
            return Elapsed(call_id)
    return None


def settled(name: str, answer: Answer) -> Answer:
    """An answer that reads back as it is: with a JSON result, or failed because it has none. `name` is the
    definition's."""
    if not isinstance(answer, Completed):
        return answer
    try:
        return Completed(answer.call_id, json_result(name, answer.result))
    except Unfit as unfit:
        return Failed(answer.call_id, "node_output_invalid", unfit.message, path=unfit.path)
