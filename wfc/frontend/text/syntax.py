"""What is said of a statement that breaks the grammar: what was found, what could stand there, and a likely repair.

Guarantees: a repair is only offered where the statement can be read with it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from wfc.diagnostics import close_match
from wfc.frontend.text.lexer import END, Lexeme
from wfc.frontend.text.meant import breaks_at, meant_by
from wfc.frontend.text.parser import Broken, language
from wfc.frontend.text.words import SIMPLE_TYPES
from wfc.records import dataclass
from wfc.source import Edit, edited

# Kinds of word that together are one thing, by what they have in common, and what it is called.
_GROUPS: tuple[tuple[frozenset[str], frozenset[str], str], ...] = (
    (
        frozenset({"WORKFLOW", "DEF", "START"}),
        frozenset(
            {
                "WORKFLOW",
                "MAIN",
                "SECTION",
                "OUTCOMES",
                "DEF",
                "START",
                "WITH",
                "JSON",
                "EDGE",
                "RBRACE",
                "NAME",
                "STRING",
            }
        ),
        "a statement: `input`, `state`, `output`, `outcomes`, `def`, `start`, a step or an edge",
    ),
    (
        frozenset({"IF", "FOREACH", "FORK"}),
        frozenset(
            {"IF", "FOREACH", "FORK", "JOIN", "WAIT", "INTERRUPT", "SUBGRAPH", "END", "SET", "NAME", "PATH", "STRING"}
        ),
        "what the step does: a definition, `if`, `foreach`, `fork`, `join`, `wait`, `interrupt`, `subgraph`, `set`"
        " or `end`",
    ),
    (
        frozenset({"LSQB", "LBRACE", "NAMED"}),
        frozenset({"LSQB", "LBRACE", "NAMED", "LPAR", "NAME", "STRING", "NUMBER", "JSON"}),
        "a type such as `string`, `[integer]` or `{ name: string }`",
    ),
    (
        frozenset({"EXISTS", "NOT"}),
        frozenset({"EXISTS", "NOT", "LPAR", "AND", "OR", "JSON", "NAME", "PATH", "VALUE"}),
        "a condition such as `state.x == 1`",
    ),
    (
        frozenset({"THEN", "CATCH"}),
        frozenset(
            {
                "THEN",
                "ELSE",
                "DO",
                "CATCH",
                "RETRY",
                "TIMEOUT",
                "LOCALS",
                "PARALLEL",
                "SERIAL",
                "MAX",
                "ERRORS",
                "REQUEST",
                "WITH",
                "OUTCOMES",
            }
        ),
        "a clause such as `then` or `catch`",
    ),
    (
        frozenset({"USES", "EFFECTS"}),
        frozenset({"USES", "EFFECTS", "RETRY", "TIMEOUT", "OUTCOMES", "WITH"}),
        "a clause such as `uses` or `effects`",
    ),
    (
        frozenset({"RANGE", "WHERE"}),
        frozenset({"RANGE", "WHERE", "IN", "ONLY", "DESC", "COMPARED"}),
        "more of the type",
    ),
    (frozenset({"VALUE", "PATH"}), frozenset({"VALUE", "PATH", "NAME"}), "a path or a JSON value"),
    (
        frozenset({"NAME", "PATH", "DOT"}),
        frozenset({"NAME", "PATH", "STRING", "DOT", "JSON"}),
        "a binding such as `name = state.x`",
    ),
    (frozenset({"NAME", "PATH"}), frozenset({"NAME", "PATH", "STRING"}), "a name or a path"),
    (frozenset({"NAME", "STRING"}), frozenset({"NAME", "STRING"}), "a name"),
    (frozenset({"DURATION"}), frozenset({"DURATION", "NUMBER"}), "a time such as `30s`"),
)
_WORDS = {
    END: "the end of the line",
    "NAME": "a name",
    "PATH": "a path",
    "STRING": "a text in double quotes",
    "NUMBER": "a number",
    "VALUE": "a JSON value",
    "COMPARED": "a comparison such as `==`",
    "SECTION": "`input`, `state` or `output`",
    "RANGE": "a range such as `0..10`",
    "NAMED": "a named type such as `$Item`",
}
_MEANT = {
    "=>": "->",
    "-->": "->",
    "\u2192": "->",
    "\u21d2": "->",
    "===": "==",
    "!==": "!=",
    "&&": "and",
    "||": "or",
    ":=": "=",
}
_MISSING = (
    ("ARROW", " ->"),
    ("COLON", ":"),
    ("EQUAL", " ="),
    ("COMMA", ","),
    ("RPAR", ")"),
    ("RBRACE", " }"),
    ("RSQB", "]"),
    ("LBRACE", " {"),
)
_WRAPPED = re.compile(r"(?:\$\{|\{\{|\$\.?)\s*\$?\.?([A-Za-z_][A-Za-z0-9_.]*)\s*(?:\}\}|\})?")
_ONLY_BLANKS = re.compile(r"\s*\Z")
_SHOWN = 40
# JSON in a text is known by its first brace.
_BEGINNING = 200


@dataclass(frozen=True, slots=True)
class Said:
    """A broken statement in words; `repair` is an edit with its title, `sure` that nothing else can be meant by it."""

    start: int
    end: int
    got: str
    expected: str
    hint: str
    repair: tuple[str, Edit] | None
    sure: bool = True


def said_of(broken: Broken, text: str, *, repairs: bool = True) -> Said:
    """What to say about a broken statement; a repair is only looked for where that is asked."""
    found = broken.found
    end_of_line = found.type in (END, "COMMA") and found.text in ("", "\n")
    if found.type == END and _ONLY_BLANKS.match(text, found.start):
        got = "the end of the text"
    elif end_of_line:
        got = "the end of the line"
    else:
        got = f"`{_shown(found.text)}`"
    habit = meant_by(broken, text) if repairs else None
    repair = next(_repairs(broken, text), None) if repairs and habit is None else None
    at = broken.before.end if end_of_line and broken.before is not None else found.start
    end = at if end_of_line else max(found.end, at + 1)
    expected = expected_words(broken.wanted)
    if habit is not None:
        repair = None if habit.edit is None else (habit.title, habit.edit)
        return Said(at, end, got, expected, habit.hint, repair, habit.sure)
    return Said(at, end, got, expected, _hint(broken, repair, text), repair)


def _shown(text: str) -> str:
    line = text.split("\n")[0]
    return line if len(line) <= _SHOWN else line[: _SHOWN - 3] + "..."


def expected_words(wanted: tuple[str, ...]) -> str:
    """What could stand there, in plain words."""
    left, told = set(wanted), []
    for sign, members, words in _GROUPS:
        if sign <= left:
            told.append(words)
            left -= members
    signs = {
        kind: word for table in (language().words.keywords, language().words.signs) for word, kind in table.items()
    }
    rest = sorted(left - {"_NL"}, key=lambda kind: (kind == END, kind))
    told += [_WORDS.get(kind) or f"`{signs[kind]}`" for kind in rest if kind in _WORDS or kind in signs]
    if not told:
        return "a path or a JSON value"
    return told[0] if len(told) == 1 else f"{', '.join(told[:-1])} or {told[-1]}"


_HINTS = (
    (('"',), "the text is not closed on its line, or holds an escape that JSON does not have"),
    (("'",), "a text stands in double quotes, as in JSON"),
    (("$",), "a path is written as it is, such as `state.name`, without braces or a dollar sign"),
    ((".", "["), "a path has names only; an element of an array is taken by a step with `wf.std.index`"),
)


def _hint(broken: Broken, repair: tuple[str, Edit] | None, text: str) -> str:
    found, wanted = broken.found, broken.wanted
    if text.startswith("{{", found.start):
        return _HINTS[2][1]
    if found.text == "{" and not text[: min(found.start, _BEGINNING)].strip() and found.start < _BEGINNING:
        return "this looks like JSON, which belongs into a file `*.wf.json`; a text begins with `workflow NAME {`"
    if "COMPARED" in wanted and "RANGE" not in wanted:
        return (
            "a condition compares, as in `state.done == true`, or asks whether something is there: `exists state.done`"
        )
    for beginnings, hint in _HINTS:
        if text.startswith(beginnings, found.start):
            return hint
    if repair is not None:
        return f"most likely meant: {repair[0][0].lower()}{repair[0][1:]}"
    if found.type == END and not {"RPAR", "RBRACE", "RSQB"}.isdisjoint(wanted):
        return "a bracket is still open here"
    return (
        "one construct stands on a line; a name that is a keyword, or holds other characters, stands in double quotes"
    )


# -- repairs ----------------------------------------------------------------------------------------------------------


def _repairs(broken: Broken, text: str) -> Iterator[tuple[str, Edit]]:
    """Changes with which the statement can be read; else those of a slip for certain that lets it be read further."""
    if broken.value and not text.startswith("{{", broken.found.start):
        yield from (one for one in _swapped(broken, text) if _broken_at(one[1], broken, text) is None)
        return
    further = []
    for title, edit in _candidates(broken, text):
        breaks_at = _broken_at(edit, broken, text)
        if breaks_at is None:
            yield title, edit
        elif breaks_at > edit.start + len(edit.text) and _is_slip(broken.found):
            further.append((title, edit))
    yield from further


def _is_slip(found: Lexeme) -> bool:
    return found.text in _MEANT or found.text.startswith("'") or found.type in ("COLON", "EQUAL")


def _broken_at(edit: Edit, broken: Broken, text: str) -> int | None:
    """Where the statement breaks with a change made in it; none where it can be read."""
    piece = text[broken.start : broken.end]
    moved = Edit(edit.start - broken.start, edit.end - broken.start, edit.text)
    if moved.start < 0 or moved.end > len(piece):
        return broken.start
    at = breaks_at(edited(piece, [moved]))
    return None if at is None else broken.start + at


def _candidates(broken: Broken, text: str) -> Iterator[tuple[str, Edit]]:
    found, before, wanted = broken.found, broken.before, broken.wanted
    behind = before.end if before is not None else broken.start
    meant = _MEANT.get(found.text)
    if meant is not None:
        yield _written(meant, found.start, found.end)
    if found.type == "BAD" and len(found.text) > 1 and found.text[0] == found.text[-1] == "'":
        literal = json.dumps(found.text[1:-1], ensure_ascii=False)
        yield "Write it in double quotes", Edit(found.start, found.end, literal)
    wrapped = _WRAPPED.match(text, found.start)
    if wrapped is not None:
        yield _written(wrapped[1], *wrapped.span())
    yield from _swapped(broken, text)
    yield from _nearest(broken, text)
    if len(wanted) == 1 and (word := _keyword(wanted[0])) is not None:
        yield _written(word, found.start, found.end)
        yield f"Add `{word}`", Edit(behind, behind, f" {word}")
    for kind, sign in _MISSING:
        if kind in wanted:
            yield f"Add `{sign.strip()}`", Edit(behind, behind, sign)
    first = _first_word(broken, text)
    if "NAME" in wanted and found.type in language().words.keywords.values():
        yield f"Write `{found.text}` in double quotes", Edit(found.start, found.end, f'"{found.text}"')
    if first is not None and found.type in ("COLON", "ARROW", "VBAR"):
        yield f"Write `{first[2]}` in double quotes", Edit(first[0], first[1], f'"{first[2]}"')
    if found.type != END and found.text not in (".", "[", "{"):
        yield f"Remove `{_shown(found.text)}`", Edit(behind, found.end, "")


def _keyword(kind: str) -> str | None:
    """The one keyword of a kind."""
    words = [word for word, known in language().words.keywords.items() if known == kind]
    return words[0] if len(words) == 1 else None


def _swapped(broken: Broken, text: str) -> Iterator[tuple[str, Edit]]:
    """A colon for an equals sign or a brace, and the other way."""
    found, before = broken.found, broken.before
    behind = before.end if before is not None else broken.start
    if found.type == "COLON":
        yield _written("{", behind, found.end, " {")
        yield _written("=", behind, found.end, " =")
    if found.type == "EQUAL":
        yield _written("==", found.start, found.end)
        yield _written(":", behind, found.end, ":")
    if before is not None and before.type == "EQUAL":
        start = before.start
        while start > broken.start and text[start - 1] in " \t":
            start -= 1
        yield _written(":", start, before.end, ":")
        yield _written("==", before.start, before.end)
    if before is not None and before.type == "COLON":
        yield _written("=", before.start, before.end, " =")


def _written(sign: str, start: int, end: int, text: str | None = None) -> tuple[str, Edit]:
    return f"Write `{sign}`", Edit(start, end, sign if text is None else text)


def _nearest(broken: Broken, text: str) -> Iterator[tuple[str, Edit]]:
    """Words that are nearly keywords, in the place of what was found, or of what stands in front."""
    keywords = language().words.keywords
    found, before = broken.found, broken.before
    wanted = [word for word, kind in keywords.items() if kind in broken.wanted]
    places: list[tuple[int, int, str, list[str]]] = []
    if found.type in ("NAME", "BAD") or found.type in keywords.values():
        places.append((found.start, found.end, found.text, wanted))
    if before is not None and before.type == "NAME":
        places.append((before.start, before.end, before.text, [*keywords, *SIMPLE_TYPES]))
    first = _first_word(broken, text)
    if first is not None:
        places.append((*first, list(keywords)))
    for start, end, word, known in places:
        meant = close_match(word, known)
        if meant is not None and meant != word:
            yield _written(meant, start, end)


def _first_word(broken: Broken, text: str) -> tuple[int, int, str] | None:
    end = broken.start
    while end < broken.end and (text[end].isalnum() or text[end] in "_-"):
        end += 1
    word = text[broken.start : end]
    return (broken.start, end, word) if word else None


__all__ = ["Lexeme", "Said", "expected_words", "said_of"]
