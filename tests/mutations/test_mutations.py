"""Faults that planners make are found where they are, and healed: the quick version of `python -m bench.mutations`.

`LACKING` is the one list of what is not reached yet, on a fixed sample. It only ever gets shorter.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import pytest

from bench.mutations.corpus import originals
from bench.mutations.documents import Json
from bench.mutations.expectations import expectations
from bench.mutations.survey import Part, Sample, kinds, survey
from bench.mutations.table import lines

SAMPLE = (1, 6)  # workflows, by their numbers in the corpus: with loops, forks and a child
REACHED = ("detected", "exact", "right", "healed_safe", "healed")

# By kind, what is not reached on every mutant of the sample.
LACKING: dict[str, str] = {
    "unwired_new_outcome": "healed_safe",
    "indexed_path": "healed_safe healed",
    "output_of_step_path": "healed_safe healed",
    "state_read_from_input": "right",
    "alias_outside_loop": "healed_safe healed",
    "unknown_argument": "healed_safe",
    "missing_argument": "healed_safe",
    "mistyped_literal": "healed_safe healed",
    "mistyped_argument": "healed_safe",
    "use_before_write": "healed_safe healed",
    "write_left_out": "healed_safe healed",
    "optional_read_as_present": "healed_safe",
    "optional_input_read": "healed_safe",
    "overlapping_write": "healed_safe",
    "reducer_left_out": "healed_safe healed",
    "join_missed": "healed_safe",
    "foreign_key": "healed_safe healed",
    "foreign_mode": "healed_safe healed",
    "foreign_error_policy": "healed_safe healed",
    "bare_operand": "healed_safe",
    "next_on_step": "right healed_safe",
    "condition_on_edge": "healed_safe",
    "outcomes_on_step": "healed_safe healed",
    "required_in_property": "healed_safe healed",
    "properties_without_schema": "detected exact right healed_safe healed",
    "map_for_bindings": "healed_safe healed",
    "map_for_steps": "healed_safe healed",
    "mixed_spelling": "healed_safe healed",
    "value_beside_path": "healed_safe",
    "missing_field": "healed_safe healed",
    "spaced_name": "healed_safe healed",
}


@cache
def measured_sample() -> tuple[Part, ...]:
    return tuple(survey(Sample(of_each=1), 1, SAMPLE))


def lacking(parts: Sequence[Part]) -> dict[str, str]:
    found = lines([one for part in parts for one in part.singles])
    lacks = {line.kind: " ".join(one for one in REACHED if getattr(line, one) < 1) for line in found if line.mutants}
    return {kind: told for kind, told in lacks.items() if told}


def test_nothing_is_lacking_but_what_is_listed() -> None:
    assert lacking(measured_sample()) == LACKING


def test_no_fix_makes_anything_worse() -> None:
    assert [one for part in measured_sample() for one in part.singles if one.worse] == []


# Pairs of faults of which one hides the other, or has another in its train.
ENTANGLED = (
    ("unknown_argument", "map_for_steps"),
    ("branch_into_sibling", "reducer_without_source"),
    ("required_in_property", "repeated_edge"),
    ("repeated_step", "misspelt_write_target"),
)


def test_two_faults_are_both_reported_and_nothing_else() -> None:
    found = {kind for kind in expectations() if "detected" not in LACKING.get(kind, "")}
    pairs = [one for part in measured_sample() for one in part.doubles if found.issuperset(one.kinds)]
    assert [one.kinds for one in pairs if one.reported < 2 or len(one.findings) > 2] == list(ENTANGLED)


# -- the material ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", range(len(originals())), ids=[one.name for one in originals()])
def test_nothing_is_found_in_a_valid_workflow(number: int) -> None:
    (part,) = survey(Sample(of_each=0, doubles=False), 1, [number])
    assert part.findings == ()


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
        documents: list[Json] = [original.document for original in originals()]
        changed = [mutant.document != document for document in documents for mutant in make(document)]
        assert changed, kind
        assert all(changed), kind
