"""Changes of a text as lines that go and lines that come, as planners write them: a diff whose numbers nobody counts.

Guarantees: a change is made where its lines stand, and stand once, or not at all; indentation decides nothing.
"""

from __future__ import annotations

from wfc.records import dataclass, field

_SIGNS = "+- "
_HEADS = ("@@", "--- ", "+++ ", "diff ")


class LinesFault(ValueError):
    """A change that does not apply: one sentence."""


@dataclass(slots=True)
class _Hunk:
    """Lines that stand beside one another: as they are, as they will be."""

    before: list[str] = field(default_factory=list)
    after: list[str] = field(default_factory=list)
    grows: bool = False


def is_change_of_lines(text: str) -> bool:
    """Whether a text is such a change: every line has its sign, and at least one comes."""
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith(_HEADS)]
    return any(line[0] == "+" for line in lines) and all(line[0] in _SIGNS for line in lines)


def changed_lines(text: str, change: str) -> str:
    """The text after a change. Raises `LinesFault`."""
    lines = text.splitlines()
    for hunk in _hunks(change):
        if not hunk.before:
            raise LinesFault(
                f"`{hunk.after[0].strip()}` comes nowhere; expected a line before it that is there already"
            )
        at = _found(lines, hunk.before)
        lines[at : at + len(hunk.before)] = hunk.after
    return "\n".join(lines) + "\n"


def _hunks(change: str) -> list[_Hunk]:
    found = [_Hunk()]
    for line in change.splitlines():
        if not line.strip() or line.startswith(_HEADS):
            found.append(_Hunk())
            continue
        sign, content = line[0], line[1:]
        if sign == "-" and found[-1].grows:
            found.append(_Hunk())
        if sign != "+":
            found[-1].before.append(content)
        if sign != "-":
            found[-1].after.append(content)
        found[-1].grows |= sign == "+"
    return [one for one in found if one.before or one.after]


def _found(lines: list[str], wanted: list[str]) -> int:
    """Where the lines stand beside one another, indentation aside."""
    sought = [line.strip() for line in wanted]
    bare = [line.strip() for line in lines]
    places = [at for at in range(len(bare) - len(sought) + 1) if bare[at : at + len(sought)] == sought]
    if len(places) == 1:
        return places[0]
    told = "stands there more than once" if places else "stands nowhere in the workflow"
    raise LinesFault(f"`{sought[0]}`{' and what follows it' if len(sought) > 1 else ''} {told}")
