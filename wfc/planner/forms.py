"""The source forms in which planners write: what they are told of each, and how workflows and findings look in it."""

from __future__ import annotations

import difflib
import json
from collections.abc import Callable
from typing import Any

from wfc import driver
from wfc.briefing import compact, language_card, text_card
from wfc.diagnostics import Diagnostic, Fix
from wfc.edits import PatchFault, apply_patch
from wfc.frontend import text_of
from wfc.planner.judging import Judged
from wfc.records import dataclass
from wfc.source import pointer, pointer_parts

REPAIR_TOKENS = 1400
_MOST_LINES = 6


@dataclass(frozen=True, slots=True)
class Form:
    """A source form. `answers` says what an answer is, `again` what the next one should be, `places` where a change
    has to stand; `shown` is a workflow as the planner sees it, and `told` the findings of one."""

    name: str
    answers: str
    again: str
    places: str
    card: Callable[[], str]
    shown: Callable[[Any], str]
    told: Callable[[Judged], str]


def _compact_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _told_of_json(now: Judged) -> str:
    return compact(now.told, budget=REPAIR_TOKENS)


def _told_of_text(now: Judged) -> str:
    """Findings by the lines of the text, fixes as lines that go and come."""
    if now.shown is None:
        return compact(now.told, budget=REPAIR_TOKENS)
    text = text_of(now.shown)
    document = driver.loads(text, form="text", name="workflow.wf").root

    def where(found: Diagnostic) -> str:
        place = document.existing(_counterpart(found.at.pointer, now.whole, document.value))
        return f"line {document.locate(place).start.line}"

    def change(fix: Fix) -> str:
        try:
            after = text_of(apply_patch(now.shown, fix.patch))
        except PatchFault:
            # It changes what the planner does not see.
            return f"   fix: {fix.title}"
        rows = difflib.unified_diff(text.splitlines(), after.splitlines(), lineterm="", n=0)
        changed = [row for row in rows if row[:1] in "+-" and row[:3] not in ("+++", "---")]
        return "\n".join(f"   {row}" for row in changed[:_MOST_LINES]) or f"   fix: {fix.title}"

    return compact(now.told, budget=REPAIR_TOKENS, where=where, change=change)


def _counterpart(place: str, value: Any, other: Any) -> str:
    """The same place in a document whose steps, edges, definitions and workflows may stand in another order."""
    parts: list[str] = []
    for part in pointer_parts(place):
        inner = value[int(part)] if isinstance(value, list) and part.isdigit() and int(part) < len(value) else None
        if inner is None:
            value = value.get(part) if isinstance(value, dict) else None
            other = other.get(part) if isinstance(other, dict) else None
            parts.append(part)
            continue
        index = next((at for at, one in enumerate(other or ()) if _name(one) == _name(inner)), int(part))
        value, other = inner, other[index] if isinstance(other, list) and index < len(other) else None
        parts.append(str(index))
    return pointer(*parts)


def _name(value: Any) -> Any:
    """What tells an element of an array from its neighbours, where it has a name."""
    if not isinstance(value, dict):
        return value
    if "from" in value:
        return value.get("from"), value.get("outcome")
    return value.get("id") or value.get("name") or value


JSON_FORM = Form(
    "json",
    'a whole workflow as JSON, or, once there is one, a change of it: {"patch": [RFC 6902 operations]}',
    'Answer with {"patch": […]} against the workflow above, or with a whole workflow.',
    "Paths are JSON pointers into the workflow above.",
    language_card,
    _compact_json,
    _told_of_json,
)
TEXT_FORM = Form(
    "text",
    "a whole workflow as text, or, once there is one, the lines that change: - before one that goes, + before one that"
    " comes",
    "Answer with the lines that change (-, +) of the workflow above, or with the whole workflow.",
    "A line that comes alone needs one before it that is there, with a blank in front.",
    text_card,
    text_of,
    _told_of_text,
)
FORMS = (TEXT_FORM, JSON_FORM)
