"""Where durable runs are kept (reference 4.3). `open_store` is the way in; a store's own faults are `StoreFault`."""

from wfc.backends.stores.records import (
    NoStore,
    RunBusy,
    RunExists,
    RunSummary,
    Store,
    StoredRun,
    StoreFault,
    UnknownRun,
)
from wfc.backends.stores.sqlite import SqliteStore


def open_store(url_or_path: str) -> Store:
    """The store at a path or `sqlite:///PATH`. Nothing is created before the first run is.

    Raises `StoreFault` for an address that this version has no store for.
    """
    scheme, found, rest = url_or_path.partition("://")
    if not found:
        return SqliteStore(url_or_path)
    if scheme == "sqlite" and rest.startswith("/"):
        return SqliteStore(rest[1:])
    if scheme in ("postgresql", "postgres"):
        raise StoreFault("a PostgreSQL store was named; this version has only the embedded store: give a file's path")
    raise StoreFault(f"`{scheme}://` names no store; expected a file's path or `sqlite:///PATH`")


__all__ = [
    "NoStore",
    "RunBusy",
    "RunExists",
    "RunSummary",
    "Store",
    "StoreFault",
    "StoredRun",
    "UnknownRun",
    "open_store",
]
