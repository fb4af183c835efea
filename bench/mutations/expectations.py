"""The table of what has to be said of each kind of fault. It was written before anything was measured."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

TABLE = Path(__file__).with_name("expectations.toml")
_CONDITION = r"(check|branches/\d+/when)(/args/\d+|/arg|/left|/right)*"
_READ = rf"/nodes/\d+/((input|request)/\d+/path|over|seconds/path|{_CONDITION}/path)"
_COMPARISON = r"/nodes/\d+/check(/args/\d+|/arg)*(/op|/left|/right|/right/value)?"
_END = r"(/nodes/\d+|/edges/\d+(/to)?|/output_schema/required/\d+)"
_NAMED = {"read": _READ, "comparison": _COMPARISON, "end": _END}


@dataclass(frozen=True)
class Expectation:
    """`group`: what the kind is about. `codes`: one of them comes first. `at`: patterns of pointers.

    `unseen`: a contract is weakened, which scripted tests cannot show; same traces are then no reason to leave it out.
    """

    group: str
    codes: tuple[str, ...]
    at: tuple[str, ...]
    unseen: bool = False

    def allows(self, pointer: str) -> bool:
        return self._allowed.fullmatch(pointer) is not None

    @cached_property
    def _allowed(self) -> re.Pattern[str]:
        patterns = [_NAMED.get(one) or re.escape(one).replace(r"\*", "[^/]+") for one in self.at]
        return re.compile(rf"(/workflows/\d+)?({'|'.join(patterns)})")


@cache
def expectations() -> dict[str, Expectation]:
    """By kind, in the order of the table."""
    groups = tomllib.loads(TABLE.read_text("utf-8"))
    return {
        kind: Expectation(group, tuple(one["codes"]), tuple(one["at"]), one.get("unseen", False))
        for group, kinds in groups.items()
        for kind, one in kinds.items()
    }
