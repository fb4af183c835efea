"""What a store needs of a database, the same for all: statements with `?` for values, and transactions."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any, Protocol

# The version of the tables below. Older ones from 1 on are brought forward when they are opened.
FORMAT = 2
META = "wfc_meta"


class Connection(Protocol):
    """An open database. Outside of `transaction` every statement is one. Each method raises `StoreFault`."""

    # Behind a query: what it found stays as it is until the transaction ends.
    share: str

    def run(self, statement: str, *values: Any) -> int:
        """Carry out a statement and give the number of rows that it changed."""

    def rows(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        """What a query finds, or what a statement returns."""

    def transaction(self) -> AbstractContextManager[None]:
        """All statements inside, or none; nobody else writes to what they look at."""

    def now(self) -> float:
        """Seconds since 1970, by the one clock that all who use this database see."""

    def close(self) -> None: ...


class Database(Protocol):
    """Where a store is. `name` is how sentences call it."""

    name: str

    def connect(self) -> Connection:
        """Open the current store, made or brought forward first where that is needed. Raises `StoreFault`."""

    def existing(self) -> Connection | None:
        """Like `connect`, or none where nothing was kept yet."""

    def address(self) -> tuple[str, str]:
        """What SQLAlchemy calls a database of this kind, and a file's path or the rest of the URL."""


def refusal(name: str, found: str | None) -> str:
    """Why a store of a format that is not ours is left alone."""
    shown = "no format" if found is None else f"format {found}"
    return (
        f"the store {name} has {shown}, and this version of wfc reads format {FORMAT};"
        " use the version that wrote it, or another store"
    )
