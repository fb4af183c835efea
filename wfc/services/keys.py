"""The key that seals what a client brings back with the answer to a question (reference 4.7).

Guarantees: servers of one project have one key, so that a question outlives the server that asked it; nobody but the
owner of the folder can read it.
"""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from pathlib import Path

from wfc.project import DATA_FOLDER, find_project

_FILE = "mcp.key"
_BYTES = 32


def project_key() -> bytes:
    """The key of the project, made when it is needed first. Where none can be kept it is one of this process, and its
    questions end with it."""
    place = find_project().folder / DATA_FOLDER / _FILE
    try:
        return _kept(place)
    except OSError:
        return secrets.token_bytes(_BYTES)


def _kept(place: Path) -> bytes:
    if place.exists() and place.stat().st_size != _BYTES:
        place.unlink()
    if not place.exists():
        place.parent.mkdir(parents=True, exist_ok=True)
        beside = place.with_name(f"{_FILE}.{os.getpid()}")
        with open(os.open(beside, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600), "wb") as file:
            file.write(secrets.token_bytes(_BYTES))
        # Whole or not at all; of several servers that begin together the first one's key is that of all.
        with suppress(FileExistsError):
            os.link(beside, place)
        beside.unlink()
    return place.read_bytes()
