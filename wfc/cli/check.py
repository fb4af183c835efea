"""`wfc check`: what is wrong with workflows, before they run."""

from __future__ import annotations

import click

from wfc.cli import options
from wfc.cli.checking import Input, Output, check_once
from wfc.diagnostics import Severity
from wfc.linting import Asked
from wfc.report import FORMATS, STATISTICS, Format

_FORMATS = [one.name for one in FORMATS]
_LEVELS = [one.value for one in Severity]


@click.command("check")
@click.argument("paths", nargs=-1, required=True, metavar="PATH…")
@click.option("--format", "format_name", type=click.Choice(_FORMATS), default="text", help="How findings are told.")
@click.option("--json", "format_name", flag_value="json", help="The same as --format json.")
@click.option("--strict", is_flag=True, help="Also report what could not be proved, as errors.")
@click.option("--select", multiple=True, metavar="CODE", help="Only these codes (WF4: all that begin so) or rules.")
@click.option("--ignore", multiple=True, metavar="CODE", help="Not these; adds to what the configuration ignores.")
@click.option("--fail-level", type=click.Choice(_LEVELS), help="What makes it exit with 1; default: error.")
@click.option("--fix", "fixes", is_flag=True, help="Apply safe fixes, and tell what is left.")
@click.option("--unsafe-fixes", is_flag=True, help="Apply also fixes after which a workflow may mean something else.")
@click.option("--diff", "shows", is_flag=True, help="Show what fixes would change, and change nothing.")
@click.option("--baseline", metavar="FILE", help="Do not tell what this file knows.")
@click.option("--update-baseline", is_flag=True, help="Write it where it is not there; else take out what is gone.")
@click.option("--statistics", is_flag=True, help="How often each code was found, instead of every finding.")
@click.option("--watch", "watches", is_flag=True, help="Check again whenever something changes, until Ctrl-C.")
@click.option("--no-cache", is_flag=True, help="Check what is known already as well.")
@click.option("--stdin-filename", metavar="NAME", help="What standard input is the content of.")
@options.no_color
def command(
    paths: tuple[str, ...],
    format_name: str,
    strict: bool,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    fail_level: str | None,
    fixes: bool,
    unsafe_fixes: bool,
    shows: bool,
    baseline: str | None,
    update_baseline: bool,
    statistics: bool,
    watches: bool,
    no_cache: bool,
    stdin_filename: str | None,
    no_color: bool,
) -> int:
    """Check workflow files, folders (searched for *.wf and *.wf.json), or standard input (-).

    A finding is told when --select names it (or nothing is selected), and neither --ignore, the configuration's ignore
    and per-file-ignores, nor a baseline do. Errors that leave a run without meaning are always told. It exits with 1
    when something is told at or above the fail level, whatever the format; 2 when something could not be checked.
    """
    asked = Asked(
        strict=strict,
        select=select,
        ignore=ignore,
        fail_level=Severity(fail_level) if fail_level else None,
        baseline=baseline,
        updates_baseline=update_baseline,
        cached=not no_cache,
    )
    given = Input(paths, stdin_filename)
    output = Output(_format(format_name, statistics), no_color)
    if fixes or unsafe_fixes or shows:
        _alone("--watch", watches)
        _alone("--update-baseline", update_baseline)
        from wfc.cli.fixing import apply_fixes, show_fixes

        return (show_fixes if shows else apply_fixes)(given, asked, output, unsafe=unsafe_fixes)
    if watches:
        from wfc.cli.watching import watch

        return watch(given, asked, output)
    return check_once(given, asked, output)


def _format(name: str, statistics: bool) -> Format:
    formats = STATISTICS if statistics else FORMATS
    for one in formats:
        if one.name == name:
            return one
    raise click.UsageError(f"`--statistics` is told as {' or '.join(one.name for one in formats)}, not as {name}")


def _alone(option: str, given: bool) -> None:
    if given:
        raise click.UsageError(f"`{option}` goes with no option that fixes something")
