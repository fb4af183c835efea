"""Workflow tests: files of scripted runs, and what became of them (reference 4.5)."""

from __future__ import annotations

from wfc.testing.compare import Difference
from wfc.testing.files import Scenario, TestFileFault, scenarios
from wfc.testing.results import RESULTS_SCHEMA, Result, results_json, results_text
from wfc.testing.run import run_scenario
from wfc.testing.schema import TESTS_SCHEMA

__all__ = [
    "RESULTS_SCHEMA",
    "TESTS_SCHEMA",
    "Difference",
    "Result",
    "Scenario",
    "TestFileFault",
    "results_json",
    "results_text",
    "run_scenario",
    "scenarios",
]
