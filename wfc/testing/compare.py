"""What a run was, held against what a test expects of it: one difference for each expectation that does not hold.

Reference 4.5. Only what a test lists is compared, by JSON equality: `output` and payloads whole, `state`, `error`,
interrupts and refusals by the listed keys.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from wfc.ir import RunState, equal
from wfc.records import dataclass
from wfc.source import lookup

_Records = Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Difference:
    """An expectation that does not hold. What is not there is none, and then `what` says so."""

    what: str
    expected: Any
    actual: Any


@dataclass(frozen=True, slots=True)
class Seen:
    """What a test run showed: how it ended, and what happened on the way there."""

    run: RunState
    interrupts: _Records
    refused: _Records
    calls: Mapping[str, int]


def differences(expect: Mapping[str, Any], seen: Seen) -> Iterator[Difference]:
    """The expectations about a run that do not hold, in the order of the list below."""
    for key, compare in _COMPARISONS:
        if key in expect:
            yield from compare(expect[key], seen)
    if "refused" not in expect:
        yield from _refused([], seen)


def _of_run(name: str) -> Callable[[Any, Seen], Iterator[Difference]]:
    """A comparison of a whole field of the run."""

    def compare(expected: Any, seen: Seen) -> Iterator[Difference]:
        actual = getattr(seen.run, name)
        if not equal(expected, actual):
            yield Difference(name, expected, actual)

    return compare


def _status(expected: Any, seen: Seen) -> Iterator[Difference]:
    if expected == seen.run.status:
        return
    yield Difference("status", expected, seen.run.status)
    if seen.run.error is not None:
        yield Difference("error", None, seen.run.error.to_json())


def _error(expected: Mapping[str, Any], seen: Seen) -> Iterator[Difference]:
    actual = seen.run.error.to_json() if seen.run.error else None
    if actual is None:
        yield Difference("error (missing)", expected, None)
    elif not _holds(expected, actual):
        yield Difference("error", expected, {key: actual.get(key) for key in expected})


def _state(expected: Mapping[str, Any], seen: Seen) -> Iterator[Difference]:
    for path, value in expected.items():
        found, there = _at(seen.run.state, path)
        if not there:
            yield Difference(f"state.{path} (missing)", value, None)
        elif not equal(value, found):
            yield Difference(f"state.{path}", value, found)


def _state_missing(expected: Sequence[str], seen: Seen) -> Iterator[Difference]:
    for path in expected:
        found, there = _at(seen.run.state, path)
        if there:
            yield Difference(f"state.{path} (expected to be missing)", None, found)


def _at(state: Any, path: str) -> tuple[Any, bool]:
    parts = tuple(path.split("."))
    found, reached = lookup(state, parts)
    return found, reached == parts


def _path(expected: Sequence[str], seen: Seen) -> Iterator[Difference]:
    actual = [entry["step"] for entry in seen.run.trace]
    if actual != expected:
        yield Difference("path", expected, actual)


def _calls(expected: Mapping[str, int], seen: Seen) -> Iterator[Difference]:
    for step, count in expected.items():
        if seen.calls.get(step, 0) != count:
            yield Difference(f"calls of {step}", count, seen.calls.get(step, 0))


def _interrupts(expected: _Records, seen: Seen) -> Iterator[Difference]:
    yield from _each("interrupts", expected, seen.interrupts)


def _refused(expected: _Records, seen: Seen) -> Iterator[Difference]:
    yield from _each("refused", expected, seen.refused)


def _each(what: str, expected: _Records, actual: _Records) -> Iterator[Difference]:
    """All of them, in order, each by the keys that are listed; keys that begin with `x-` say nothing."""
    listed = [{key: value for key, value in one.items() if not key.startswith("x-")} for one in expected]
    if len(listed) != len(actual) or not all(map(_holds, listed, actual)):
        yield Difference(what, listed, _by_keys(listed, actual))


def _by_keys(expected: _Records, actual: _Records) -> list[dict[str, Any]]:
    """What was there, cut down to the keys that somebody asked for, so that the two can be read side by side."""
    asked = {key for one in expected for key in one} or {"kind", "payload", "node_id", "reason", "message"}
    return [{key: value for key, value in one.items() if key in asked} for one in actual]


def _holds(expected: Mapping[str, Any], actual: Mapping[str, Any]) -> bool:
    return all(key in actual and equal(value, actual[key]) for key, value in expected.items() if key[:2] != "x-")


_COMPARISONS: tuple[tuple[str, Callable[[Any, Seen], Iterator[Difference]]], ...] = (
    ("status", _status),
    ("outcome", _of_run("outcome")),
    ("output", _of_run("output")),
    ("error", _error),
    ("state", _state),
    ("state_missing", _state_missing),
    ("interrupts", _interrupts),
    ("refused", _refused),
    ("path", _path),
    ("calls", _calls),
)

RUN_EXPECTATIONS = frozenset(key for key, _ in _COMPARISONS)


def check_differences(
    expect: Mapping[str, Any], errors: Sequence[str], warnings: Sequence[str]
) -> Iterator[Difference]:
    """The expectations about findings that do not hold; both lists hold `CODE POINTER`."""
    found = [*errors, *warnings]
    if "check" in expect and Counter(expect["check"]) != Counter(found):
        yield Difference("check", expect["check"], found)
    if not expect.get("check_fails"):
        return
    pointers = [error.partition(" ")[2] for error in errors]
    if not errors:
        yield Difference("check_fails", True, False)
    elif "at" in expect and expect["at"] not in pointers:
        yield Difference("at", expect["at"], pointers)
