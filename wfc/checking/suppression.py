"""Findings that are meant: `"x-wfc-allow": [{"code": "WF203", "reason": "…"}]` on a workflow, definition or step.

Guarantees (reference 3.2): a suppression covers the findings of its code inside of its object, the innermost one first;
what leaves a run without meaning is never covered; a suppression without a reason covers nothing; and one that covers
nothing is reported, unless another fault kept that place from being judged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from wfc.diagnostics import (
    Applicability,
    Code,
    Diagnostic,
    Example,
    Fix,
    Place,
    Severity,
    Silence,
    Silenced,
    Strict,
    close_match,
    nearest,
)
from wfc.ir import Module, kind_of
from wfc.records import dataclass, replace

KEY = "x-wfc-allow"
_UNREACHABLE = "WF200"

UNUSED = Code(
    code="WF900",
    rule="unused-suppression",
    severity=Severity.WARNING,
    message="the suppression of `{suppressed}` covers nothing: {why}",
    help="take it out, so that it cannot hide what comes later",
    why=(
        "A suppression says that a finding was read and is meant. When the finding is gone, the sentence is no longer "
        "true, and the next finding of that code in the same place would pass without anybody having read it."
    ),
    example=Example(
        bad="""\
{"name": "greeting", "outcomes": ["ok", "never"], "start": "done",
 "x-wfc-allow": [{"code": "WF112", "reason": "the caller asks for both"},
                 {"code": "WF200", "reason": "kept for later"}],
                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
 "nodes": [{"id": "done", "type": "end", "outcome": "ok"}]}
""",
        good="""\
{"name": "greeting", "outcomes": ["ok", "never"], "start": "done",
 "x-wfc-allow": [{"code": "WF112", "reason": "the caller asks for both"}],
 "nodes": [{"id": "done", "type": "end", "outcome": "ok"}]}
""",
    ),
)
UNKNOWN = Code(
    code="WF901",
    rule="unknown-suppression",
    severity=Severity.WARNING,
    message="found {got}, expected {expected}",
    help='write `{{"code": "WF203", "reason": "…"}}` with the code of the finding and why it is meant',
    why=(
        "A suppression is an agreement between its author and who reads the workflow next: which finding is meant, and "
        "why. One that names no code suppresses nothing, and one without a reason explains nothing, so neither counts."
    ),
    example=Example(
        bad="""\
{"name": "greeting", "outcomes": ["ok", "never"], "start": "done",
 "x-wfc-allow": [{"code": "WF112", "reason": "the caller asks for both"},
                 {"code": "style", "reason": "kept for later"}],
                          ^^^^^^^
 "nodes": [{"id": "done", "type": "end", "outcome": "ok"}]}
""",
        good="""\
{"name": "greeting", "outcomes": ["ok", "never"], "start": "done",
 "x-wfc-allow": [{"code": "WF112", "reason": "the caller asks for both"}],
 "nodes": [{"id": "done", "type": "end", "outcome": "ok"}]}
