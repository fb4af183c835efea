"""`wfc compile`: a workflow, checked and lowered to a program."""

from __future__ import annotations

import click

from wfc.backends.emit import FORMS, emit
from wfc.cli import options
from wfc.cli.asking import IR_SUFFIX
from wfc.cli.given import STANDARD_INPUT
from wfc.cli.programs import program_of
from wfc.cli.terminal import put, put_json
from wfc.ir import content_hash
from wfc.project import WORKFLOW_SUFFIXES
from wfc.replacing import write_whole

FORMAT = "wfc.compiled/1"


@click.command("compile")
@click.argument("file", metavar="FILE")
@click.option("-o", "--output", "target", metavar="OUT", help="Where to write it; - prints it.")
@click.option("--emit", "form", type=click.Choice([one.name for one in FORMS]), default="ir", help="What to write.")
@options.unchecked
@options.as_json
@options.no_color
def command(file: str, target: str | None, form: str, unchecked: bool, as_json: bool, no_color: bool) -> None:
    """Compile a workflow to a program, by default as *.wfir.json beside it. Assembly is printed."""
    program = program_of(file, unchecked=unchecked, no_color=no_color)
    text = emit(program, form)
    written = target or (_beside(file) if form == "ir" and file != STANDARD_INPUT else STANDARD_INPUT)
    printed = written == STANDARD_INPUT
    if not printed:
        write_whole(written, (text.rstrip("\n") + "\n").encode())
    known = {"schema": FORMAT, "name": program.name, "hash": content_hash(program)}
    if as_json:
        put_json({**known, "file": None if printed else written, "text": text if printed else None})
    elif printed:
        put(text.rstrip("\n") + "\n")
    else:
        put(f"{written} {known['hash']}\n")


def _beside(file: str) -> str:
    suffix = next((one for one in (IR_SUFFIX, *WORKFLOW_SUFFIXES, ".json") if file.endswith(one)), "")
    return file.removesuffix(suffix) + IR_SUFFIX
