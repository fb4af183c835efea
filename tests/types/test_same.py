"""Answers are a pure function of the schemas: neither hash seeds nor what was asked before changes a byte of them."""

import os
import subprocess
import sys
from pathlib import Path

CODE = """\
import random, sys
from tests.types.schemas import pair
from wfc.passes.types import both, contradicts, describe, field, fits, may_equal, of, sample

pairs = [tuple(map(of, pair(random.Random(number).randrange))) for number in range(200)]
told = {}
for number in sorted(range(200), reverse=sys.argv[1] == "backwards"):
    source, target = pairs[number]
    fit = fits(source, target)
    words = [fit.verdict, fit.witness, describe(source), describe(both(source, target)), sample(target)]
    told[number] = [*words, may_equal(source, target), contradicts(source, target), describe(field(source, "a").type)]
print([told[number] for number in range(200)])
"""


def answers(seed: str, order: str) -> str:
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    root = Path(__file__).parents[2]
    command = [sys.executable, "-c", CODE, order]
    return subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=True).stdout


def test_the_same_answers_under_any_seed_and_in_any_order() -> None:
    assert answers("1", "forwards") == answers("2", "backwards") != ""
