"""Results that are kept: JSON files below `.wfc/cache`, each under a name made from everything that it depends on.

Nothing depends on a cache being there: one that cannot be read or written, or holds something else than it should, is
as good as none. A file is replaced as a whole, so that two processes never see half of it.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from wfc.digests import sha256
from wfc.replacing import write_whole
from wfc.version import VERSION

_IGNORED = b"*\n"


def entry_name(*parts: Any) -> str:
    """A name for what depends on the parts, which are JSON values, and on the program that made it."""
    return sha256(json.dumps([_build(), *parts]).encode())[:40]


def look_up(folder: Path | None, name: str) -> Any:
    """What was kept under a name; none where nothing is."""
    if folder is None:
        return None
    try:
        return json.loads((folder / f"{name}.json").read_bytes())
    except (OSError, ValueError, RecursionError):
        return None


def keep(folder: Path | None, name: str, value: Any) -> None:
    """Keep a JSON value under a name, where there is a place to keep it."""
    if folder is None:
        return
    ignored = folder / ".gitignore"
    try:
        # Asked of the file, not of the folder: whoever made the folder may have been killed before it wrote the file.
        if not ignored.exists():
            folder.mkdir(parents=True, exist_ok=True)
            write_whole(ignored, _IGNORED)
        write_whole(folder / f"{name}.json", json.dumps(value).encode("ascii"))
    except OSError:
        return


@cache
def _build() -> str:
    """The program: its version, the interpreter, and the state of its own files, so that a change of it counts."""
    files = sorted(_files(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
    told = json.dumps([VERSION, sys.version_info[:3], files])
    return sha256(told.encode())


def _files(folder: str) -> Iterator[tuple[str, int, int]]:
    waiting = [folder]
    while waiting:
        with os.scandir(waiting.pop()) as entries:
            for entry in entries:
                if entry.name.endswith(".py"):
                    state = entry.stat()
                    yield entry.path, state.st_mtime_ns, state.st_size
                elif entry.is_dir() and entry.name != "__pycache__":
                    waiting.append(entry.path)
