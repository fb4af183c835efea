"""`wfc artifacts`: the published workflows in a store."""

from __future__ import annotations

import click

from wfc.backends.stores import ArtifactSummary, open_store
from wfc.cli import options
from wfc.cli.exits import FINDINGS, OK, REFUSED
from wfc.cli.place import store_of
from wfc.cli.terminal import colours_results, put, put_json, say
from wfc.compared import Compared, compare
from wfc.comparing import comparison_json, comparison_text
from wfc.formats import ARTIFACT_FORMAT as SHOW_FORMAT
from wfc.project import find_project
from wfc.publishing import found_artifact, loaded_artifact
from wfc.report import paint_if

LIST_FORMAT = "wfc.artifacts/1"


@click.group("artifacts")
def command() -> None:
    """Look at published workflows."""


@command.command("list")
@click.argument("artifact_id", metavar="[ID]", required=False)
@options.store
@options.as_json
def list_artifacts(artifact_id: str | None, store: str | None, as_json: bool) -> int:
    """All versions, or those of one artifact."""
    found = open_store(store_of(find_project(), store)).library.artifacts(artifact_id)
    if as_json:
        put_json({"schema": LIST_FORMAT, "artifacts": [_told(one) for one in found]})
    else:
        put("".join(f"{one} {one.hash} {one.workflow}\n" for one in found))
    return OK


@command.command("show")
@click.argument("reference", metavar="artifact:ID@N")
@options.store
@options.as_json
def show(reference: str, store: str | None, as_json: bool) -> int:
    """The document of a version, as JSON that can be checked, run and published again."""
    found = found_artifact(reference, open_store(store_of(find_project(), store)).library)
    if as_json:
        put_json({"schema": SHOW_FORMAT, **_told(found.summary), "document": found.document})
    else:
        put(found.document)
    return OK


@command.command("diff")
@click.argument("old", metavar="artifact:ID@N")
@click.argument("new", metavar="artifact:ID@M")
@options.store
@options.as_json
@options.no_color
def diff(old: str, new: str, store: str | None, as_json: bool, no_color: bool) -> int:
    """What changed between two versions, by meaning; the exit code is 1 when something did."""
    project = find_project()
    kept = store_of(project, store)
    library = open_store(kept).library
    found = compare(*(loaded_artifact(found_artifact(one, library), kept, project.catalogue) for one in (old, new)))
    if not isinstance(found, Compared):
        say(f"error: {found.root.name} cannot be read by this version of wfc")
        return REFUSED
    if as_json:
        put_json(comparison_json(old, new, found.changes, found.interface))
    else:
        put(comparison_text(found.changes, found.interface, paint_if(colours_results(no_color))))
    return FINDINGS if found.changes else OK


def _told(one: ArtifactSummary) -> dict[str, object]:
    return {
        "artifact_id": one.artifact_id,
        "version": one.version,
        "workflow": one.workflow,
        "hash": one.hash,
        "created": one.created,
    }
