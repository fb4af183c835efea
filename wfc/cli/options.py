"""Options that several commands have, each with one name and one meaning."""

from __future__ import annotations

import click

as_json = click.option("--json", "as_json", is_flag=True, help="Print exactly one JSON document.")
no_color = click.option("--no-color", is_flag=True, help="Neither colour nor progress.")
store = click.option("--store", metavar="PATH", help="Where durable runs are kept; default: .wfc/wfc.db.")
mock = click.option("--mock", "mock_file", metavar="FILE", help="Answer calls from the `mocks` of this JSON file.")
max_steps = click.option("--max-steps", type=click.IntRange(min=1), help="Fail the run after this many steps.")
unchecked = click.option(
    "--unchecked", is_flag=True, help="Go on in spite of errors that the machine finds again by itself."
)
