"""The evaluation without a model: references are clean, faults are healed by what findings say, the report adds up."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench.planner.evaluation import evaluated, reference_of, report
from bench.planner.healing import healings
from bench.planner.requests import Request, requests
from bench.planner.server import Line, playing
from wfc.briefing import by_name
from wfc.planner import OpenAi, Options
from wfc.planner.judging import judged

# A workflow of the conformance tests, small enough for every change.
SAMPLE = (30,)


def test_there_are_forty_requests_with_catalogues() -> None:
    found = requests()
    assert len(found) >= 40 and len({one.id for one in found}) == len(found)
    assert all(one.capabilities for one in found)
    for file in Path("bench/planner/catalogues").glob("*.json"):
        assert json.loads(file.read_text("utf-8"))["x-source"].startswith("tools/list of "), file


@pytest.mark.parametrize("request_", requests(), ids=lambda one: one.id)
def test_every_reference_checks_clean(request_: Request, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    found = judged(request_.reference, by_name(request_.capabilities), auto_fix=False)
    assert [one.message for one in found.told] == []


@pytest.mark.parametrize(("planner", "least"), [("rules", 0.8), ("stated", 1.0)])
def test_single_faults_are_healed_within_two_rounds(planner: str, least: float) -> None:
    found = [one for one in healings(planner, SAMPLE, 1) if one.found]
    assert len(found) > 20
    assert sum(one.clean for one in found) >= least * len(found), [one for one in found if not one.clean]
    assert max(tokens for one in found for tokens in one.tokens) <= 1500


def test_the_report_compares_first_tries_with_repaired_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    chosen = [one for one in requests() if one.id in ("copy_file", "two_clocks", "open_issue")]
    texts = {one.id: json.dumps(reference_of(one)) for one in chosen}
    broken = texts["two_clocks"].replace("input_schema", "input_shema").replace('"value": "Asia/Tokyo"', '"value": 9')
    script = [Line(texts["copy_file"]), Line(texts["open_issue"]), Line(broken), Line(texts["two_clocks"])]
    order = sorted(chosen, key=lambda one: ["copy_file", "open_issue", "two_clocks"].index(one.id))
    with playing(script) as endpoint:
        outcomes = list(evaluated(order, lambda request: OpenAi("m", endpoint.url), Options(auto_fix=False)))
    assert [(one.first_clean, one.clean, one.answers, one.calls_missed) for one in outcomes] == [
        (True, True, 1, ()),
        (True, True, 1, ()),
        (False, True, 2, ()),
    ]
    told = report(outcomes)
    assert "| clean at the first try | 2 of 3 | 67 % |\n| clean after repair | 3 of 3 | 100 % |" in told
