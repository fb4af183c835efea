"""Everything that is said about one diagnostic, made from its one value (reference 3, `wfc explain`)."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

from wfc.diagnostics import Code, nearest
from wfc.report.paint import Paint, plain

FORMAT = "wfc.explain/1"
LIST_FORMAT = "wfc.codes/1"
_WIDTH = 100
_MARKS = re.compile(r"[ ]*\^[ ^]*")


def find_code(codes: Sequence[Code], word: str) -> Code | None:
    """The code of that number or rule name, in upper or lower case."""
    wanted = word.lower()
    return next((code for code in codes if wanted in (code.code.lower(), code.rule.lower())), None)


def nearest_codes(codes: Sequence[Code], word: str) -> list[str]:
    """Numbers and rule names, those most like `word` first."""
    return nearest(word, [name for code in codes for name in (code.code, code.rule)])


def unmarked(bad: str) -> str:
    """The document of an example: its text without the lines of carets."""
    return "\n".join(line for line in bad.split("\n") if not _MARKS.fullmatch(line))


def render_explain(code: Code, findings: str, paint: Paint = plain) -> str:
    """The page about a code; `findings` is what is reported for the bad example, as text."""
    sections = [
        f"{paint(f'{code.code} {code.rule}', code.severity.value)} ({_severity(code)})",
        textwrap.fill(code.message, _WIDTH),
        textwrap.fill(code.why, _WIDTH),
        f"{paint('What to do:', 'strong')} {code.help}",
        code.unrepaired and textwrap.fill(f"No repair is offered: {code.unrepaired}.", _WIDTH),
        f"{paint('With this document', 'strong')}\n\n{_indented(unmarked(code.example.bad))}",
        *(
            f"{paint(f'beside `{name}`', 'strong')}\n\n{_indented(text)}"
            for name, text in sorted(code.example.beside.items())
        ),
        _config(code.example.config, paint),
        f"{paint('`wfc check` says', 'strong')}\n\n{_indented(findings)}",
        f"{paint('and with this one nothing', 'strong')}\n\n{_indented(code.example.good)}",
        _config(code.example.mended or {}, paint),
    ]
    return "\n\n".join(section for section in sections if section) + "\n"


def render_list(codes: Sequence[Code], paint: Paint = plain) -> str:
    """A line for each code: number, rule, and when it is an error."""
    width = max((len(code.rule) for code in codes), default=0)
    rows = ((paint(code.code, code.severity.value), f"{code.rule:<{width}}", _severity(code)) for code in codes)
    return "".join("  ".join(row) + "\n" for row in rows)


def list_json(codes: Sequence[Code]) -> dict[str, Any]:
    """The same for programs."""
    return {"schema": LIST_FORMAT, "codes": [_known(code) for code in codes]}


def explain_json(code: Code, findings: list[dict[str, Any]]) -> dict[str, Any]:
    """The same for programs; `findings` as in `wfc.diagnostics/1`."""
    return {
        "schema": FORMAT,
        **_known(code),
        "message": code.message,
        "help": code.help,
        "why": code.why,
        **({"unrepaired": code.unrepaired} if code.unrepaired else {}),
        "bad": unmarked(code.example.bad),
        "good": code.example.good,
        "beside": dict(code.example.beside),
        **({"config": code.example.config} if code.example.config else {}),
        **({"mended": code.example.mended} if code.example.mended is not None else {}),
        "findings": findings,
    }


def _known(code: Code) -> dict[str, Any]:
    return {"code": code.code, "rule": code.rule, "severity": code.severity.value, "strict": code.strict.value}


def _severity(code: Code) -> str:
    told = {"same": code.severity.value, "only": "an error, reported under `--strict` only"}
    return told.get(code.strict.value, f"{code.severity.value}, an error under `--strict`")


def _config(config: Mapping[str, Any], paint: Paint) -> str:
    """What an example knows of sources; empty where it needs none."""
    if not config:
        return ""
    text = json.dumps(config, indent=1, sort_keys=True)
    return f"{paint('where the configuration and the lock hold', 'strong')}\n\n{_indented(text)}"


def _indented(text: str) -> str:
    return "\n".join(f"    {line}".rstrip() for line in text.strip("\n").split("\n"))
