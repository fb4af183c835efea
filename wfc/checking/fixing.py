"""Which fixes can be trusted, and which of them are applied together.

Reference 3.1: a fix is verified when it was applied in memory, its finding was gone and no new error had come; what is
not verified is never safe. Applying one costs a whole check, so that the number of attempts is bounded by the size of
the texts: the first findings are verified each for itself, the others together, and those that spoil it are looked for
by halves. The bound counts attempts and never looks at a clock: the same input has the same fixes.
"""

from __future__ import annotations

from bisect import bisect, insort
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence

from wfc.diagnostics import Applicability, Diagnostic, Fix, Severity
from wfc.records import replace
from wfc.source import Edit

# Applies fixes together and gives what is found then; none where that gives nothing that can be read.
Attempt = Callable[[Sequence[Fix]], Sequence[Diagnostic] | None]

_MOST_ATTEMPTS = 100
_MOST_CHARACTERS = 4_000_000


def verified(
    told: Sequence[Diagnostic], found: Sequence[Diagnostic], attempt: Attempt, characters: int
) -> tuple[Diagnostic, ...]:
    """The told findings with every fix either verified or modest.

    `found` is all that was found, told or not, in texts of so many `characters`.
    """
    most = min(_MOST_ATTEMPTS, _MOST_CHARACTERS // max(1, characters))
    offers = [(one, fix) for one in told for fix in one.fixes if fix.edits]
    good = {id(fix) for one, fix in offers[:most] if _holds([(one, fix)], found, attempt)}
    first = {id(one): (one, fix) for one, fix in reversed(offers[most:])}
    late = list(apart(reversed(first.values())))
    good |= {id(fix) for fix in _together(late, found, attempt, most)}
    return tuple(one.with_fixes(tuple(_judged(fix, id(fix) in good) for fix in one.fixes)) for one in told)


def _judged(fix: Fix, good: bool) -> Fix:
    if good:
        return replace(fix, verified=True)
    return replace(fix, applicability=Applicability.UNSAFE) if fix.applicability is Applicability.SAFE else fix


_Offer = tuple[Diagnostic, Fix]


def _together(offers: list[_Offer], found: Sequence[Diagnostic], attempt: Attempt, most: int) -> Iterator[Fix]:
    """The fixes that hold together; a group that does not is tried by halves, `most` times and once more in all."""
    waiting = [offers] if offers else []
    for _ in range(most + 1):
        if not waiting:
            return
        group = waiting.pop()
        if _holds(group, found, attempt):
            yield from (fix for _, fix in group)
        elif len(group) > 1:
            half = len(group) // 2
            waiting += [group[half:], group[:half]]


def _holds(offers: list[_Offer], found: Sequence[Diagnostic], attempt: Attempt) -> bool:
    after = attempt([fix for _, fix in offers])
    return after is not None and improves([one for one, _ in offers], found, after)


def improves(wanted: Iterable[Diagnostic], before: Sequence[Diagnostic], after: Sequence[Diagnostic]) -> bool:
    """Whether the wanted findings are gone and no error has come that was not there before."""
    if _errors(after) - _errors(before):
        return False
    was, left = Counter(one.id for one in before), Counter(one.id for one in after)
    return all(left[name] <= was[name] - count for name, count in Counter(one.id for one in wanted).items())


def _errors(found: Iterable[Diagnostic]) -> Counter[str]:
    return Counter(one.id for one in found if one.severity is Severity.ERROR)


def applicable(found: Iterable[Diagnostic], *, unsafe: bool) -> Iterator[_Offer]:
    """For each finding the fix that is applied without asking: the first safe one, else the first unsafe one."""
    wanted = (Applicability.SAFE, Applicability.UNSAFE) if unsafe else (Applicability.SAFE,)
    for one in found:
        fixes = [fix for kind in wanted for fix in one.fixes if fix.verified and fix.applicability is kind]
        if fixes:
            yield one, fixes[0]


def apart(offers: Iterable[_Offer]) -> Iterator[_Offer]:
    """The offers whose changes overlap with those of none before them; where one begins another may end."""
    taken: dict[str, list[Edit]] = {}
    for one, fix in offers:
        beside = taken.setdefault(fix.file, [])
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
