"""The verbs: the one module that knows all rooms and their order (reference 5).

text → document → module → findings → program → machine → run state. What a verb needs of a room is imported when it is
called, so that a run of a compiled program loads no compiler and a check no machine.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from wfc.diagnostics import Diagnostic, Fix, Fixed, Place, Report, Severity, Silenced, Skipped, Strict
from wfc.loading import Loaded as Loaded
from wfc.loading import Source as Source
from wfc.loading import from_document as from_document
from wfc.loading import from_value as from_value
from wfc.loading import load as load
from wfc.loading import loaded as loaded
from wfc.loading import loads as loads
from wfc.loading import unswept
from wfc.records import dataclass, replace

if TYPE_CHECKING:
    from wfc.checking import Attempt, Known
    from wfc.frontend import Document
    from wfc.ir import Program
    from wfc.passes import Examined

# What a reader leaves out of a report; the function tells what has to stay.
Narrow = Callable[[Report, Callable[[Diagnostic], bool]], Report]
_PROMISED_BELOW = 700
# A fix that brings a finding with a fix that brings back the first must not go on for ever.
_MOST_ROUNDS = 20


class CompileError(Exception):
    """A workflow that does not compile; `report` says why, and the text of this has a line for each error."""

    def __init__(self, report: Report) -> None:
        errors = [_line(one) for one in report.diagnostics if one.severity is Severity.ERROR]
        super().__init__("\n".join(errors) or "the workflow does not compile")
        self.report = report


def _line(error: Diagnostic) -> str:
    span = error.at.span
    where = error.at.pointer if span is None else f":{span.start.line}:{span.start.column}"
    return f"{error.at.file}{where}: {error.code.code} {error.message}"


# -- checking ---------------------------------------------------------------------------------------------------------


@unswept()
def check(source: Source, *, strict: bool = False, narrow: Narrow | None = None) -> Report:
    """All findings of a workflow and of its children, in the order of files and positions (reference 3).

    Fixes are verified for what `narrow` lets through.
    """
    from wfc.checking import shared, verified
    from wfc.passes import NEED_SOURCES, PENDING

    given = loaded(source)
    found = _find(given, strict)
    skipped = [Skipped(f"{code} {rule}", "has no pass yet") for code, rule in PENDING]
    if not given.catalogue.sources:
        skipped += [Skipped(code, "no configuration names sources") for code in NEED_SOURCES]
    if not found.examined:
        skipped.insert(0, Skipped("every pass after reading", "nothing could be read as a workflow"))
    report = Report(
        tuple(_located(given, one) for one in sorted(found.told, key=lambda one: _order(given, one))),
        tuple(skipped),
        strict=strict,
        complete=found.examined and not any(int(code[2:]) < _PROMISED_BELOW for code, _ in PENDING),
        silenced=tuple(replace(one, diagnostic=_located(given, one.diagnostic)) for one in found.silenced),
        files=(given.root.name,),
    )
    report = report if narrow is None else narrow(report, known_codes().stays)
    if not any(one.fixes for one in report.diagnostics):
        return report
    plain = _restated(given)
    told = [one.with_fixes(tuple(_with_edits(plain, fix) for fix in one.fixes)) for one in shared(report.diagnostics)]
    every = found.every if plain is given else _find(plain, strict).every
    judged = verified([_at_home(given, one) for one in told], every, _attempt(plain, strict), plain.size)
    fixes = (tuple(_without_edits(given, fix) for fix in one.fixes) for one in judged)
    return replace(report, diagnostics=tuple(map(Diagnostic.with_fixes, report.diagnostics, fixes)))


@dataclass(frozen=True, slots=True)
class _Found:
    """What is told of the findings in a mode, what suppressions cover, and whether the passes had a module."""

    told: tuple[Diagnostic, ...]
    silenced: tuple[Silenced, ...]
    examined: bool

    @property
    def every(self) -> list[Diagnostic]:
        return [*self.told, *(one.diagnostic for one in self.silenced)]


def _find(given: Loaded, strict: bool) -> _Found:
    """Every finding once, with the severity of the mode; looked for once in the same texts."""
    key = given.identity({}), strict
    if key not in given.tried:
        given.tried[key] = _told(given, _examined(given), strict)
    found: _Found = given.tried[key]
    return found


@unswept()
def _examined(given: Loaded) -> Examined | None:
    from wfc.passes import examine

    return None if given.module is None else examine(given.module)


def _told(given: Loaded, examined: Examined | None, strict: bool) -> _Found:
    from wfc.checking import suppress

    everything = [*given.elaborated.diagnostics, *(() if examined is None else examined.diagnostics)]
    unique = {(found.code.code, found.at, found.message): found for found in everything}
    told = suppress(given.module, tuple(unique.values()), known_codes())
    silenced = [(one, kept) for one in told.silenced for kept in _in_mode(one.diagnostic, strict)]
    return _Found(
        tuple(kept for one in told.diagnostics for kept in _in_mode(one, strict)),
        tuple(replace(one, diagnostic=kept) for one, kept in silenced),
        examined is not None,
    )


def known_codes() -> Known:
    """Every code there is, those that nothing reports yet, and which of them nobody can suppress."""
    from wfc.checking import CODES, Known
    from wfc.frontend import CODES as READING_CODES
    from wfc.passes import CODES as PASS_CODES
    from wfc.passes import PENDING, blocks

    rules = {code.code: code.rule for code in (*READING_CODES, *PASS_CODES, *CODES)} | dict(PENDING)
    return Known(rules, frozenset(code for code, _ in PENDING), blocks)


def _in_mode(finding: Diagnostic, strict: bool) -> tuple[Diagnostic, ...]:
    if finding.strict is (Strict.NEVER if strict else Strict.ONLY):
        return ()
    if finding.strict is not Strict.SAME and strict:
        return (replace(finding, severity=Severity.ERROR),)
    return (finding,)


def _order(given: Loaded, finding: Diagnostic) -> tuple[Any, ...]:
    names = list(given.documents)
    document = given.documents.get(finding.at.file)
    number = len(names) if document is None else names.index(document.name)
    file = finding.at.file if document is None else document.file_of(finding.at.pointer)
    span = _span(given, finding.at)
    place = (span.start, span.end) if span else ()
    return number, file != finding.at.file, file, place, finding.code.code, finding.message


def _span(given: Loaded, place: Place) -> Any:
    document = given.documents.get(place.file)
    return place.span or (document.locate(place.pointer) if document is not None else None)


def _located(given: Loaded, finding: Diagnostic) -> Diagnostic:
    """The finding with spans in the text, and with pointers to places that are there."""
    related = tuple(replace(one, at=_place(given, one.at)) for one in finding.related)
    return replace(finding, at=_place(given, finding.at), related=related)


def _place(given: Loaded, place: Place) -> Place:
    document = given.documents.get(place.file)
    if document is None:
        return place
    there = document.existing(place.pointer)
    return replace(place, file=document.file_of(place.pointer), pointer=there, span=_span(given, place))


# -- fixes ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Repaired:
    """A workflow after its fixes: `report` tells what is left, and what was fixed."""

    given: Loaded
    report: Report


def repair(source: Source, *, strict: bool = False, narrow: Narrow | None = None, unsafe: bool = False) -> Repaired:
    """Apply the verified safe fixes, with `unsafe` the others too, and check again, until nothing is left to apply.

    Only the document that is given is changed, in memory. No round leaves an error that was not there before.
    """
    from wfc.checking import applicable, together

    given = loaded(source)
    report = check(given, strict=strict, narrow=narrow)
    fixed: list[Fixed] = []
    texts = {given.root.source.text}
    for _ in range(_MOST_ROUNDS):
        ours = applicable(report.diagnostics, given.root.name, unsafe=unsafe)
        if not ours:
            break
        applied = together(ours, _find(given, strict).every, _attempt(given, strict), given.size)
        given = with_fixes(given, [fix for _, fix in applied])
        if given.root.source.text in texts:
            break
        texts.add(given.root.source.text)
        fixed += (Fixed(one, fix) for one, fix in applied)
        report = check(given, strict=strict, narrow=narrow)
    return Repaired(given, replace(report, fixed=tuple(fixed)))


def _attempt(given: Loaded, strict: bool) -> Attempt:
    """Applies fixes and tells what is found then."""

    def attempt(fixes: Sequence[Fix]) -> list[Diagnostic] | None:
        if not given.root.readable:
            # Of several faults of syntax one may be gone; what they kept from being judged is not new.
            return list(with_fixes(given, fixes).root.diagnostics)
        known: _Found | None = given.tried.get((given.identity(_after(given, fixes)), strict))
        if known is not None:
            return known.every
        repaired = with_fixes(given, fixes)
        return _find(repaired, strict).every if repaired.root.readable else None

    return attempt


def _after(given: Loaded, fixes: Sequence[Fix]) -> dict[str, str]:
    """The texts that the changes of located fixes make, by their names."""
    from wfc.checking import joined
    from wfc.source import edited

    return {name: edited(given.documents[name].source.text, edits) for name, edits in joined(fixes).items()}


@unswept()
def with_fixes(given: Loaded, fixes: Sequence[Fix]) -> Loaded:
    """What was loaded, with the changes of located fixes made in its texts. They must not overlap."""
    return _with(given, {name: given.documents[name].again(text) for name, text in _after(given, fixes).items()})


def _restated(given: Loaded) -> Loaded:
    """What was loaded, in texts that can be edited: what Python built as the JSON that it comes to."""
    new = {name: document.restated for name, document in given.documents.items() if not document.is_editable}
    return _with(given, new) if new else given


def _with(given: Loaded, new: Mapping[str, Document]) -> Loaded:
    """What was loaded, with other documents in the place of those of their names."""
    from wfc.frontend import elaborate

    def find(document: Document, name: str) -> tuple[Document, ...]:
        found = (new.get(one.name, one) for one in given.find(document, name))
        return tuple(one for one in found if name in one.workflow_names or not one.readable)

    root = new.get(given.root.name, given.root)
    elaborated = elaborate(root, find, given.catalogue, given.stored)
    return Loaded(root, find, elaborated, given.seen, given.catalogue, given.stored, given.tried)


def _with_edits(given: Loaded, fix: Fix) -> Fix:
    """The fix with what it changes in the author's text; with nothing when it does not apply.

    One without a patch changes a text that is no document yet.
    """
    from wfc.edits import PatchFault

    if not fix.patch:
        return fix
    try:
        return replace(fix, edits=given.documents[fix.file].edits(fix.patch))
    except PatchFault:
        return fix


def _without_edits(given: Loaded, fix: Fix) -> Fix:
    """The fix without changes of a text that is not the author's."""
    document = given.documents.get(fix.file)
    return fix if document is None or document.is_editable else replace(fix, edits=())


