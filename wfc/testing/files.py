"""A test file becomes scenarios, or one sentence that says where it departs from the shape of test files.

What `scenarios` gives has that shape: the rest of the room reads it without asking again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

from wfc.diagnostics import Diagnostic, close_match
from wfc.records import dataclass, field
from wfc.source import Span, lookup, pointer, pointer_parts
from wfc.testing.schema import TESTS_SCHEMA

_MESSAGE_WIDTH = 300


class TestFileFault(Exception):
    """A test file that cannot be used: one sentence with file, line and column."""

    __test__ = False  # for pytest, which collects what begins with `Test`


@dataclass(frozen=True, slots=True)
class Scenario:
    """One test: a workflow, scripted answers, and what is expected of the run."""

    file: str
    name: str
    workflow: str | Mapping[str, Any]
    expect: Mapping[str, Any]
    input: Any = field(default_factory=dict)
    mocks: Mapping[str, Any] = field(default_factory=dict)
    resume: Sequence[Mapping[str, Any]] = ()
    max_steps: int | None = None
    unchecked: bool = False


class ReadDocument(Protocol):
    """What has to be known of a document that was read."""

    @property
    def name(self) -> str: ...

    @property
    def value(self) -> Any: ...

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]: ...

    def locate(self, pointer: str, *, key: bool = False) -> Span: ...


def scenarios(document: ReadDocument) -> tuple[Scenario, ...]:
    """The tests of a file, in its order. Raises `TestFileFault`."""
    for found in document.diagnostics:
        span = found.at.span or document.locate(found.at.pointer)
        raise _fault(document, span, f"{found.message}; {found.help}")
    _check_shape(document)
    return tuple(_scenario(document, *one) for one in _tests(document.value))


def _tests(value: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The pointer and the content of each test, defaults filled in."""
    if "tests" not in value:
        yield "", value
        return
    defaults = {key: value[key] for key in ("workflow", "input", "mocks") if key in value}
    for index, test in enumerate(value["tests"]):
        yield pointer("tests", index), defaults | test


def _scenario(document: ReadDocument, at: str, test: dict[str, Any]) -> Scenario:
    if "workflow" not in test:
        told = "a key is missing: `workflow`, a path beside this file or a workflow"
        raise _fault(document, document.locate(at), told)
    keys = ("workflow", "expect", "input", "mocks", "resume", "max_steps", "unchecked")
    given = {key: test[key] for key in keys if key in test}
    number = int(pointer_parts(at)[-1]) + 1 if at else 1
    return Scenario(document.name, test.get("name", f"test {number}"), **given)


def _fault(document: ReadDocument, span: Span, message: str) -> TestFileFault:
    return TestFileFault(f"{document.name}:{span.start.line}:{span.start.column}: {message}")


def _check_shape(document: ReadDocument) -> None:
    """Raise for the first departure from the shape; an unknown key comes before what is missing for its sake."""
    from wfc.engine import jsonschema_rs

    errors = list(jsonschema_rs.validator_for(TESTS_SCHEMA).iter_errors(document.value))
    for error in errors:
        if isinstance(error.kind, jsonschema_rs.ValidationErrorKind.AdditionalProperties):
            key = error.kind.unexpected[0]
            known = lookup(TESTS_SCHEMA, tuple(map(str, error.schema_path[:-1])))[0]["properties"]
            span = document.locate(pointer(*error.instance_path, key), key=True)
            raise _fault(document, span, _unknown_key(key, tuple(known)))
    for error in errors:
        raise _fault(document, document.locate(pointer(*error.instance_path)), error.message[:_MESSAGE_WIDTH])


def _unknown_key(key: str, known: tuple[str, ...]) -> str:
    close = close_match(key, known)
    listed = ", ".join(f"`{name}`" for name in known)
    return f"`{key}` is no key here; " + (f"nearest: `{close}`" if close else f"expected one of {listed}")
