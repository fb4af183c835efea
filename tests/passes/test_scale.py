"""Long chains, deep nests and wide forks are ordinary input: no recursion, and work that grows with the size alone."""

import pytest

from tests.passes.workflows import Json, checked, examined, flow, told
from wfc.passes import lower

END = "__end__"


def chain(length: int) -> Json:
    return flow(" ".join(f"s{n}:ok->{f's{n + 1}' if n + 1 < length else END}" for n in range(length)))


def checks(length: int) -> Json:
    """A chain in which every step may fail to one common step."""
    ways = (f"c{n}:true->{f'c{n + 1}' if n + 1 < length else END} c{n}:false->x" for n in range(length))
    return flow(" ".join(ways))


def loops(depth: int, last: str) -> Json:
    """Foreach steps inside one another; `last` is where the innermost step goes on."""
    enter = (f"e{n}:item->{f'e{n + 1}' if n + 1 < depth else 'a'}" for n in range(depth))
    leave = (f"e{n}:done->{f'e{n - 1}' if n else END}" for n in range(depth))
    return flow(" ".join([*enter, *leave, f"a:ok->{last}"]))


def forks(depth: int) -> Json:
    """Forks inside one another."""
    enter = (f"k{n}:p->{f'k{n + 1}' if n + 1 < depth else 'a'} k{n}:q->b{n} b{n}:ok->j{n}" for n in range(depth))
    leave = (f"j{n}:ok->{f'j{n - 1}' if n else END}" for n in range(depth))
    return flow(" ".join([*enter, *leave, f"a:ok->j{depth - 1}"]))


def row(length: int, last: str = "e{0}") -> Json:
    """Foreach steps one after the other; `last` is where each body goes on."""
    one = "e{0}:item->a{0} e{0}:done->b{0} b{0}:ok->{1} a{0}:ok->" + last
    return flow(" ".join(one.format(n, f"e{n + 1}" if n + 1 < length else END) for n in range(length)))


def wide(width: int, meeting: str) -> Json:
    return flow(" ".join(f"k:b{n}->a{n} a{n}:ok->{meeting}" for n in range(width)) + f" {meeting}:ok->{END}")


SOUND = {
    "a chain of 100,000 steps": chain(100_000),
    "20,000 steps that fail to one": checks(20_000),
    "200 nested loops": loops(200, "e199"),
    "5,000 nested loops": loops(5_000, "e4999"),
    "2,000 nested forks": forks(2_000),
    "10,000 loops in a row": row(10_000),
    "a fork of 5,000 branches": wide(5_000, "j"),
}


@pytest.mark.parametrize("document", SOUND.values(), ids=SOUND.keys())
def test_a_sound_workflow_is_found_sound_and_lowered(document: Json) -> None:
    assert len(lower(checked(document)).routines[0].blocks) == len(document["nodes"])


def test_an_escape_from_200_loops_is_one_finding() -> None:
    assert told(examined(loops(200, END)).diagnostics) == ["WF205 /edges/400"]


def test_many_faults_are_all_found() -> None:
    assert len(examined(row(2_000, "b{0}")).diagnostics) == 2_000


def test_a_wide_fork_without_a_join_is_one_finding() -> None:
    assert told(examined(wide(2_000, "b")).diagnostics) == ["WF207 /nodes/0"]


def test_a_long_cycle_is_one_finding() -> None:
    document = chain(20_000)
    document["edges"][-1]["to"] = "s0"
    (found,) = examined(document).diagnostics
    assert (found.code.code, found.at.pointer) == ("WF202", "/nodes/0")


def test_a_long_island_is_one_finding() -> None:
    document = chain(20_000)
    document["edges"][0]["to"] = END
    (found,) = examined(document).diagnostics
    assert (found.code.code, found.hides) == ("WF200", 19_998)


def test_thousands_of_unknown_names_are_reported_without_guessing() -> None:
    document = chain(4_000)
    for number in range(0, 4_000, 2):
        document["edges"][number]["to"] = f"lost_{number}"
    found = [one for one in examined(document).diagnostics if one.code.code == "WF101"]
    assert len(found) == 2_000


def test_ways_of_findings_stay_short() -> None:
    document = chain(1_000)
    document["edges"][-1]["outcome"] = "done"
    del document["edges"][-1]
    (found,) = examined(document).diagnostics
    assert found.facts["path"][0] == "…"
    assert len(found.facts["path"]) < 20
