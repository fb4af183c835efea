"""Text in: the content of a file becomes a document, or everything that is wrong with it at once. Never raises."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import Any

from wfc.diagnostics import Applicability, Diagnostic, Fix, close_match
from wfc.frontend.decoding import decoded
from wfc.frontend.document import Document, diagnostic_of, refused
from wfc.frontend.fault_codes import DUPLICATE_KEY, SYNTAX, TOO_DEEP
from wfc.frontend.faults import Fault, value_faults
from wfc.frontend.text.assemble import LACKS_A_STEP, OPENS_NONE, Assembled, assemble
from wfc.frontend.text.build_steps import Statement
from wfc.frontend.text.document import Sheet, TextDocument
from wfc.frontend.text.foreign_types import ELSEWHERE
from wfc.frontend.text.lexer import Clash, Strange
from wfc.frontend.text.parser import Broken, Parsed, parse
from wfc.frontend.text.parts import Part, Stretch, an_object
from wfc.frontend.text.syntax import said_of
from wfc.frontend.text.words import TYPE_WORDS
from wfc.ir import MAX_DEPTH, SUSPECT, is_shallow
from wfc.records import replace
from wfc.source import Edit, Source

# Each costs some further readings of its statement.
_MOST_REPAIRS = 200
_COMMENT = re.compile(r'"(?:[^"\\\n]++|\\.)*+"|(#[^\n\r]*)')
_TEXT = re.compile(r'"(?:[^"\\\n]++|\\.)*+"')
_HEAD = re.compile(r"(?:main\s+)?workflow\b")
_STEP = re.compile(r'(?:[A-Za-z_][\w-]*|"(?:[^"\\\n]|\\.)*")\s*:')
_BRACES = re.compile(r"[{}]")


def read_text(name: str, data: bytes | str) -> Document:
    """Read a document from the content of a text file. `name` is the file as the user gave it. Never raises."""
    text, wrong = decoded(data)
    if wrong:
        return refused(name, text, wrong)
    parsed = parse(text)
    comments = comments_of(text) if "#" in text else []
    made = assemble(_with_lost(parsed, text), comments, text, parsed.clashes)
    found = [*_faults(parsed, made, text), *_suspects(text)]
    if not found and not parsed.statements and not parsed.broken:
        found = [_empty(text)]
    if not found and not is_shallow(made.document.value):
        found = [Fault(TOO_DEEP, *_deepest(made.document), (), {"limit": MAX_DEPTH})]
    if not found and not parsed.broken and not any(isinstance(one, Strange) for one in parsed.clashes):
        sheet = Sheet(made.document, tuple(parsed.statements), made.pointers, tuple(comments))
        return TextDocument(name, made.document.value, True, (), text, sheet=sheet)
    source = Source(name, text)
    told = [_structural(source, fault) for fault in found]
    told += (_broken(source, one, place < _MOST_REPAIRS) for place, one in enumerate(parsed.broken))
    told += [_strange(source, one) for one in _untold(parsed.clashes, told)]
    unique = {(one.at.span, one.code.code): one for one in told}
    ordered = sorted(unique.values(), key=lambda one: (one.at.span.start, one.code.code) if one.at.span else ())
    return TextDocument(name, None, False, tuple(ordered), text)


def _untold(clashes: list[Clash | Strange], told: list[Diagnostic]) -> list[Strange]:
    """The strange words that no repair rewords anyway."""
    edits = sorted((edit.start, edit.end) for one in told for fix in one.fixes[:1] for edit in fix.edits)
    strange = [one for one in clashes if isinstance(one, Strange)]
    starts = [start for start, _ in edits]
    places = [bisect_right(starts, one.at[0]) - 1 for one in strange]
    return [one for one, at in zip(strange, places, strict=True) if at < 0 or edits[at][1] <= one.at[0]]


def comments_of(text: str) -> list[Stretch]:
    """Where the comments of a text stand."""
    return [found.span(1) for found in _COMMENT.finditer(text) if found[1] is not None]


def _with_lost(parsed: Parsed, text: str) -> list[Statement]:
    """The statements with one for each head and step that cannot be read, so that what follows stands below it."""
    lost = []
    for broken in parsed.broken:
        for kind, key, opening in (("head", "name", _HEAD), ("json", "id", _STEP)):
            if opening.match(text, broken.start):
                part = an_object(broken.start, broken.end)
                part.put(key, Part("", broken.start, broken.end))
                lost.append(Statement(kind, part, None, start=broken.start, end=broken.end))
    return sorted([*parsed.statements, *lost], key=lambda one: one.start) if lost else parsed.statements


def _faults(parsed: Parsed, made: Assembled, text: str) -> list[Fault]:
    clashes = [one for one in parsed.clashes if isinstance(one, Clash)]
    found = [Fault(DUPLICATE_KEY, *one.again, (), {"key": _shown(one, text)}, one.first) for one in clashes]
    unsure = any(_BRACES.search(text, one.start, one.end) for one in parsed.broken)
    return [*found, *(() if unsure else made.faults), *(() if parsed.broken else made.unled)]


def _shown(clash: Clash, text: str) -> str:
    """A key as its author wrote it."""
    written = text[slice(*clash.again)].strip('"')
    return written if written and written.isprintable() and " " not in written else clash.key


def _suspects(text: str) -> list[Fault]:
    """What the parser lets pass and no document may hold: halves of surrogate pairs, integers without end."""
    if not SUSPECT.search(text):
        return []
    found: list[Fault] = []
    for each in _TEXT.finditer(text):
        found += value_faults(text, each.start())
    return [fault for fault in found if fault.code is not SYNTAX]


def _empty(text: str) -> Fault:
    facts = {"got": "the end of the text", "expected": "`workflow NAME {`"}
    return Fault(SYNTAX, len(text), len(text), (), facts, hint="a text holds one workflow or several")


def _deepest(part: Part) -> Stretch:
    """Where a value is nested too deeply."""
    level: list[Any] = [part]
    for _ in range(MAX_DEPTH):
        inside = [one.inside.values() if isinstance(one.inside, dict) else one.inside for one in level if one.inside]
        below = [one for parts in inside for one in parts if isinstance(one.value, (dict, list))]
        if not below:
            break
        level = below
    return level[0].stretch  # type: ignore[no-any-return]


def _structural(source: Source, fault: Fault) -> Diagnostic:
    """A fault between statements, with the brace or the end that it asks for."""
    told = diagnostic_of(source, fault)
    if fault.code is SYNTAX and fault.facts["expected"] == LACKS_A_STEP:
        # A step may have been forgotten as well.
        return _mended(told, source, ("Add `end`", Edit(fault.start, fault.start, " end")), Applicability.UNSAFE)
    if fault.code is SYNTAX and fault.facts["expected"] == OPENS_NONE:
        return _mended(told, source, ("Remove `}`", Edit(fault.start, fault.end, "")))
    if fault.code is not SYNTAX or not str(fault.facts["expected"]).startswith("`}`"):
        return told
    at = fault.start
    text = "}\n" if source.text[at:].strip() else "\n}"
    return told.with_fixes((Fix("Add `}`", source.name, (), edits=(Edit(at, at, text),)),))


def _strange(source: Source, found: Strange) -> Diagnostic:
    """A word that is no type, with the type that is surely meant."""
    meant = ELSEWHERE.get(found.word.lower()) or close_match(found.word, TYPE_WORDS)
    expected = "a type such as `string`, `[integer]` or `{ name: string }`" + (f"; nearest: `{meant}`" if meant else "")
    facts = {"got": f"`{found.word}`", "expected": expected, "allowed": list(TYPE_WORDS)}
    hint = "a type of your own is named `$Name`, and declared beside the fields: `$Name: { … }`"
    told = diagnostic_of(source, Fault(SYNTAX, *found.at, (), facts, hint=hint))
    if meant is None:
        return told
    return told.with_fixes((Fix(f"Write `{meant}`", source.name, (), edits=(Edit(*found.at, meant),)),))


def _broken(source: Source, broken: Broken, repairs: bool) -> Diagnostic:
    if broken.value and not source.text.startswith("{{", broken.found.start):
        faults = list(value_faults(source.text, broken.found.start))
        if faults:
            # Where a literal ends is told by the text around it, of which its scan knows nothing.
            repair = said_of(broken, source.text, repairs=repairs).repair
            return _mended(diagnostic_of(source, replace(faults[0], mends=())), source, repair)
    said = said_of(broken, source.text, repairs=repairs)
    fault = Fault(SYNTAX, said.start, said.end, (), {"got": said.got, "expected": said.expected}, hint=said.hint)
    return _mended(diagnostic_of(source, fault), source, said.repair, None if said.sure else Applicability.UNSAFE)


def _mended(
    told: Diagnostic, source: Source, repair: tuple[str, Edit] | None, trust: Applicability | None = None
) -> Diagnostic:
    if repair is None:
        return told
    title, edit = repair
    # What is taken out may have been meant otherwise.
    usual = Applicability.SAFE if edit.text else Applicability.UNSAFE
    return told.with_fixes((Fix(title, source.name, (), trust or usual, edits=(edit,)),))
