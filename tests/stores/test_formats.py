"""A store of format 1 is brought forward with its runs, in both kinds of database."""

from __future__ import annotations

import sqlalchemy as sa

from tests.stores.test_store import ANSWER, BEGINNING, REST, a_run
from wfc.backends.stores import open_store, tables
from wfc.backends.stores.postgres import PostgresDatabase
from wfc.backends.stores.sqlite import SqliteDatabase


def database(address: str) -> PostgresDatabase | SqliteDatabase:
    return PostgresDatabase(address) if "://" in address else SqliteDatabase(address)


def test_format_1_is_brought_forward_with_its_runs(address: str) -> None:
    session = open_store(address).session(a_run())
    session.write(BEGINNING)
    session.write(REST)
    session.close()
    connection = database(address).connect()
    for statement in (
        "ALTER TABLE wfc_runs DROP COLUMN pins",
        "DROP TABLE wfc_artifacts",
        "DROP TABLE wfc_deployments",
        "UPDATE wfc_meta SET value = '1' WHERE key = 'format'",
    ):
        connection.run(statement)
    connection.close()
    store = open_store(address)
    stored = store.load("one")
    assert (stored.new, stored.new.pins, tuple(store.entries(stored))) == (a_run(), {}, (*BEGINNING.entries, ANSWER))
    made, is_new = store.library.publish("review", "review", "sha256:0", "{}")
    assert (is_new, store.library.artifacts()) == (True, (made,))
    connection = database(address).connect()
    assert connection.rows("SELECT value FROM wfc_meta WHERE key = 'format'") == [("2",)]
    connection.close()


def test_the_migrated_tables_have_the_columns_of_new_ones() -> None:
    assert [column.name for column in tables.RUNS.columns][-1] == "pins"
    assert isinstance(tables.RUNS.c.pins.type, sa.Text)
