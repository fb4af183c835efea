"""What a planner is asked: the language, the catalogue and the request first, then what was found in its answer.

Guarantees: a conversation holds the workflow as it is now, so that places in findings mean what they say; what is asked
in a round of repair keeps to a budget of tokens.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from wfc.briefing import Catalogue, compact, language_card
from wfc.diagnostics import Diagnostic
from wfc.planner.planners import Message
from wfc.records import dataclass

REPAIR_TOKENS = 1400
_SYSTEM = """\
You write workflows. Answer with one JSON document and nothing else, which is
- a whole workflow, or
- once there is one, a change of it: {{"patch": [RFC 6902 operations]}}, or
- {{"search": "words"}} to see further capabilities, where the catalogue says that some are not shown, or
- {{"impossible": "why"}} where the request cannot be done with these capabilities.

{card}
# Catalogue: capability(input) -> output | effect
{catalogue}
"""
_AGAIN = 'Answer with {"patch": […]} against the workflow above, or with a whole workflow.'


@dataclass(frozen=True, slots=True)
class Form:
    """A source form in which planners write: its card, and how a workflow is shown to them."""

    name: str
    card: Callable[[], str]
    shown: Callable[[Any], str]


JSON_FORM = Form("json", language_card, lambda value: json.dumps(value, ensure_ascii=False, separators=(",", ":")))


def opening(request: str, catalogue: Catalogue, form: Form) -> list[Message]:
    """The first two messages of every conversation."""
    lines = catalogue.text or "(nothing but the built-in nodes)"
    system = _SYSTEM.format(card=form.card(), catalogue=lines)
    return [Message("system", system), Message("user", request)]


def findings(found: Sequence[Diagnostic], further: Sequence[str], applied: Sequence[str]) -> str:
    """What a round of repair asks for; `further` are findings of the planner's own, `applied` fixes that were made."""
    lines = [f"Fixed already: {one}" for one in applied[:5]]
    lines += [f"- {one}" for one in further[:5]]
    told = compact(found, budget=REPAIR_TOKENS)
    return "\n".join([*lines, *([told] if told else []), _AGAIN])


def cut_off(length: int) -> str:
    return (
        f"Your answer was cut off after {length} characters. Answer with a shorter whole workflow, without remarks, or"
        ' with {"patch": […]} against the workflow above, if there is one.'
    )


def no_document() -> str:
    return "Your answer holds no JSON document. " + _AGAIN


def patch_refused(why: str) -> str:
    return f"Your patch does not apply: {why}. Paths are JSON pointers into the workflow above. {_AGAIN}"


def found_capabilities(lines: Sequence[str], words: str) -> str:
    if not lines:
        return f"No capability fits `{words}`. Use those that you know, or answer that it is impossible."
    return "\n".join(["These fit:", *lines])
