"""The connections of a PostgreSQL store: kept from one use to the next, and opened again when they are gone."""

from __future__ import annotations

import os
from contextlib import closing

from tests.stores.killing import ended
from tests.stores.test_store import BEGINNING, REST, a_run
from wfc.backends.stores import Store, open_store

_ME = "SELECT pg_backend_pid()"


def server_process(store: Store) -> int:
    """Who answers at the server, over a connection that is given back."""
    with closing(store.connect()) as connection:
        number: int = connection.rows(_ME)[0][0]
        return number


def used(store: Store, run_id: str) -> None:
    """Everything that a run asks of its store."""
    session = store.session(a_run(run_id))
    session.write(BEGINNING)
    session.write(REST)
    session.close()
    assert store.load(run_id).status == "interrupted"


def test_a_store_keeps_its_connection(postgres: str) -> None:
    store = open_store(postgres)
    first = server_process(store)
    used(store, "one")
    assert server_process(store) == first
    with closing(store.connect()) as held:
        # A second one beside it is another, and not kept beside the first.
        assert {held.rows(_ME)[0][0], server_process(store)} > {first}


def test_a_connection_that_the_server_ended_meanwhile_is_opened_again(postgres: str) -> None:
    store, other = open_store(postgres), open_store(postgres)
    first = server_process(store)
    with closing(other.connect()) as connection:
        assert connection.rows("SELECT pg_terminate_backend(?, 300000)", first) == [(True,)]
    used(store, "one")
    assert server_process(store) != first


def test_a_process_that_was_forked_leaves_the_connection_to_the_other(postgres: str) -> None:
    store = open_store(postgres)
    first = server_process(store)
    pid = os.fork()
    if not pid:
        try:
            used(store, "child")
            os._exit(server_process(store) == first)
        finally:
            os._exit(2)
    assert ended(pid) == 0
    used(store, "parent")
    assert server_process(store) == first


def test_a_connection_that_was_given_back_inside_a_transaction_is_not_kept(postgres: str) -> None:
    store = open_store(postgres)
    with closing(store.connect()) as connection:
        first = connection.rows(_ME)[0][0]
        connection.run("BEGIN")
    assert server_process(store) != first
