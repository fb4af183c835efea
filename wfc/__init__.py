"""wfc, the compiler for agent workflows: check, compile, run, resume.

The public verbs and values. Each is imported when it is first asked for, so that `import wfc` costs nothing.
"""

from typing import TYPE_CHECKING, Any

from wfc.version import VERSION

if TYPE_CHECKING:
    from wfc.backends.sources import CallContext, node
    from wfc.diagnostics import Diagnostic, InternalError, Report
    from wfc.driver import CompileError, Loaded, check, compile, from_value, load, load_ir, loads, loads_ir
    from wfc.ir import NodeFailed, NodeResult, Program, Reducer, Refused, RunState
    from wfc.observing import Attempt, Durations, FrameView, Observer
    from wfc.paths import GraphSourcePath, LocalPath, PathError, StatePath
    from wfc.running import (
        Execution,
        execute_workflow,
        execute_workflow_async,
        resume_workflow,
        resume_workflow_async,
        start_workflow,
        step_workflow,
        step_workflow_async,
    )
    from wfc.telemetry import Spans

__version__ = VERSION

_HOMES = {
    "wfc.backends.sources": ("CallContext", "node"),
    "wfc.diagnostics": ("Diagnostic", "InternalError", "Report"),
    "wfc.driver": (
        "CompileError",
        "Loaded",
        "check",
        "compile",
        "from_value",
        "load",
        "load_ir",
        "loads",
        "loads_ir",
    ),
    "wfc.ir": ("NodeFailed", "NodeResult", "Program", "Reducer", "Refused", "RunState"),
    "wfc.observing": ("Attempt", "Durations", "FrameView", "Observer"),
    "wfc.paths": ("GraphSourcePath", "LocalPath", "PathError", "StatePath"),
    "wfc.telemetry": ("Spans",),
    "wfc.running": (
        "Execution",
        "execute_workflow",
        "execute_workflow_async",
        "resume_workflow",
        "resume_workflow_async",
        "start_workflow",
        "step_workflow",
        "step_workflow_async",
    ),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}
__all__ = sorted((*_HOME, "__version__"))


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"`wfc` has no `{name}`")
    from importlib import import_module

    return getattr(import_module(_HOME[name]), name)
