"""The loop: a request goes out, a workflow comes back, the compiler judges it, findings go out (reference 4.6).

Guarantees: nothing is executed; every answer counts against the rounds, searches aside, which are counted by
themselves; the loop ends for exactly one reason, and the reason is told. The same answers give the same session.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from wfc.briefing import by_name, fitted, line, search
from wfc.edits import PatchFault, apply_patch
from wfc.ir import Contract
from wfc.planner import asking
from wfc.planner.forms import TEXT_FORM, Form
from wfc.planner.judging import Judged, judged
from wfc.planner.lines import LinesFault, changed_lines
from wfc.planner.outcome import Plan, Round, Status
from wfc.planner.planners import Message, Planner, PlannerFault, Reply
from wfc.planner.reading import Read, read_answer
from wfc.records import dataclass, replace
from wfc.report import diagnostic_json

_MOST_SEARCHES = 5
_FOUND_BY_A_SEARCH = 20


@dataclass(frozen=True, slots=True)
class Options:
    """How far a session may go. `max_rounds` counts repairs after the first answer."""

    max_rounds: int = 3
    catalogue_tokens: int = 8000
    auto_fix: bool = True
    form: Form = TEXT_FORM


def plan(
    request: str,
    planner: Planner,
    *,
    capabilities: Sequence[Contract] | None = (),
    options: Options | None = None,
    id: str = "plan",
    keep: Callable[[Plan], None] = lambda so_far: None,
) -> Plan:
    """Let a planner write a workflow until it is clean, or until there is a reason to stop.

    `capabilities` are all that it may call; none: whatever its definitions say. `keep` is given the session after
    every round, so that none is lost.
    """
    return _Session(
        request, planner, None if capabilities is None else by_name(capabilities), options or Options(), id, keep
    ).go()


class _Session:
    """A session in motion: what was found so far, and the workflow as it is now."""

    def __init__(
        self,
        request: str,
        planner: Planner,
        capabilities: Mapping[str, Contract] | None,
        options: Options,
        id: str,
        keep: Callable[[Plan], None],
    ) -> None:
        self._planner, self._capabilities, self._options, self._keep = planner, capabilities, options, keep
        catalogue = fitted(list((capabilities or {}).values()), request, options.catalogue_tokens)
        opening = asking.opening(request, catalogue, options.form)
        settings = {
            "max_rounds": options.max_rounds,
            "catalogue_tokens": options.catalogue_tokens,
            "auto_fix": options.auto_fix,
            "form": options.form.name,
        }
        self._plan = Plan(id, request, tuple(opening), settings=settings)
        self._now: Judged | None = None
        self._seen: list[Judged] = []
        self._searches: list[Message] = []
        self._next: Message | None = None

    def go(self) -> Plan:
        answers = 0
        while answers <= self._options.max_rounds:
            asked = self._asked()
            try:
                reply = self._planner.answer([*self._plan.opening, *asked])
            except PlannerFault as fault:
                return self._end("planner_failed", f"{fault.kind}: {fault}")
            read = read_answer(reply)
            if read.kind == "search" and len(self._searches) < 2 * _MOST_SEARCHES:
                self._search(asked, reply, read)
                continue
            answers += 1
            ended = self._taken(asked, reply, read)
            if ended is not None:
                return ended
        return self._out_of_rounds()

    def _asked(self) -> tuple[Message, ...]:
        """What is said after the opening: what was searched for, the workflow as it is now, and what is wanted."""
        shown: list[Message] = []
        if self._now is not None:
            shown = [Message("assistant", self._text(self._now))]
        elif self._next is not None:
            shown = [Message("assistant", self._plan.rounds[-1].reply.text[:2000] or "(nothing)")]
        return (*self._searches, *shown, *([self._next] if self._next is not None else []))

    def _search(self, asked: tuple[Message, ...], reply: Reply, read: Read) -> None:
        found = search(list((self._capabilities or {}).values()), read.text, _FOUND_BY_A_SEARCH)
        told = asking.found_capabilities([line(one) for one in found], read.text)
        self._searches += [Message("assistant", json.dumps({"search": read.text})), Message("user", told)]
        self._note(Round(asked, reply, read.kind))

    def _taken(self, asked: tuple[Message, ...], reply: Reply, read: Read) -> Plan | None:
        """Take an answer in; the end of the session, if it is one."""
        repeats = any(one.reply.text == reply.text and one.kind != "search" for one in self._plan.rounds[-1:])
        made = Round(asked, reply, read.kind)
        match read.kind:
            case "refusal":
                return self._end("refused", read.text, made)
            case "impossible":
                return self._end("impossible", read.text, made)
            case "workflow":
                return self._judge(made, read.text)
            case "patch":
                return self._patched(made, read, repeats)
            case _:
                return self._unusable(made, read, repeats)

    def _patched(self, made: Round, read: Read, repeats: bool) -> Plan | None:
        now = self._now
        if now is None or (read.patch and now.shown is None):
            return self._unusable(made, read, repeats)
        try:
            if read.patch:
                after = json.dumps(apply_patch(now.shown, read.patch))
            else:
                after = changed_lines(self._text(now), read.text)
        except (PatchFault, LinesFault) as wrong:
            return self._asks_again(replace(made, note=f"the patch does not apply: {wrong}"), repeats, str(wrong))
        return self._judge(made, after)

    def _text(self, now: Judged) -> str:
        """The workflow as the planner sees it."""
        return now.text if now.shown is None else self._options.form.shown(now.shown)

    def _unusable(self, made: Round, read: Read, repeats: bool) -> Plan | None:
        """An answer that holds no workflow."""
        notes = {
            "truncated": "the answer was cut off",
            "patch": "a patch, and there is no workflow yet",
            "search": "one search too many",
        }
        noted = replace(made, note=notes.get(read.kind, "the answer holds no workflow"))
        if repeats and self._now is None:
            return self._end("no_workflow", noted.note, noted)
        return self._asks_again(noted, repeats)

    def _asks_again(self, made: Round, repeats: bool, refused: str | None = None) -> Plan | None:
        if repeats:
            return self._end("repeated", f"the same answer twice: {made.note}", made)
        if made.kind == "truncated":
            text = asking.cut_off(len(made.reply.text), self._options.form)
        else:
            form = self._options.form
            text = asking.no_document(form) if refused is None else asking.patch_refused(refused, form)
        self._next = Message("user", text)
        self._note(made)
        return None

    def _judge(self, made: Round, text: str) -> Plan | None:
        """Judge a workflow; the end of the session where it is clean, or brings nothing new."""
        now = judged(text, self._capabilities, auto_fix=self._options.auto_fix)
        made = replace(
            made,
            findings=tuple(diagnostic_json(one, {}) for one in now.told),
            further=now.further,
            applied=tuple(now.applied),
        )
        before, self._now = self._now, now
        self._note(made)
        status, reason = self._verdict(now, before)
        self._seen.append(now)
        if status is not None:
            return self._end(status, reason)
        self._next = Message("user", asking.findings(now, self._options.form))
        return None

    def _verdict(self, now: Judged, before: Judged | None) -> tuple[Status | None, str]:
        if not now.ids:
            return "clean", ""
        same = before is not None and (now.text == before.text or now.ids == before.ids)
        if same and not now.has_errors:
            return "clean", "the planner insists on what is only warned of"
        if same:
            return "repeated", "the answer brings back exactly what was found before"
        if any(now.text == one.text or now.ids == one.ids for one in self._seen) and now.has_errors:
            return "oscillating", "the answer brings back what was found two or more rounds before"
        return None, ""

    def _out_of_rounds(self) -> Plan:
        if self._now is None:
            return self._end("no_workflow", f"no workflow came in {len(self._plan.rounds)} answers")
        if not self._now.has_errors:
            return self._end("clean", "only warnings are left")
        return self._end("rounds_exhausted", f"there are findings after {self._options.max_rounds} repairs")

    def _note(self, made: Round) -> None:
        self._plan = replace(self._plan, rounds=(*self._plan.rounds, made))
        self._keep(self._plan)

    def _end(self, status: Status, reason: str, last: Round | None = None) -> Plan:
        if last is not None:
            self._plan = replace(self._plan, rounds=(*self._plan.rounds, last))
        now = self._now
        found: dict[str, Any] = {}
        if now is not None:
            found = {"workflow": now.whole, "diagnostics": now.report.diagnostics, "further": now.further}
        self._plan = replace(self._plan, status=status, reason=reason, **found)
        self._keep(self._plan)
        return self._plan
