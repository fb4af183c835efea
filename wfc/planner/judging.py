"""A planner's workflow, judged by the compiler: filled in, fixed where that is safe, checked.

Guarantees: the code path is that of `wfc check`; what is shown to the planner has its places where findings say.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from wfc import driver
from wfc.briefing import bare, catalogue_of, filled, patch_of, used_capability
from wfc.diagnostics import Diagnostic, Report, Severity
from wfc.ir import Contract
from wfc.ir.std import SOURCE
from wfc.records import dataclass

NAME = "workflow.wf.json"
_WRITTEN = "workflow"


@dataclass(frozen=True, slots=True)
class Judged:
    """A workflow after a check. `whole` holds every contract, `shown` only what the planner has to know; both are none
    where the text is no JSON, and then `text` is all there is. `further` are findings of the planner's own."""

    text: str
    report: Report
    whole: Any = None
    shown: Any = None
    further: tuple[str, ...] = ()

    @property
    def told(self) -> list[Diagnostic]:
        """The errors and warnings."""
        return [one for one in self.report.diagnostics if one.severity is not Severity.NOTE]

    @property
    def ids(self) -> frozenset[str]:
        """What was found, for comparing it with what was found before."""
        return frozenset([*(one.id for one in self.told), *self.further])

    @property
    def has_errors(self) -> bool:
        return not self.report.ok or bool(self.further)

    @property
    def applied(self) -> list[str]:
        """The fixes that were made, in a line each."""
        return [f"{one.diagnostic.code.code} {json.dumps(patch_of(one.fix))}" for one in self.report.fixed]


def judged(text: str, capabilities: Mapping[str, Contract] | None, *, auto_fix: bool) -> Judged:
    """Judge a workflow's source. Without `capabilities`, what its definitions say is taken for granted."""
    known = capabilities or {}
    catalogue = catalogue_of(known.values())
    # Without an ending the name leaves it to the text which form it has.
    written = driver.loads(text, name=_WRITTEN, catalogue=catalogue)
    if not written.root.readable:
        return Judged(text, driver.check(written))
    whole = filled(written.root.value, known)
    given = driver.loads(json.dumps(whole, indent=1), name=NAME, catalogue=catalogue)
    if auto_fix:
        repaired = driver.repair(given)
        given, report = repaired.given, repaired.report
    else:
        report = driver.check(given)
    value = given.root.value
    # With a catalogue the check itself knows what there is.
    further = tuple(_unknown_capabilities(value)) if capabilities is not None and not capabilities else ()
    return Judged(given.root.source.text, report, value, bare(value, known), further)


def _unknown_capabilities(value: Any) -> Iterator[str]:
    """Definitions that use a capability where there is none but the built-in ones."""
    workflows = value.get("workflows") if isinstance(value, dict) else None
    for index, workflow in enumerate(workflows if isinstance(workflows, list) else [value]):
        at = f"/workflows/{index}" if isinstance(workflows, list) else ""
        definitions = workflow.get("node_defs") if isinstance(workflow, dict) else None
        for number, one in enumerate(definitions if isinstance(definitions, list) else ()):
            name = used_capability(one) if isinstance(one, dict) else None
            if isinstance(name, str) and not name.startswith(f"{SOURCE}."):
                yield f"error at {at}/node_defs/{number}: `{name}` is no capability; only built-in nodes are there"
