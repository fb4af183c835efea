"""`wfc test`: workflow test files, run."""

from __future__ import annotations

import click

from wfc.cli import options
from wfc.cli.exits import FINDINGS, OK
from wfc.cli.faults import told
from wfc.cli.given import given_files, read, read_bytes
from wfc.cli.terminal import put, put_json
from wfc.project import TEST_SUFFIXES, ConfigFault
from wfc.testing import Result, TestFileFault, results_json, results_text, run_scenario, scenarios


@click.command("test")
@click.argument("paths", nargs=-1, required=True, metavar="PATH…")
@options.as_json
def command(paths: tuple[str, ...], as_json: bool) -> int:
    """Run workflow test files, or folders searched for *.wftest.json."""
    results: list[Result] = []
    code = OK
    for path in given_files(paths, TEST_SUFFIXES):
        try:
            results += [run_scenario(scenario) for scenario in scenarios(read(path, read_bytes(path)))]
        except (OSError, ConfigFault, TestFileFault) as wrong:
            code = told(wrong)
    if as_json:
        put_json(results_json(results))
    else:
        put(results_text(results))
    return code or (OK if all(result.ok for result in results) else FINDINGS)
