"""What a whole process of `wfc check` costs, beside bare Python and the linters of other workflow languages (goal 9).

    python bench/check.py [--runs N]

Each figure is CPU time of a process over that of `python -c pass`, taken in turn with it: the smallest of all runs over
the smallest, because a busy machine only ever adds. Bytecode is compiled before, as an installation does. Peers are
measured when their programs are on the path.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
SMALL = ROOT / "wfc" / "cli" / "starter" / "greet.wf.json"
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


@dataclass(frozen=True)
class Case:
    """A command; `before` is done before each of its runs and is not measured. `goal` is the ratio it may have."""

    name: str
    command: list[str]
    goal: float | None = None
    before: Callable[[], object] = lambda: None


def cpu(command: list[str], folder: Path) -> float:
    """The CPU time of a process and its children, in seconds."""
    pid = os.fork()
    if pid == 0:
        os.chdir(folder)
        nowhere = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(nowhere, stream)
        os.execvp(command[0], command)
    _, status, used = os.wait4(pid, 0)
    if os.waitstatus_to_exitcode(status) not in (0, 1):
        raise SystemExit(f"{' '.join(command)} ended with {os.waitstatus_to_exitcode(status)}")
    return used.ru_utime + used.ru_stime


def cases(folder: Path) -> Iterator[Case]:
    script = Path(sys.executable).with_name("wfc")
    wfc = [str(script)] if script.exists() else [sys.executable, "-m", "wfc"]
    shutil.copy(SMALL, folder / "greet.wf.json")
    cache = folder / ".wfc"
    forget = lambda: shutil.rmtree(cache, ignore_errors=True)  # noqa: E731
    yield Case("first check of one small file", [*wfc, "check", "greet.wf.json"], 28, forget)
    yield Case("the same, nothing kept", [*wfc, "check", "greet.wf.json", "--no-cache"])
    yield Case("unchanged file", [*wfc, "check", "greet.wf.json"], 10)
    yield Case("unchanged file, as SARIF", [*wfc, "check", "greet.wf.json", "--format", "sarif"])
    yield Case("click alone", [sys.executable, "-c", "import click"])
    yield from peers(folder)


def peers(folder: Path) -> Iterator[Case]:
    (folder / "machine.json").write_text(json.dumps(MACHINE))
    (folder / "template.json").write_text(json.dumps(TEMPLATE))
    for name, file in (("statelint", "machine.json"), ("asl-validator", "machine.json"), ("cfn-lint", "template.json")):
        if shutil.which(name):
            yield Case(f"{name} {file}", [name, file])


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--runs", type=int, default=20, help="runs of each case")
    runs = options.parse_args().runs
    bare = [sys.executable, "-c", "pass"]
    sys.stdout.write("| process | CPU, ms | over bare Python | goal |\n| --- | --- | --- | --- |\n")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        os.environ["PYTHONPYCACHEPREFIX"] = str(folder / "bytecode")
        for case in cases(folder):
            pairs = []
            for _ in range(runs + 1):
                case.before()
                pairs.append((cpu(bare, folder), cpu(case.command, folder)))
            # The first run compiles, and fills what is kept.
            base, cost = (min(one) for one in zip(*pairs[1:], strict=True))
            goal = f"≤ {case.goal:g}" if case.goal else ""
            sys.stdout.write(f"| {case.name} | {cost * 1000:.0f} | {cost / base:.1f} | {goal} |\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
