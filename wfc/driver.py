"""The verbs: the one module that knows all rooms and their order (reference 5).

text → document → module → findings → program → machine → run state. What a verb needs of a room is imported when it is
called, so that a run of a compiled program loads no compiler and a check no machine.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wfc.diagnostics import Applicability, Diagnostic, Fix, Place, Report, Severity, Skipped, Strict
from wfc.edits import PatchFault, apply_patch

if TYPE_CHECKING:
    from wfc.frontend import Document, Elaborated
    from wfc.ir import Module, Program
    from wfc.passes import Examined

Find = Callable[["Document", str], tuple["Document", ...]]
# Applying a fix and checking again costs a whole check, so a flood of findings is not verified one by one.
_MOST_VERIFIED = 40
_PROMISED_BELOW = 700


class CompileError(Exception):
    """A workflow that does not compile; `report` says why."""

    def __init__(self, report: Report) -> None:
        first = next((f for f in report.diagnostics if f.severity is Severity.ERROR), None)
        super().__init__("the workflow does not compile" if first is None else f"{first.code.code} {first.message}")
        self.report = report


@dataclass(frozen=True)
class Loaded:
    """A workflow as it was read, with everything that it contains."""

    root: Document
    find: Find
    elaborated: Elaborated

    @property
    def module(self) -> Module | None:
        return self.elaborated.module

    @property
    def documents(self) -> Mapping[str, Document]:
        """Every document that was read, by its name."""
        return self.elaborated.documents


Source = Loaded | str | os.PathLike[str] | Mapping[str, Any]


# -- reading ----------------------------------------------------------------------------------------------------------


def load(path: str | os.PathLike[str], *, libraries: Sequence[str] | None = None) -> Loaded:
    """Read a workflow file and the files that it refers to. Raises `OSError` for a file that cannot be read.

    `libraries` are the folders in which children are looked for; by default those of the configuration around the file.
    """
    from wfc.frontend import read_json

    return _load(read_json(str(path), Path(path).read_bytes()), libraries)


def loads(text: str | bytes, *, form: str = "json", name: str = "<text>") -> Loaded:
    """Read a workflow from a text; children are looked for beside `name`."""
    from wfc.frontend import read_json

    if form != "json":
        raise ValueError(f"`{form}` is no form of a workflow; expected `json`")
    return _load(read_json(name, text), None)


def from_value(value: Mapping[str, Any], *, name: str = "<python>") -> Loaded:
    """Read a workflow from a JSON value."""
    from wfc.frontend import document_of

    return _load(document_of(value, name), None)


def _load(root: Document, libraries: Sequence[str] | None) -> Loaded:
    from wfc.frontend import elaborate, read_json
    from wfc.project import find_project, reach

    if libraries is None:
        libraries = find_project(os.path.dirname(root.name) or None).libraries
    find = reach(root, libraries, read_json)
    return Loaded(root, find, elaborate(root, find))


def loaded(source: Source) -> Loaded:
    """The source itself when it is loaded already; else a path or a JSON value, read."""
    if isinstance(source, Loaded):
        return source
    return from_value(source) if isinstance(source, Mapping) else load(source)


# -- checking ---------------------------------------------------------------------------------------------------------


def check(source: Source, *, strict: bool = False) -> Report:
    """All findings of a workflow and of its children, in the order of files and positions (reference 3)."""
    from wfc.passes import PENDING

    given = loaded(source)
    found, examined = _findings(given, strict)
    verified = [_verify(given, finding, found, strict) for finding in found[:_MOST_VERIFIED]]
    unverified = [finding.with_fixes(tuple(map(_modest, finding.fixes))) for finding in found[_MOST_VERIFIED:]]
    skipped = [Skipped(f"{code} {rule}", "has no pass yet") for code, rule in PENDING]
    if examined is None:
        skipped.insert(0, Skipped("every pass after reading", "nothing could be read as a workflow"))
    complete = examined is not None and not any(int(code[2:]) < _PROMISED_BELOW for code, _ in PENDING)
    located = tuple(_located(given, finding) for finding in (*verified, *unverified))
    return Report(located, tuple(skipped), strict=strict, complete=complete)


def _findings(given: Loaded, strict: bool) -> tuple[list[Diagnostic], Examined | None]:
    """Every finding once, in order, with the severity of the mode; and what the passes learnt."""
    from wfc.passes import examine

    examined = None if given.module is None else examine(given.module)
    everything = [*given.elaborated.diagnostics, *(() if examined is None else examined.diagnostics)]
    judged = [found for one in everything for found in _in_mode(one, strict)]
    unique = {(found.code.code, found.at, found.message): found for found in judged}
    return sorted(unique.values(), key=lambda found: _order(given, found)), examined


def _in_mode(finding: Diagnostic, strict: bool) -> tuple[Diagnostic, ...]:
    if finding.code.strict is Strict.ONLY and not strict:
        return ()
    if finding.code.strict is not Strict.SAME and strict:
        return (replace(finding, severity=Severity.ERROR),)
    return (finding,)


def _order(given: Loaded, finding: Diagnostic) -> tuple[Any, ...]:
    names = list(given.documents)
    file = names.index(finding.at.file) if finding.at.file in given.documents else len(names)
    span = _span(given, finding.at)
    return file, (span.start, span.end) if span else (), finding.code.code, finding.message


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
    return replace(place, pointer=document.existing(place.pointer), span=_span(given, place))


# -- fixes ------------------------------------------------------------------------------------------------------------


def _verify(given: Loaded, finding: Diagnostic, before: list[Diagnostic], strict: bool) -> Diagnostic:
    if not finding.fixes:
        return finding
    known = {one.id for one in before if one.severity is Severity.ERROR}
    return finding.with_fixes(tuple(_verified(given, finding, fix, known, strict) for fix in finding.fixes))


def _verified(given: Loaded, finding: Diagnostic, fix: Fix, known: set[str], strict: bool) -> Fix:
    """The fix, verified when it applies, the finding is gone and no new error has come (reference 3.1)."""
    try:
        repaired = with_patch(given, fix)
    except PatchFault:
        return _modest(fix)
    after, _ = _findings(repaired, strict)
    gone = finding.id not in {one.id for one in after}
    worse = any(one.severity is Severity.ERROR and one.id not in known for one in after)
    return replace(fix, verified=True) if gone and not worse else _modest(fix)


def _modest(fix: Fix) -> Fix:
    return replace(fix, applicability=Applicability.UNSAFE) if fix.applicability is Applicability.SAFE else fix


def with_patch(given: Loaded, fix: Fix) -> Loaded:
    """What was loaded, with a fix applied to its document; raises `PatchFault`."""
    from wfc.frontend import document_of, elaborate

    patched = document_of(apply_patch(given.documents[fix.file].value, fix.patch), fix.file)

    def find(document: Document, name: str) -> tuple[Document, ...]:
        found = (patched if one.name == fix.file else one for one in given.find(document, name))
        return tuple(one for one in found if name in one.workflow_names)

    root = patched if given.root.name == fix.file else given.root
    return Loaded(root, find, elaborate(root, find))


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
    found, examined = _findings(given, strict=False)
    checked = None if examined is None else accept(examined, found, unchecked=unchecked)
    if checked is None:
        raise CompileError(check(given))
    program = lower(checked)
    verify(program)
    return program, Report(tuple(_located(given, finding) for finding in found))


def load_ir(path: str | os.PathLike[str]) -> Program:
    """Read a compiled program. Raises `OSError`, or `IrFault` for a file that is no sound program."""
    return loads_ir(Path(path).read_bytes())


def loads_ir(text: str | bytes) -> Program:
    """Read a compiled program from its text; raises `IrFault`."""
    from wfc.ir import codec

    if isinstance(text, bytes):
        try:
            text = text.decode("utf-8")
        except UnicodeDecodeError as error:
            raise codec.IrFault(f"the program is no UTF-8 text: byte {error.start} begins no character") from None
    return codec.decode(text)
