"""Findings as a language model reads them: a line each, with what to do and the fix as a patch.

Guarantees: the same report gives the same text; ten findings cost no more than a page, whatever the document holds.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from wfc.briefing.tokens import tokens
from wfc.diagnostics import Diagnostic, Fix, Severity

MOST_FINDINGS = 10
_MOST_OF_A_MESSAGE = 320
_MOST_OF_A_PATCH = 400


def pointed(found: Diagnostic) -> str:
    """Where a finding is, in a document of JSON."""
    step = f" (step {found.at.step})" if found.at.step else ""
    if found.at.pointer or found.at.span is None:
        return f"{found.at.pointer or 'the document'}{step}"
    return f"line {found.at.span.start.line}, column {found.at.span.start.column}"


def patched(fix: Fix) -> str:
    """What a fix changes, as a patch."""
    return f"   fix: {_patch_text(fix)}"


def compact(
    found: Sequence[Diagnostic],
    most: int = MOST_FINDINGS,
    budget: int = 1400,
    *,
    where: Callable[[Diagnostic], str] = pointed,
    change: Callable[[Fix], str] = patched,
) -> str:
    """Errors, then warnings, numbered; notes are left out. What is beyond `most`, or a budget of tokens, is counted.

    Warnings may only follow from errors, so they are never told in the place of one. The first is always there.
    `where` and `change` say places and fixes in the form that the reader has before them.
    """
    told = sorted(
        (one for one in found if one.severity is not Severity.NOTE), key=lambda one: one.severity is not Severity.ERROR
    )
    lines: list[str] = []
    shown = 0
    for number, one in enumerate(told[:most], 1):
        further = list(_lines(number, one, where, change))
        budget -= sum(tokens(line) + 1 for line in further)
        if budget < 0 and lines:
            break
        lines += further
        shown = number
    if len(told) > shown:
        lines.append(f"and {len(told) - shown} more")
    return "\n".join(lines)


def _lines(
    number: int, found: Diagnostic, where: Callable[[Diagnostic], str], change: Callable[[Fix], str]
) -> Iterable[str]:
    yield _cut(f"{number}. {found.severity.value} {found.code.code} at {where(found)}: {found.message}")
    fix = best_fix(found.fixes)
    if fix is not None:
        yield change(fix)
    elif found.help and found.help not in found.message:
        yield "   " + _cut(f"help: {found.help}")


def best_fix(fixes: Sequence[Fix]) -> Fix | None:
    """The fix that is shown: the first that was verified and is short enough to be worth its tokens."""
    return next((fix for fix in fixes if fix.verified and len(_patch_text(fix)) <= _MOST_OF_A_PATCH), None)


def patch_of(fix: Fix) -> list[Mapping[str, Any]]:
    """What a fix changes, without the tests that guard it: it was verified on this very document."""
    return [operation for operation in fix.patch if operation.get("op") != "test"]


def _patch_text(fix: Fix) -> str:
    return json.dumps(patch_of(fix), ensure_ascii=False, separators=(",", ":"))


def _cut(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _MOST_OF_A_MESSAGE else f"{line[:_MOST_OF_A_MESSAGE]}…"
