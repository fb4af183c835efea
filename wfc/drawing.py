"""The verbs that draw: a workflow with its findings, a program, and what a run did in its program.

Reference 4.1, `wfc graph`. What has faults is drawn with its faults; only what cannot be read is not drawn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wfc import driver
from wfc.backends.emit.pictures import Picture, picture_of_module, picture_of_program, picture_of_run

if TYPE_CHECKING:
    from wfc.diagnostics import Report

__all__ = ["draw_program", "draw_run", "draw_workflow"]

draw_program = picture_of_program
draw_run = picture_of_run


def draw_workflow(source: driver.Source, *, strict: bool = False) -> tuple[Picture | None, Report]:
    """The picture of a workflow and its children, with what a check finds; none where nothing can be read."""
    from wfc.passes import regions_around

    given = driver.loaded(source)
    report = driver.check(given, strict=strict)
    if given.module is None or not given.module.workflows:
        return None, report
    return picture_of_module(given.module, regions_around(given.module), report.diagnostics), report
