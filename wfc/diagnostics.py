"""The value of a finding: one owner per code, from which text, JSON, `explain` and tests derive (reference 3.1)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from enum import StrEnum
from functools import lru_cache
from typing import Any

from wfc.digests import sha256
from wfc.records import dataclass, field, replace
from wfc.source import Edit, Span, pointer

ALLOWED_SHOWN = 5


class Severity(StrEnum):
    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


_RANKS = {severity: rank for rank, severity in enumerate(Severity)}


class Strict(StrEnum):
    """What strict mode makes of a code: nothing, a finding that exists only there, or an error instead of less; or it
    is not told there, as another finding of strict mode says it."""

    SAME = "same"
    ONLY = "only"
    ERROR = "error"
    NEVER = "never"


class Applicability(StrEnum):
    SAFE = "safe"
    UNSAFE = "unsafe"
    PLACEHOLDER = "placeholder"


@dataclass(frozen=True, slots=True)
class Place:
    """Where in a document: a file as given, an RFC 6901 pointer into it, and the workflow and step around it.

    `span` is filled in by the one function that knows the sources; a pass never sees text.
    """

    file: str
    pointer: str
    workflow: str | None = None
    step: str | None = None
    field: str | None = None
    span: Span | None = None

    def below(self, *segments: str | int) -> Place:
        """The same place, deeper; the field is the first segment below a step or workflow."""
        named = self.field or (str(segments[0]) if segments else None)
        return Place(self.file, self.pointer + pointer(*segments), self.workflow, self.step, named)


@dataclass(frozen=True, slots=True)
class Related:
    """Another place that belongs to a finding; `role` is declared, written, read, conflicts or on the path."""

    role: str
    at: Place
    message: str = ""


@dataclass(frozen=True, slots=True)
class Fix:
    """A repair as an RFC 6902 patch that opens with a `test`, on the document of `file`.

    `verified` is set only by the compiler after it applied the patch and checked again; an unverified fix is never
    `safe`. `edits` are what the patch changes in the author's text; like spans, they are filled in by the one function
    that knows the sources.
    """

    title: str
    file: str
    patch: tuple[Mapping[str, Any], ...]
    applicability: Applicability = Applicability.SAFE
    verified: bool = False
    edits: tuple[Edit, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class Example:
    """A document with a fault and its repair.

    `bad` is a text in which each line of blanks and carets marks the line above it: the carets stand under the spans
    that the findings promise. `good` differs from it only by the repair. `beside` are the files in reach, by name.
    `config` holds `sources` as a configuration does, and `lock`, the locked capabilities by source and name; `mended`
    is the same after a repair that is made there.
    """

    bad: str
    good: str
    config: Mapping[str, Any] = field(default_factory=dict)
    beside: Mapping[str, str] = field(default_factory=dict)
    mended: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Code:
    """A diagnostic: number, rule name, severity and everything that is said about it.

    `unrepaired` is why no repair of it is offered; empty where repairs are.
    """

    code: str
    rule: str
    severity: Severity
    message: str
    help: str
    why: str
    example: Example
    strict: Strict = Strict.SAME
    unrepaired: str = ""

    def at(
        self,
        place: Place,
        *,
        severity: Severity | None = None,
        confidence: str = "proved",
        help: str | None = None,
        related: tuple[Related, ...] = (),
        fixes: tuple[Fix, ...] = (),
        hides: int = 0,
        strict: Strict | None = None,
        **facts: Any,
    ) -> Diagnostic:
        """A finding of this code; the holes of `message` and `help` are filled from `facts`."""
        return Diagnostic(
            code=self,
            severity=severity or self.severity,
            confidence=confidence,
            message=self.message.format(**facts),
            help=(self.help if help is None else help).format(**facts),
            at=place,
            related=related,
            facts=_shortened(facts),
            fixes=fixes,
            hides=hides,
            strict=strict or self.strict,
        )


def _shortened(facts: dict[str, Any]) -> dict[str, Any]:
    """`allowed` holds at most five candidates, nearest first; how many there are in all stands beside it."""
    allowed = facts.get("allowed")
    if allowed is None:
        return facts
    return {**facts, "allowed": list(allowed)[:ALLOWED_SHOWN], "allowed_total": len(allowed)}


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding. `facts` are JSON values, typed per code; `hides` counts what follows from it and is not shown.

    `strict` is what strict mode makes of it: as a rule, what it makes of the code.
    """

    code: Code
    severity: Severity
    confidence: str
    message: str
    help: str
    at: Place
    related: tuple[Related, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)
    fixes: tuple[Fix, ...] = ()
    hides: int = 0
    strict: Strict = Strict.SAME

    @property
    def id(self) -> str:
        """A fingerprint without line numbers: code, file, workflow, step, field and what was found."""
        named = [self.code.code, self.at.file, self.at.workflow, self.at.step, self.at.field, self.message]
        return sha256(json.dumps(named).encode())[:16]

    def with_fixes(self, fixes: tuple[Fix, ...]) -> Diagnostic:
        return replace(self, fixes=fixes)


