"""The formats of a report: a line of the table and a file, which is imported only when somebody wants that format."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module

from wfc.diagnostics import Report
from wfc.records import dataclass
from wfc.report.paint import Paint
from wfc.source import Source

# What authors wrote, by the names of files.
Sources = Mapping[str, Source]


@dataclass(frozen=True, slots=True)
class Format:
    """A way to write a report down: `(report, sources, paint) → text` of a module. Only what people read is painted."""

    name: str
    module: str
    function: str = "render"

    def render(self, report: Report, sources: Sources, paint: Paint) -> str:
        text: str = getattr(import_module(self.module), self.function)(report, sources, paint)
        return text


FORMATS = (
    Format("text", "wfc.report.text"),
    Format("concise", "wfc.report.concise"),
    Format("json", "wfc.report.as_json"),
    Format("jsonl", "wfc.report.as_json", "render_lines"),
    Format("sarif", "wfc.report.sarif"),
    Format("github", "wfc.report.github"),
    Format("gitlab", "wfc.report.gitlab"),
    Format("junit", "wfc.report.junit"),
)
# How often instead of what.
STATISTICS = (
    Format("text", "wfc.report.statistics"),
    Format("json", "wfc.report.statistics", "render_json"),
)
