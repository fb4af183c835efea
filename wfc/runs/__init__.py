"""Runs: in motion, kept, gone on with, read back. `durable` and `replaying` are its verbs for runs that a store keeps.

Each name is imported from its file when somebody first asks for it: a run that is kept nowhere loads no store.
"""

from typing import TYPE_CHECKING

from wfc.doors import lazily

if TYPE_CHECKING:
    from wfc.runs.durable import Outside
    from wfc.runs.execution import Answering, Execution, Perform, linked
    from wfc.runs.keeping import position_of
    from wfc.runs.running import (
        execute_workflow,
        execute_workflow_async,
        resume_workflow,
        resume_workflow_async,
        start_workflow,
        step_workflow,
        step_workflow_async,
    )

__all__ = [
    "Answering",
    "Execution",
    "Outside",
    "Perform",
    "execute_workflow",
    "execute_workflow_async",
    "linked",
    "position_of",
    "resume_workflow",
    "resume_workflow_async",
    "start_workflow",
    "step_workflow",
    "step_workflow_async",
]

__getattr__ = lazily(
    "wfc.runs",
    {
        "durable": ("Outside",),
        "execution": ("Answering", "Execution", "Perform", "linked"),
        "keeping": ("position_of",),
        "running": (
            "execute_workflow",
            "execute_workflow_async",
            "resume_workflow",
            "resume_workflow_async",
            "start_workflow",
            "step_workflow",
            "step_workflow_async",
        ),
    },
)
