"""The turn of a foreach at full speed: an item has come back to its step, and the next one enters in its place.

Guarantees what `regions.item_done` and `regions.go_on` do one after the other, for a loop of which no other item is
under way. The frame of the item that ends becomes that of the next: nobody else holds it.
"""

from __future__ import annotations

from typing import Any

from wfc.ir import PLOD
from wfc.records import dataclass
from wfc.vm.fault import MISSING
from wfc.vm.frames import ITEM, Frame, Region
from wfc.vm.patch import hand_outward


@dataclass(frozen=True, slots=True)
class Turning:
    """What a turn has to know of its foreach: `mark` is that of an item's entry, `after` the first step of the body."""

    step: str
    mark: int
    target: str
    edge: dict[str, str]
    is_parallel: bool
    after: Any


def turn(frame: Frame, limit: int, given: tuple[Turning]) -> Any:
    """End an item and let the next one enter; gives the first step of the body, or `PLOD`."""
    (about,) = given
    holder = frame.parent
    if frame.kind != ITEM or holder is None:
        return PLOD
    region = holder.region
    if region is None or region.step != about.step or region.failure is not None or len(region.live) != 1:
        return PLOD
    done = region.steps + frame.steps - frame.base
    steps = holder.steps if about.is_parallel else holder.steps + done
    if region.next >= len(region.items) or steps >= limit:
        return PLOD
    lineage, above = frame.lineage, holder.lineage
    if about.is_parallel:
        region.logs[frame.index], region.steps = lineage.log, done  # type: ignore[assignment]
    else:
        hand_outward(above, lineage.log)  # type: ignore[arg-type]
        region.steps = 0
    if above._grown:
        above._settle(())
    lineage._root, lineage._owned, lineage.log = above._root, None, []
    if lineage._grown:
        lineage._grown = {}
    holder.steps = steps + 1
    _enter(frame, holder, region, about)
    return about.after


def _enter(frame: Frame, holder: Frame, region: Region, about: Turning) -> None:
    """Make a frame that of the next item, and write the entry with which it enters."""
    index = region.next
    holder.sequence = sequence = holder.sequence + 1
    del region.live[frame.index]
    region.live[index], region.next = frame, index + 1
    frame.id = name = f"{region.prefix}{index}]"
    # The key stays what it was: of its siblings the earlier ones have ended, and the later ones have higher keys.
    frame.index = index
    frame.head = head = (name, frame.scope.id, holder.id, sequence)
    frame.entries = entries = [head]
    holder.entries += (about.mark, sequence, index, MISSING, entries)
    frame.base = frame.steps = holder.steps
    frame.sequence = frame.retries = 0
    frame.prior, frame.incoming, frame.step = "item", about.edge, about.target
    if frame.visits:
        frame.visits = {}
    loop = frame.loop
    loop.item, loop.index = region.items[index], index  # type: ignore[union-attr]
