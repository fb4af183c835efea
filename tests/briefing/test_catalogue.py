"""The catalogue: one line a capability, within its budget, the most relevant first."""

from __future__ import annotations

from pathlib import Path

import bpe_openai
import pytest

from bench.planner.requests import CATALOGUES, server_tools
from wfc.briefing import filled, fitted, line, listed, search, tokens
from wfc.briefing.filling import bare
from wfc.ir import Contract
from wfc.project import ConfigFault

SERVERS = sorted(file.stem for file in CATALOGUES.glob("*.json"))
EVERY = [one for server in SERVERS for one in server_tools(server)]


def cost(text: str) -> int:
    return len(bpe_openai.get_encoding("o200k_base").encode(text))


@pytest.mark.parametrize("server", SERVERS)
def test_the_estimate_errs_on_the_side_of_too_many(server: str) -> None:
    text = fitted(server_tools(server), "", 10**6).text
    assert cost(text) <= tokens(text) <= 1.5 * cost(text)


@pytest.mark.parametrize("budget", [300, 1500, 5000])
def test_it_keeps_its_budget_and_says_what_is_left_out(budget: int) -> None:
    made = fitted(EVERY, "write the commits of a repository to a file", budget)
    assert cost(made.text) <= budget
    assert sum(count for _, count in made.left_out) == len(EVERY) - len(made.lines)
    assert made == fitted(list(reversed(EVERY)), "write the commits of a repository to a file", budget)


def test_the_most_relevant_come_first() -> None:
    made = fitted(EVERY, "post a message to a slack channel", 400)
    assert any(one.startswith("slack.slack_post_message(") for one in made.lines)
    found = search(EVERY, "current time in a timezone", 2)
    assert [one.name for one in found] == ["time.get_current_time", "time.convert_time"]
    assert search(EVERY, "zzz", 5) == []


def test_all_of_it_where_there_is_room() -> None:
    made = fitted(server_tools("time"), "anything", 8000)
    assert (len(made.lines), made.left_out) == (2, ())


def test_a_description_is_cut_to_its_first_sentence() -> None:
    capability = Contract("a.b", {}, {}, description="Does it. And more." + "x" * 500)
    assert line(capability).endswith("| write  # Does it")


def test_a_listing_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('{"server": "a", "tools": [{}]}')
    with pytest.raises(ConfigFault, match="is no listing of tools"):
        listed([tmp_path / "a.json"])


def test_filling_moves_nothing_and_keeps_what_is_said() -> None:
    capability = Contract("a.b", {"type": "object"}, {"type": "object"}, ("ok", "none"), {"none": {}}, "read")
    written = {
        "node_defs": [
            {"name": "a.b", "effects": "write"},
            {"name": "c", "uses": {"source": "a", "capability_key": "b"}},
            7,
        ],
        "nodes": [{"node": "a.b"}, {"node": "c"}, {"node": ["a.b"]}],
    }
    made = filled(written, {"a.b": capability})
    first, second, third = made["node_defs"]
    assert (first["effects"], first["outcomes"], second["effects"], third) == ("write", ["ok", "none"], "read", 7)
    alone = filled({"nodes": [{"node": "a.b"}]}, {"a.b": capability})
    assert bare(alone, {"a.b": capability}) == {"nodes": [{"node": "a.b"}], "node_defs": [{"name": "a.b"}]}
    assert filled([1], {"a.b": capability}) == [1] == bare([1], {"a.b": capability})
