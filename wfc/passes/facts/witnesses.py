"""Ways through a workflow on which state is not written: what shows that a path may be missing."""

from __future__ import annotations

from collections.abc import Sequence

from wfc.diagnostics import Related
from wfc.passes.facts import Facts
from wfc.passes.values import Missing, Read, Write

_MOST = 100
_SHOWN = 2


class Witnesses:
    """The ways that findings show. A workflow with very many such findings has them for the first hundred only."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._left = _MOST

    def of(self, read: Read, depth: int) -> Missing | None:
        """A way to a look on which its path, up to the segment `depth`, is not there; none where none was found."""
        self._left -= 1
        found = self._facts.values.why_missing(read, depth) if self._left >= 0 else None
        return found if found is not None and found.way else None


def undone(witness: Missing | None) -> tuple[Related, ...]:
    """The write that takes a path away."""
    return () if witness is None or witness.undone is None else taken_away([witness.undone])


def taken_away(writes: Sequence[Write]) -> tuple[Related, ...]:
    """Replaces of an object by one without a path that is in it, as places of the way."""
    return tuple(Related("on the path", write.at, f"`{write.step}` takes it away") for write in writes[:_SHOWN])
