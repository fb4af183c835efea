"""Fixes that would undo one another are made one: what each of them does is done together.

Two that each begin the same list would leave the list of the second one alone, and two that take an element out of one
list would take out another one, as soon as the first is gone. Whoever applies all patches of a report, one after the
other, gets what each of them is for.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

from wfc.diagnostics import Diagnostic, Fix
from wfc.ir import canonical
from wfc.records import replace

# A fix that says so much at once helps nobody to choose.
_MOST = 8

_Change = Mapping[str, Any]


def shared(told: Sequence[Diagnostic]) -> tuple[Diagnostic, ...]:
    """The findings, with one fix for all those that begin one list, or at one place take elements out of one."""
    alike: defaultdict[Hashable, dict[int, Fix]] = defaultdict(dict)
    for one in told:
        for fix in one.fixes:
            key = _key(one, fix)
            if key is not None:
                alike[key][id(fix)] = fix
    made: dict[int, Fix] = {}
    for fixes in alike.values():
        made |= _joint(fixes)
    return tuple(one.with_fixes(tuple(made.get(id(fix), fix) for fix in one.fixes)) for one in told)


def _key(finding: Diagnostic, fix: Fix) -> Hashable:
    """What fixes that belong together have in common; nothing for those that stand alone."""
    changes = _changes(fix)
    if len(changes) != 1:
        return None
    (change,) = changes
    holder, _, last = change["path"].rpartition("/")
    alike = (finding.code.code, fix.file, fix.applicability)
    if change["op"] == "add" and isinstance(change["value"], list):
        return (*alike, change["path"])
    if change["op"] == "remove" and last.isdigit():
        return (*alike, holder, finding.at)
    return None


def _joint(fixes: Mapping[int, Fix]) -> dict[int, Fix]:
    """One fix in the place of each of them; they differ by what they put in or take out."""
    apart = list({canonical(list(fix.patch)): fix for fix in fixes.values()}.values())
    if not 1 < len(apart) <= _MOST:
        return {}
    first, *others = (fix.title for fix in apart)
    title = " and ".join([first, *(other[:1].lower() + other[1:] for other in others)])
    tests = _once(change for fix in apart for change in fix.patch if change["op"] == "test")
    joint = replace(apart[0], title=title, patch=(*tests, *_together([_changes(fix)[0] for fix in apart])))
    return dict.fromkeys(fixes, joint)


def _together(changes: list[_Change]) -> list[_Change]:
    if changes[0]["op"] == "remove":
        # The last one first, so that the others keep their places.
        return sorted(_once(changes), key=lambda one: int(one["path"].rpartition("/")[2]), reverse=True)
    return [{**changes[0], "value": _once(value for change in changes for value in change["value"])}]


def _changes(fix: Fix) -> list[_Change]:
    return [change for change in fix.patch if change["op"] != "test"]


def _once(values: Iterable[Any]) -> list[Any]:
    return list({canonical(value): value for value in values}.values())
