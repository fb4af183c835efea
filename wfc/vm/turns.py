"""The turn of a foreach at full speed: an item has come back to its step, and the next one enters in its place.

Guarantees what `regions.item_done` and `regions.go_on` do one after the other, for a loop of which no other item is
under way. The frame of the item that ends becomes that of the next: nobody else holds it. A sprint (`wfc.vm.sprints`)
turns by itself, between `opened` and `left`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wfc.ir import PLOD
from wfc.records import dataclass
from wfc.vm.fault import MISSING
from wfc.vm.frames import ITEM, Frame, Heads, Region
from wfc.vm.lineage import Lineage
from wfc.vm.patch import Write, hand_outward


@dataclass(frozen=True, slots=True)
class Turning:
    """What a turn has to know of its foreach: `mark` is that of an item's entry, `after` the first step of the body.
    `outcome`, `edge` and `target` say how an item leaves the step of the foreach."""

    step: str
    mark: int
    target: str
    edge: dict[str, str]
    is_parallel: bool
    after: Any
    outcome: str = "item"


def turn(frame: Frame, limit: int, given: tuple[Turning]) -> Any:
    """End an item and let the next one enter; gives the first step of the body, or `PLOD`."""
    (about,) = given
    found = _opened(frame, about)
    if found is None:
        return PLOD
    holder, region = found
    done = region.steps + frame.steps - frame.base
    steps = holder.steps if about.is_parallel else holder.steps + done
    if region.next >= len(region.items) or steps >= limit:
        return PLOD
    lineage, above = frame.lineage, holder.lineage
    if about.is_parallel:
        region.logs[frame.index], region.steps = lineage.log or (), done
    else:
        _hand_outward(above, lineage.log or [])
        region.steps = 0
    if above._grown:
        above._settle(())
    lineage._root, lineage._owned, lineage.log = above._root, None, []
    if lineage._grown:
        lineage._grown = {}
    _enter(frame, holder, region, about, steps + 1)
    return about.after


def _opened(frame: Frame, about: Turning) -> tuple[Frame, Region] | None:
    """The frame and the region of a loop of which this item alone is under way; none where it is not so."""
    holder = frame.parent
    region = None if holder is None or frame.kind != ITEM else holder.region
    if holder is None or region is None or region.step != about.step or region.failure is not None:
        return None
    return (holder, region) if len(region.live) == 1 else None


def _hand_outward(above: Lineage, log: Sequence[Write]) -> None:
    """What an item wrote goes to the lineage around it; most write one thing, which is added to an array."""
    if len(log) == 1:
        plan, incoming = log[0]
        if plan.way == "append" and above.add(plan.parts, incoming):
            if above.log is not None:
                above.log += log
            return
    hand_outward(above, log)


def _enter(frame: Frame, holder: Frame, region: Region, about: Turning, steps: int) -> None:
    """Make a frame that of the next item, and write the entry with which it enters."""
    heads = Heads(region.prefix, frame.scope.id, holder.id)
    frame.entries = entries = [heads]
    holder.entries += (about.mark, holder.sequence + 1, region.next, MISSING, entries)
    left(frame, (holder, region), heads, region.next, steps, holder.sequence + 1)
    frame.retries = 0
    frame.prior, frame.incoming, frame.step = about.outcome, about.edge, about.target
    loop = frame.loop
    loop.item, loop.index = region.items[region.next - 1], region.next - 1  # type: ignore[union-attr]


def opened(frame: Frame, about: Turning) -> tuple[Any, ...]:
    """What a sprint turns with: frame and region of the loop, its items, the lineage around it, the heads of its items,
    and the index of the next item, which is beyond the last where nothing can turn."""
    found = _opened(frame, about)
    if found is None:
        return (None, (), frame.lineage, None, 0)
    holder, region = found
    heads = Heads(region.prefix, frame.scope.id, holder.id)
    return (found, region.items, holder.lineage, heads, region.next)


def left(frame: Frame, loop: tuple[Frame, Region], heads: Heads, index: int, steps: int, sequence: int) -> None:
    """A frame is that of item `index` now, which stands at its beginning and entered with entry `sequence` of the frame
    of the loop, which has counted so many steps."""
    holder, region = loop
    del region.live[frame.index]
    region.live[index], region.next = frame, index + 1
    # The key stays what it was: of its siblings the earlier ones have ended, and the later ones have higher keys.
    frame.index = index
    frame.head = frame.entries[0] = heads.of(index, sequence)
    frame.id = frame.head[0]
    holder.steps = frame.base = frame.steps = steps
    holder.sequence, frame.sequence = sequence, 0
    if frame.visits:
        frame.visits = {}
