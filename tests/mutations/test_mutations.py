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
LACKING: dict[str, str] = {}


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


def test_two_faults_are_both_reported_and_nothing_else() -> None:
    found = {kind for kind in expectations() if "detected" not in LACKING.get(kind, "")}
    pairs = [one for part in measured_sample() for one in part.doubles if found.issuperset(one.kinds)]
    assert [one for one in pairs if one.reported < 2 or len(one.findings) > 2] == []


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
