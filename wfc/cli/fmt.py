"""`wfc fmt`: workflows in canonical layout, in either form, or from one form to the other."""

from __future__ import annotations

import os

import click

from wfc.cli import options
from wfc.cli.exits import FINDINGS, OK
from wfc.cli.faults import told
from wfc.cli.given import STANDARD_INPUT, given_files, read_bytes
from wfc.cli.terminal import colours_results, decorates_remarks, put, put_json, say
from wfc.frontend import FORMS, PATH_FORMS, Document, Form, PathForm, canonical_text, comment_count, read_document
from wfc.project import WORKFLOW_SUFFIXES
from wfc.records import dataclass
from wfc.replacing import write_over, write_whole
from wfc.report import paint_if, render_findings, unified

FORMAT = "wfc.formatted/1"


@dataclass(frozen=True, slots=True)
class Layout:
    """What is asked for; `to` none: the form that a document has."""

    to: Form | None
    paths: PathForm
    no_color: bool


@dataclass(frozen=True, slots=True)
class Laid:
    """A file before, as it was read, and after; `document` is what it says."""

    document: Document
    form: Form
    before: str
    after: str

    @property
    def changed(self) -> bool:
        return self.before != self.after


@click.command("fmt")
@click.argument("paths", nargs=-1, required=True, metavar="PATH…")
@click.option("--check", "wanted", flag_value="check", help="Change nothing; exit code 1 when something would change.")
@click.option("--diff", "wanted", flag_value="diff", help="Show what would change, and change nothing.")
@click.option("--to", type=click.Choice(FORMS), help="Print it in this form.")
@click.option("-o", "--output", "target", metavar="FILE", help="Write it there; - prints it.")
@click.option("--paths", "path_form", type=click.Choice(PATH_FORMS), default="dotted", help="How JSON writes paths.")
@click.option("--stdin-filename", metavar="NAME", help="What standard input is the content of.")
@options.as_json
@options.no_color
def command(
    paths: tuple[str, ...],
    wanted: str | None,
    to: Form | None,
    target: str | None,
    path_form: PathForm,
    stdin_filename: str | None,
    as_json: bool,
    no_color: bool,
) -> int:
    """Bring workflow files, and those in folders, into canonical layout, in place.

    With --to, -o, or - for standard input, the one file that is meant is printed, or written elsewhere. Comments, x-
    keys and the order of lists stay; older spellings become today's. A file with faults that keep it from being read
    stays as it is, and the exit code is 1.
    """
    layout = Layout(to, path_form, no_color)
    elsewhere = to is not None or target is not None or STANDARD_INPUT in paths
    if elsewhere and wanted is not None:
        raise click.UsageError(f"`--{wanted}` looks at files in place, without `--to`, `-o` and standard input")
    if elsewhere and as_json:
        raise click.UsageError("`--json` tells of files in place, without `--to`, `-o` and standard input")
    if elsewhere and len(paths) != 1:
        raise click.UsageError("`--to`, `-o` and standard input take one file")
    if elsewhere:
        return _elsewhere(paths[0], stdin_filename, layout, target)
    laid, code = _all(paths, layout)
    changed = [one for one in laid if one.changed]
    same = _files(len(laid) - len(changed))
    if wanted is None:
        changed, code = _written(changed, code)
    if as_json:
        names = {one.document.name for one in changed}
        files = [{"file": one.document.name, "changed": one.document.name in names} for one in laid]
        put_json({"schema": FORMAT, "files": files})
    elif wanted == "diff":
        paint = paint_if(colours_results(no_color))
        put("".join(unified(one.document.name, one.before, one.after, paint) for one in changed))
    else:
        put("".join(f"{one.document.name}\n" for one in changed))
    say(f"{'would lay out' if wanted else 'laid out'} {_files(len(changed))}, {same} as they were")
    return code or (FINDINGS if wanted and changed else OK)


def _elsewhere(path: str, name: str | None, layout: Layout, target: str | None) -> int:
    if os.path.isdir(path):
        raise click.UsageError(f"{path} is a folder; `--to` and `-o` take one file")
    one = _laid((name or path) if path == STANDARD_INPUT else path, read_bytes(path), layout)
    if one is None:
        return FINDINGS
    lost = comment_count(one.document) if one.form == "json" else 0
    if lost:
        say(f"note: JSON has no place for {lost} comment{'' if lost == 1 else 's'} of {one.document.name}")
    if target in (None, STANDARD_INPUT):
        put(one.after)
    else:
        write_whole(str(target), one.after.encode())
    return OK


def _all(paths: tuple[str, ...], layout: Layout) -> tuple[list[Laid], int]:
    """Every file that can be read, and the exit code for the others."""
    made, code = [], OK
    for path in given_files(paths, WORKFLOW_SUFFIXES):
        try:
            one = _laid(path, read_bytes(path), layout)
        except OSError as wrong:
            code = told(wrong)
            continue
        if one is None:
            code = code or FINDINGS
        else:
            made.append(one)
    return made, code


def _laid(name: str, data: bytes, layout: Layout) -> Laid | None:
    """A text in canonical layout; none, with what is wrong with it, for one that cannot be read."""
    from wfc.frontend import form_of

    document = read_document(name, data)
    if not document.readable:
        paint = paint_if(decorates_remarks(layout.no_color))
        say(render_findings(document.diagnostics, {name: document.source}, paint))
        return None
    form = layout.to or form_of(name, data)
    if form == "text" and layout.paths == "structural":
        raise click.UsageError("`--paths structural` is for JSON; in the text form a path has one spelling")
    return Laid(document, form, data.decode(), canonical_text(document, form, layout.paths))


def _written(changed: list[Laid], code: int) -> tuple[list[Laid], int]:
    """Those that could be written, and the exit code for the others."""
    done = []
    for one in changed:
        try:
            write_over(one.document.name, one.before.encode(), one.after.encode())
        except OSError as wrong:
            code = told(wrong)
            continue
        done.append(one)
    return done, code


def _files(count: int) -> str:
    return f"{count} file" + ("" if count == 1 else "s")
