"""The garbage collector rests while a workflow is read and checked, and is afterwards as it was."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

import wfc
from bench.workflows import chain
from wfc.frontend import document_of
from wfc.loading import from_document


@pytest.fixture(autouse=True)
def as_it_was() -> Iterator[None]:
    gc.collect()
    yield
    gc.unfreeze()
    gc.enable()


def test_what_was_made_meanwhile_is_old() -> None:
    swept: list[int] = []
    document = document_of(chain(30_000), "chain")
    gc.collect()
    gc.callbacks.append(look := lambda _, told: swept.append(told["generation"]))
    try:
        loaded = from_document(document)
        assert gc.isenabled() and gc.get_freeze_count() == 0
        assert gc.get_count()[0] < 1000, "nothing waits to be looked through"
    finally:
        gc.callbacks.remove(look)
    assert not swept
    del loaded


def test_what_an_embedder_froze_stays_frozen() -> None:
    gc.freeze()
    frozen = gc.get_freeze_count()
    wfc.from_value(chain(10))
    # What nobody holds any longer leaves the frozen ones by itself; thawing would leave none.
    assert 0 < gc.get_freeze_count() <= frozen


def test_a_collector_that_was_off_stays_off() -> None:
    gc.disable()
    wfc.from_value(chain(10))
    assert not gc.isenabled()
