"""Comments that are suppressions: `# wfc: allow WF203 because …` before a workflow, a definition or a step (3.2)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from wfc.frontend.text.build_steps import Statement
from wfc.frontend.text.parts import Part, Stretch, an_array, an_object
from wfc.frontend.text.write import ALLOW

_ALLOWED = re.compile(
    r"#\s*wfc:\s*allow\b[ \t]*(?P<code>(?!because\b)[A-Za-z0-9-]*)[ \t:,]*(?:because\b)?[ \t]*(?P<reason>[^\n]*)"
)
_COVERING = ("def", "step", "edges")
Owner = tuple[int, int, Part]


def allow(statements: Iterable[Statement], comments: Iterable[Stretch], text: str) -> None:
    """Add each suppression to what it covers; before an edge that is the step, elsewhere the workflow."""
    found = [(start, match) for start, end in comments if (match := _ALLOWED.match(text, start, end))]
    if not found:
        return
    owners = list(_owners(statements))
    for start, match in found:
        line = text.rfind("\n", 0, start) + 1
        beside = [owner for owner in owners if owner[0] <= start and owner[1] > line]
        owner = beside[-1] if beside else next((one for one in owners if one[0] >= start), None)
        if owner is not None:
            _put_allowance(owner[2], match)


def _owners(statements: Iterable[Statement]) -> Iterator[Owner]:
    """From where to where each statement stands, and what a suppression before it covers."""
    workflow: Part | None = None
    step: Part | None = None
    for statement in statements:
        if statement.kind == "head":
            workflow = step = statement.part
        elif statement.kind in ("def", "step") and statement.part is not None and statement.part.inside is not None:
            step = statement.part
        owner = step if statement.kind in _COVERING else workflow
        if owner is not None:
            yield statement.start, statement.end, owner


def is_allowance(comment: str) -> bool:
    """Whether a comment is a suppression, which the document holds."""
    return _ALLOWED.match(comment) is not None


def _put_allowance(owner: Part, match: re.Match[str]) -> None:
    entry = an_object(*match.span())
    for key in ("code", "reason"):
        if match[key]:
            start, _end = match.span(key)
            written = match[key].rstrip()
            entry.put(key, Part(written, start, start + len(written)))
    present = owner.inside.get(ALLOW)
    parts = [*(present.inside or () if present is not None else ()), entry]
    owner.put(ALLOW, an_array(parts, parts[0].start, parts[-1].end))
