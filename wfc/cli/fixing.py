"""`wfc check --fix`, `--unsafe-fixes` and `--diff`: findings repaired in the files that hold them, or shown how."""

from __future__ import annotations

from collections.abc import Iterator

import click

from wfc.cli.checking import Input, Output, tell
from wfc.cli.exits import FINDINGS, OK
from wfc.cli.given import STANDARD_INPUT
from wfc.cli.terminal import one_line, put, say
from wfc.diagnostics import Fixed
from wfc.linting import Asked, Checked, Given, Mended, check_all, mend_all, write_back
from wfc.records import replace
from wfc.report import unified


def apply_fixes(given: Input, asked: Asked, output: Output, *, unsafe: bool) -> int:
    """Fix files in place, and tell what is left; of standard input the fixed text is the result."""
    if STANDARD_INPUT in given.paths:
        return _fix_stream(given, asked, output, unsafe)
    texts = {one.name: one for one in given.read()}
    checked = check_all(texts.values(), asked, given.tell)
    fixed: list[Fixed] = []
    # All are made before the first is written: otherwise a file would be fixed for what became of its children, and
    # `--diff` would not have shown that.
    for mended in list(_mended(checked, texts, asked, given, unsafe)):
        try:
            write_back(mended)
        except OSError as wrong:
            given.tell(wrong)
            continue
        texts[mended.given.name] = replace(mended.given, data=mended.data)
        fixed += mended.fixed
    if fixed:
        checked = check_all(texts.values(), asked, _unheard)
    _say_fixed(fixed)
    return tell(given, replace(checked, report=replace(checked.report, fixed=tuple(fixed))), output)


def show_fixes(given: Input, asked: Asked, output: Output, *, unsafe: bool) -> int:
    """Print what fixes would change, as one diff, and change nothing; exit code 1 when there is something."""
    if output.format.name != "text":
        raise click.UsageError(f"`--diff` prints a diff, and nothing as {output.format.name}")
    texts = {one.name: one for one in given.read()}
    checked = check_all(texts.values(), asked, given.tell)
    mended = list(_mended(checked, texts, asked, given, unsafe))
    put("".join(unified(one.given.name, one.before, one.after, output.paint) for one in mended))
    fixed = sum(len(one.fixed) for one in mended)
    say(f"would fix {_counted(fixed, 'finding')} in {_counted(len(mended), 'file')}")
    return given.code or (FINDINGS if mended else OK)


def _fix_stream(given: Input, asked: Asked, output: Output, unsafe: bool) -> int:
    if given.paths != (STANDARD_INPUT,):
        raise click.UsageError("what is fixed is either standard input or files, not both at once")
    (text,) = given.read()
    for mended in mend_all([text], asked, unsafe, given.tell):
        put(mended.data.decode())
        _say_fixed(mended.fixed)
        checked = check_all([replace(text, data=mended.data)], asked, given.tell)
        say(output.text(checked).rstrip("\n"))
        return given.code or (FINDINGS if checked.failing else OK)
    return given.code


def _mended(checked: Checked, texts: dict[str, Given], asked: Asked, given: Input, unsafe: bool) -> Iterator[Mended]:
    """The files that a fix changes. Only those for which one is offered are looked at again."""
    offered = {fix.file for found in checked.report.diagnostics for fix in found.fixes if fix.verified}
    mendable = [one for name, one in texts.items() if name in offered and name in checked.report.files]
    return (mended for mended in mend_all(mendable, asked, unsafe, given.tell) if mended.changed)


def _unheard(wrong: Exception) -> None:
    """What kept a text from being checked was told the first time."""


def _say_fixed(fixed: list[Fixed] | tuple[Fixed, ...]) -> None:
    for one in fixed:
        start = one.diagnostic.at.span.start if one.diagnostic.at.span else None
        where = f"{one.fix.file}:{start.line}:{start.column}" if start else one.fix.file
        code = one.diagnostic.code
        say(f"fixed {one_line(where)} {code.code} {code.rule}: {one_line(one.fix.title)}")


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" + ("" if count == 1 else "s")
