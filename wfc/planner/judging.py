"""A planner's workflow, judged by the compiler: filled in, fixed where that is safe, checked.

Guarantees: the code path is that of `wfc check`; what is shown to the planner has its places where findings say.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from wfc import driver
from wfc.briefing import Capability, bare, filled, patch_of, used_capability
from wfc.diagnostics import Diagnostic, Report, Severity, close_match
from wfc.ir.std import SOURCE
from wfc.records import dataclass

NAME = "workflow.wf.json"


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


def judged(text: str, capabilities: Mapping[str, Capability], *, auto_fix: bool) -> Judged:
    """Judge a workflow's source."""
    written = driver.loads(text, name=NAME)
    if not written.root.readable:
        return Judged(text, driver.check(written))
    whole = filled(written.root.value, capabilities)
    given = driver.loads(json.dumps(whole, indent=1), name=NAME)
    if auto_fix:
        repaired = driver.repair(given)
        given, report = repaired.given, repaired.report
    else:
        report = driver.check(given)
    value = given.root.value
    further = tuple(_unknown_capabilities(value, capabilities))
    return Judged(given.root.source.text, report, value, bare(value, capabilities), further)


def _unknown_capabilities(value: Any, capabilities: Mapping[str, Capability]) -> Iterator[str]:
    """Definitions that use what is not in the catalogue: nothing would answer them."""
    workflows = value.get("workflows") if isinstance(value, dict) else None
    for index, workflow in enumerate(workflows if isinstance(workflows, list) else [value]):
        at = f"/workflows/{index}" if isinstance(workflows, list) else ""
        definitions = workflow.get("node_defs") if isinstance(workflow, dict) else None
        for number, one in enumerate(definitions if isinstance(definitions, list) else ()):
            name = used_capability(one) if isinstance(one, dict) else None
            if not isinstance(name, str) or name in capabilities or name.startswith(f"{SOURCE}."):
                continue
            near = close_match(name, list(capabilities))
            hint = f"nearest: `{near}`" if near else "expected one of the catalogue"
            yield f"error at {at}/node_defs/{number}: `{name}` is no capability of the catalogue; {hint}"
