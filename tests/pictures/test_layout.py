"""Where things lie: nothing over anything else, at five steps and at five hundred."""

from __future__ import annotations

import sys
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import generated
from tests.pictures.flows import branches, family, nasty, picture, sized
from wfc.backends.emit.pictures import NoLayout, Picture, svg
from wfc.backends.emit.pictures.layout import Placed, layout
from wfc.backends.emit.pictures.picture import Node

Area = tuple[float, float, float, float]


def nodes(placed: Placed) -> dict[str, Area]:
    return {
        name: (x - width / 2, y - height / 2, x + width / 2, y + height / 2)
        for name, (x, y, width, height) in placed.nodes.items()
    }


def boxes(placed: Placed) -> dict[str, Area]:
    return {name: (x, y, x + width, y + height) for name, (x, y, width, height) in placed.boxes.items()}


def meet(one: Area, other: Area, room: float = 0.5) -> bool:
    return (
        one[0] < other[2] - room and other[0] < one[2] - room and one[1] < other[3] - room and other[1] < one[3] - room
    )


def holds(outer: Area, inner: Area) -> bool:
    return (
        outer[0] <= inner[0] + 0.5
        and outer[1] <= inner[1] + 0.5
        and outer[2] >= inner[2] - 0.5
        and outer[3] >= inner[3] - 0.5
    )


def judge(drawn: Picture) -> None:
    placed = layout(drawn)
    areas, frames = nodes(placed), boxes(placed)
    for (name, one), (second, other) in combinations(areas.items(), 2):
        assert not meet(one, other), f"{name} lies over {second}"
    inside = {
        name: {one for box in box_.every() for one in box.nodes} for top in drawn.boxes for name, box_ in all_of(top)
    }
    for name, frame in frames.items():
        for node, area in areas.items():
            if node in inside[name]:
                assert holds(frame, area), f"{node} sticks out of {name}"
            else:
                assert not meet(frame, area), f"{node} lies in {name}, where it does not belong"
    assert all(curve for curve in placed.curves)
    ends(drawn, placed, areas)
    page: Area = (0, 0, placed.width, placed.height)
    assert all(holds(page, area) for area in (*areas.values(), *frames.values()))


def all_of(top: Any) -> list[tuple[str, Any]]:
    return [(box.id, box) for box in top.every()]


def ends(drawn: Picture, placed: Placed, areas: dict[str, Area]) -> None:
    """Every link begins at its source and its tip touches its target."""
    for link, curve in zip(drawn.links, placed.curves, strict=True):
        for name, (x, y) in ((link.source, curve[0]), (link.target, curve[-1])):
            left, top, right, bottom = areas[name]
            assert left - 12 <= x <= right + 12, link
            assert top - 12 <= y <= bottom + 12, link


@pytest.mark.parametrize("flow", [family, branches, nasty])
def test_nothing_overlaps(flow: Any) -> None:
    judge(picture(flow()))


@pytest.mark.parametrize("steps", [10, 50, 500, 1000])
def test_nothing_overlaps_however_many_there_are(steps: int) -> None:
    judge(picture(sized(steps)))


@settings(max_examples=15, deadline=None)
@given(st.data())
def test_nothing_overlaps_in_any_workflow(data: st.DataObject) -> None:
    judge(picture(generated.workflow(lambda n: data.draw(st.integers(0, n - 1)))))


def test_what_comes_first_stands_above() -> None:
    drawn = picture(branches())
    placed = layout(drawn)
    height = {node.title: placed.nodes[node.id][1] for node in drawn.nodes}
    assert height["fork"] < height["each"] < height["work"]
    assert height["each"] < height["join"] < height["check"] < height["stop"]


def test_without_the_library_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pygraphviz", None)
    with pytest.raises(NoLayout, match=r"pip install wfc\[graph\]"):
        svg(picture(branches()))


def test_what_is_too_much_is_said() -> None:
    with pytest.raises(NoLayout, match="6001 nodes are more than can be laid out; expected at most 6000"):
        layout(Picture("big", (), tuple(Node(f"w0n{number}", "node", "a") for number in range(6001)), ()))
