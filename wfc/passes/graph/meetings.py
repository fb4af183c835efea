"""Where the branches of a fork without a join run together: the place at which its join is missing."""

from __future__ import annotations

from wfc.ir import END
from wfc.passes.graph.flow import Flow
from wfc.passes.graph.wiring import Wire
from wfc.records import dataclass

_FURTHEST = 200
_MOST_BRANCHES = 20


@dataclass(frozen=True, slots=True)
class Meeting:
    """A step, or `__end__`, that all ways from the branches lead to first in common, and the wires that do."""

    step: str
    wires: tuple[Wire, ...]


def meeting(flow: Flow, fork: str) -> Meeting | None:
    """The meeting of all branches of a fork; none where they meet nowhere near, or at several steps."""
    branches = flow.wires(fork)
    if len(branches) > _MOST_BRANCHES:
        return None
    ways = [_way(flow, fork, wire) for wire in branches]
    known = [way for way in ways if way is not None]
    if not known or len(known) < len(branches):
        return None
    common = set(known[0]).intersection(*known[1:])
    step = next((name for name in known[0] if name in common), None)
    if step is None or step == fork:
        return None
    apart = dict.fromkeys(name for way in known for name in way if name not in common and name != fork)
    leaving = [*branches, *(wire for name in apart for wire in flow.wires(name))]
    wires = [wire for wire in leaving if wire.target in common]
    return Meeting(step, tuple(wires)) if all(wire.target == step for wire in wires) else None


def _way(flow: Flow, fork: str, entry: Wire) -> list[str] | None:
    """What a branch leads to, nearest first, `__end__` included; none where it is too much to look at."""
    found = {entry.target: None}
    waiting = [entry.target]
    for step in waiting:
        for wire in flow.wires(step) if step not in (END, fork) else ():
            if wire.target not in found:
                found[wire.target] = None
                waiting.append(wire.target)
        if len(found) > _FURTHEST:
            return None
    return list(found)
