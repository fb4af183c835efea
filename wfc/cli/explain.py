"""`wfc explain`: everything about one diagnostic, from its one value."""

from __future__ import annotations

import click

from wfc import driver
from wfc.checking import CODES as CHECKING_CODES
from wfc.cli import options
from wfc.cli.terminal import colours_results, put, put_json
from wfc.diagnostics import Strict
from wfc.frontend import CODES as READING_CODES
from wfc.passes import CODES as PASS_CODES
from wfc.passes import PENDING
from wfc.project import catalogue_of_example
from wfc.report import (
    diagnostic_json,
    explain_json,
    find_code,
    list_json,
    nearest_codes,
    paint_if,
    render_explain,
    render_findings,
    render_list,
    unmarked,
)

CODES = tuple(sorted((*READING_CODES, *PASS_CODES, *CHECKING_CODES), key=lambda code: code.code))
_EXAMPLE_NAME = "example.wf.json"


@click.command("explain")
@click.argument("code", required=False, metavar="[CODE]")
@options.as_json
@options.no_color
def command(code: str | None, as_json: bool, no_color: bool) -> None:
    """Explain one diagnostic, by its code (WF101) or its rule (unknown-target); without CODE list all of them."""
    if code is None:
        _list(as_json, no_color)
        return
    found = find_code(CODES, code)
    if found is None:
        raise click.ClickException(_unknown(code))
    given = driver.loads(
        unmarked(found.example.bad),
        name=_EXAMPLE_NAME,
        beside=found.example.beside,
        catalogue=catalogue_of_example(found.example.config),
    )
    findings = driver.check(given, strict=found.strict is Strict.ONLY).diagnostics
    if as_json:
        put_json(explain_json(found, [diagnostic_json(one, given.texts) for one in findings]))
        return
    paint = paint_if(colours_results(no_color))
    put(render_explain(found, render_findings(findings, given.texts, paint), paint))


def _list(as_json: bool, no_color: bool) -> None:
    if as_json:
        put_json(list_json(CODES))
    else:
        put(render_list(CODES, paint_if(colours_results(no_color))))


def _unknown(word: str) -> str:
    for code, rule in PENDING:
        if word.lower() in (code.lower(), rule):
            return f"`{code}` ({rule}) has no pass in this version, so nothing is reported under it"
    return f"`{word}` is neither a code nor a rule; nearest: `{nearest_codes(CODES, word)[0]}`"
