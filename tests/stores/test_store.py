"""A store, whichever database it is in: what it keeps, whose a run is, and that a refusal changes nothing."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace

import pytest

from wfc.backends.stores import (
    LEASE_SECONDS,
    Beat,
    CancelWanted,
    NewRun,
    Owner,
    Page,
    RunBusy,
    RunExists,
    SqliteDatabase,
    Store,
    UnknownRun,
    open_store,
)
from wfc.backends.stores.postgres import PostgresDatabase
from wfc.ir import Entry

CALL = "one:root:a:1"
BEGINNING = Page((Entry("begun", None, None, {CALL: None}),))
ANSWER = Entry("completed", CALL, ["ok", {"n": 2**70, "s": "ü\u0000"}], {"one:root:wait:2": 12.5})
REST = Page((ANSWER,), '{"at": 1}', ("interrupted", None))


def a_run(run_id: str = "one") -> NewRun:
    return NewRun(run_id, "review", '{"schema":"wfc.ir/1"}', {"n": 2**70}, 9, "flows")


class Clock:
    def __init__(self) -> None:
        self.time = 1000.0

    def __call__(self) -> float:
        return self.time


def opened(address: str, owner: str = "here/1/1", clock: Clock | None = None, gone: tuple[str, ...] = ()) -> Store:
    kind = PostgresDatabase if "://" in address else SqliteDatabase
    return Store(kind(address, clock or Clock()), Owner(owner, lambda name: name in gone))


def test_a_run_comes_back_as_it_was_kept(address: str) -> None:
    store = opened(address)
    session = store.session(a_run())
    session.write(BEGINNING)
    going = store.load("one")
    assert (going.new, going.status, going.tail, going.length, going.taken) == (
        a_run(),
        "running",
        BEGINNING.entries,
        1,
        True,
    )
    session.write(REST)
    rests = store.load("one")
    assert (rests.status, rests.checkpoint, rests.checkpointed, rests.tail, rests.taken) == (
        "interrupted",
        '{"at": 1}',
        2,
        (),
        False,
    )
    assert tuple(store.entries(rests)) == (*BEGINNING.entries, ANSWER)
    assert tuple(store.entries(rests, 1)) == (ANSWER,)


def test_nothing_is_kept_before_the_first_page(address: str) -> None:
    store = opened(address)
    store.session(a_run()).close()
    assert store.list() == ()
    with pytest.raises(UnknownRun, match="holds no run `one`; `wfc runs list` shows"):
        store.load("one")


def test_runs_are_listed_newest_first(address: str) -> None:
    store = opened(address)
    for run_id in ("b", "a", "c"):
        store.session(a_run(run_id)).write(Page(()))
    session = store.session(a_run("d"))
    session.write(Page((), "{}", ("completed", "ok")))
    listed = [(run.run_id, run.workflow, run.status, run.outcome, run.taken) for run in store.list()]
    assert listed == [
        ("d", "review", "completed", "ok", False),
        ("c", "review", "running", None, True),
        ("a", "review", "running", None, True),
        ("b", "review", "running", None, True),
    ]


def test_a_run_id_that_exists_is_refused_and_the_run_stays(address: str) -> None:
    store = opened(address)
    store.session(a_run()).write(BEGINNING)
    before = store.load("one")
    with pytest.raises(RunExists, match=r"the run id `one` is in use in .*; give another or none"):
        store.session(replace(a_run(), workflow="other")).write(Page(()))
    assert store.load("one") == before


def test_a_run_is_taken_by_one_at_a_time_and_only_as_it_was_loaded(address: str) -> None:
    store = opened(address)
    first = store.session(a_run())
    first.write(BEGINNING)
    first.write(REST)
    seen = store.load("one")
    winner, loser = store.session(seen), store.session(seen)
    winner.write(BEGINNING)
    with pytest.raises(RunBusy, match="under way in another process"):
        loser.write(BEGINNING)
    assert store.load("one").length == 3


def test_who_took_a_run_before_the_clock_was_set_back_does_not_have_it_until_then(address: str) -> None:
    clock = Clock()
    clock.time = 1e9
    session = opened(address, clock=clock).session(a_run())
    session.write(BEGINNING)
    clock.time -= 60
    other = opened(address, "there/2/2", clock)
    assert other.load("one").taken
    clock.time -= 3600
    assert not other.load("one").taken
    # Whoever is there still is heard of.
    with closing(other.connect()) as connection:
        assert session.beat(connection) == Beat(True, False)
    assert other.load("one").taken
    session.close()


def test_a_run_whose_time_is_over_is_taken_over_and_its_owner_is_told(address: str) -> None:
    clock = Clock()
    one, two = opened(address, "here/1/1", clock), opened(address, "there/2/2", clock)
    slow = one.session(a_run())
    slow.write(BEGINNING)
    clock.time += LEASE_SECONDS - 1
    assert two.load("one").taken
    clock.time += 2
    seen = two.load("one")
    assert not seen.taken
    fast = two.session(seen)
    fast.write(Page((Entry("begun"),)))
    for page in (Page((ANSWER,)), REST, Page((ANSWER, ANSWER))):
        with pytest.raises(RunBusy, match="was taken over by another process"):
            slow.write(page)
    with closing(one.connect()) as connection:
        assert slow.beat(connection) == Beat(False, False)
    slow.give_up()
    fast.write(Page((ANSWER,)))
    assert [entry.kind for entry in two.entries(two.load("one"))] == ["begun", "begun", "completed"]
    assert two.load("one").taken


def test_what_an_owner_wrote_since_a_run_was_loaded_is_never_overlooked(address: str) -> None:
    clock = Clock()
    one, two = opened(address, "here/1/1", clock), opened(address, "there/2/2", clock)
    slow = one.session(a_run())
    slow.write(BEGINNING)
    clock.time += LEASE_SECONDS + 1
    seen = two.load("one")
    slow.write(Page((ANSWER,)))
    with pytest.raises(RunBusy):
        two.session(seen).write(Page((ANSWER,)))
    assert two.load("one").length == 2


def test_an_owner_that_is_heard_of_keeps_its_run(address: str) -> None:
    clock = Clock()
    store = opened(address, "here/1/1", clock)
    session = store.session(a_run())
    session.write(BEGINNING)
    with closing(store.connect()) as connection:
        for _ in range(4):
            clock.time += LEASE_SECONDS - 1
            assert session.beat(connection) == Beat(True, False)
    assert store.load("one").taken


def test_the_run_of_a_process_that_is_gone_is_free_at_once(address: str) -> None:
    opened(address, "here/1/1").session(a_run()).write(BEGINNING)
    assert opened(address, "here/2/2").load("one").taken
    assert not opened(address, "here/2/2", gone=("here/1/1",)).load("one").taken


def test_who_should_cancel_a_run_begins_nothing_further(address: str) -> None:
    store = opened(address)
    session = store.session(a_run())
    session.write(BEGINNING)
    assert store.ask_to_cancel(store.load("one"))
    with closing(store.connect()) as connection:
        assert session.beat(connection) == Beat(True, True)
    begins = replace(ANSWER, begun={"one:root:b:2": None})
    for page in (Page((begins,)), Page((begins, begins)), Page((), "{}", ("interrupted", None))):
        with pytest.raises(CancelWanted):
            session.write(page)
    session.write(Page((replace(ANSWER, begun={}),)))
    session.write(Page((Entry("cancelled", None, "why"),), "{}", ("cancelled", None)))
    rests = store.load("one")
    assert (rests.status, rests.length, rests.cancel) == ("cancelled", 3, True)
    assert not store.ask_to_cancel(rests)


def test_a_page_is_kept_as_a_whole_or_not_at_all(address: str) -> None:
    store = opened(address)
    session = store.session(a_run())
    session.write(BEGINNING)
    with pytest.raises(ValueError, match="not JSON compliant"):
        session.write(Page((ANSWER, Entry("completed", CALL, float("nan")))))
    assert store.load("one").length == 1
    session.write(Page((ANSWER, ANSWER)))
    assert store.load("one").length == 3


def test_two_who_make_a_store_at_once_make_one(address: str) -> None:
    from threading import Thread

    threads = [Thread(target=open_and_begin, args=(address, number)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(opened(address).list()) == 6


def open_and_begin(address: str, number: int) -> None:
    opened(address).session(a_run(f"r{number}")).write(BEGINNING)


def test_a_store_has_an_address(address: str) -> None:
    open_store(address).session(a_run()).write(BEGINNING)
    assert open_store(address).load("one").new == a_run()
