"""Planners without a model: one answers with our fixes and nothing else, one with what the findings state.

Both see only the messages that a real planner would see. The first answer of each is given: a workflow with a fault.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from bench.planner.stated import Patch, repair
from wfc.edits import PatchFault, apply_patch
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

    severity: str
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
            found["severity"],
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
    """Repairs what is stated: by the fix, else by what the sentence says was expected.

    All errors are repaired in one answer, and warnings where there is no error, since they may only follow from one.
    For the same reason nothing of a list is taken away in an answer that can repair something else, and no default is
    made up: a read may only be unsafe since the test before it is misspelt.
    """

    document: Json
    asked: list[str] = field(default_factory=list)

    def answer(self, messages: Sequence[Message]) -> Reply:
        if messages[-1].role != "user" or len(messages) == 2:
            return Reply(json.dumps(self.document))
        self.asked.append(messages[-1].text)
        shown = json.loads(messages[-2].text)
        found = list(told(messages[-1].text))
        first = [one for one in found if one.severity == found[0].severity]
        repairs = [patch for patch in (_repaired(one, shown) for one in first) if patch]
        if not repairs:
            return Reply(json.dumps({"impossible": "no finding says what to do"}))
        giving = [patch for patch in repairs if not _takes_away(patch)]
        kept = [patch for patch in giving if not _makes_up(patch)] or giving or repairs[:1]
        return Reply(json.dumps({"patch": _together(kept, shown)}))


def _repaired(one: Told, shown: Json) -> Patch:
    return list(one.fix) or repair(one.code, one.at, f"{one.message} {one.help}", shown)


def _takes_away(patch: Patch) -> bool:
    """Whether an element of a list goes."""
    return any(one["op"] == "remove" and one["path"].rpartition("/")[2].isdigit() for one in patch)


def _makes_up(patch: Patch) -> bool:
    """Whether a field begins with a value that nobody has named."""
    return any(one["op"] == "add" and one["path"].endswith("/default") for one in patch)


def _together(repairs: list[Patch], shown: Json) -> Patch:
    """The repairs that can be made one after the other; what several findings state is made once."""
    made: Patch = []
    for number, patch in enumerate(repairs):
        if patch in repairs[:number]:
            continue
        try:
            shown = apply_patch(shown, patch)
        except PatchFault:
            continue
        made += patch
    return made
