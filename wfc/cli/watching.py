"""`wfc check --watch`: checked again and again, as often as something changes, until Ctrl-C."""

from __future__ import annotations

import sys
from functools import partial

import click

from wfc.cli.checking import Input, Output, checked, tell
from wfc.cli.exits import OK
from wfc.cli.given import STANDARD_INPUT, given_files
from wfc.cli.terminal import say
from wfc.linting import Asked, state_of, wait_for_change
from wfc.project import WORKFLOW_SUFFIXES
from wfc.records import replace


def watch(given: Input, asked: Asked, output: Output) -> int:
    """Check, wait for a change of anything that was looked at, and so on."""
    if STANDARD_INPUT in given.paths:
        raise click.UsageError("`--watch` looks at files, and standard input is none")
    seen: frozenset[str] = frozenset()
    while True:
        before = _state(given, seen)
        if sys.stdout.isatty():
            click.clear()
        found = checked(given, asked)
        tell(given, found, output)
        say("watching; Ctrl-C ends it")
        # What was not known before counts from now on.
        before = {**state_of(found.seen), **before}
        seen = found.seen
        wait_for_change(before, partial(_state, given, seen))
        given = replace(given, code=OK)


def _state(given: Input, seen: frozenset[str]) -> dict[str, tuple[int, int] | None]:
    """The state of every file that is given by now, and of what else was looked at."""
    return state_of({*given_files(given.paths, WORKFLOW_SUFFIXES), *seen})
