"""What a planner is asked: the language, the catalogue and the request first, then what was found in its answer.

Guarantees: a conversation holds the workflow as it is now, so that places in findings mean what they say; what is asked
in a round of repair keeps to a budget of tokens.
"""

from __future__ import annotations

from collections.abc import Sequence

from wfc.briefing import Catalogue
from wfc.planner.forms import Form
from wfc.planner.judging import Judged
from wfc.planner.planners import Message

_SYSTEM = """\
You write workflows. Answer with one document and nothing else, which is
- {answers}, or
- {{"search": "words"}} to see further capabilities, where the catalogue says that some are not shown, or
- {{"impossible": "why"}} where the request cannot be done with these capabilities.

{card}
# Catalogue: capability(input) -> output | effect
{catalogue}
"""


def opening(request: str, catalogue: Catalogue, form: Form) -> list[Message]:
    """The first two messages of every conversation."""
    lines = catalogue.text or "(nothing but the built-in nodes)"
    system = _SYSTEM.format(answers=form.answers, card=form.card(), catalogue=lines)
    return [Message("system", system), Message("user", request)]


def findings(now: Judged, form: Form) -> str:
    """What a round of repair asks for: fixes that were made, findings of the planner's own, and those of the check."""
    lines = [f"Fixed already: {one}" for one in now.applied[:5]]
    lines += [f"- {one}" for one in now.further[:5]]
    told = form.told(now)
    return "\n".join([*lines, *([told] if told else []), form.again])


def cut_off(length: int, form: Form) -> str:
    return f"Your answer was cut off after {length} characters. Be brief, without remarks. {form.again}"


def no_document(form: Form) -> str:
    return f"Your answer holds no workflow. {form.again}"


def patch_refused(why: str, form: Form) -> str:
    return f"Your patch does not apply: {why}. {form.places} {form.again}"


def found_capabilities(lines: Sequence[str], words: str) -> str:
    if not lines:
        return f"No capability fits `{words}`. Use those that you know, or answer that it is impossible."
    return "\n".join(["These fit:", *lines])
