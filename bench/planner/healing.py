"""`python -m bench.planner.healing`: are single faults healed by answers that come from the findings alone?

Every fault of the mutation benchmark, or a sample, is given to a planner as its own first answer; the loop does the
rest.
Healed is what the mutation benchmark calls so: the original again, or clean and alike on all of its tests.
"""

from __future__ import annotations

import argparse
import copy
import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from statistics import mean
from typing import Any

import bpe_openai

from bench.mutations.corpus import originals
from bench.mutations.expectations import expectations
from bench.mutations.kind import KINDS, Mutant
from bench.mutations.measure import Known, known
from bench.mutations.runs import seen_on
from bench.mutations.survey import kinds
from bench.planner.simulated import RulePlanner, StatedPlanner
from wfc import driver
from wfc.diagnostics import Severity
from wfc.ir import content_hash
from wfc.planner import JSON_FORM, Options, plan

# These take away what the author alone knows: a value, an argument, where an edge leads, what a step writes. Whoever
# has only the findings can make such a workflow clean again, and could not know whether it means what it meant.
ERASING = frozenset(
    {
        "missing_field",
        "missing_argument",
        "mistyped_argument",
        "mistyped_literal",
        "write_left_out",
        "branch_only_value",
        "use_before_write",
        "dangling_edge_target",
        "missing_edge",
        "alias_outside_loop",
    }
)
PLANNERS = {"rules": RulePlanner, "stated": StatedPlanner}
_ROUNDS = 2


@dataclass(frozen=True)
class Healing:
    """What became of one mutant: `clean` after so many rounds of repair, `healed` too, or `same` as the original."""

    kind: str
    original: str
    at: tuple[str, ...]
    same: bool
    found: bool
    clean: bool
    healed: bool
    rounds: int
    tokens: tuple[int, ...]
    status: str
    left: tuple[str, ...]


def healings(name: str, numbers: Sequence[int], of_each: int, wanted: Sequence[str] = ()) -> Iterator[Healing]:
    """One planner on the faults of the originals with these numbers."""
    kinds()
    for number in numbers:
        before = known(originals()[number])
        for kind in expectations():
            if wanted and kind not in wanted:
                continue
            for mutant in _spread(list(KINDS[kind](before.original.document)), of_each):
                yield healing(name, kind, mutant, before)


def _spread(found: list[Mutant], most: int) -> list[Mutant]:
    """At most so many of them, from all over the list."""
    return found if len(found) <= most else [found[(2 * index + 1) * len(found) // (2 * most)] for index in range(most)]


def healing(name: str, kind: str, mutant: Mutant, before: Known) -> Healing:
    planner = PLANNERS[name](mutant.document)
    made = plan(
        "mend it", planner, capabilities=None, options=Options(max_rounds=_ROUNDS, auto_fix=False, form=JSON_FORM)
    )
    first = made.rounds[0]
    encoding = bpe_openai.get_encoding("o200k_base")
    return Healing(
        kind,
        before.original.name,
        mutant.at,
        same=not first.findings and is_healed(made.workflow, before),
        found=bool(first.findings),
        clean=made.is_clean and all(one.severity is Severity.NOTE for one in made.diagnostics),
        healed=made.is_clean and is_healed(made.workflow, before),
        rounds=len(planner.asked),
        tokens=tuple(len(encoding.encode(one)) for one in planner.asked),
        status=f"{made.status}",
        left=tuple(f"{one.code.code} {one.message}" for one in made.diagnostics),
    )


def is_healed(document: object, before: Known) -> bool:
    """Whether it is the original again, or does the same on every test, whatever its steps are called."""
    if not isinstance(document, dict):
        return False
    try:
        program = driver.compile(_named_as(document, before.original.document), unchecked=True)
    except driver.CompileError:
        return False
    if content_hash(program) == before.hash:
        return True
    return [one.result for one in seen_on(program, before.original.tests)] == [one.result for one in before.runs]


def _named_as(document: dict[str, Any], original: dict[str, Any]) -> dict[str, Any]:
    """The document with its steps called as in the original, where it has as many of them."""
    document = copy.deepcopy(document)
    pairs = zip(document.get("workflows", [document]), original.get("workflows", [original]), strict=False)
    for workflow, wanted in pairs:
        if len(workflow["nodes"]) != len(wanted["nodes"]):
            continue
        names = {now["id"]: was["id"] for now, was in zip(workflow["nodes"], wanted["nodes"], strict=True)}
        workflow["start"] = names.get(workflow["start"], workflow["start"])
        for step in workflow["nodes"]:
            step["id"] = names[step["id"]]
        for edge in workflow["edges"]:
            edge["from"], edge["to"] = names.get(edge["from"], edge["from"]), names.get(edge["to"], edge["to"])
    return document


def told(name: str, found: Sequence[Healing]) -> str:
    """The table, and the kinds that are not always healed."""
    judged = [one for one in found if one.found]
    telling = [one for one in judged if one.kind not in ERASING]
    asked = [tokens for one in judged for tokens in one.tokens]
    lines = [
        f"planner `{name}`: {len(found)} mutants, {len(judged)} with findings, the others are valid or unseen",
        f"clean within {_ROUNDS} rounds: {_share(sum(one.clean for one in judged), len(judged))}",
        f"healed within {_ROUNDS} rounds: {_share(sum(one.healed for one in judged), len(judged))}",
        f"of faults that take nothing away: {_share(sum(one.healed for one in telling), len(telling))}",
        f"rounds: {mean(one.rounds for one in judged):.2f} on average",
        f"tokens of a question: {mean(asked or [0]):.0f} on average, {max(asked, default=0)} at most",
    ]
    lacking = Counter(one.kind for one in judged if not one.healed)
    lines += [
        f"- {kind}: {count} of {sum(one.kind == kind for one in judged)} not healed"
        for kind, count in lacking.most_common()
    ]
    return "\n".join(lines) + "\n"


def _share(part: int, whole: int) -> str:
    return f"{part} of {whole} ({100 * part / whole:.1f} %)" if whole else "0"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.planner.healing", description=__doc__)
    parser.add_argument("--planner", choices=PLANNERS, default="stated")
    parser.add_argument("--every", type=int, default=1, help="only every so many originals")
    parser.add_argument("--of-each", type=int, default=1, help="mutants of a kind and workflow, at most")
    parser.add_argument("--kinds", nargs="*", default=[])
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--show", action="store_true", help="every mutant with findings that is not clean in the end")
    asked = parser.parse_args()
    numbers = range(0, len(originals()), asked.every)
    found = list(healings(asked.planner, numbers, asked.of_each, asked.kinds))
    if asked.json:
        sys.stdout.write(json.dumps([asdict(one) for one in found], indent=1) + "\n")
        return
    sys.stdout.write(told(asked.planner, found))
    for one in found if asked.show else ():
        if one.found and not one.clean:
            sys.stdout.write(f"{one.kind} {one.original} {' '.join(one.at)}: {one.status} {one.left}\n")


if __name__ == "__main__":
    main()
