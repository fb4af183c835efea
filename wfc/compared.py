"""The verb that compares two workflows, by what they mean (reference 4.1, `diff`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from wfc.comparing import Change, Interface, differences, interface
from wfc.diagnostics import Severity
from wfc.driver import Loaded
from wfc.frontend import words_at
from wfc.records import dataclass


@dataclass(frozen=True)
class Compared:
    """What changed between two workflows, and whether the new one keeps the old one's interface."""

    changes: tuple[Change, ...]
    interface: Interface


def compare(old: Loaded, new: Loaded) -> Compared | Loaded:
    """Compare two workflows by what they mean; the first that has no meaning (0xx, no main) is given instead."""
    for given in (old, new):
        if given.module is None or given.module.main is None or _is_faulty(given):
            return given
    assert old.module is not None and new.module is not None
    changes = differences(old.module, new.module, _words(old), _words(new))
    return Compared(changes, interface(old.module, new.module))


def _is_faulty(given: Loaded) -> bool:
    return any(found.severity is Severity.ERROR for found in given.elaborated.diagnostics)


def _words(given: Loaded) -> Callable[[Any], str]:
    """The words of a step or definition, as its document has it."""
    return lambda thing: words_at(given.documents[thing.at.file], thing.at.pointer)