class InternalError(Exception):
    """A fault of wfc itself: never the user's. Carries the text that a report about it should hold."""

    def __init__(self, message: str, evidence: str = "") -> None:
        super().__init__(message)
        self.evidence = evidence


def nearest(word: object, candidates: tuple[str, ...] | list[str]) -> list[str]:
    """The candidates, those most like `word` first; ties keep their given order."""
    written = str(word).lower()
    return sorted(candidates, key=lambda candidate: -_likeness(written, candidate.lower()))


@lru_cache(maxsize=2**16)
def _likeness(word: str, other: str) -> float:
    """How alike two words are. The same are compared again whenever a fix is tried."""
    import difflib

    return difflib.SequenceMatcher(None, word, other).ratio()


def close_match(word: object, candidates: tuple[str, ...] | list[str]) -> str | None:
    """The one candidate that `word` is surely a misspelling of, or none."""
    import difflib

    shouted = str(word).lower()
    # To `difflib` a capital and its small letter are as far apart as any two.
    for one in candidates:
        if one.lower() == shouted:
            return one
    found = difflib.get_close_matches(str(word), candidates, n=1, cutoff=0.6)
    return found[0] if found else None


@dataclass(frozen=True, slots=True)
class Skipped:
    """A phase or code that could not run, and why."""

    what: str
    why: str


class Silence(StrEnum):
    """Why a finding is not told: its author allowed it, its reader left it out, or it was there before."""

    SUPPRESSED = "suppressed"
    LEFT_OUT = "left out"
    BASELINED = "baselined"


@dataclass(frozen=True, slots=True)
class Silenced:
    """A finding that is counted and not told; `reason` is the author's."""

    diagnostic: Diagnostic
    by: Silence
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Fixed:
    """A finding that is there no more, and the fix that was applied for it."""

    diagnostic: Diagnostic
    fix: Fix


@dataclass(frozen=True, slots=True)
class Report:
    """What `wfc check` found in `files`. `clean` is a verdict of strict mode only, and none elsewhere (2.12, 4.1).

    `complete` says that every code below 700 had its pass; `fixed` is what fixes were applied for before; a finding at
    or above `fail_level` makes the check fail.
    """

    diagnostics: tuple[Diagnostic, ...]
    skipped: tuple[Skipped, ...] = ()
    strict: bool = False
    complete: bool = False
    silenced: tuple[Silenced, ...] = ()
    files: tuple[str, ...] = ()
    fixed: tuple[Fixed, ...] = ()
    fail_level: Severity = Severity.ERROR

    def count(self, severity: Severity) -> int:
        return sum(found.severity is severity for found in self.diagnostics)

    @property
    def baselined(self) -> int:
        return sum(one.by is Silence.BASELINED for one in self.silenced)

    @property
    def suppressed(self) -> int:
        """How many findings are not told although they are new: suppressed in a document, or left out by the reader."""
        return len(self.silenced) - self.baselined

    def fails(self, found: Diagnostic) -> bool:
        """Whether a finding makes the check fail."""
        return _RANKS[found.severity] <= _RANKS[self.fail_level]

    @property
    def failing(self) -> bool:
        """Whether any does."""
        return any(map(self.fails, self.diagnostics))

    @property
    def ok(self) -> bool:
        return not self.count(Severity.ERROR)

    @property
    def clean(self) -> bool | None:
        """Whether the promise of 2.12 holds; nobody can tell where a finding is not told."""
        if not self.strict:
            return None
        return self.ok and self.complete and not self.silenced
