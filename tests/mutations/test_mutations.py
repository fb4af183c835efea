"""Faults that planners make are found where they are, and healed: the quick version of `python -m bench.mutations`.

`LACKING` and `ENTANGLED` list what is not reached yet, on fixed samples. They only ever get shorter.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import pytest

from bench.mutations.corpus import originals
from bench.mutations.expectations import expectations
from bench.mutations.findings import findings, problems
from bench.mutations.survey import Part, Sample, kinds, survey
from bench.mutations.table import GOALS, lines, overall

SINGLES = Sample(of_kind=3, doubles=False)
# Workflows by their numbers in the corpus: with loops, forks, questions and children.
DOUBLES = Sample(of_kind=0, originals=(1, 6, *range(16, 56, 3)))
REACHED = ("detected", "exact", "right", "healed_safe", "healed")

# By kind, what is not reached on every mutant of the sample.
LACKING: dict[str, str] = {
    "unwired_new_outcome": "healed_safe",
    "indexed_path": "healed_safe",
    "rootless_path": "healed_safe healed",
    "alias_outside_loop": "healed_safe healed",
    "unknown_argument": "healed_safe",
    "missing_argument": "healed_safe healed",
    "mistyped_literal": "healed_safe healed",
    "mistyped_argument": "healed_safe healed",
    "use_before_write": "healed_safe healed",
    "write_left_out": "healed_safe healed",
    "branch_only_value": "healed_safe healed",
    "optional_read_as_present": "healed_safe",
    "optional_input_read": "healed_safe",
    "overlapping_write": "healed_safe",
    "reducer_left_out": "healed_safe",
    "parallel_replace": "healed_safe healed",
    "reducer_of_another_type": "healed_safe",
    "body_goes_on": "healed_safe",
    "body_goes_round": "healed_safe healed",
    "join_missed": "healed_safe",
    "condition_on_edge": "healed_safe",
    "properties_without_schema": "healed_safe",
    "missing_field": "healed_safe",
}

# Pairs of faults of which one hides the other, or has another in its train.
ENTANGLED: tuple[tuple[str, str, str], ...] = (("invoice_receipt#0", "repeated_step", "misspelt_write_target"),)


@cache
def singles() -> tuple[Part, ...]:
    return tuple(survey(SINGLES, 1))


@cache
def pairs() -> tuple[Part, ...]:
    return tuple(survey(DOUBLES, 1))


def lacking(parts: Sequence[Part]) -> dict[str, str]:
    found = lines([one for part in parts for one in part.singles])
    lacks = {line.kind: " ".join(one for one in REACHED if getattr(line, one) < 1) for line in found if line.mutants}
    return {kind: told for kind, told in lacks.items() if told}


def entangled(parts: Sequence[Part]) -> tuple[tuple[str, str, str], ...]:
    told = ((part.original.rpartition("/")[2], one) for part in parts for one in part.doubles)
    return tuple((name, *one.kinds) for name, one in told if one.reported < 2 or one.beside)


def test_nothing_is_lacking_but_what_is_listed() -> None:
    assert lacking(singles()) == LACKING


def test_the_goals_are_reached() -> None:
    reached = overall(lines([one for part in singles() for one in part.singles]))
    assert {share: reached[share] for share, goal in GOALS.items() if reached[share] < goal} == {}


def test_no_fix_makes_anything_worse() -> None:
    assert [one for part in singles() for one in part.singles if one.worse] == []


def test_two_faults_are_both_reported_and_nothing_else() -> None:
    assert entangled(pairs()) == ENTANGLED


# -- the material ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", range(len(originals())), ids=[one.name for one in originals()])
def test_nothing_is_found_in_a_valid_workflow(number: int) -> None:
    assert problems(findings(originals()[number].document)) == []


def test_there_are_enough_workflows_and_kinds() -> None:
    assert len(originals()) >= 60
    assert len(expectations()) >= 30
    assert kinds().keys() == expectations().keys()


def test_every_kind_points_where_the_table_says() -> None:
    wrong = [
        (kind, at)
        for kind, make in kinds().items()
        for original in originals()
        for mutant in make(original.document)
        for at in mutant.at
        if not expectations()[kind].allows(at)
    ]
    assert wrong == []


def test_every_kind_has_mutants_and_changes_something() -> None:
    for kind, make in kinds().items():
        documents = [original.document for original in originals()]
        changed = [mutant.document != document for document in documents for mutant in make(document)]
        assert changed, kind
        assert all(changed), kind
