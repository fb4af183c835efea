"""One mutant measured: is its fault found, where, under which code, and do the fixes heal it without harm?

Fixes are applied as `wfc check --fix` does: the verified ones, first finding first, checked again after each, until
none is left. Healed is what compiles to the original's program, or is clean and does the same on all of its tests.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import wfc
from bench.mutations.corpus import Original
from bench.mutations.documents import Json
from bench.mutations.expectations import Expectation
from bench.mutations.kind import Mutant
from bench.mutations.runs import Seen, seen_on
from wfc.diagnostics import Applicability, Diagnostic, Fix, Report, Severity
from wfc.edits import PatchFault, apply_patch
from wfc.ir import Program, content_hash

_ROUNDS = 8
_SAFE = (Applicability.SAFE,)
_ANY = (Applicability.SAFE, Applicability.UNSAFE)


@dataclass(frozen=True)
class Known:
    """An original with what it does: the identity of its program, its findings, its runs."""

    original: Original
    hash: str
    findings: frozenset[str]
    runs: tuple[Seen, ...]


@dataclass(frozen=True)
class Measured:
    """What was seen of one mutant; `same`: it is the original in all that its tests show, and is left out."""

    kind: str
    original: str
    at: tuple[str, ...]
    same: bool = False
    detected: bool = False
    exact: bool = False
    right: bool = False
    offered: bool = False
    verified: bool = False
    healed_safe: bool = False
    healed: bool = False
    worse: tuple[str, ...] = ()
    found: tuple[str, ...] = ()


def known(original: Original) -> Known:
    program = wfc.compile(original.document, unchecked=True)
    report = wfc.check(original.document)
    return Known(original, content_hash(program), _names(_problems(report)), seen_on(program, original.tests))


def _problems(report: Report) -> list[Diagnostic]:
    return [one for one in report.diagnostics if one.severity is not Severity.NOTE]


def _names(found: Sequence[Diagnostic]) -> frozenset[str]:
    return frozenset(name(one) for one in found)


def name(found: Diagnostic) -> str:
    return f"{found.code.code} {found.at.pointer}"


def new_findings(report: Report, before: Known) -> list[Diagnostic]:
    """Errors and warnings that the original has not, in their order."""
    return [one for one in _problems(report) if name(one) not in before.findings]


def measured(kind: str, mutant: Mutant, before: Known, expected: Expectation) -> Measured:
    if _is_same(mutant.document, before, by_hash_alone=expected.unseen):
        return Measured(kind, before.original.name, mutant.at, same=True)
    report = wfc.check(mutant.document)
    found = new_findings(report, before)
    if not found:
        return Measured(kind, before.original.name, mutant.at)
    there = [one for one in found if one.at.pointer in mutant.at]
    fixes = [fix for one in there or found[:1] for fix in one.fixes]
    return Measured(
        kind,
        before.original.name,
        mutant.at,
        detected=True,
        exact=bool(there),
        right=found[0].code.code in expected.codes,
        offered=bool(fixes),
        verified=any(fix.verified for fix in fixes),
        healed_safe=is_healed(mutant.document, report, _SAFE, before),
        healed=is_healed(mutant.document, report, _ANY, before),
        worse=tuple(_harm(mutant.document, found, before)),
        found=tuple(name(one) for one in found),
    )


def _is_same(document: Json, before: Known, *, by_hash_alone: bool) -> bool:
    program = _compiled(document)
    if program is None:
        return False
    if content_hash(program) == before.hash:
        return True
    return not by_hash_alone and seen_on(program, before.original.tests) == before.runs


def _compiled(document: Json) -> Program | None:
    try:
        return wfc.compile(document, unchecked=True)
    except wfc.CompileError:
        return None


def repaired(document: Json, report: Report, allowed: tuple[Applicability, ...]) -> tuple[Json, Report]:
    """The document after all fixes of the allowed kinds, applied one by one, and what is still found in it."""
    for _ in range(_ROUNDS):
        fix = next(iter(_applicable(report.diagnostics, allowed)), None)
        if fix is None:
            break
        document = apply_patch(document, fix.patch)
        report = wfc.check(document)
    return document, report


def _applicable(found: Sequence[Diagnostic], allowed: tuple[Applicability, ...]) -> list[Fix]:
    """The first verified fix of each finding, those of errors and warnings first."""
    ordered = sorted(found, key=lambda one: one.severity is Severity.NOTE)
    fixes = [[fix for fix in one.fixes if fix.verified and fix.applicability in allowed] for one in ordered]
    return [each[0] for each in fixes if each]


def is_healed(document: Json, report: Report, allowed: tuple[Applicability, ...], before: Known) -> bool:
    """Whether the fixes make the original again, or one as good: clean, and alike on every test."""
    after, report = repaired(document, report, allowed)
    program = None if after is document else _compiled(after)
    if program is None:
        return False
    if content_hash(program) == before.hash:
        return True
    if new_findings(report, before):
        return False
    results = [one.result for one in seen_on(program, before.original.tests)]
    return results == [one.result for one in before.runs]


def _harm(document: Json, found: Sequence[Diagnostic], before: Known) -> list[str]:
    """Verified fixes after which there are more errors, or as many and more warnings, or that do not apply."""
    had = _weight(found)
    told = []
    for one in found:
        for fix in one.fixes:
            if not fix.verified:
                continue
            try:
                after = new_findings(wfc.check(apply_patch(document, fix.patch)), before)
            except PatchFault as fault:
                told.append(f"{name(one)}: {fix.title}: {fault}")
                continue
            if _weight(after) > had:
                told.append(f"{name(one)}: {fix.title}: then {', '.join(map(name, after))}")
    return told


def _weight(found: Sequence[Diagnostic]) -> tuple[int, int]:
    """How many errors, and how many warnings."""
    errors = sum(one.severity is Severity.ERROR for one in found)
    return errors, len(found) - errors
