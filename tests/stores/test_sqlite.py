"""The embedded store: what it keeps, what it refuses, and that a refusal changes nothing."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from wfc.backends.stores import RunBusy, RunExists, StoredRun, StoreFault, UnknownRun, open_store
from wfc.ir import RunState


def a_run(run_id: str, status: str = "interrupted") -> StoredRun:
    state = RunState(run_id, "review", "hash", status, {"n": 2**70}, {"text": "ü"})
    return StoredRun(state, '{"schema":"wfc.ir/1"}', {"call": 12.5}, "flows")


def test_a_run_comes_back_as_it_was_kept(tmp_path: Path) -> None:
    path = str(tmp_path / ".wfc" / "wfc.db")
    open_store(path).create(a_run("one"))
    assert open_store(path).load("one") == a_run("one")


def test_save_replaces_state_and_delays_and_keeps_program_and_configuration(tmp_path: Path) -> None:
    store = open_store(str(tmp_path / "wfc.db"))
    store.create(a_run("one"))
    done = replace(a_run("one").state, status="completed", outcome="ok", output={})
    store.save(done, {})
    assert store.load("one") == replace(a_run("one"), state=done, due={}, taken=False)


def test_runs_are_listed_newest_first(tmp_path: Path) -> None:
    store = open_store(str(tmp_path / "wfc.db"))
    for run_id in ("b", "a", "c"):
        store.create(a_run(run_id))
    store.save(replace(a_run("b").state, status="failed"), {})
    store.save(a_run("a").state, {})
    assert [(run.run_id, run.workflow, run.status, run.taken) for run in store.list()] == [
        ("c", "review", "interrupted", True),
        ("a", "review", "interrupted", False),
        ("b", "review", "failed", False),
    ]


def test_a_run_id_that_exists_is_refused_and_the_run_stays(tmp_path: Path) -> None:
    store = open_store(str(tmp_path / "wfc.db"))
    store.create(a_run("one"))
    with pytest.raises(RunExists, match=r"the run id `one` is in use in .*wfc\.db; give another or none"):
        store.create(a_run("one", status="created"))
    assert store.load("one") == a_run("one")


def test_a_run_is_taken_by_one_at_a_time_and_only_as_it_was_loaded(tmp_path: Path) -> None:
    store = open_store(str(tmp_path / "wfc.db"))
    store.create(a_run("one"))
    with pytest.raises(RunBusy, match="under way in another process or was killed"):
        store.take(store.load("one"))
    store.save(a_run("one").state, {})
    seen_before = store.load("one")
    store.take(seen_before)
    store.save(a_run("one").state, {})
    with pytest.raises(RunBusy):
        store.take(seen_before)
    store.take(store.load("one"))


def test_looking_into_a_store_that_is_not_there_makes_none(tmp_path: Path) -> None:
    store = open_store(str(tmp_path / "wfc.db"))
    assert store.list() == ()
    with pytest.raises(UnknownRun, match="holds no run `one`; `wfc runs list` shows"):
        store.load("one")
    assert not (tmp_path / "wfc.db").exists()


def test_an_empty_file_is_an_empty_store(tmp_path: Path) -> None:
    (tmp_path / "wfc.db").touch()
    store = open_store(str(tmp_path / "wfc.db"))
    assert store.list() == ()
    store.create(a_run("one"))
    assert [run.run_id for run in store.list()] == ["one"]


def test_a_later_format_is_refused_with_both_versions_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "wfc.db"
    open_store(str(path)).create(a_run("one"))
    with sqlite3.connect(path) as database:
        database.execute("UPDATE meta SET value = '1'")
    database.close()
    before = path.read_bytes()
    store = open_store(str(path))
    for use in (store.list, lambda: store.create(a_run("two")), lambda: store.load("one")):
        with pytest.raises(StoreFault, match="has format 1, and this version of wfc reads format 0"):
            use()
    assert path.read_bytes() == before


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "wfc.db"
    path.write_bytes(b"these are no tables, but more than enough bytes to look at" * 100)
    with pytest.raises(StoreFault, match="cannot be used: file is not a database"):
        open_store(str(path)).list()


def test_a_damaged_run_is_named(tmp_path: Path) -> None:
    path = tmp_path / "wfc.db"
    open_store(str(path)).create(a_run("one"))
    with sqlite3.connect(path) as database:
        database.execute("UPDATE runs SET state = '{'")
    database.close()
    with pytest.raises(StoreFault, match=r"the run `one` in .* is damaged"):
        open_store(str(path)).load("one")


def test_a_database_of_another_program_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "places.db"
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE places (name TEXT)")
    database.close()
    with pytest.raises(StoreFault, match="is a database of another program"):
        open_store(str(path)).create(a_run("one"))


def test_a_folder_that_cannot_be_made_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StoreFault, match="cannot be made"):
        open_store(str(tmp_path / "file" / "wfc.db")).create(a_run("one"))


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ("postgresql://localhost/runs", "this version has only the embedded store"),
        ("redis://localhost", "`redis://` names no store"),
    ],
)
def test_other_addresses_are_refused_with_what_is_expected(address: str, sentence: str) -> None:
    with pytest.raises(StoreFault, match=sentence):
        open_store(address)


def test_a_path_may_be_written_as_an_address(tmp_path: Path) -> None:
    open_store(f"sqlite:///{tmp_path}/wfc.db").create(a_run("one"))
    assert open_store(str(tmp_path / "wfc.db")).load("one") == a_run("one")
