"""One mutant measured: is its fault found, where, under which code, and do the fixes heal it without harm?

Fixes are applied as `wfc check --fix` and `--unsafe-fixes` do it. Healed is what compiles to the original's program, or
is clean and does the same on all of its tests.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import wfc
from bench.mutations.corpus import Original
from bench.mutations.expectations import Expectation
from bench.mutations.findings import errors, findings, problems
from bench.mutations.kind import Mutant
from bench.mutations.runs import Seen, seen_on
from wfc import driver
from wfc.diagnostics import Diagnostic, Report, Severity
from wfc.ir import Program, content_hash, equal
from wfc.passes import blocks


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
    found = frozenset(name(one) for one in problems(findings(original.document)))
    return Known(original, content_hash(program), found, seen_on(program, original.tests))


def name(found: Diagnostic) -> str:
    return f"{found.code.code} {found.at.pointer}"


def new_findings(report: Report, before: Known) -> list[Diagnostic]:
    """Errors and warnings that the original has not, in their order."""
    return [one for one in problems(report) if name(one) not in before.findings]


def measured(kind: str, mutant: Mutant, before: Known, expected: Expectation) -> Measured:
    given = driver.from_value(mutant.document)
    if _is_same(given, before, by_hash_alone=expected.unseen):
        return Measured(kind, before.original.name, mutant.at, same=True)
    found = new_findings(driver.check(given), before)
    if not found:
        return Measured(kind, before.original.name, mutant.at)
    there = [one for one in found if one.at.pointer in mutant.at]
    fixes = [fix for one in there or found[:1] for fix in one.fixes]
    verified = any(fix.verified for one in found for fix in one.fixes)
    healed_safe = verified and _is_healed(driver.repair(given), before)
    return Measured(
        kind,
        before.original.name,
        mutant.at,
        detected=True,
        exact=bool(there),
        right=found[0].code.code in expected.codes,
        offered=bool(fixes),
        verified=any(fix.verified for fix in fixes),
        healed_safe=healed_safe,
        healed=verified and _is_healed(driver.repair(given, unsafe=True), before),
        worse=tuple(_harm(given, found, before)),
        found=tuple(name(one) for one in found),
    )


def _is_same(given: driver.Loaded, before: Known, *, by_hash_alone: bool) -> bool:
    program = _compiled(given)
    if program is None:
        return False
    if content_hash(program) == before.hash:
        return True
    return not by_hash_alone and seen_on(program, before.original.tests) == before.runs


def _compiled(given: driver.Loaded) -> Program | None:
    """The program, so far as no error leaves it without meaning; asked first, because a refusal verifies fixes."""
    if any(blocks(one.code.code) for one in errors(findings(given))):
        return None
    return wfc.compile(given, unchecked=True)


def _is_healed(repaired: driver.Repaired, before: Known) -> bool:
    """Whether fixes have made the original again, or one as good: clean, and alike on every test."""
    if equal(repaired.given.root.value, before.original.document):
        return True
    program = _compiled(repaired.given) if repaired.report.fixed else None
    if program is None:
        return False
    if content_hash(program) == before.hash:
        return True
    if new_findings(repaired.report, before):
        return False
    results = [one.result for one in seen_on(program, before.original.tests)]
    return results == [one.result for one in before.runs]


def _harm(given: driver.Loaded, found: Sequence[Diagnostic], before: Known) -> list[str]:
    """Verified fixes after which there are more errors, or as many and more warnings."""
    had = _weight(found)
    told = []
    for one in found:
        for fix in one.fixes:
            if fix.verified:
                after = new_findings(findings(driver.with_fixes(given, [fix])), before)
                if _weight(after) > had:
                    told.append(f"{name(one)}: {fix.title}: then {', '.join(map(name, after))}")
    return told


def _weight(found: Sequence[Diagnostic]) -> tuple[int, int]:
    """How many errors, and how many warnings."""
    wrong = sum(one.severity is Severity.ERROR for one in found)
    return wrong, len(found) - wrong
