"""What whole processes cost: a run of a compiled file, a check, and a check of an unchanged file (goals 8 and 9).

Beside them the linters of other workflow languages, where their programs are on the path.

Each figure is CPU time of a process over that of `python -c pass`, taken in turn with it: the smallest of all runs over
the smallest. Bytecode is compiled before, as an installation does.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import wfc
from bench import workflows
from bench.measure import Figure, process_cpu
from wfc.ir import encode

MACHINE = {
    "StartAt": "One",
    "States": {
        "One": {"Type": "Pass", "Next": "Two"},
        "Two": {"Type": "Wait", "Seconds": 1, "Next": "Three"},
        "Three": {"Type": "Succeed"},
    },
}
TEMPLATE = {
    "AWSTemplateFormatVersion": "2010-09-09",
    "Resources": {"Topic": {"Type": "AWS::SNS::Topic"}, "Queue": {"Type": "AWS::SQS::Queue"}},
}
LINTERS = (("statelint", MACHINE), ("asl-validator", MACHINE), ("cfn-lint", TEMPLATE))
SMALL = Path(__file__).parents[1] / "wfc" / "cli" / "starter" / "greet.wf.json"


def three_steps() -> dict[str, object]:
    """The chain of three, on `wf.std`, so that it runs without a handler."""
    made = workflows.chain(3)
    made["node_defs"] = []
    for step in made["nodes"]:
        step["node"] = "wf.std.identity"
        step["input"] = [{"target": "value", "path": "state.count"}]
        step["output"] = [{"source": "value", "target": "state.count"}]
    return made


def figures(runs: int = 15) -> Iterator[Figure]:
    script = Path(sys.executable).with_name("wfc")
    command = [str(script)] if script.exists() else [sys.executable, "-m", "wfc"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        os.environ["PYTHONPYCACHEPREFIX"] = str(folder / "bytecode")
        shutil.copy(SMALL, folder / "greet.wf.json")
        (folder / "three.wfir.json").write_text(encode(wfc.compile(three_steps(), unchecked=True)))
        run = [*command, "run", "three.wfir.json"]
        check = [*command, "check", "greet.wf.json"]

        def forget() -> None:
            shutil.rmtree(folder / ".wfc", ignore_errors=True)

        yield Figure("8: run a compiled file of three steps, kept in a store", _ratio(run, folder, runs), 7, "×")
        yield Figure("9: check a small file", _ratio(check, folder, runs, forget), 28, "×")
        yield Figure("9: check it again, unchanged", _ratio(check, folder, runs), 10, "×")
        yield from _linters(folder, runs)


def _linters(folder: Path, runs: int) -> Iterator[Figure]:
    for program, document in LINTERS:
        if shutil.which(program):
            (folder / "small.json").write_text(json.dumps(document))
            yield Figure(f"{program} on a small file", _ratio([program, "small.json"], folder, runs), None, "×")


def _ratio(command: list[str], folder: Path, runs: int, before: Callable[[], None] = lambda: None) -> float:
    pairs = []
    for _ in range(runs + 1):
        before()
        pairs.append((process_cpu([sys.executable, "-c", "pass"], folder), process_cpu(command, folder)))
    # The first run compiles, and fills what is kept.
    bare, cost = (min(one) for one in zip(*pairs[1:], strict=True))
    return cost / bare
