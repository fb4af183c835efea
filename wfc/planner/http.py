"""Planners behind an address: OpenAI-compatible chat completions, and Anthropic messages. The one door to HTTP.

Guarantees: keys come from the environment and stand in no message; a rate limit is waited for as the server asks, a few
times; everything else that goes wrong is a `PlannerFault` of its kind.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import httpx2

from wfc.planner.planners import Message, PlannerFault, Reply, Stop
from wfc.records import dataclass

_TRIES = 4
_LONGEST_WAIT = 60.0
_TIMEOUT_SECONDS = 300.0
_MOST_TOKENS = 16_000
_ANTHROPIC_VERSION = "2023-06-01"
OPENAI_URL = "https://api.openai.com/v1"
ANTHROPIC_URL = "https://api.anthropic.com/v1"

Sleep = Callable[[float], None]


@dataclass(frozen=True, slots=True)
class OpenAi:
    """An endpoint that speaks chat completions. Without a key none is sent: local servers want none."""

    model: str
    base_url: str = OPENAI_URL
    key_variable: str = "OPENAI_API_KEY"
    sleep: Sleep = time.sleep

    def answer(self, messages: Sequence[Message]) -> Reply:
        key = os.environ.get(self.key_variable)
        if key is None and self.base_url == OPENAI_URL:
            raise PlannerFault("unauthorised", f"{self.key_variable} is not set; it holds the key of the planner")
        headers = {"authorization": f"Bearer {key}"} if key else {}
        body = {"model": self.model, "messages": [{"role": one.role, "content": one.text} for one in messages]}
        return _openai_reply(_posted(f"{self.base_url.rstrip('/')}/chat/completions", headers, body, self.sleep))


@dataclass(frozen=True, slots=True)
class Anthropic:
    """An endpoint that speaks Anthropic messages."""

    model: str
    base_url: str = ANTHROPIC_URL
    key_variable: str = "ANTHROPIC_API_KEY"
    sleep: Sleep = time.sleep

    def answer(self, messages: Sequence[Message]) -> Reply:
        key = os.environ.get(self.key_variable)
        if key is None:
            raise PlannerFault("unauthorised", f"{self.key_variable} is not set; it holds the key of the planner")
        system = "\n".join(one.text for one in messages if one.role == "system")
        body = {
            "model": self.model,
            "max_tokens": _MOST_TOKENS,
            "system": system,
            "messages": [{"role": one.role, "content": one.text} for one in messages if one.role != "system"],
        }
        headers = {"x-api-key": key, "anthropic-version": _ANTHROPIC_VERSION}
        return _anthropic_reply(_posted(f"{self.base_url.rstrip('/')}/messages", headers, body, self.sleep))


def _openai_reply(answer: Mapping[str, Any]) -> Reply:
    try:
        choice = answer["choices"][0]
        message, finish = choice["message"], choice.get("finish_reason")
        if message.get("refusal"):
            return Reply(str(message["refusal"]), "refused")
        stops: dict[Any, Stop] = {"length": "length", "content_filter": "refused"}
        usage = answer.get("usage") or {}
        tokens = (int(usage["prompt_tokens"]), int(usage["completion_tokens"])) if usage else None
        return Reply(str(message.get("content") or ""), stops.get(finish, "end"), tokens)
    except (KeyError, IndexError, TypeError, AttributeError, ValueError):
        raise PlannerFault("bad_answer", "the planner's answer is no chat completion") from None


def _anthropic_reply(answer: Mapping[str, Any]) -> Reply:
    try:
        text = "".join(block["text"] for block in answer["content"] if block["type"] == "text")
        stops: dict[Any, Stop] = {"max_tokens": "length", "refusal": "refused"}
        usage = answer.get("usage") or {}
        tokens = (int(usage["input_tokens"]), int(usage["output_tokens"])) if usage else None
        return Reply(text, stops.get(answer.get("stop_reason"), "end"), tokens)
    except (KeyError, TypeError, AttributeError, ValueError):
        raise PlannerFault("bad_answer", "the planner's answer is no message") from None


def _posted(url: str, headers: Mapping[str, str], body: Mapping[str, Any], sleep: Sleep) -> Mapping[str, Any]:
    """The JSON object that a request is answered with."""
    for tried in range(1, _TRIES + 1):
        response = _response(url, headers, body)
        wait = _wait(response, tried)
        if wait is None or tried == _TRIES:
            break
        sleep(wait)
    _refuse(response)
    try:
        answer = response.json()
    except ValueError:
        answer = None
    if not isinstance(answer, dict):
        raise PlannerFault("bad_answer", "the planner's answer is no JSON object")
    return answer


def _response(url: str, headers: Mapping[str, str], body: Mapping[str, Any]) -> httpx2.Response:
    try:
        return httpx2.post(url, headers=dict(headers), json=body, timeout=_TIMEOUT_SECONDS)
    except httpx2.TimeoutException:
        raise PlannerFault("timeout", f"no answer within {_TIMEOUT_SECONDS:g} seconds") from None
    except (httpx2.HTTPError, httpx2.InvalidURL) as wrong:
        raise PlannerFault("unreachable", f"{url} cannot be reached: {wrong}") from None


def _wait(response: httpx2.Response, tried: int) -> float | None:
    """How long to wait before asking again; none where asking again is of no use."""
    if response.status_code != 429 and response.status_code < 500:
        return None
    asked = response.headers.get("retry-after", "")
    seconds = float(asked) if asked.replace(".", "", 1).isdigit() else float(2**tried)
    return seconds if seconds <= _LONGEST_WAIT else None


def _refuse(response: httpx2.Response) -> None:
    """Raise what a status means; what the server says about it is quoted, the key is not in it."""
    code = response.status_code
    if code < 300:
        return
    said = " ".join(response.text.split())[:200]
    told = f"HTTP {code}" + (f": {said}" if said else "")
    if code == 429:
        raise PlannerFault("rate_limited", told)
    if code in (401, 403):
        raise PlannerFault("unauthorised", told)
    raise PlannerFault("server_error" if code >= 500 else "bad_answer", told)
