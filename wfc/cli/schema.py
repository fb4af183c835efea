"""`wfc schema`: the JSON Schemas of everything that is read or written."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import click

from wfc.cli.outcome import FORMAT
from wfc.cli.terminal import put_json
from wfc.formats import ARTIFACT_SCHEMA, DEPLOYMENT_SCHEMA
from wfc.frontend import workflow_schema
from wfc.ir import RUN_STATE_SCHEMA, program_schema
from wfc.planner import PLAN_SCHEMA
from wfc.report import DIAGNOSTICS_SCHEMA
from wfc.testing import RESULTS_SCHEMA, TESTS_SCHEMA

# What of a run state is told as the result of a command.
_TOLD = ("run_id", "status", "outcome", "output", "state", "interrupt", "error")
RUN_RESULT_SCHEMA: dict[str, Any] = {
    **RUN_STATE_SCHEMA,
    "title": "Result of a run",
    "properties": {"schema": {"const": FORMAT}, **{key: RUN_STATE_SCHEMA["properties"][key] for key in _TOLD}},
    "required": ["schema", *_TOLD],
}
SCHEMAS: Mapping[str, Callable[[], dict[str, Any]]] = {
    "workflow": workflow_schema,
    "ir": program_schema,
    "run": lambda: RUN_STATE_SCHEMA,
    "run-result": lambda: RUN_RESULT_SCHEMA,
    "diagnostics": lambda: DIAGNOSTICS_SCHEMA,
    "tests": lambda: TESTS_SCHEMA,
    "test-results": lambda: RESULTS_SCHEMA,
    "plan": lambda: PLAN_SCHEMA,
    "deployment": lambda: DEPLOYMENT_SCHEMA,
    "artifact": lambda: ARTIFACT_SCHEMA,
}


@click.command("schema")
@click.argument("name", type=click.Choice(list(SCHEMAS)), default="workflow")
def command(name: str) -> None:
    """Print a JSON Schema: of workflow JSON, or of compiled programs (ir), stored run states (run), what run and check
    print (run-result, diagnostics), test files (tests), what test and plan print (test-results, plan),
    deployments (deployment), what publish prints (artifact).
    """
    put_json(SCHEMAS[name]())
