"""`wfc schema`: the JSON Schemas of everything that is read or written."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import click

from wfc.cli.terminal import put_json
from wfc.frontend import workflow_schema
from wfc.ir.published import RUN_STATE_SCHEMA, program_schema
from wfc.report.schema import DIAGNOSTICS_SCHEMA
from wfc.testing import TESTS_SCHEMA

SCHEMAS: Mapping[str, Callable[[], dict[str, Any]]] = {
    "workflow": workflow_schema,
    "ir": program_schema,
    "run": lambda: RUN_STATE_SCHEMA,
    "diagnostics": lambda: DIAGNOSTICS_SCHEMA,
    "tests": lambda: TESTS_SCHEMA,
}


@click.command("schema")
@click.argument("name", type=click.Choice(list(SCHEMAS)), default="workflow")
def command(name: str) -> None:
    """Print the JSON Schema of workflow JSON, compiled programs (ir), run states, diagnostics or test files."""
    put_json(SCHEMAS[name]())
