"""Planners without a model: one answers with our fixes and nothing else, one with what the findings state.

Both see only the messages that a real planner would see. The first answer of each is given: a workflow with a fault.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from bench.planner.stated import repair
from wfc.planner import Message, Reply

_FINDING = re.compile(
    r"^\d+\. (?P<severity>error|warning) (?P<code>WF\d{3}) at (?P<at>\S*)(?: \(step .+?\))?: (?P<message>.*)$"
)
_FIX = "   fix: "
_HELP = "   help: "

Json = dict[str, Any]


@dataclass(frozen=True)
class Told:
    """A finding as it stands in a message."""

    code: str
    at: str
    message: str
    fix: tuple[Json, ...] = ()
    help: str = ""


def told(text: str) -> Iterator[Told]:
    """The findings of a message."""
    lines = text.splitlines()
    for index, line in enumerate(lines):
        found = _FINDING.match(line)
        if found is None:
            continue
        after = lines[index + 1] if index + 1 < len(lines) else ""
        fix = tuple(json.loads(after.removeprefix(_FIX))) if after.startswith(_FIX) else ()
        yield Told(
            found["code"],
            found["at"],
            found["message"],
            fix,
            after.removeprefix(_HELP) if after.startswith(_HELP) else "",
        )


@dataclass
class RulePlanner:
    """Answers with the fix of the first finding that has one."""

    document: Json
    asked: list[str] = field(default_factory=list)

    def answer(self, messages: Sequence[Message]) -> Reply:
        if messages[-1].role != "user" or len(messages) == 2:
            return Reply(json.dumps(self.document))
        self.asked.append(messages[-1].text)
        fixes = [one.fix for one in told(messages[-1].text) if one.fix]
        if not fixes:
            return Reply(json.dumps({"impossible": "no finding has a fix"}))
        return Reply(json.dumps({"patch": list(fixes[0])}))


@dataclass
class StatedPlanner:
    """Repairs the first finding as it is stated: by its fix, else by what its sentence says was expected."""

    document: Json
    asked: list[str] = field(default_factory=list)

    def answer(self, messages: Sequence[Message]) -> Reply:
        if messages[-1].role != "user" or len(messages) == 2:
            return Reply(json.dumps(self.document))
        self.asked.append(messages[-1].text)
        shown = json.loads(messages[-2].text)
        for one in told(messages[-1].text):
            patch = list(one.fix) or repair(one.code, one.at, f"{one.message} {one.help}", shown)
            if patch:
                return Reply(json.dumps({"patch": patch}))
        return Reply(json.dumps({"impossible": "no finding says what to do"}))
