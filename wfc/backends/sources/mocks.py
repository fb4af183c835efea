"""Scripted answers in place of capabilities, for test files and `--mock` (reference 4.5).

A key is looked for by step id, then by node name, then by capability; the first that exists decides, whether one of its
entries fits or not. One `Mocks` belongs to one run: it counts how often each entry has answered.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from wfc.diagnostics import close_match
from wfc.ir import CATCHABLE, Answer, Completed, Failed, Invoke, NodeResult, canonical, copy, equal, kind_of
from wfc.records import dataclass

_ENTRY_KEYS = ("when", "times", "outcome", "output", "error")
_ERROR_KEYS = ("code", "message", "type")
_SHOWN = 300
_ABSENT: Any = object()


class MockFault(ValueError):
    """Mocks of a wrong shape: what was found where, and what was expected."""


class Unanswered(Exception):
    """A call in a test that no mock answers. It fails the test and is never an error of the run."""


@dataclass(frozen=True, slots=True)
class MockError:
    """A failure that an entry gives."""

    code: str
    message: str
    type: str | None


@dataclass(slots=True)
class Entry:
    """One scripted answer; `left` is how often it may still be given, none for always."""

    when: Any
    outcome: str | None
    output: Any
    error: MockError | None
    left: int | None

    def fits(self, payload: Any) -> bool:
        return self.left != 0 and (self.when is _ABSENT or matches(self.when, payload))


class Mocks:
    """The scripted answers of one run. Raises `MockFault` for a value that is no `mocks` object.

    `unanswered` is asked for the answer to a call that nothing here gives; it may raise instead.
    """

    def __init__(self, value: Any, unanswered: Callable[[Invoke, str], Answer]) -> None:
        self._entries = _read(value)
        self._unanswered = unanswered

    @classmethod
    def for_tests(cls, value: Any) -> Mocks:
        """Mocks of a test: an unanswered call raises `Unanswered`."""
        return cls(value, _fail_the_test)

    @classmethod
    def for_runs(cls, value: Any) -> Mocks:
        """Mocks of `--mock`: a `mocks` object, or any object with the key `mocks`; an unanswered call fails the run."""
        inner = value.get("mocks") if isinstance(value, dict) else None
        return cls(inner if isinstance(inner, dict) else value, _fail_the_run)

    def stands_for(self, invoke: Invoke) -> bool:
        """Whether a key is there for this call, so that nothing else may answer it."""
        return self._key(invoke) is not None

    def answer(self, invoke: Invoke) -> Answer:
        """The answer to a call: that of the first entry that fits, else that of `unanswered`."""
        key = self._key(invoke)
        if key is None:
            return self._unanswered(invoke, f"no mock stands for `{invoke.node_id}`")
        for entry in self._entries[key]:
            if entry.fits(invoke.payload):
                return _given(entry, invoke)
        return self._unanswered(invoke, f"no entry of the mock `{key}` fits")

    def _key(self, invoke: Invoke) -> str | None:
        names = (invoke.node_id, invoke.definition, invoke.capability)
        return next((name for name in names if name in self._entries), None)


def matches(when: Any, payload: Any) -> bool:
    """Whether a payload holds what `when` asks for: objects by subset at every depth, all else by JSON equality."""
    waiting = [(when, payload)]
    while waiting:
        wanted, found = waiting.pop()
        if not isinstance(wanted, dict):
            if not equal(wanted, found):
                return False
        elif not isinstance(found, dict) or not wanted.keys() <= found.keys():
            return False
        else:
            waiting += [(value, found[key]) for key, value in wanted.items()]
    return True


def _given(entry: Entry, invoke: Invoke) -> Answer:
    if entry.left is not None:
        entry.left -= 1
    if entry.error is not None:
        return Failed(invoke.call_id, entry.error.code, entry.error.message, entry.error.type)
    return Completed(invoke.call_id, NodeResult(entry.outcome, copy(entry.output)))


def _fail_the_test(invoke: Invoke, why: str) -> Answer:
    raise Unanswered(_told(invoke, why))


def _fail_the_run(invoke: Invoke, why: str) -> Answer:
    return Failed(invoke.call_id, "capability_unavailable", _told(invoke, why))


def _told(invoke: Invoke, why: str) -> str:
    payload = canonical(invoke.payload)
    shown = payload if len(payload) <= _SHOWN else payload[:_SHOWN] + "…"
    named = f"step `{invoke.node_id}` (node `{invoke.definition}`, capability `{invoke.capability}`)"
    return f"{named} was called with {shown}, and {why}"


def _read(value: Any) -> dict[str, list[Entry]]:
    if not isinstance(value, dict):
        raise MockFault(f"`mocks` is {kind_of(value)}; expected an object of step ids, node names or capabilities")
    return {key: _entries(entries, f"mocks.{key}") for key, entries in value.items()}


def _entries(value: Any, at: str) -> list[Entry]:
    if not isinstance(value, list):
        raise MockFault(f"`{at}` is {kind_of(value)}; expected an array of entries")
    return [_entry(entry, f"{at}[{number}]") for number, entry in enumerate(value)]


def _entry(value: Any, at: str) -> Entry:
    fields = _fields(value, at, _ENTRY_KEYS)
    times, outcome, error = fields.get("times"), fields.get("outcome"), fields.get("error")
    if times is not None and (isinstance(times, bool) or not isinstance(times, int) or times < 1):
        raise MockFault(f"`{at}.times` is {canonical(times)}; expected an integer of 1 or more")
    _require_text(outcome, f"{at}.outcome")
    if error is not None and ("output" in fields or outcome is not None):
        raise MockFault(f"`{at}` has `error` beside an outcome or output; expected one of the two")
    failure = None if error is None else _error(error, f"{at}.error")
    return Entry(fields.get("when", _ABSENT), outcome, fields.get("output", {}), failure, times)


def _error(value: Any, at: str) -> MockError:
    fields = _fields(value, at, _ERROR_KEYS)
    code, message, kind = fields.get("code"), fields.get("message"), fields.get("type")
    if code not in CATCHABLE:
        found = "is missing" if code is None else f"is {canonical(code)}"
        raise MockFault(f"`{at}.code` {found}; expected one of {', '.join(f'`{known}`' for known in CATCHABLE)}")
    _require_text(message, f"{at}.message")
    _require_text(kind, f"{at}.type")
    return MockError(code, f"a mock gives `{code}`" if message is None else message, kind)


def _fields(value: Any, at: str, known: tuple[str, ...]) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise MockFault(f"`{at}` is {kind_of(value)}; expected an object")
    for key in value:
        if key not in known and not key.startswith("x-"):
            near = close_match(key, known)
            expected = f"nearest: `{near}`" if near else f"expected {', '.join(f'`{name}`' for name in known)}"
            raise MockFault(f"`{at}` has the unknown key `{key}`; {expected}")
    return value


def _require_text(value: Any, at: str) -> None:
    if value is not None and not isinstance(value, str):
        raise MockFault(f"`{at}` is {kind_of(value)}; expected a string")
