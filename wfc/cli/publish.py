"""`wfc publish`: a workflow kept as an immutable version."""

from __future__ import annotations

import click

from wfc import driver
from wfc.cli import options
from wfc.cli.exits import OK
from wfc.cli.given import read_bytes
from wfc.cli.place import store_of
from wfc.cli.programs import uncompiled
from wfc.cli.terminal import put, put_json
from wfc.formats import ARTIFACT_FORMAT as FORMAT
from wfc.project import find_project
from wfc.publishing import is_artifact, publish


@click.command("publish")
@click.argument("file", metavar="FILE")
@click.option("--id", "artifact_id", metavar="ID", help="The id of the artifact; default: the name of the workflow.")
@options.store
@options.as_json
@options.no_color
def command(file: str, artifact_id: str | None, store: str | None, as_json: bool, no_color: bool) -> int:
    """Keep a workflow that checks clean as the next version of an artifact.

    Its children by name are kept with it. What a version holds already gives that version.
    """
    if is_artifact(file):
        raise click.UsageError(f"`{file}` is how a version is called; expected a file, such as `./{file}`")
    kept = store_of(find_project(file), store)
    given = driver.loads(read_bytes(file), name=file, store=kept)
    try:
        made = publish(given, kept, artifact_id)
    except driver.CompileError as stopped:
        raise uncompiled(stopped.report, given, no_color) from None
    one = made.artifact
    if as_json:
        told = {"artifact_id": one.artifact_id, "version": one.version, "hash": one.hash, "new": made.is_new}
        put_json({"schema": FORMAT, **told})
    else:
        put(f"{one} {one.hash}{'' if made.is_new else ' (was there already)'}\n")
    return OK
