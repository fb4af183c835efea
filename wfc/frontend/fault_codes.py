"""What is said about a text that is no JSON document (WF001 to WF005)."""

from __future__ import annotations

from wfc.diagnostics import Code, Example, Severity
from wfc.ir import MAX_DEPTH

SYNTAX = Code(
    code="WF001",
    rule="syntax-error",
    severity=Severity.ERROR,
    message="found {got}, expected {expected}",
    help=(
        "in a `*.wf.json` write plain JSON: double quotes, no comments, no comma after the last entry; in a `*.wf` one "
        "construct a line, as in `fetch: web.get(url = input.url) -> page = text then end`; in both close every bracket"
    ),
    why=(
        "What cannot be read says nothing about the workflow, and guessing what was meant would compile something that "
        "nobody wrote. In JSON, comments, trailing commas and single quotes belong to other notations. A text (`*.wf`) "
        "is read statement by statement, so that one bad line hides no other: each is told with what could stand there "
        "and, for the usual slips, with a fix."
    ),
    example=Example(
        bad="""\
{"name": "a", "start": "s",
 "nodes": [{"id": "s", "type": "end", "outcome": "ok"}],}
                                                       ^
""",
        good="""\
{"name": "a", "start": "s",
 "nodes": [{"id": "s", "type": "end", "outcome": "ok"}]}
""",
    ),
)
DUPLICATE_KEY = Code(
    code="WF002",
    rule="duplicate-key",
    severity=Severity.ERROR,
    message="key `{key}` stands twice in one object, expected once",
    help="keep one of the two, or merge what they say",
    why=(
        "Most JSON readers silently keep the last of two equal keys, so half of what was written is lost. A workflow "
        "that loses a list of steps or a retry policy that way still looks complete."
    ),
    example=Example(
        bad="""\
{"name": "a", "start": "s", "start": "s",
                            ^^^^^^^
 "nodes": [{"id": "s", "type": "end", "outcome": "ok"}]}
""",
        good="""\
{"name": "a", "start": "s",
 "nodes": [{"id": "s", "type": "end", "outcome": "ok"}]}
""",
    ),
)
NOT_UTF8 = Code(
    code="WF003",
    rule="not-utf8",
    severity=Severity.ERROR,
    message="found {got}, expected text in UTF-8",
    help="save the file as UTF-8; a character outside the basic plane is written as itself or as a pair of escapes",
    why=(
        "Documents are exchanged between systems that agree on UTF-8 only. Half of a surrogate pair is no character: "
        "it cannot be stored, sent or compared, so it is refused where it enters."
    ),
    example=Example(
        bad="""\
{"name": "a", "desc": "\\ud83d",
                       ^^^^^^
 "start": "s", "nodes": [{"id": "s", "type": "end", "outcome": "ok"}]}
""",
        good="""\
{"name": "a", "desc": "\\ufffd",
 "start": "s", "nodes": [{"id": "s", "type": "end", "outcome": "ok"}]}
""",
    ),
)
NOT_JSON = Code(
    code="WF004",
    rule="not-json",
    severity=Severity.ERROR,
    message="found {got}, expected {expected}",
    help="write a number that JSON can hold, or the value as a string",
    why=(
        "Infinity, NaN and numbers beyond a double have no JSON form: every reader makes something else of them, and "
        "a value that changes between two systems is worse than none."
    ),
    example=Example(
        bad="""\
{"name": "a", "x-weight": NaN,
                          ^^^
 "start": "s", "nodes": [{"id": "s", "type": "end", "outcome": "ok"}]}
""",
        good="""\
{"name": "a", "x-weight": null,
 "start": "s", "nodes": [{"id": "s", "type": "end", "outcome": "ok"}]}
""",
    ),
)
TOO_DEEP = Code(
    code="WF005",
    rule="too-deep",
    severity=Severity.ERROR,
    message="found nesting beyond {limit} levels, expected at most {limit}",
    help="flatten the value, or pass it as input at run time",
    why=(
        "Readers, schemas and stores on the way of a workflow recurse into its values, and some of them crash instead "
        "of refusing. One limit for every door makes sure that what is accepted here is accepted everywhere."
    ),
    unrepaired="what of so deep a value is needed, and in which other shape, only its author can say",
    example=Example(
        bad=f'{{"x-deep":\n{"[" * MAX_DEPTH}{"]" * MAX_DEPTH}\n{" " * (MAX_DEPTH - 1)}^\n}}\n',
        good='{"name": "a", "start": "s", "nodes": [{"id": "s", "type": "end", "outcome": "ok"}]}\n',
    ),
)
CODES = (SYNTAX, DUPLICATE_KEY, NOT_UTF8, NOT_JSON, TOO_DEEP)
