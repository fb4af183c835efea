"""`wfc graph`: a workflow to look at, with its findings, or with what a run did in it."""

from __future__ import annotations

import click

from wfc import driver
from wfc.backends.emit.pictures import PICTURES, Picture, PictureForm
from wfc.backends.stores import open_store
from wfc.cli import options
from wfc.cli.given import STANDARD_INPUT, read_bytes
from wfc.cli.place import store_of
from wfc.cli.programs import is_program, program_of, stored_program, uncompiled, workflow_of
from wfc.cli.terminal import put, put_json
from wfc.drawing import draw_program, draw_run, draw_workflow
from wfc.ir import content_hash
from wfc.project import find_project
from wfc.replacing import write_whole
from wfc.runs import replaying

FORMAT = "wfc.graph/1"
_NAMES = [one.name for one in PICTURES]


@click.command("graph")
@click.argument("file", metavar="FILE|ARTIFACT|DEPLOYMENT", required=False)
@click.option(
    "--format", "form_name", type=click.Choice(_NAMES), help="How it is drawn; default: by OUT, else mermaid."
)
@click.option("-o", "--output", "target", metavar="OUT", help="Where to write it; default: standard output.")
@click.option("--run", "run_id", metavar="RUN", help="Draw the program of a run, and what the run did in it.")
@click.option("--strict", is_flag=True, help="Mark also what could not be proved.")
@options.store
@options.as_json
@options.no_color
def command(
    file: str | None,
    form_name: str | None,
    target: str | None,
    run_id: str | None,
    strict: bool,
    store: str | None,
    as_json: bool,
    no_color: bool,
) -> int:
    """Draw a workflow or a compiled program: regions as boxes, outcomes at the edges, findings at their steps.

    With --run, FILE can be left out: what is drawn is the program that the run is pinned to. A FILE that has become
    another program since is refused.
    """
    if file is None and run_id is None:
        raise click.UsageError("nothing to draw; expected FILE or `--run RUN`")
    form = _form(form_name, target)
    picture = (
        _of_run(run_id, file, store, no_color) if run_id is not None else _of_file(str(file), strict, store, no_color)
    )
    text = form.write(picture)
    written = None if target in (None, STANDARD_INPUT) else target
    if written is not None:
        write_whole(written, text.encode())
    if as_json:
        found = {"schema": FORMAT, "name": picture.name, "format": form.name, "file": written}
        put_json({**found, "text": text if written is None else None})
    else:
        put(text if written is None else f"{written}\n")
    return 0


def _form(name: str | None, target: str | None) -> PictureForm:
    """The form that is named, else the one that the name of the file ends like; printed, it is the first."""
    if name is None and target in (None, STANDARD_INPUT):
        return PICTURES[0]
    for one in PICTURES:
        if one.name == name or (name is None and str(target).endswith(one.suffix)):
            return one
    endings = ", ".join(one.suffix for one in PICTURES)
    raise click.UsageError(f"`{target}` says by its name no form of a picture; expected {endings}, or `--format`")


def _of_file(file: str, strict: bool, store: str | None, no_color: bool) -> Picture:
    if file.startswith("deployment:"):
        project = find_project()
        return draw_program(stored_program(file, project, store_of(project, store), no_color)[0])
    from_store = file.startswith("artifact:")
    if not from_store and is_program(file, data := read_bytes(file)):
        return draw_program(driver.loads_ir(data))
    given = workflow_of(file, store) if from_store else driver.loads(data, name=file)
    picture, report = draw_workflow(given, strict=strict)
    if picture is None:
        raise uncompiled(report, given, no_color)
    return picture


def _of_run(run_id: str, file: str | None, store: str | None, no_color: bool) -> Picture:
    opened = open_store(store_of(find_project(), store))
    stored = opened.load(run_id)
    program = driver.loads_ir(stored.new.program)
    if file is not None:
        given = program_of(file, unchecked=True, no_color=no_color)
        if content_hash(given) != content_hash(program):
            raise click.ClickException(
                f"{file} is another program than the one that the run `{run_id}` began with; "
                "leave out the file to draw what ran"
            )
    return draw_run(program, replaying.traced(program, stored, opened))
