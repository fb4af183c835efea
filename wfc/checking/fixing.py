"""Which fixes can be trusted, and which of them are applied together.

Reference 3.1: a fix is verified when it was applied in memory, its finding was gone and no new error had come, nor
several warnings in the place of one; what is not verified is never safe. Applying one costs a whole check, so that the
number of attempts is bounded: as far as that goes, each fix is verified for itself; of the findings that are left, all
first fixes are verified together, and where that spoils something, those that do are looked for by halves. The bounds
come from the size of the texts and the number of findings and never from a clock: the same input has the same fixes.
"""

from __future__ import annotations

from bisect import bisect, insort
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from wfc.diagnostics import Applicability, Diagnostic, Fix, Severity
from wfc.records import replace
from wfc.source import Edit

# Applies fixes together and gives what is found then; none where that gives nothing that can be read.
Attempt = Callable[[Sequence[Fix]], Sequence[Diagnostic] | None]

_MOST_ALONE = 100
_MOST_TOGETHER = 16
# How many characters may be checked again: for each finding as often as there are findings, and for all together.
_WORK_ALONE = 4_000_000
_WORK_TOGETHER = 1_000_000


def verified(
    told: Sequence[Diagnostic], found: Sequence[Diagnostic], attempt: Attempt, characters: int
) -> tuple[Diagnostic, ...]:
    """The told findings with every fix either verified or modest. Those that are not safe and leave new warnings come
    behind the others, and last those that were tried and do not help.

    `found` is all that was found, told or not, in texts of so many `characters`.
    """
    alone = min(_MOST_ALONE, _WORK_ALONE // max(1, characters * len(found)))
    offers = [(one, fix) for one in told for fix in one.fixes if fix.edits]
    tried = {id(fix): _tried([(one, fix)], found, attempt) for one, fix in offers[:alone]}
    good = {number for number, left in tried.items() if left is not None}
    late = list({id(one): (one, fix) for one, fix in reversed(offers[alone:])}.values())[::-1]
    good |= {id(fix) for _, fix in together(late, found, attempt, characters)}

    def rank(fix: Fix) -> int:
        left = tried.get(id(fix), 0)
        if left is None:
            return 2
        return int(left > 0 and fix.applicability is not Applicability.SAFE)

    return tuple(
        one.with_fixes(tuple(_judged(fix, id(fix) in good) for fix in sorted(one.fixes, key=rank))) for one in told
    )


def _judged(fix: Fix, good: bool) -> Fix:
    if good:
        return replace(fix, verified=True)
    return replace(fix, applicability=Applicability.UNSAFE) if fix.applicability is Applicability.SAFE else fix


_Offer = tuple[Diagnostic, Fix]


def together(offers: Iterable[_Offer], found: Sequence[Diagnostic], attempt: Attempt, characters: int) -> list[_Offer]:
    """The offers that can be applied all at once, safe ones first. A group that spoils it is tried by halves."""
    free = list(_apart(offers))
    safe = [offer for offer in free if offer[1].applicability is Applicability.SAFE]
    rest = [offer for offer in free if offer[1].applicability is not Applicability.SAFE]
    waiting = [group for group in (rest, safe) if group]
    held: list[_Offer] = []
    for _ in range(min(_MOST_TOGETHER, max(2, _WORK_TOGETHER // max(1, characters)))):
        if not waiting:
            break
        group = waiting.pop()
        if _holds([*held, *group], found, attempt):
            held += group
        elif len(group) > 1:
            half = len(group) // 2
            waiting += [group[half:], group[:half]]
    return held


def _holds(offers: list[_Offer], found: Sequence[Diagnostic], attempt: Attempt) -> bool:
    return _tried(offers, found, attempt) is not None


def _tried(offers: list[_Offer], found: Sequence[Diagnostic], attempt: Attempt) -> int | None:
    """How many new warnings the fixes leave; none where they do not help."""
    after = attempt([fix for _, fix in offers])
    if after is None or not _improves([one for one, _ in offers], found, after):
        return None
    return (_counted(after, Severity.WARNING) - _counted(found, Severity.WARNING)).total()


def _improves(wanted: Iterable[Diagnostic], before: Iterable[Diagnostic], after: Iterable[Diagnostic]) -> bool:
    """Whether the wanted findings are gone, no error has come that was not there before, and no more is left."""
    was, left = list(before), list(after)
    if _counted(left, Severity.ERROR) - _counted(was, Severity.ERROR) or _weight(left) > _weight(was):
        return False
    return not _counted(wanted) - (_counted(was) - _counted(left))


def _weight(found: Iterable[Diagnostic]) -> tuple[int, int]:
    """How many errors there are, and how much else, with what a finding stands for."""
    counted = Counter(one.severity is Severity.ERROR for one in found for _ in range(1 + one.hides))
    return counted[True], counted[False]


def _counted(found: Iterable[Diagnostic], severity: Severity | None = None) -> Counter[Any]:
    """What is found how often. What is said about it does not count: another step's name may have come nearest."""
    return Counter(
        (one.code.code, one.at.file, one.at.workflow, one.at.step, one.at.field, repr(one.facts.get("got")))
        for one in found
        if severity in (None, one.severity)
    )


def applicable(found: Sequence[Diagnostic], file: str, *, unsafe: bool) -> list[_Offer]:
    """For each finding the first safe fix of a file; with `unsafe`, where there is none for any, the first unsafe one.

    What an unsafe fix is for may be gone as soon as the safe ones are applied.
    """
    for kind in (Applicability.SAFE, Applicability.UNSAFE) if unsafe else (Applicability.SAFE,):
        fixes = ((one, [fix for fix in one.fixes if fix.verified and fix.applicability is kind]) for one in found)
        offers = [(one, fitting[0]) for one, fitting in fixes if fitting and fitting[0].file == file]
        if offers:
            return offers
    return []


def _apart(offers: Iterable[_Offer]) -> Iterator[_Offer]:
    """The offers whose changes overlap with those of none before them; where one begins another may end. What several
    findings are offered is done once."""
    taken: dict[str, list[Edit]] = {}
    seen: set[tuple[str, tuple[Edit, ...]]] = set()
    for one, fix in offers:
        beside = taken.setdefault(fix.file, [])
        if (fix.file, fix.edits) in seen:
            continue
        seen.add((fix.file, fix.edits))
        if fix.edits and all(_is_free(beside, edit) for edit in fix.edits):
            for edit in fix.edits:
                insort(beside, edit, key=_order)
            yield one, fix


def _is_free(beside: list[Edit], edit: Edit) -> bool:
    place = bisect(beside, _order(edit), key=_order)
    return (place == 0 or beside[place - 1].end <= edit.start) and (
        place == len(beside) or edit.end <= beside[place].start
    )


def _order(edit: Edit) -> tuple[int, int]:
    return edit.start, edit.end


def joined(fixes: Iterable[Fix]) -> dict[str, list[Edit]]:
    """The changes that fixes make together, in order, for each file."""
    made: dict[str, list[Edit]] = {}
    for fix in fixes:
        made.setdefault(fix.file, []).extend(fix.edits)
    return {file: sorted(edits, key=_order) for file, edits in made.items()}
