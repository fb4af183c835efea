"""Options that several commands have, each with one name and one meaning."""

from __future__ import annotations

import click

as_json = click.option("--json", "as_json", is_flag=True, help="Print exactly one JSON document.")
no_color = click.option("--no-color", is_flag=True, help="Neither colour nor progress.")


def _named(context: click.Context, option: click.Parameter, given: str | None) -> str | None:
    """What was given; an empty text is a variable that was not set, and no wish for what is found anyway."""
    if given == "":
        raise click.UsageError("`--store` is empty; expected a path or an address, or the option left out", context)
    return given


store = click.option(
    "--store", metavar="PATH|URL", callback=_named, help="Where durable runs are kept; default: .wfc/wfc.db."
)
input = click.option("--input", "input_text", metavar="JSON|@FILE", help="The input; - reads it from standard input.")
set_value = click.option("--set", "settings", multiple=True, metavar="KEY=VALUE", help="A key of the input.")
run_id = click.option("--run-id", metavar="ID", help="The id of the new run; one that is in use is refused.")
trace = click.option(
    "--trace",
    "trace_file",
    metavar="FILE",
    help="Write the trace there, as JSON lines; - tells it as it happens, and the run as the last line.",
)
mock = click.option("--mock", "mock_file", metavar="FILE", help="Answer calls from the `mocks` of this JSON file.")
max_steps = click.option("--max-steps", type=click.IntRange(min=1), help="Fail the run after this many steps.")
update_lock = click.option(
    "--update-lock", "updates_lock", is_flag=True, help="Accept what the sources offer now, and write wfc.lock.json."
)
unchecked = click.option(
    "--unchecked", is_flag=True, help="Go on in spite of errors that the machine finds again by itself."
)
