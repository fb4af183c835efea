"""Sessions as files, one each under `.wfc/plans`: kept after every round, listed, read again."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from wfc.planner.outcome import SESSION_FORMAT, Plan
from wfc.planner.session_schema import fault_in_session
from wfc.replacing import write_whole

PLANS_FOLDER = "plans"
_ID = re.compile(r"[A-Za-z0-9_-]{1,80}")


class SessionFault(Exception):
    """A session that cannot be read or kept: one sentence."""


class Sessions:
    """The sessions of one project; `folder` is where they lie."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def keep(self, plan: Plan) -> None:
        """Write a session as it stands: at once or not at all."""
        file = self._file(plan.id)
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            write_whole(file, json.dumps(plan.session_json(), indent=1).encode("ascii"))
        except OSError as wrong:
            raise SessionFault(f"{file} cannot be written: {str(wrong.strerror).lower()}") from None

    def load(self, id: str) -> Mapping[str, Any]:
        """A session as it was written last."""
        file = self._file(id)
        try:
            value = json.loads(file.read_text("utf-8"))
        except FileNotFoundError:
            told = f"{self.folder} holds no session `{id}`; `wfc plan list` shows those that it does"
            raise SessionFault(told) from None
        except (OSError, ValueError, RecursionError) as wrong:
            raise SessionFault(f"{file} cannot be read: {wrong}") from None
        if not isinstance(value, dict) or value.get("schema") != SESSION_FORMAT:
            raise SessionFault(f"{file} is no session of this version; expected the schema `{SESSION_FORMAT}`")
        fault = fault_in_session(value)
        if fault is not None:
            raise SessionFault(f"{file} is damaged: {fault}")
        return value

    def all(self) -> Iterator[Mapping[str, Any]]:
        """All sessions, the newest first."""
        files = [file for file in self.folder.glob("*.json") if file.is_file()]
        for file in sorted(files, key=lambda one: (-one.stat().st_mtime, one.name)):
            yield self.load(file.stem)

    def _file(self, id: str) -> Path:
        if not _ID.fullmatch(id):
            raise SessionFault(f"`{id}` is no id of a session; expected letters, digits, `_` and `-`")
        return self.folder / f"{id}.json"
