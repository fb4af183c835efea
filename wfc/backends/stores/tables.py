"""The tables of a store, for both databases: how they are made, brought forward and listed. The door of SQLAlchemy.

Nothing else imports it: a run on a store that is there needs none of this.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import sqlalchemy as sa
from sqlalchemy.schema import CreateTable

from wfc.backends.stores.database import FORMAT, META

_NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")

TABLES = sa.MetaData()
META_TABLE = sa.Table(
    META,
    TABLES,
    sa.Column("key", sa.Text, primary_key=True),
    sa.Column("value", sa.Text, nullable=False),
)
PROGRAMS = sa.Table(
    "wfc_programs",
    TABLES,
    sa.Column("hash", sa.Text, primary_key=True),
    sa.Column("text", sa.Text, nullable=False),
)
RUNS = sa.Table(
    "wfc_runs",
    TABLES,
    sa.Column("number", _NUMBER, sa.Identity(), primary_key=True),
    sa.Column("run_id", sa.Text, nullable=False, unique=True),
    sa.Column("workflow", sa.Text, nullable=False),
    sa.Column("program", sa.Text, nullable=False),
    sa.Column("input", sa.Text, nullable=False),
    sa.Column("step_limit", sa.BigInteger, nullable=False),
    sa.Column("config", sa.Text),
    sa.Column("status", sa.Text, nullable=False),
    sa.Column("outcome", sa.Text),
    sa.Column("created", sa.Double, nullable=False),
    sa.Column("updated", sa.Double, nullable=False),
    sa.Column("epoch", sa.Integer, nullable=False),
    sa.Column("owner", sa.Text),
    sa.Column("expires", sa.Double, nullable=False),
    sa.Column("cancel", sa.Integer, nullable=False),
    sa.Column("pins", sa.Text),
)
JOURNAL = sa.Table(
    "wfc_journal",
    TABLES,
    sa.Column("run", _NUMBER, primary_key=True, autoincrement=False),
    sa.Column("position", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("about", sa.Text),
    sa.Column("value", sa.Text),
    sa.Column("begun", sa.Text),
    sqlite_with_rowid=False,
)
CHECKPOINTS = sa.Table(
    "wfc_checkpoints",
    TABLES,
    sa.Column("run", _NUMBER, primary_key=True, autoincrement=False),
    sa.Column("position", sa.Integer, nullable=False),
    sa.Column("value", sa.Text, nullable=False),
)
ARTIFACTS = sa.Table(
    "wfc_artifacts",
    TABLES,
    sa.Column("artifact_id", sa.Text, primary_key=True),
    sa.Column("version", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("hash", sa.Text, nullable=False),
    sa.Column("workflow", sa.Text, nullable=False),
    sa.Column("document", sa.Text, nullable=False),
    sa.Column("created", sa.Double, nullable=False),
)
DEPLOYMENTS = sa.Table(
    "wfc_deployments",
    TABLES,
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("applied", sa.Double, nullable=False),
)

# What SQLAlchemy calls a kind of database, and a file's path or the rest of its URL.
Address = tuple[str, str]

# What brings a store of one format to the next, from 1 on. Format 1 is the first that is kept.
Migrations = Mapping[int, Callable[[sa.Connection], None]]


def _add_artifacts(connection: sa.Connection) -> None:
    """Format 2: published workflows, deployments, and what else a run is pinned to."""
    connection.execute(sa.text("ALTER TABLE wfc_runs ADD COLUMN pins TEXT"))
    TABLES.create_all(connection, tables=[ARTIFACTS, DEPLOYMENTS])


MIGRATIONS: Migrations = {1: _add_artifacts}


def statements(dialect: sa.Dialect) -> tuple[str, ...]:
    """What makes the tables in one kind of database."""
    return tuple(str(CreateTable(table).compile(dialect=dialect)).strip() for table in TABLES.sorted_tables)


def create(address: Address) -> None:
    """Make the tables of the current format. Two who do it at once are no trouble."""
    with _engine(address).begin() as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(sa.text("SELECT pg_advisory_xact_lock(hashtext('wfc'))"))
        if sa.inspect(connection).has_table(META):
            return
        TABLES.create_all(connection)
        connection.execute(sa.insert(META_TABLE).values(key="format", value=str(FORMAT)))


def migrate(address: Address, migrations: Migrations = MIGRATIONS, wanted: int = FORMAT) -> None:
    """Bring a store forward to the wanted format, in one transaction."""
    own = META_TABLE.c
    with _engine(address).begin() as connection:
        locked = sa.update(META_TABLE).where(own.key == "format").values(value=own.value).returning(own.value)
        found = int(connection.execute(locked).scalar_one())
        for number in range(found, wanted):
            migrations[number](connection)
        connection.execute(sa.update(META_TABLE).where(own.key == "format").values(value=str(wanted)))


def listed(address: Address) -> list[tuple[Any, ...]]:
    """All runs, the newest first: id, workflow, status, outcome, created, updated, owner, expires."""
    own = RUNS.c
    wanted = (own.run_id, own.workflow, own.status, own.outcome, own.created, own.updated, own.owner, own.expires)
    with _engine(address).connect() as connection:
        return [tuple(row) for row in connection.execute(sa.select(*wanted).order_by(own.number.desc()))]


def _engine(address: Address) -> sa.Engine:
    kind, rest = address
    url = sa.URL.create(kind, database=rest) if kind == "sqlite" else f"{kind}://{rest}"
    return sa.create_engine(url, poolclass=sa.NullPool)


FAULTS = (sa.exc.SQLAlchemyError,)
