"""`wfc diff`: what changed between two workflows, by what they mean."""

from __future__ import annotations

import click

from wfc import driver
from wfc.cli import options
from wfc.cli.exits import FINDINGS, OK, REFUSED
from wfc.cli.faults import findings_json
from wfc.cli.given import STANDARD_INPUT
from wfc.cli.programs import workflow_of
from wfc.cli.terminal import colours_results, decorates_remarks, put, put_json, say
from wfc.compared import compare
from wfc.comparing import comparison_json, comparison_text
from wfc.report import paint_if, render_findings


@click.command("diff")
@click.argument("old", metavar="OLD")
@click.argument("new", metavar="NEW")
@options.store
@options.as_json
@options.no_color
def command(old: str, new: str, store: str | None, as_json: bool, no_color: bool) -> int:
    """Compare two workflows, files in whatever form or `artifact:ID@N`, by what they mean: contracts, reducers,
    definitions, steps, wiring.

    Layout, spelling, and orders that mean nothing are no difference. It says as well whether NEW can take the place of
    OLD: its input, output, outcomes and effects. The exit code is 1 when there are differences.
    """
    if old == new == STANDARD_INPUT:
        raise click.UsageError("one of the two can be standard input, not both")
    first, second = (workflow_of(name, store) for name in (old, new))
    found = compare(first, second)
    if isinstance(found, driver.Loaded):
        _tell(found, as_json, no_color)
        return REFUSED
    if as_json:
        put_json(comparison_json(old, new, found.changes, found.interface))
    else:
        put(comparison_text(found.changes, found.interface, paint_if(colours_results(no_color))))
    return FINDINGS if found.changes else OK


def _tell(given: driver.Loaded, as_json: bool, no_color: bool) -> None:
    """Say why a workflow cannot be compared."""
    report = driver.check(given)
    findings = report.diagnostics
    if as_json:
        put(findings_json(report, given.texts))
    if findings:
        say(render_findings(findings, given.texts, paint_if(decorates_remarks(no_color))))
    say(f"error: {given.root.name} cannot be compared before this is mended")
