"""`wfc check --watch`: checked again and again, as often as something changes, until Ctrl-C."""

from __future__ import annotations

import sys
from functools import partial

import click

from wfc.cli.checking import Input, Output, checked, tell
from wfc.cli.exits import OK
from wfc.cli.faults import told
from wfc.cli.given import STANDARD_INPUT
from wfc.cli.terminal import say
from wfc.linting import Asked, state_of, wait_for_change
from wfc.project import WORKFLOW_SUFFIXES, files_under
from wfc.records import replace


def watch(given: Input, asked: Asked, output: Output) -> int:
    """Check, wait for a change of anything that was looked at, and so on."""
    if STANDARD_INPUT in given.paths:
        raise click.UsageError("`--watch` looks at files, and standard input is none")
    seen: frozenset[str] | None = None
    while True:
        here, known = _state(given, frozenset()), state_of(seen or ())
        if sys.stdout.isatty():
            click.clear()
        try:
            found = checked(given, asked)
            tell(given, found, output)
            seen = found.seen
        except click.ClickException as wrong:
            # Who began with something to check may have it again in a moment: another branch, another name.
            if seen is None:
                raise
            told(wrong)
        # What was not known before counts from now on, and what is looked at no more does not count.
        before = {**state_of(seen), **{path: state for path, state in known.items() if path in seen}, **here}
        say("watching; Ctrl-C ends it")
        wait_for_change(before, partial(_state, given, seen))
        given = replace(given, code=OK, wrong=None)


def _state(given: Input, seen: frozenset[str]) -> dict[str, tuple[int, int] | None]:
    """The state of every file that is given by now, and of what else was looked at."""
    return state_of({*files_under(given.paths, WORKFLOW_SUFFIXES), *seen})
