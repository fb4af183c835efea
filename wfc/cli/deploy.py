"""`wfc deploy`: the capabilities of a published workflow bound to sources."""

from __future__ import annotations

import json
from typing import Any

import click

from wfc import driver
from wfc.backends.stores import StoredDeployment, open_store
from wfc.cli import options
from wfc.cli.exits import OK
from wfc.cli.given import STANDARD_INPUT, json_argument, json_file
from wfc.cli.place import store_of
from wfc.cli.programs import uncompiled
from wfc.cli.terminal import pretty, put, put_json
from wfc.deploying import apply as apply_deployment
from wfc.deploying import deployment_json, deployment_of, stored_deployment
from wfc.formats import DEPLOYMENT_FORMAT as SHOW_FORMAT
from wfc.project import find_project
from wfc.publishing import found_artifact, loaded_artifact

LIST_FORMAT = "wfc.deployments/1"


@click.group("deploy")
def command() -> None:
    """Bind the capabilities of published workflows to sources."""


@command.command("apply")
@click.argument("file", metavar="FILE")
@options.store
@options.as_json
@options.no_color
def apply(file: str, store: str | None, as_json: bool, no_color: bool) -> int:
    """Keep a deployment, in the place of one with its name. The whole tree is found, bound and checked before."""
    project = find_project(None if file == STANDARD_INPUT else file)
    kept = store_of(project, store)
    value = json_argument("FILE", file) if file == STANDARD_INPUT else json_file(file)
    deployment = deployment_of(value, file)
    try:
        apply_deployment(deployment, project, kept)
    except driver.CompileError as stopped:
        found = found_artifact(deployment.artifact, open_store(kept).library)
        raise uncompiled(stopped.report, loaded_artifact(found, kept, project.catalogue), no_color) from None
    if as_json:
        put_json({"schema": SHOW_FORMAT, **json.loads(deployment_json(deployment))})
    else:
        put(f"deployment:{deployment.name} {deployment.artifact}\n")
    return OK


@command.command("list")
@options.store
@options.as_json
def list_deployments(store: str | None, as_json: bool) -> int:
    """All deployments."""
    found = open_store(store_of(find_project(), store)).library.deployments()
    if as_json:
        put_json({"schema": LIST_FORMAT, "deployments": [_told(one) for one in found]})
    else:
        put("".join(f"deployment:{one.name} {_artifact(one)}\n" for one in found))
    return OK


@command.command("show")
@click.argument("name", metavar="NAME")
@options.store
@options.as_json
def show(name: str, store: str | None, as_json: bool) -> int:
    """A deployment as JSON that can be applied again."""
    found = open_store(store_of(find_project(), store)).library.deployment(name)
    if as_json:
        put_json({"schema": SHOW_FORMAT, **_told(found)})
    else:
        put(pretty(json.loads(deployment_json(stored_deployment(found)))) + "\n")
    return OK


def _told(one: StoredDeployment) -> dict[str, Any]:
    return {**json.loads(deployment_json(stored_deployment(one))), "applied": one.applied}


def _artifact(one: StoredDeployment) -> str:
    return stored_deployment(one).artifact
