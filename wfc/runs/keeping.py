"""The journal of a run while it goes on: what happens is noted, and a commit keeps it before anything further begins.

Guarantees: a machine that is made from a checkpoint and the entries behind it stands where the run did; checkpoints are
written where a run rests and whenever the journal has outgrown the last one, so together they stay in proportion to it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from wfc.backends.drivers import CANCELLED, Stopped, reach, replay, settle
from wfc.backends.stores import CancelWanted, Page, Session, StoredRun, StoreFault
from wfc.ir import COMPLETED, Answer, Entry, RunState, entry_of
from wfc.records import dataclass, replace
from wfc.vm import Linked, Machine

# A shorter journal costs less to read than a checkpoint to write.
_LEAST_CHARACTERS = 64_000
CANCEL_MESSAGE = "the run was cancelled from outside"


@dataclass(frozen=True, slots=True)
class Position:
    """Where a stored run stands: its machine, and the calls and delays that had begun and are not answered, by id with
    when a delay is over."""

    machine: Machine
    begun: Mapping[str, float | None]

    @property
    def calls(self) -> list[str]:
        return [call_id for call_id, over in self.begun.items() if over is None]

    @property
    def due(self) -> dict[str, float]:
        return {call_id: over for call_id, over in self.begun.items() if over is not None}


def position_of(linked: Linked, stored: StoredRun) -> Position:
    """Take a run up where its journal ends. Raises `StoreFault` for a checkpoint that cannot be read."""
    machine, begun = _checkpointed(linked, stored)
    replay(machine, stored.tail)
    for entry in stored.tail:
        begun.pop(entry.about or "", None)
        begun.update(entry.begun)
    for call_id in begun:
        reach(machine, call_id)
    # What the replay was given out is given out again to whoever goes on.
    machine = Machine.restore(linked, machine.checkpoint()) if stored.tail else machine
    return Position(machine, {call_id: over for call_id, over in begun.items() if machine.awaits(call_id)})


def _checkpointed(linked: Linked, stored: StoredRun) -> tuple[Machine, dict[str, float | None]]:
    new = stored.new
    if stored.checkpoint is None:
        return Machine.start(linked, new.input, run_id=new.run_id, step_limit=new.step_limit), {}
    try:
        held = json.loads(stored.checkpoint)
        run = RunState.from_value({**held["run"], "input": new.input, "step_limit": new.step_limit})
        return Machine.restore(linked, run), dict(held["begun"])
    except (ValueError, TypeError, KeyError, IndexError, AttributeError) as wrong:
        raise StoreFault(f"the checkpoint of the run `{stored.run_id}` is damaged: {wrong}") from None


class Keeper:
    """The journal of one run, kept by its session; see `wfc.backends.drivers.Journal`."""

    def __init__(self, session: Session, position: Position) -> None:
        self._session = session
        self._machine = position.machine
        self._begun = dict(position.begun)
        self._page: list[Entry] = []
        # An answer of the plainest kind, which comes behind what is on the page.
        self._taken: tuple[str, str | None, Any] | None = None
        # What begins with the last entry of the page; until it is kept, nobody else has it.
        self._with_last: dict[str, float | None] = {}
        self._behind = 0
        self._bound = _LEAST_CHARACTERS

    @property
    def begun(self) -> Mapping[str, float | None]:
        """The calls and delays that have begun and are not answered."""
        return self._begun

    def note(self, entry: Entry) -> None:
        self._lay_down()
        self._with_last = {}
        self._page.append(replace(entry, begun=self._with_last))

    def answered(self, answer: Answer) -> None:
        self._lay_down()
        self._begun.pop(answer.call_id, None)
        self._with_last = {}
        self._page.append(entry_of(answer, self._with_last))

    def took(self, call_id: str, outcome: str | None, output: Any) -> None:
        self._lay_down()
        del self._begun[call_id]
        self._taken = (call_id, outcome, output)

    def turn(self, call_id: str) -> bool:
        if self._behind > self._bound:
            # A checkpoint is due, and a machine that goes at full speed does not stand where one can be taken.
            return False
        if self._taken is None:
            self.begins(call_id, None)
            self.commit()
            return True
        self._begun[call_id] = None
        try:
            self._behind += self._session.turn(*self._taken, call_id)
        except CancelWanted:
            self.withdrawn(call_id)
            raise Stopped(CANCELLED) from None
        self._taken = None
        return True

    def _lay_down(self) -> None:
        """Bring the answer that was taken last onto the page."""
        if self._taken is not None:
            call_id, outcome, output = self._taken
            self._with_last, self._taken = {}, None
            self._page.append(Entry(COMPLETED, call_id, [outcome, output], self._with_last))

    def begins(self, call_id: str, due: float | None) -> None:
        self._lay_down()
        self._begun[call_id] = due
        if not self._page:
            self.note(Entry("begun"))
        self._with_last[call_id] = due

    def withdrawn(self, call_id: str) -> None:
        self._begun.pop(call_id, None)

    def commit(self) -> None:
        self._lay_down()
        if not self._page:
            return
        checkpoint = self._text_of(self._machine.checkpoint()) if self._behind > self._bound else None
        try:
            self._behind += self._session.write(Page(tuple(self._page), checkpoint))
        except CancelWanted:
            for call_id in [call_id for entry in self._page for call_id in entry.begun]:
                self.withdrawn(call_id)
            self._page = [replace(entry, begun={}) for entry in self._page]
            raise Stopped(CANCELLED) from None
        self._page.clear()
        if checkpoint is not None:
            self._behind, self._bound = 0, max(_LEAST_CHARACTERS, len(checkpoint))

    def rest(self) -> RunState:
        """Keep the run as it stands now, without its trace, and give it back; a wish to cancel it that came before that
        is granted."""
        try:
            return self._rest()
        except CancelWanted:
            self.cancel()
            return self._rest()

    def cancel(self) -> None:
        """End the run as cancelled, with the next commit; unless it has ended with the last answer.

        What needs no answer is done first, so that a cancelled run does not depend on how far its driver had looked.
        """
        settle(self._machine)
        if self._machine.status not in ("running", "interrupted"):
            return
        self._machine.cancel(CANCEL_MESSAGE)
        self.note(Entry("cancelled", None, CANCEL_MESSAGE))

    def _rest(self) -> RunState:
        self._lay_down()
        run = self._machine.checkpoint()
        self._session.write(Page(tuple(self._page), self._text_of(run), (run.status, run.outcome)))
        self._page.clear()
        return run

    def give_up(self) -> None:
        """Give the run back as its journal has it."""
        self._session.give_up()

    def close(self) -> None:
        self._session.close()

    def _text_of(self, run: RunState) -> str:
        value: dict[str, Any] = run.to_value()
        # These are kept with the run, once.
        del value["input"], value["step_limit"]
        begun = {call_id: over for call_id, over in self._begun.items() if self._machine.awaits(call_id)}
        return json.dumps({"run": value, "begun": begun}, separators=(",", ":"))
