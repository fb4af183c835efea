"""What people and models write by habit from other languages: known by its look, said in the words of this one.

A habit is a pattern that stands at the word which breaks a statement, or leads up to it, and what is meant by it here.
Texts in quotes and comments are no part of what patterns see. Whether a rewording can be read is judged by the caller.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from wfc.frontend.text.foreign_types import NATIVE, native
from wfc.records import dataclass
from wfc.source import Edit

_QUOTED = re.compile(r'"(?:[^"\\\n]|\\.)*"|#[^\n]*')
_PATH = r"[A-Za-z_][\w-]*(?:\.[A-Za-z_]\w*)*"
_NAME = r"[A-Za-z_][\w-]*"
_OPERAND = rf'(?:{_PATH}|"[^"\n]*"|-?[0-9][0-9.]*)'
_ELSE_IF = re.compile(r"\belse\s+if\b|\belif\b|\belsif\b|\belseif\b")
_TARGET = rf"(?:end[ ]+{_NAME}|{_NAME})"
# What is longer than anybody writes by hand is told in general terms.
_LONGEST = 2000


@dataclass(frozen=True, slots=True)
class Habit:
    """How something is said elsewhere: `pattern`; here as `meant`, a template of its groups or what makes it of a
    match; without it only `hint` is given, what to do here. `sure`: nothing else can have been meant."""

    pattern: re.Pattern[str]
    meant: str | Callable[[re.Match[str], str], str | None] | None
    hint: str
    sure: bool = True


@dataclass(frozen=True, slots=True)
class Reworded:
    """A habit met in a statement; `edit` says the same here, where that is known."""

    hint: str
    title: str = ""
    edit: Edit | None = None
    sure: bool = True


def habits_at(statement: str, at: int) -> Iterator[Reworded]:
    """The habits that a statement shows where it breaks, the most telling first; places count within the statement."""
    if len(statement) > _LONGEST:
        return
    plain = _QUOTED.sub(lambda found: _blank(found[0]), statement)
    for habit in HABITS:
        found = list(habit.pattern.finditer(plain))
        if any(one.start() <= at and not plain[one.end() : at].strip() for one in found):
            yield _reworded(habit, found, statement)


def _blank(quoted: str) -> str:
    """As long as it was, without anything that a pattern looks for."""
    return '"' + "~" * (len(quoted) - 2) + '"' if quoted[0] == '"' else " " * len(quoted)


def _reworded(habit: Habit, found: list[re.Match[str]], statement: str) -> Reworded:
    """All places of one habit in one change."""
    if habit.meant is None:
        return Reworded(habit.hint)
    first, last = found[0].start(), found[-1].end()
    pieces, behind, shown = [], first, ""
    for one in found:
        new = _filled(habit.meant, one, statement)
        if new is None:
            return Reworded(habit.hint)
        shown = shown or new
        pieces += [statement[behind : one.start()], new]
        behind = one.end()
    title = f"Write `{' '.join(shown.split())}`" if shown.strip() else f"Remove `{statement[first:last].strip()}`"
    return Reworded(habit.hint, title, Edit(first, last, "".join(pieces)), habit.sure)


def _filled(
    meant: str | Callable[[re.Match[str], str], str | None], found: re.Match[str], statement: str
) -> str | None:
    if callable(meant):
        return meant(found, statement)
    parts = re.split(r"\\([0-9])", meant)
    return "".join(statement[slice(*found.span(int(part)))] if place % 2 else part for place, part in enumerate(parts))


# -- what takes more than a template ----------------------------------------------------------------------------------


def _comment(found: re.Match[str], statement: str) -> str:
    """Each line of a comment behind its sign."""
    lines = (line.strip().strip("*").strip() for line in statement[found.start() + 2 : found.end() - 2].split("\n"))
    return "\n".join(f"# {line}" for line in lines if line)


def _doc(found: re.Match[str], statement: str) -> str:
    lines = (line.strip() for line in statement[found.start() : found.end()].strip('"').split("\n"))
    return "\n".join(f"# {line}" for line in lines if line)


def _else_if(found: re.Match[str], statement: str) -> str | None:
    """A second step, named after the first; a third after the second."""
    step = re.match(rf"\s*({_NAME})\s*:", statement)
    if step is None:
        return None
    number = 2 + len(_ELSE_IF.findall(statement, 0, found.start()))
    return f"else {step[1]}_{number}\n {step[1]}_{number}: if"


def _one_of(found: re.Match[str], statement: str) -> str | None:
    """A value that is one of some as comparisons with each."""
    values = re.findall(r'"(?:[^"\\\n]|\\.)*"|[\w.-]+', statement[slice(*found.span(3))])
    if not values:
        return None
    sign, word = ("!=", " and ") if found[2] else ("==", " or ")
    return f"({word.join(f'{found[1]} {sign} {value}' for value in values)})"


def _calculated(found: re.Match[str], statement: str) -> str:
    """A calculation is a call of its own, whose result is written."""
    target, left, sign, right = (statement[slice(*found.span(group))] for group in range(1, 5))
    return f'wf.std.calculate(operator = "{sign}", left = {left}, right = {right}) -> {target} = value on ok'


def _wait(found: re.Match[str], statement: str) -> str:
    number, unit = found[1], found[2]
    if unit.startswith(("ms", "milli")):
        return f"wait {float(number) / 1000:g}s"
    return f"wait {number}{unit[0]}"


def _native(found: re.Match[str], statement: str) -> str | None:
    return native(statement[found.start() : found.end()])


# -- the habits -------------------------------------------------------------------------------------------------------


def _habit(pattern: str, meant: str | Callable[[re.Match[str], str], str | None] | None, hint: str) -> Habit:
    return Habit(re.compile(pattern), meant, hint)


def _guess(pattern: str, meant: str | Callable[[re.Match[str], str], str | None] | None, hint: str) -> Habit:
    return Habit(re.compile(pattern), meant, hint, sure=False)


_COMMENTS = "a comment begins with `#`"
_TYPES = "a list is `[T]`, a record `{ name: T }`, a map `{ *: T }`, one of some `A | B`, what may be null `T | null`"
_CONDITIONS = (
    "a condition compares, as in `state.done == true`, or asks whether something is there: `exists state.done`"
)
_NULL = (
    "null is a value like any other: `state.x == null`; whether a value is there at all is asked by `exists state.x`"
)
_WAY = "a step leads on by `then NAME`, an outcome by a line `OUTCOME -> NAME` below its step"
_BLOCK = (
    "there are no blocks: a step leads to others by name, as in `then NAME else NAME`, and the body of a `foreach` is "
    "what `do NAME` leads to, until a step leads back"
)
_LOOP = "a loop is `NAME: foreach ITEM in PATH do NAME`, and the last step of its body leads back to it"
_STEPS = "a step is `NAME: DEFINITION(…)`, without a word in front"
_NUMBERS = (
    "nothing is calculated in place: `wf.std.calculate` does, `wf.std.join_text` and `wf.std.template` make texts"
)
_FIELDS = "a field is required unless it is marked `?` or has a default, as in `name?: string`"
_REDUCERS = "how a write meets what is there is said by `by`, as in `names: [string] by append = []`"
_IMPORTS = (
    "nothing is imported: a definition says `uses SOURCE.TOOL`, and other workflows are found by their name, in this "
    "text or beside it"
)
HABITS: tuple[Habit, ...] = (
    _habit(r"/\*(?:[^*]|\*(?!/))*\*/", _comment, _COMMENTS),
    _habit(r'"""~*"""', _doc, _COMMENTS),
    _habit(r"//|(?<![\w-])--(?!>)", "#", _COMMENTS),
    _habit(NATIVE, _native, _TYPES),
    # Conditions
    _habit(rf"({_PATH})\s+is\s+(?:not|NOT)\s+(?:None|null|nil|undefined)\b", r"\1 != null", _NULL),
    _habit(rf"({_PATH})\s+is\s+(?:None|null|nil|undefined)\b", r"\1 == null", _NULL),
    _habit(rf"({_PATH})\s+is\s+not\s+({_OPERAND})", r"\1 != \2", _CONDITIONS),
    _habit(rf"({_PATH})\s+is\s+({_OPERAND})", r"\1 == \2", _CONDITIONS),
    _habit(rf"\b(?:exists|has|defined|is_?set)\s*\(\s*({_PATH})\s*\)", r"exists \1", _CONDITIONS),
    _habit(rf"({_PATH})\s+exists\b", r"exists \1", _CONDITIONS),
    _habit(rf"({_PATH})\s+(not\s+)?in\s*[\[(]([^\])]*)[\])]", _one_of, _CONDITIONS),
    _habit(r"<>", "!=", _CONDITIONS),
    _habit(r"!(?=\s*(?:\(|exists\b))\s*", "not ", _CONDITIONS),
    _guess(rf"!\s*({_PATH})(?=\s*(?:then|else|and|or|&&|\|\||\)|$))", r"\1 == false", _CONDITIONS),
    _habit(r"!(?=[A-Za-z_])", "not ", _CONDITIONS),
    _guess(rf"\bif\s+not\s+({_PATH})(?=\s+(?:then|else)\b)", r"if \1 == false", _CONDITIONS),
    _guess(rf"\bif\s+({_PATH})(?=\s+(?:then|else)\b)", r"if \1 == true", _CONDITIONS),
    # Ways
    Habit(_ELSE_IF, _else_if, "a second condition is a step of its own"),
    _habit(
        rf"\{{\s*({_TARGET})\s*\}}\s*else\s*\{{\s*({_TARGET})\s*\}}",
        r"then \1 else \2",
        _BLOCK,
    ),
    _habit(rf"(?<=\S)\s*\{{\s*({_TARGET})\s*\}}\s*$", r" then \1", _BLOCK),
    _habit(rf"(\n\s*{_NAME}|^\s*{_NAME})\s+(?:goto|go\s+to|jump)\s+(?={_NAME}\s*$)", r"\1 -> ", _WAY),
    _habit(rf"\b(?:goto|go\s+to|jump)\s+(?={_NAME})", "then ", _WAY),
    _habit(rf"\breturn\s+({_NAME})\s*$", r"end \1", "a run ends at `end OUTCOME`; what it gives is said by `output`"),
    _habit(r"\breturn\s*$", "end", "a run ends at `end OUTCOME`; what it gives is said by `output`"),
    _habit(rf"\bend\s*\(\s*({_NAME})\s*\)", r"end \1", "a run ends at `end OUTCOME`"),
    _habit(rf"(?<=\n)(\s*)on\s+(?={_NAME}\s*->)", r"\1", _WAY),
    _habit(rf"^(\s*)({_NAME})\.({_NAME})\s*->", r"\1edge \2 \3 ->", _WAY),
    # Loops and regions
    _habit(rf"\bfor\s*\(\s*({_NAME})\s+(?:in|of)\s+({_PATH})\s*\)", r"foreach \1 in \2", _LOOP),
    _habit(rf"\bfor(?:\s+each|each)?\s+({_NAME})\s+(?:in|of)\s+(?={_PATH})", r"foreach \1 in ", _LOOP),
    _habit(rf"\bforeach\s+({_PATH})\s+as\s+({_NAME})", r"foreach \2 in \1", _LOOP),
    _habit(rf"\bparallel\s+(foreach\s+{_NAME}\s+in\s+{_PATH})", r"\1 parallel", _LOOP),
    _guess(r"\bwhile\b([^\n{]*?)\bdo\b", r"if\1then", "a loop is an `if` to which its last step leads back"),
    _habit(r"\b(?:switch|match|case)\b", None, "what differs by a value is a step `if` for each, one after the other"),
    _habit(rf"\bfork\s*[\[{{(]\s*({_NAME}(?:\s*,\s*{_NAME})*)\s*[\]}})]", r"fork \1", "branches stand behind `fork`"),
    _habit(rf"\bjoin\s*\(?\s*{_NAME}(?:\s*,\s*{_NAME})*\s*\)?(?<!then)(?=\s|$)", "join", "a `join` names no branches"),
    # Steps and their clauses
    _habit(rf"^(\s*)(?:step|node|task|call)\s+(?={_NAME}\s*:)", r"\1", _STEPS),
    _habit(rf"(?<=:)(\s*)(?:call|await|try|run|invoke|do|exec)\s+(?={_PATH}\s*\()", r"\1", _STEPS),
    _habit(
        rf"(?<=:)\s*(?:set\s+|let\s+)?((?:state\.)?{_PATH})\s*=\s*({_OPERAND})\s*([-+*/%])\s*({_OPERAND})",
        lambda found, statement: " " + _calculated(found, statement),
        _NUMBERS,
    ),
    _habit(rf"(?<=:)(\s*)(?:let\s+|var\s+)?({_PATH}\s*)=(?!=)", r"\1set \2=", "state is written by `set NAME = VALUE`"),
    _habit(r"(?<=[\w\")\]~])\s*(?:[-+*/%])\s*(?=[\w\"(])|\?(?=[^:\n]*:)", None, _NUMBERS),
    _habit(r"=[^\n?]*\?[^\n:]*:", None, "what depends on a condition is written by a step behind each way of an `if`"),
    _habit(r"\b[fr]\"", None, 'a text with holes is made by a step: `wf.std.template(text = "… {name}", values = …)`'),
    _habit(
        r"\bwait\s*\(?\s*([0-9.]+)\s*(milliseconds?|ms|seconds?|secs?|minutes?|mins?|hours?)\)?(?=\s|$)",
        _wait,
        "a time is `30s`, `5m` or `1h`",
    ),
    _habit(
        r"\b(retry|timeout|max|errors)\s*(?:\(\s*([\w.]+)\s*\)|[:=]\s*([\w.]+))", r"\1 \2\3", "a clause is `retry 3`"
    ),
    _habit(
        rf"\bcatch\s*\(\s*({_NAME}(?:\s*[|,]\s*{_NAME})*)\s*\)",
        r"catch \1",
        "an error is caught by `catch CODE as NAME`",
    ),
    _guess(
        rf"\bcatch\s+({_NAME})\s*->\s*({_TARGET})\s*$",
        "catch \\1 as caught\n   caught -> \\2",
        "what is caught becomes an outcome, `catch CODE as NAME`, which has an edge",
    ),
    _guess(
        r"\binterrupt\s*(?=\()",
        "interrupt approval",
        "a question has a kind: `approval`, `text_input`, `choice`, `tool_auth` or a name of your own",
    ),
    _habit(
        rf"\bsubgraph\s+artifact\s*:?\s*({_NAME})\s*[@:]\s*([0-9]+)",
        r"subgraph artifact \1 \2",
        "a published workflow is named by its id and version: `subgraph artifact ID 2(…)`",
    ),
    _habit(rf"\bsubgraph\s+(?:{_NAME}\.)+({_NAME})", r"subgraph \1", "a workflow is named by its name alone"),
    # Declarations
    _habit(
        rf"^(\s*)(?:fn|func|function|tool|action|node|define)\s+(?={_NAME}\s*\()",
        r"\1def ",
        "a contract begins with `def`",
    ),
    _habit(r"(?<=\))\s*:\s*(?=[\w\[{])", " -> ", "what a definition gives stands behind `->`"),
    _habit(rf"({_NAME})\s*:\s*optional\s+", r"\1?: ", _FIELDS),
    _habit(rf"({_NAME})(\s*:\s*[^,\n;}}]*?)\s+optional\b", r"\1?\2", _FIELDS),
    _habit(r"\s+required\b(?=\s*[,;}=\n])", "", _FIELDS),
    _habit(rf"({_NAME})\s*:\s*([\w\[\]$]+)\?(?=\s*[,;)}}=\n])", r"\1?: \2", _FIELDS),
    _habit(
        rf"(?<=[{{(,;\n])(\s*)(string|integer|number|boolean|object|array|str|int|float|bool)\s+({_NAME})(?=\s*[,;)}}=\n])",
        r"\1\3: \2",
        "a field is `name: TYPE`",
    ),
    _habit(r"\s*;(?=[^{}]*\})", ",", "fields are parted by commas or line ends"),
    _habit(
        rf"\s*(?:@|\b(?:with\s+)?(?:reducer|reduce|merge|operator)\s*[:=]?\s+|\breducer\s*[:=]\s*|\bby\s*[:=]\s*)({_PATH})",
        r" by \1",
        _REDUCERS,
    ),
    _habit(r":=", "=", "a default stands behind `=`"),
    _habit(
        rf"^(\s*)(input|state|output)\s*:?\s+({_NAME}\??(?:\s*:[^{{\n]*)?)\s*$",
        r"\1\2 { \3 }",
        "fields stand in braces",
    ),
    _habit(r"^\s*(?:import|include|require|use|using)\b[^\n]*", "", _IMPORTS),
    _habit(r"^\s*from\s+\S+\s+import\b[^\n]*", "", _IMPORTS),
    _habit(r"^\s*(?:steps|nodes|tasks|flow|edges|graph)\s*:?\s*\{", "", "steps and edges stand in the workflow itself"),
    _guess(rf"(\bforeach\s+{_NAME}\s+in\s+{_PATH}[^{{\n]*?)\s*\{{\s*$", r"\1 do", _BLOCK),
    _guess(r"(\bif\b[^{\n]*?)\s*\{\s*$", r"\1 then", _BLOCK),
    _habit(r"\{\s*$", None, _BLOCK),
)
