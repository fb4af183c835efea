"""Published workflows and deployments, kept in the database of a store beside its runs (reference 4.4).

Guarantees: a version that was published never changes and is never given to something else; versions of an artifact
count from 1 without a gap; publishing what a version already holds gives that version.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from wfc.backends.stores.database import Connection, Database
from wfc.backends.stores.records import StoreFault
from wfc.ir import WorkflowRef
from wfc.records import dataclass

_VERSION = "SELECT workflow, hash, document, created FROM wfc_artifacts WHERE artifact_id = ? AND version = ?"
_SAME = "SELECT version FROM wfc_artifacts WHERE artifact_id = ? AND hash = ? ORDER BY version LIMIT 1"
_LATEST = "SELECT max(version) FROM wfc_artifacts WHERE artifact_id = ?"
# Of two who publish at once, one finds the number taken and looks again.
_ADD = (
    "INSERT INTO wfc_artifacts (artifact_id, version, hash, workflow, document, created) VALUES (?, ?, ?, ?, ?, ?)"
    " ON CONFLICT DO NOTHING"
)
_APPLY = (
    "INSERT INTO wfc_deployments (name, text, applied) VALUES (?, ?, ?)"
    " ON CONFLICT (name) DO UPDATE SET text = excluded.text, applied = excluded.applied"
)


class UnknownArtifact(StoreFault):
    """A version of an artifact that the store does not hold."""


class UnknownDeployment(StoreFault):
    """A deployment that the store does not hold."""


@dataclass(frozen=True, slots=True)
class ArtifactSummary:
    """One line about a version. `created` is in seconds since 1970, `hash` that of the program."""

    artifact_id: str
    version: int
    workflow: str
    hash: str
    created: float

    def __str__(self) -> str:
        return f"artifact:{self.artifact_id}@{self.version}"

    def ref(self) -> WorkflowRef:
        """What a subgraph step names to run exactly this version."""
        return WorkflowRef(None, self.artifact_id, self.version)


@dataclass(frozen=True, slots=True)
class Artifact:
    """A version with its document: the workflow and its children by name as JSON text in the structural form."""

    summary: ArtifactSummary
    document: str


@dataclass(frozen=True, slots=True)
class StoredDeployment:
    """A deployment as JSON text, and when it was applied, in seconds since 1970."""

    name: str
    text: str
    applied: float


class Library:
    """Published workflows and deployments. Every method raises `StoreFault` when the database is at fault."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @property
    def is_there(self) -> bool:
        """Whether there is a store to look into."""
        connection = self._database.existing()
        if connection is None:
            return False
        connection.close()
        return True

    def publish(self, artifact_id: str, workflow: str, hash: str, document: str) -> tuple[ArtifactSummary, bool]:
        """The version that holds a program, and whether it is new. Of documents that mean one program, the first is
        kept."""
        connection = self._database.connect()
        try:
            while True:
                same = connection.rows(_SAME, artifact_id, hash)
                if same:
                    return self._found(connection, artifact_id, same[0][0]).summary, False
                version = (connection.rows(_LATEST, artifact_id)[0][0] or 0) + 1
                now = connection.now()
                if connection.run(_ADD, artifact_id, version, hash, workflow, document, now):
                    return ArtifactSummary(artifact_id, version, workflow, hash, now), True
        finally:
            connection.close()

    def artifact(self, artifact_id: str, version: int) -> Artifact:
        """Exactly that version. Raises `UnknownArtifact`, which names the versions that there are."""
        with self._reading() as connection:
            if connection is None:
                raise UnknownArtifact(f"{self._database.name} holds no artifact yet; `wfc publish FILE` makes one")
            return self._found(connection, artifact_id, version)

    def artifacts(self, artifact_id: str | None = None) -> tuple[ArtifactSummary, ...]:
        """All versions of all artifacts, or of one, by id and version."""
        columns = "SELECT artifact_id, version, workflow, hash, created FROM wfc_artifacts"
        with self._reading() as connection:
            if connection is None:
                return ()
            rows = connection.rows(f"{columns} ORDER BY artifact_id, version")
        found = (ArtifactSummary(*row) for row in rows)
        return tuple(one for one in found if artifact_id in (None, one.artifact_id))

    def apply(self, name: str, text: str) -> None:
        """Keep a deployment under its name, in the place of one that was there."""
        connection = self._database.connect()
        try:
            connection.run(_APPLY, name, text, connection.now())
        finally:
            connection.close()

    def deployment(self, name: str) -> StoredDeployment:
        """Raises `UnknownDeployment`, which names those that there are."""
        found = {one.name: one for one in self.deployments()}
        if name not in found:
            there = ", ".join(f"`{one}`" for one in found) or "none"
            raise UnknownDeployment(f"{self._database.name} holds no deployment `{name}`; it holds {there}")
        return found[name]

    def deployments(self) -> tuple[StoredDeployment, ...]:
        """All deployments by name."""
        with self._reading() as connection:
            if connection is None:
                return ()
            rows = connection.rows("SELECT name, text, applied FROM wfc_deployments ORDER BY name")
        return tuple(StoredDeployment(*row) for row in rows)

    def _found(self, connection: Connection, artifact_id: str, version: int) -> Artifact:
        # A number that no column holds is no version.
        rows = connection.rows(_VERSION, artifact_id, version) if 0 < version < 2**31 else []
        if not rows:
            query = "SELECT version FROM wfc_artifacts WHERE artifact_id = ? ORDER BY version"
            known = ", ".join(str(one) for (one,) in connection.rows(query, artifact_id))
            there = f"it has version {known}" if known else "`wfc artifacts list` shows what it has"
            raise UnknownArtifact(f"{self._database.name} holds no `artifact:{artifact_id}@{version}`; {there}")
        workflow, hash, document, created = rows[0]
        return Artifact(ArtifactSummary(artifact_id, version, workflow, hash, created), document)

    @contextmanager
    def _reading(self) -> Iterator[Connection | None]:
        connection = self._database.existing()
        try:
            yield connection
        finally:
            if connection is not None:
                connection.close()
