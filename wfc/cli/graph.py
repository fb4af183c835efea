"""`wfc graph`: a workflow to look at, with its findings, or with what a run did in it."""

from __future__ import annotations

from pathlib import Path

import click

from wfc import driver
from wfc.backends.emit.pictures import PICTURES, Picture, PictureForm
from wfc.backends.stores import open_store
from wfc.cli import options
from wfc.cli.exits import FINDINGS
from wfc.cli.given import STANDARD_INPUT, read_bytes
from wfc.cli.place import store_of
from wfc.cli.programs import is_program
from wfc.cli.terminal import put, put_json, say
from wfc.drawing import draw_program, draw_run, draw_workflow
from wfc.ir import content_hash
from wfc.project import find_project

FORMAT = "wfc.graph/1"
_NAMES = [one.name for one in PICTURES]


@click.command("graph")
@click.argument("file", metavar="FILE", required=False)
@click.option(
    "--format", "form_name", type=click.Choice(_NAMES), help="How it is drawn; default: by OUT, else mermaid."
)
@click.option("-o", "--output", "target", metavar="OUT", help="Where to write it; default: standard output.")
@click.option("--run", "run_id", metavar="RUN", help="Draw the program of a run, and what the run did in it.")
@click.option("--strict", is_flag=True, help="Mark also what could not be proved.")
@options.store
@options.as_json
def command(
    file: str | None,
    form_name: str | None,
    target: str | None,
    run_id: str | None,
    strict: bool,
    store: str | None,
    as_json: bool,
) -> int:
    """Draw a workflow or a compiled program: regions as boxes, outcomes at the edges, findings at their steps.

    With --run, FILE can be left out: what is drawn is the program that the run is pinned to. A FILE that has become
    another program since is refused.
    """
    if file is None and run_id is None:
        raise click.UsageError("nothing to draw; expected FILE or `--run RUN`")
    form = _form(form_name, target)
    picture = _of_file(file, strict) if run_id is None and file is not None else _of_run(str(run_id), file, store)
    text = form.write(picture)
    written = None if target in (None, STANDARD_INPUT) else target
    if written is not None:
        Path(written).write_text(text, encoding="utf-8")
    if as_json:
        found = {"schema": FORMAT, "name": picture.name, "format": form.name, "file": written}
        put_json({**found, "text": text if written is None else None})
    else:
        put(text if written is None else f"{written}\n")
    return 0


def _form(name: str | None, target: str | None) -> PictureForm:
    """The form that is named, else the one that the name of the file ends like."""
    for one in PICTURES:
        if one.name == name or (name is None and target is not None and target.endswith(one.suffix)):
            return one
    return PICTURES[0]


def _of_file(file: str, strict: bool) -> Picture:
    data = read_bytes(file)
    if is_program(file, data):
        return draw_program(driver.loads_ir(data))
    picture, report = draw_workflow(driver.loads(data, name=file), strict=strict)
    if picture is None:
        for found in report.diagnostics:
            where = f"{found.at.file}:{found.at.span.start.line}:" if found.at.span else f"{found.at.file}:"
            say(f"{where} {found.code.code} {found.message}")
        raise click.exceptions.Exit(FINDINGS)
    return picture


def _of_run(run_id: str, file: str | None, store: str | None) -> Picture:
    stored = open_store(store_of(find_project(), store)).load(run_id)
    program = driver.loads_ir(stored.program)
    if file is not None:
        data = read_bytes(file)
        given = (
            driver.loads_ir(data)
            if is_program(file, data)
            else driver.compile(driver.loads(data, name=file), unchecked=True)
        )
        if content_hash(given) != stored.state.program_hash:
            raise click.ClickException(
                f"{file} is another program than the one that the run `{run_id}` began with; "
                "leave out the file to draw what ran"
            )
    return draw_run(program, stored.state)
