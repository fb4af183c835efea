"""Where durable runs are kept (reference 4.3). `open_store` is the way in; a store's own faults are `StoreFault`."""

from typing import TYPE_CHECKING

from wfc.backends.stores.database import Connection
from wfc.backends.stores.owners import is_gone
from wfc.backends.stores.records import (
    CancelWanted,
    NewRun,
    Page,
    RunBusy,
    RunExists,
    RunSummary,
    StoredRun,
    StoreFault,
    UnknownRun,
)
from wfc.backends.stores.session import BEAT_SECONDS, LEASE_SECONDS, Beat, Session
from wfc.backends.stores.sqlite import SqliteDatabase
from wfc.backends.stores.store import Owner, Store
from wfc.doors import lazily

if TYPE_CHECKING:
    from wfc.backends.stores.library import (
        Artifact,
        ArtifactSummary,
        Library,
        StoredDeployment,
        UnknownArtifact,
        UnknownDeployment,
    )


def open_store(url_or_path: str) -> Store:
    """The store at a path, `sqlite:///PATH` or `postgresql://…`. Nothing is created before the first run is.

    Raises `StoreFault` for an address that there is no store for.
    """
    scheme, found, rest = url_or_path.partition("://")
    if not found:
        return Store(SqliteDatabase(url_or_path))
    if scheme == "sqlite" and rest.startswith("/"):
        return Store(SqliteDatabase(rest[1:]))
    if scheme in ("postgresql", "postgres"):
        from wfc.backends.stores.postgres import PostgresDatabase

        return Store(PostgresDatabase(f"postgresql://{rest}"))
    raise StoreFault(
        f"`{scheme}://` names no store; expected a file's path, `sqlite:///PATH` or `postgresql://USER@HOST/DATABASE`"
    )


__all__ = [
    "BEAT_SECONDS",
    "LEASE_SECONDS",
    "Artifact",
    "ArtifactSummary",
    "Beat",
    "CancelWanted",
    "Connection",
    "Library",
    "NewRun",
    "Owner",
    "Page",
    "RunBusy",
    "RunExists",
    "RunSummary",
    "Session",
    "SqliteDatabase",
    "Store",
    "StoreFault",
    "StoredDeployment",
    "StoredRun",
    "UnknownArtifact",
    "UnknownDeployment",
    "UnknownRun",
    "is_gone",
    "open_store",
]

# Runs of files have nothing to do with what is published.
__getattr__ = lazily(
    "wfc.backends.stores",
    {
        "library": (
            "Artifact",
            "ArtifactSummary",
            "Library",
            "StoredDeployment",
            "UnknownArtifact",
            "UnknownDeployment",
        )
    },
)
