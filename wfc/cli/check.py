"""`wfc check`: what is wrong with workflows, before they run."""

from __future__ import annotations

import click

from wfc import driver
from wfc.cli import options
from wfc.cli.exits import FINDINGS, OK
from wfc.cli.faults import told
from wfc.cli.given import given_files, load_workflow
from wfc.cli.terminal import colours_results, put
from wfc.diagnostics import Report, Severity
from wfc.frontend import Document
from wfc.passes import blocks
from wfc.project import WORKFLOW_SUFFIXES, CheckSettings, ConfigFault, find_project
from wfc.report import FORMATS, Selection, chosen, combined, fails, paint_if


@click.command("check")
@click.argument("paths", nargs=-1, required=True, metavar="PATH…")
@click.option("--format", "format_name", type=click.Choice([one.name for one in FORMATS]), default="text")
@click.option("--json", "format_name", flag_value="json", help="The same as --format json.")
@click.option("--strict", is_flag=True, help="Also report what could not be proved, as errors.")
@click.option("--select", multiple=True, metavar="CODE", help="Only these codes (WF4: all that begin so) or rules.")
@click.option("--ignore", multiple=True, metavar="CODE", help="Not these codes or rules.")
@click.option("--fail-level", type=click.Choice([one.value for one in Severity]), help="What makes it exit with 1.")
@options.no_color
def command(
    paths: tuple[str, ...],
    format_name: str,
    strict: bool,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    fail_level: str | None,
    no_color: bool,
) -> int:
    """Check workflow files, folders (searched for *.wf.json), or standard input (-)."""
    documents: dict[str, Document] = {}
    reports: list[Report] = []
    failing, code = False, OK
    for path in given_files(paths, WORKFLOW_SUFFIXES):
        try:
            settings = find_project(path).settings.check
            given = load_workflow(path)
        except (OSError, ConfigFault) as wrong:
            code = told(wrong)
            continue
        report = driver.check(given, strict=strict or settings.strict)
        report = chosen(report, _selection(settings, select, ignore), blocks)
        failing = failing or fails(report, Severity(fail_level or settings.fail_level))
        documents |= given.documents
        reports.append(report)
    if reports:
        render = next(one.render for one in FORMATS if one.name == format_name)
        put(render(combined(reports), documents, paint_if(colours_results(no_color))))
    return code or (FINDINGS if failing else OK)


def _selection(settings: CheckSettings, select: tuple[str, ...], ignore: tuple[str, ...]) -> Selection:
    """What the command line says, and where it says nothing the configuration; what is ignored adds up."""
    return Selection(select or settings.select, (*settings.ignore, *ignore), settings.per_file_ignores)
