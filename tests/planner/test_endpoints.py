"""Planners behind an address, against a scripted endpoint on the loopback: answers, stops, and every kind of fault."""

from __future__ import annotations

import pytest

from bench.planner.server import Line, playing
from tests.planner.flows import GOOD_TEXT
from wfc.planner import Anthropic, Message, OpenAi, PlannerFault, Reply

MESSAGES = [
    Message("system", "You write."),
    Message("user", "Write."),
    Message("assistant", "{}"),
    Message("user", "No."),
]
KEY = "sk-not-a-secret"


@pytest.fixture(autouse=True)
def _keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)


def test_chat_completions() -> None:
    with playing([Line(GOOD_TEXT)]) as endpoint:
        reply = OpenAi("m", endpoint.url).answer(MESSAGES)
    assert reply == Reply(GOOD_TEXT, "end", (11, 7))
    assert endpoint.keys == [f"Bearer {KEY}"]
    roles = [one["role"] for one in endpoint.asked[0]["messages"]]
    assert (endpoint.asked[0]["model"], roles) == ("m", ["system", "user", "assistant", "user"])


def test_anthropic_messages() -> None:
    with playing([Line(GOOD_TEXT)]) as endpoint:
        reply = Anthropic("m", endpoint.url).answer(MESSAGES)
    assert reply == Reply(GOOD_TEXT, "end", (11, 7))
    assert endpoint.keys == [KEY]
    asked = endpoint.asked[0]
    assert (asked["system"], [one["role"] for one in asked["messages"]]) == (
        "You write.",
        ["user", "assistant", "user"],
    )


@pytest.mark.parametrize(
    ("line", "reply"),
    [
        (Line("{", "length"), Reply("{", "length", (11, 7))),
        (Line("", "content_filter"), Reply("", "refused", (11, 7))),
        (Line(refusal="No."), Reply("No.", "refused")),
    ],
)
def test_how_an_answer_ends(line: Line, reply: Reply) -> None:
    with playing([line]) as endpoint:
        assert OpenAi("m", endpoint.url).answer(MESSAGES) == reply


@pytest.mark.parametrize("line", [Line("{", "length"), Line("", "content_filter")])
def test_how_a_message_ends(line: Line) -> None:
    with playing([line]) as endpoint:
        stop = Anthropic("m", endpoint.url).answer(MESSAGES).stop
    assert stop == {"length": "length", "content_filter": "refused"}[line.finish]


def test_a_rate_limit_is_waited_for() -> None:
    slept: list[float] = []
    limits = [Line(status=429, headers=(("retry-after", "7"),)), Line(status=429), Line(GOOD_TEXT)]
    with playing(limits) as endpoint:
        assert OpenAi("m", endpoint.url, sleep=slept.append).answer(MESSAGES).text == GOOD_TEXT
    assert slept == [7, 4]


@pytest.mark.parametrize(
    ("lines", "kind", "message"),
    [
        ([Line(status=429, raw=b"slow down")] * 4, "rate_limited", "HTTP 429: slow down"),
        ([Line(status=429, headers=(("retry-after", "3600"),))], "rate_limited", "HTTP 429"),
        ([Line(status=401, raw=b"bad key")], "unauthorised", "HTTP 401: bad key"),
        ([Line(status=503, raw=b"down")] * 4, "server_error", "HTTP 503: down"),
        ([Line(status=404, raw=b"no model m")], "bad_answer", "HTTP 404: no model m"),
        ([Line(raw=b"<html>")], "bad_answer", "the planner's answer is no JSON object"),
        ([Line(raw=b"{}")], "bad_answer", "the planner's answer is no chat completion"),
        ([Line(hangs_up=True)], "unreachable", "cannot be reached"),
    ],
)
def test_faults_are_told_apart(lines: list[Line], kind: str, message: str) -> None:
    with playing(lines) as endpoint, pytest.raises(PlannerFault) as caught:
        OpenAi("m", endpoint.url, sleep=lambda seconds: None).answer(MESSAGES)
    assert caught.value.kind == kind and message in str(caught.value)
    assert KEY not in str(caught.value)


def test_an_address_where_nobody_listens() -> None:
    with pytest.raises(PlannerFault, match="cannot be reached") as caught:
        OpenAi("m", "http://127.0.0.1:9/v1").answer(MESSAGES)
    assert caught.value.kind == "unreachable"


@pytest.mark.parametrize("planner", [OpenAi("m"), Anthropic("m")])
def test_without_a_key_nobody_is_asked(planner: OpenAi | Anthropic, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(planner.key_variable)
    with pytest.raises(PlannerFault, match=f"{planner.key_variable} is not set"):
        planner.answer(MESSAGES)


def test_a_local_endpoint_wants_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    with playing([Line(GOOD_TEXT)]) as endpoint:
        assert OpenAi("m", endpoint.url).answer(MESSAGES).text == GOOD_TEXT
    assert endpoint.keys == [None]
