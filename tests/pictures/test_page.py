"""The page in a real browser: it runs, moves, finds, tells, and obeys nothing that an author wrote.

Without a browser these tests are skipped, unless `CI` is set: then they fail.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.pictures.browser import Browser, installed
from tests.pictures.flows import branches, family, nasty, picture, sized
from wfc.backends.emit.pictures import Picture, html, picture_of_run


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    program = installed()
    if program is None and not os.environ.get("CI"):
        pytest.skip("there is no browser here: install Chromium to test the page of `wfc graph`")
    assert program is not None, "CI is set, and there is no browser"
    made = Browser(program, tmp_path_factory.mktemp("browser"))
    yield made
    made.close()


@pytest.fixture
def show(browser: Browser, tmp_path: Path) -> Iterator[Any]:
    def show(drawn: Picture) -> Browser:
        (tmp_path / "page.html").write_text(html(drawn), "utf-8")
        browser.faults.clear()
        browser.asked_for.clear()
        browser.show(tmp_path / "page.html")
        return browser

    yield show
    assert browser.faults == []
    assert {address.partition(":")[0] for address in browser.asked_for} == {"file"}
    assert len(browser.asked_for) == 1


def title(page: Browser) -> str:
    found: str = page.get("document.querySelector('#panel h2').textContent")
    return found


def place(page: Browser, step: str) -> tuple[float, float]:
    """The middle of a step on the screen."""
    found = page.get(
        f"""(() => {{
          const data = JSON.parse(document.getElementById("data").textContent);
          const id = data.nodes.find((node) => node.title === {step!r}).id;
          const box = document.querySelector(`[data-node="${{id}}"]`).getBoundingClientRect();
          return [box.left + box.width / 2, box.top + box.height / 2];
        }})()"""
    )
    return found[0], found[1]


def scene(page: Browser) -> tuple[float, float, float]:
    text = page.get("document.getElementById('scene').getAttribute('transform')")
    x, y, scale = (float(one) for one in text.replace("translate(", "").replace(")", "").replace("scale(", "").split())
    return x, y, scale


def test_everything_is_in_sight_at_first(show: Any) -> None:
    page = show(picture(branches()))
    height, width = page.get("[innerHeight, innerWidth]")
    for step in ("fork", "wait", "work", "join", "check", "stop"):
        x, y = place(page, step)
        assert 0 < x < width - 340
        assert 40 < y < height
    assert title(page) == "branches"


def test_a_click_tells_of_a_step_and_beside_it_of_all(show: Any) -> None:
    page = show(picture(branches()))
    page.click(*place(page, "check"))
    assert title(page) == "check"
    told = page.get("document.getElementById('panel').textContent")
    assert "not state.n > 3" in told
    assert "false stop" in told
    page.click(5, 700)
    assert title(page) == "branches"


def test_it_is_moved_by_hand_and_zoomed_by_wheel(show: Any) -> None:
    page = show(picture(branches()))
    x, y, scale = scene(page)
    page.drag(30, 400, 60, -40)
    assert scene(page) == pytest.approx((x + 60, y - 40, scale))
    before = place(page, "join")
    page.mouse("mouseWheel", *before, deltaX=0, deltaY=-400)
    assert scene(page)[2] > scale * 1.5
    assert place(page, "join") == pytest.approx(before, abs=2)
    page.press("0")
    assert scene(page)[2] == pytest.approx(scale, rel=0.01)


def test_it_is_searched(show: Any) -> None:
    page = show(picture(sized(100)))
    page.press("/")
    page.type("left_3")
    assert page.get("document.getElementById('count').textContent") == "1 of 103"
    page.press("Enter")
    assert title(page) == "left_3"
    x, y = place(page, "left_3")
    assert (x, y) == pytest.approx((430, 420), abs=40)
    page.press("Escape")
    assert page.get("document.querySelectorAll('.found').length") == 0
    page.press("/")
    page.type("ask_")
    seen = []
    for _ in range(3):
        page.press("Enter")
        seen.append(title(page))
    assert seen == ["ask_0", "ask_1", "ask_2"]
    page.press("Enter", shift=True)
    assert title(page) == "ask_1"


def test_it_is_walked_by_keys(show: Any) -> None:
    page = show(picture(branches()))
    page.press("Escape")
    walked = []
    for key in ("ArrowDown", "ArrowDown", "ArrowDown", "ArrowRight", "ArrowDown", "ArrowUp"):
        page.press(key)
        walked.append(title(page))
    assert walked == ["start", "fork", "wait", "each", "work", "each"]


def test_findings_are_stepped_through(show: Any) -> None:
    page = show(picture({**branches().to_json(), "state_schema": {"type": "object"}, "outcomes": ["ok"]}))
    page.press("n")
    first = title(page)
    assert "WF" in page.get("document.getElementById('panel').textContent")
    page.press("n")
    assert title(page) != first
    page.press("p")
    assert title(page) == first


def test_a_run_is_stepped_through(show: Any) -> None:
    flow = family()
    asked = flow.execute({}, run_id="r1")
    page = show(picture_of_run(flow.compile(), asked))
    assert "run r1: interrupted" in page.get("document.querySelector('header').textContent")
    seen = []
    for _ in range(5):
        page.press("]")
        seen.append(title(page))
    assert seen == [entry["step"] for entry in asked.trace[:5]]
    assert "state.z ← 1" in page.get("document.getElementById('panel').textContent")
    page.press("[")
    assert title(page) == asked.trace[3]["step"]
    page.click(*place(page, "ask"))
    assert "waiting" in page.get("document.getElementById('panel').textContent")


def test_nothing_that_was_written_runs(show: Any) -> None:
    page = show(picture(nasty()))
    for number in range(9):
        page.press("n")
        assert page.get("window.hacked") is None, number
    assert page.get("document.querySelectorAll('script').length") == 2
    assert page.get("document.querySelectorAll('img, iframe, a[href], [onerror], [onload]').length") == 0


def test_five_hundred_steps_begin_where_they_can_be_read(show: Any) -> None:
    page = show(picture(sized(500)))
    assert scene(page)[2] >= 0.6
    _, y = place(page, "check_0")
    assert 40 < y < 300
    page.press("0")
    assert scene(page)[2] < 0.1