""",
    ),
)
CODES = (UNUSED, UNKNOWN)
_OWN = frozenset(code.code for code in CODES)


@dataclass(frozen=True, slots=True)
class Known:
    """Every code with its rule; those that nothing reports yet; and which leave a run without meaning (3.2)."""

    rules: Mapping[str, str]
    pending: frozenset[str]
    blocks: Callable[[str], bool]

    def stays(self, found: Diagnostic) -> bool:
        """Whether a finding can be neither suppressed nor left out: it is certain that no run has a meaning."""
        certain = found.severity is Severity.ERROR and found.strict is not Strict.ONLY
        return certain and self.blocks(found.code.code)


@dataclass(frozen=True, slots=True)
class Told:
    """What is told of some findings, and what is not."""

    diagnostics: tuple[Diagnostic, ...]
    silenced: tuple[Silenced, ...]


@dataclass(frozen=True, slots=True, eq=False)
class _Allowance:
    """An entry of `x-wfc-allow`: where it stands, what is written there, and the object that it covers.

    `scope` none means that it stands where nothing can be covered; `alone` that its list has no other entry.
    """

    at: Place
    written: Any
    scope: Place | None
    alone: bool


def suppress(module: Module | None, found: Sequence[Diagnostic], known: Known) -> Told:
    """The findings that no suppression of the module covers, with what is wrong with these; and the covered ones.

    `found` holds what strict mode alone reports as well: a suppression of it is in use in either mode.
    """
    allowances = () if module is None else tuple(_allowances(module))
    if not allowances:
        return Told(tuple(found), ())
    faults = {allowance: tuple(_faults(allowance, known)) for allowance in allowances}
    sound = [allowance for allowance in allowances if not faults[allowance]]
    told, silenced = _split(found, _by_place(sound), known)
    used = {id(allowance) for _, allowance in silenced}
    unjudged = _unjudged(found, known)
    idle = [one for one in sound if id(one) not in used]
    vain = {id(one) for one in idle if _is_vain(one, found, known)}
    unused = [_unused(one, known) for one in idle if id(one) in vain or not _excused(one, unjudged, known)]
    wrong = [fault for several in faults.values() for fault in several]
    return Told(
        (*told, *wrong, *unused),
        tuple(Silenced(one, Silence.SUPPRESSED, allowance.written["reason"]) for one, allowance in silenced),
    )


_ByPlace = dict[tuple[str, str, str], _Allowance]


def _by_place(allowances: Iterable[_Allowance]) -> _ByPlace:
    """The first allowance of each file, pointer of an object, and code."""
    found: _ByPlace = {}
    for each in allowances:
        if each.scope is not None:
            found.setdefault((each.scope.file, each.scope.pointer, each.written["code"]), each)
    return found


def _split(
    found: Iterable[Diagnostic], by_place: _ByPlace, known: Known
) -> tuple[list[Diagnostic], list[tuple[Diagnostic, _Allowance]]]:
    """What is told, and what is covered by which allowance."""
    told: list[Diagnostic] = []
    covered: list[tuple[Diagnostic, _Allowance]] = []
    for one in found:
        allowance = None if known.stays(one) else _innermost(one, by_place)
        if allowance is None:
            told.append(one)
        else:
            covered.append((one, allowance))
    return told, covered


def _innermost(found: Diagnostic, by_place: _ByPlace) -> _Allowance | None:
    pointer = found.at.pointer
    while True:
        allowance = by_place.get((found.at.file, pointer, found.code.code))
        if allowance is not None or not pointer:
            return allowance
        pointer = pointer.rpartition("/")[0]


# -- where they stand -------------------------------------------------------------------------------------------------


def _allowances(module: Module) -> Iterator[_Allowance]:
    yield from _entries(module.at, module.extra, None)
    for workflow in module.workflows:
        yield from _entries(workflow.at, workflow.extra, workflow.at)
        for inside in (*workflow.defs, *workflow.steps):
            yield from _entries(inside.at, inside.extra, inside.at)
            for pointer, extra in inside.extra.items():
                if pointer.startswith("/"):
                    yield from _entries(replace(inside.at, pointer=inside.at.pointer + pointer), extra, None)
        for edge in workflow.edges:
            yield from _entries(edge.at, edge.extra, None)


def _entries(at: Place, extra: Mapping[str, Any], scope: Place | None) -> Iterator[_Allowance]:
    if KEY not in extra:
        return
    written = extra[KEY]
    if not isinstance(written, list):
        yield _Allowance(at.below(KEY), written, scope, True)
        return
    for index, entry in enumerate(written):
        yield _Allowance(at.below(KEY, index), entry, scope, len(written) == 1)


# -- what is wrong with them ------------------------------------------------------------------------------------------


def _faults(allowance: _Allowance, known: Known) -> Iterator[Diagnostic]:
    """WF901: what keeps an entry from being a suppression."""
    at, written = allowance.at, allowance.written
    listed = at.pointer.endswith(f"/{KEY}")
    if listed or not isinstance(written, dict):
        expected = "a list of objects" if listed else "an object"
        yield UNKNOWN.at(at, got=_kind(written), expected=f"{expected} with `code` and `reason`")
        return
    code, reason = written.get("code"), written.get("reason")
    if code not in known.rules if isinstance(code, str) else True:
        yield _no_code(allowance, known)
    if not isinstance(reason, str) or not reason.strip():
        place = at.below("reason") if "reason" in written else at
        yield UNKNOWN.at(place, got="a suppression without a reason", expected="a `reason` that says why it is meant")


def _no_code(allowance: _Allowance, known: Known) -> Diagnostic:
    at, written = allowance.at, allowance.written
    expected = "the code of a finding, such as `WF203`"
    if "code" not in written:
        return UNKNOWN.at(at, got="a suppression without a code", expected=expected)
    place, code = at.below("code"), written["code"]
    if not isinstance(code, str):
        return UNKNOWN.at(place, got=_kind(code), expected=expected)
    of_rule = {rule: number for number, rule in known.rules.items()}
    names = [*known.rules, *of_rule]
    meant = close_match(code, names)
    fix = _taken_out(allowance, Applicability.UNSAFE)
    if meant is not None:
        number = of_rule.get(meant, meant)
        test, change = ({"op": op, "path": place.pointer} for op in ("test", "replace"))
        fix = Fix(f"Write `{number}`", place.file, ({**test, "value": code}, {**change, "value": number}))
    allowed = [of_rule.get(name, name) for name in nearest(code, names)]
    return UNKNOWN.at(place, got=f"`{code}`, which is no code", expected=expected, allowed=allowed, fixes=(fix,))


def _kind(value: Any) -> str:
    kind = kind_of(value)
    return f"{'an' if kind[0] in 'ao' else 'a'} {kind}" if value is not None else "`null`"


def _unused(allowance: _Allowance, known: Known) -> Diagnostic:
    code = allowance.written["code"]
    if allowance.scope is None:
        why = "it stands on no workflow, definition or step"
    elif code in _OWN:
        why = "what is wrong with a suppression is mended, not suppressed"
    elif known.blocks(code):
        why = "an error of that code leaves a run without meaning and is always told"
    else:
        why = "nothing of that code is found inside of this object"
    return UNUSED.at(allowance.at, suppressed=code, why=why, fixes=(_taken_out(allowance, Applicability.SAFE),))


def _taken_out(allowance: _Allowance, applicability: Applicability) -> Fix:
    pointer = allowance.at.pointer
    test = {"op": "test", "path": pointer, "value": allowance.written}
    goes = pointer.rpartition("/")[0] if allowance.alone else pointer
    return Fix("Take it out", allowance.at.file, (test, {"op": "remove", "path": goes}), applicability)


def _unjudged(found: Iterable[Diagnostic], known: Known) -> set[tuple[str, str | None]]:
    """Files, and workflows in them, that other faults kept from being judged to the end."""
    files: set[tuple[str, str | None]] = {(one.at.file, None) for one in found if known.stays(one)}
    return files | {(one.at.file, one.at.workflow) for one in found if one.code.code == _UNREACHABLE}


def _is_vain(allowance: _Allowance, found: Iterable[Diagnostic], known: Known) -> bool:
    """Whether an allowance is there for an error that is told all the same."""
    scope, code = allowance.scope, allowance.written["code"]
    return scope is not None and any(
        one.code.code == code and one.at.file == scope.file and _is_inside(one.at, scope) and known.stays(one)
        for one in found
    )


def _is_inside(at: Place, scope: Place) -> bool:
    return at.pointer == scope.pointer or at.pointer.startswith(scope.pointer + "/")


def _excused(allowance: _Allowance, unjudged: set[tuple[str, str | None]], known: Known) -> bool:
    """Whether an allowance may cover nothing only because nobody has looked."""
    if allowance.scope is None:
        return False
    at = allowance.at
    looked = unjudged.isdisjoint({(at.file, None), (at.file, at.workflow)})
    return not looked or allowance.written["code"] in known.pending
