"""Whether every value of one schema is one of another: for contracts that change, which no finding is about."""

from __future__ import annotations

from typing import Any

from wfc.ir import Schema
from wfc.passes import types
from wfc.records import dataclass


@dataclass(frozen=True, slots=True)
class Coverage:
    """`holds` is none where neither is proved; `witness` is a value of the one that the other refuses."""

    holds: bool | None
    witness: tuple[Any] | None = None


def covers(target: Schema, source: Schema) -> Coverage:
    """Whether `target` admits every value of `source`."""
    fit = types.fits(types.of(source), types.of(target))
    if fit.verdict is types.Verdict.ALWAYS:
        return Coverage(True)
    return Coverage(None if fit.witness is None else False, fit.witness)
