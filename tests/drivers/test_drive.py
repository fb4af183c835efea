"""The loop against a scripted machine: what it answers, in which order, and when it stops."""

import asyncio

import pytest

from wfc.backends.drivers import BlockingClock, InstantClock, LoopClock, drive, run_without_loop
from wfc.diagnostics import InternalError
from wfc.ir import Completed, Delay, Elapsed, Invoke, NodeResult, Withdraw


def call(call_id):
    return Invoke(call_id, 1, "main", "d", "d", call_id, "root", {}, None, "write", {})


class Script:
    """A machine that plays effects: each stands behind the call ids that must be answered before it is given out."""

    def __init__(self, *effects, status="completed", fuel=None):
        self.effects = [(after if isinstance(after, tuple) else (after,), effect) for after, effect in effects]
        self.answered = []
        self.end = status
        self.fuel = fuel

    @property
    def status(self):
        open_calls = {effect.call_id for _, effect in self.effects} | self.waiting()
        return "running" if open_calls else self.end

    def waiting(self):
        return getattr(self, "given", set()) - set(self.answered)

    def poll(self):
        for number, (after, effect) in enumerate(self.effects):
            if set(after) - {""} <= set(self.answered):
                del self.effects[number]
                if isinstance(effect, Withdraw):
                    self.given.discard(effect.call_id)
                else:
                    self.given = getattr(self, "given", set()) | {effect.call_id}
                return effect
        return None

    def answer(self, answer):
        self.answered.append(answer.call_id)
        self.last = answer


class FakeClock:
    """A clock that is set forward by sleeping, and by each call as far as the test says."""

    def __init__(self, now=1000.0):
        self.time = now
        self.slept = []

    def now(self):
        return self.time

    def due(self, seconds):
        return self.time + seconds

    async def sleep_until(self, due):
        self.slept.append(due - self.time)
        self.time = due


async def perform(invoke):
    return Completed(invoke.call_id, NodeResult())


def run(machine, clock, performs=perform, **more):
    run_without_loop(drive(machine, performs, clock, **more))
    return machine.answered


def test_calls_are_made_one_after_the_other():
    machine = Script(("", call("a")), ("a", call("b")))
    assert run(machine, InstantClock()) == ["a", "b"]
    assert machine.last == Completed("b", NodeResult())


def test_on_an_instant_clock_the_frame_keeps_its_turn():
    machine = Script(("", Delay("long", 1e9)), ("long", call("a")), ("", Delay("short", 1)), ("short", call("b")))
    assert run(machine, InstantClock()) == ["long", "a", "short", "b"]


def test_a_delay_holds_up_its_own_frame_alone():
    clock = FakeClock()

    async def takes_two_seconds(invoke):
        clock.time += 2
        return await perform(invoke)

    machine = Script(("", Delay("d", 3)), ("", call("a")), ("a", call("b")), (("b", "d"), call("c")))
    assert run(machine, clock, takes_two_seconds) == ["a", "b", "d", "c"]
    assert clock.slept == []


def test_it_sleeps_only_when_nothing_else_can_go_on_until_the_earliest_delay_is_over():
    clock = FakeClock()
    machine = Script(("", Delay("late", 10)), ("", Delay("early", 4)), ("", call("a")), ("early", Delay("last", 1)))
    assert run(machine, clock) == ["a", "early", "last", "late"]
    assert clock.slept == [4, 1, 5]


def test_a_withdrawn_delay_is_forgotten():
    clock = FakeClock()
    machine = Script(("", Delay("d", 100)), ("", call("a")), ("a", Withdraw("d")))
    assert run(machine, clock) == ["a"]
    assert clock.slept == []


def test_delays_that_were_begun_before_a_stop_go_on_from_there():
    clock = FakeClock(now=1000.0)
    machine = Script(("", Delay("d", 60)), ("", Delay("over", 60)))
    run(machine, clock, due={"d": 1007.5, "over": 990.0})
    assert clock.slept == [7.5]


def test_the_delays_that_run_can_be_read_at_every_moment():
    due, seen = {"old": 1005.0}, []

    async def looks(invoke):
        seen.append(dict(due))
        return await perform(invoke)

    machine = Script(("", call("a")), ("", Delay("old", 60)), ("", Delay("new", 30)), ("", call("b")))
    run(machine, FakeClock(), looks, due=due)
    assert seen == [{"old": 1005.0}, {"old": 1005.0, "new": 1030.0}]
    assert due == {}


def test_an_interruption_leaves_the_call_pending_and_the_delays_known():
    due = {}

    async def interrupted(invoke):
        raise KeyboardInterrupt

    machine = Script(("", Delay("d", 60)), ("", call("a")))
    with pytest.raises(KeyboardInterrupt):
        run(machine, FakeClock(), interrupted, due=due)
    assert (machine.answered, machine.waiting(), due) == ([], {"d", "a"}, {"d": 1060.0})


def test_it_stops_when_the_machine_has_done_as_many_steps_as_it_should():
    class Fuelled(Script):
        def poll(self):
            return None if self.fuel == 0 else super().poll()

        def answer(self, answer):
            super().answer(answer)
            self.fuel -= 1

    due = {}
    machine = Fuelled(("", Delay("d", 60)), ("", call("a")), ("a", call("b")))
    assert run(machine, FakeClock(), due=due, stop_after=1) == ["a"]
    assert due == {"d": 1060.0}


@pytest.mark.parametrize("status", ["interrupted", "failed", "completed"])
def test_it_stops_when_the_machine_does(status):
    machine = Script(("", call("a")), status=status)
    assert run(machine, InstantClock()) == ["a"]


def test_a_machine_that_waits_for_nothing_is_our_fault():
    with pytest.raises(InternalError, match="asks for nothing and waits for nothing"):
        run(Script(("never", call("a"))), InstantClock())


def test_a_run_that_needs_a_loop_is_told_apart():
    async def needs_one(invoke):
        await Bare()

    class Bare:
        def __await__(self):
            yield None

    with pytest.raises(InternalError, match="came to something that needs one"):
        run(Script(("", call("a"))), InstantClock(), needs_one)


@pytest.mark.parametrize("seconds", [0, 0.01, 10**400, 1e308])
def test_a_delay_of_any_length_has_an_end(seconds):
    clock = BlockingClock()
    assert clock.now() <= clock.due(seconds) < float("inf")


def test_time_passes_with_and_without_a_loop():
    blocking, on_loop = Script(("", Delay("d", 0.02))), Script(("", Delay("d", 0.02)))
    clock = BlockingClock()
    started = clock.now()
    run_without_loop(drive(blocking, perform, clock))
    asyncio.run(drive(on_loop, perform, LoopClock()))
    assert clock.now() - started >= 0.04
    assert (blocking.last, on_loop.last) == (Elapsed("d"), Elapsed("d"))
