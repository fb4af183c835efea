"""How a check is told: its report as the result, everything else as remarks, and the exit code that it deserves."""

from __future__ import annotations

from collections.abc import Iterator

import click

from wfc.cli.exits import FINDINGS, OK
from wfc.cli.faults import put_error, told
from wfc.cli.given import STANDARD_INPUT, given_files, read_bytes
from wfc.cli.terminal import colours_results, put, say
from wfc.linting import Asked, Checked, Given, check_all
from wfc.project import WORKFLOW_SUFFIXES
from wfc.records import dataclass
from wfc.report import Format, Paint, paint_if


@dataclass(slots=True)
class Input:
    """The paths of a command. `code` is the exit code for those that could not be checked, and `wrong` what was
    wrong with the last of them."""

    paths: tuple[str, ...]
    stdin_filename: str | None
    code: int = OK
    wrong: Exception | None = None

    def read(self) -> Iterator[Given]:
        """The texts that are meant. A file that cannot be read is told."""
        for path in given_files(self.paths, WORKFLOW_SUFFIXES):
            try:
                data = read_bytes(path)
            except OSError as wrong:
                self.tell(wrong)
                continue
            if path == STANDARD_INPUT:
                yield Given(self.stdin_filename or path, data, is_file=False)
            else:
                yield Given(path, data)

    def tell(self, wrong: Exception) -> None:
        self.code, self.wrong = told(wrong), wrong


@dataclass(frozen=True, slots=True)
class Output:
    """How a report is written down."""

    format: Format
    no_color: bool

    @property
    def paint(self) -> Paint:
        return paint_if(colours_results(self.no_color))

    def text(self, found: Checked) -> str:
        return self.format.render(found.report, found.sources, self.paint)


def check_once(given: Input, asked: Asked, output: Output) -> int:
    return tell(given, checked(given, asked), output)


def tell(given: Input, found: Checked, output: Output) -> int:
    """Write the report, unless nothing could be checked, and return the exit code."""
    if found.report.files:
        put(output.text(found))
    elif given.wrong is not None and output.format.name == "json":
        put_error(given.wrong, given.code)
    return given.code or (FINDINGS if found.failing else OK)


def checked(given: Input, asked: Asked) -> Checked:
    """What is found, after the baselines have been compared with it or brought up to date."""
    found = check_all(given.read(), asked, given.tell)
    if asked.updates_baseline and found.report.files and not found.measured:
        raise click.UsageError("`--update-baseline` needs a baseline: `--baseline FILE`, or `baseline` in `[check]`")
    if not found.measured:
        return found
    from wfc.linting import stale_baselines, update_baselines

    updated = update_baselines(found) if asked.updates_baseline else stale_baselines(found)
    for remark in updated.remarks:
        say(remark)
    return updated.checked
