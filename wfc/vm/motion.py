"""A run in motion: what of it changes, and the few things that every step may do to it.

Nothing here knows what a step or a region is. Frames are queued in trace order; what has to be done outside is given
out as effects, and each call remembers the frame that waits for its answer.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from heapq import heappop, heappush
from typing import Any

from wfc.ir import Delay, Effect, Invoke, RunError, Withdraw
from wfc.vm.fault import Fault
from wfc.vm.frames import CANCELLED, INTERRUPTED, READY, WAITING, Frame, below, route
from wfc.vm.link import Linked, LinkedBlock


class Motion:
    """The changing state of one run. `failing` counts the regions that have failed and wait for lower lineages; `fuel`
    is how many entries of the trace may still be written, none for any number. While it `hurries`, items enter a loop
    one by one whatever its limit; `hurried` are the frames of such loops. It must not while a lineage waits for a
    person, beside whom the next items go on: `asks` tells whether one does, none where that has to be looked for.
    `heard` are entries that nobody was told of yet, none where nobody asks. `is_restored`: entries are missing."""

    def __init__(self, linked: Linked, run_id: str, step_limit: int) -> None:
        self.linked = linked
        self.run_id = run_id
        self.step_limit = step_limit
        self.status = "created"
        self.input: Any = None
        self.root: Frame | None = None
        self.outcome: str | None = None
        self.output: Any = None
        self.error: RunError | None = None
        self.active: Frame | None = None
        self.failing = 0
        self.fuel: int | None = None
        self.is_restored = False
        self.heard: list[dict[str, Any]] | None = None
        self.hurries = False
        self.hurried: dict[int, Frame] = {}
        self.asks: bool | None = None
        self._ready: list[tuple[tuple[int, ...], int, Frame]] = []
        self._pushed = 0
        self.calls: dict[str, Frame] = {}
        self.effects: deque[Effect] = deque()

    def block(self, frame: Frame) -> LinkedBlock:
        return frame.scope.routine.blocks[frame.step]

    def block_at(self, frame: Frame, step: str) -> LinkedBlock:
        return frame.scope.routine.blocks[step]

    def hurry(self) -> bool:
        """Whether items may enter one by one from now on."""
        if self.asks is None:
            self.asks = self.root is not None and any(one.status == INTERRUPTED for one in below(self.root))
        self.hurries = self.fuel is None and not self.asks
        return self.hurries

    def ready(self, frame: Frame) -> None:
        """Queue a frame; it goes on when it is the first in trace order that can."""
        frame.status = READY
        self._pushed += 1
        heappush(self._ready, (frame.key, self._pushed, frame))

    def wait(self, frame: Frame, effect: Invoke | Delay) -> None:
        """Give out an effect; the frame waits for its answer."""
        frame.status = WAITING
        self.calls[effect.call_id] = frame
        self.effects.append(effect)

    def count(self, frame: Frame) -> None:
        """Raise `step_limit` when the next entry of a frame would be one too many (reference 2.6)."""
        if frame.steps >= self.step_limit:
            raise Fault("step_limit", f"the run has used its {self.step_limit} steps")

    def entered(self, entry: dict[str, Any]) -> None:
        """Note that the trace has grown by what stepping counts as a step."""
        if self.fuel:
            self.fuel -= 1
        if self.heard is not None:
            self.heard.append(entry)

    def cancel(self, frames: Iterable[Frame]) -> None:
        """End frames, and all below them, for good; nobody waits for their calls any more."""
        for top in frames:
            for frame in below(top):
                if frame.status == WAITING and frame.call is not None:
                    self.calls.pop(frame.call.id, None)
                    self.effects.append(Withdraw(frame.call.id))
                if frame.region is not None and frame.region.failure is not None:
                    self.failing -= 1
                frame.status = CANCELLED

    def run_error(self, frame: Frame, fault: Fault) -> RunError:
        """A fault as the error of a run, at the step that the frame stands on."""
        _, _, hops = route(frame, frame.step)
        return RunError(
            fault.code,
            fault.message,
            frame.step,
            frame.id,
            hops,
            fault.type,
            fault.path,
            fault.details,
        )

    def complete_run(self, outcome: str, output: Any) -> None:
        self.outcome, self.output = outcome, output
        self._end("completed")

    def fail_run(self, error: RunError) -> None:
        self.error = error
        self._end("failed")

    def cancel_run(self, error: RunError) -> None:
        if self.root is not None:
            self.cancel(self.root.children())
            self.root.region, self.root.child = None, None
        self.effects.clear()
        self.error = error
        self._end("cancelled")

    def next(self) -> Frame | None:
        """The first frame in trace order that can go on; it stays queued until it waits, parks or ends."""
        while self._ready:
            frame = self._ready[0][2]
            if frame.status == READY:
                return frame
            heappop(self._ready)
        return None

    def is_next(self, frame: Frame) -> bool:
        return bool(self._ready) and self._ready[0][2] is frame

    def _end(self, status: str) -> None:
        if self.root is not None:
            self.root.status = status
        self.active, self.status = None, status
        self._ready.clear()
        self.calls.clear()