def _at_home(given: Loaded, finding: Diagnostic) -> Diagnostic:
    """The finding in the document that it is about, which a builder may have been told in several files."""
    at = finding.at
    return finding if at.file in given.documents else replace(finding, at=replace(at, file=given.root.name))


# -- compiling --------------------------------------------------------------------------------------------------------


def compile(source: Source, *, unchecked: bool = False) -> Program:
    """Check and lower a workflow; raises `CompileError` with the report when errors stop it.

    `unchecked` goes on in spite of errors that may be lowered (reference 3.2): the machine checks everything itself.
    """
    return compile_checked(source, unchecked=unchecked)[0]


def compile_checked(source: Source, *, unchecked: bool = False) -> tuple[Program, Report]:
    """Like `compile`, with the report of the check."""
    from wfc.ir import verify
    from wfc.passes import accept, lower

    given = loaded(source)
    examined = _examined(given)
    found = _told(given, examined, strict=False)
    checked = None if examined is None else accept(examined, found.told, unchecked=unchecked)
    if checked is None:
        raise CompileError(check(given))
    program = lower(checked)
    verify(program)
    # Fixes are shown by a check, which verifies them.
    told = [one.with_fixes(()) for one in sorted(found.told, key=lambda one: _order(given, one))]
    return program, Report(tuple(_located(given, one) for one in told), silenced=found.silenced)


def load_ir(path: str | os.PathLike[str]) -> Program:
    """Read a compiled program. Raises `OSError`, or `IrFault` for a file that is no sound program."""
    with open(path, "rb") as file:
        return loads_ir(file.read())


def loads_ir(text: str | bytes) -> Program:
    """Read a compiled program from its text; raises `IrFault`."""
    from wfc.ir import decode

    return decode(text)
