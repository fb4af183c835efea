"""wfc, the compiler for agent workflows: check, compile, run, resume.

    report = wfc.check("review.wf.json")     # .ok, .diagnostics
    program = wfc.compile("review.wf.json")  # wfc.CompileError carries the report
    run = wfc.execute_workflow(program, {"folder": "inbox"}, handlers={"summarise": summarise})
    run.status, run.outcome, run.output, run.interrupt, run.error
    run = wfc.resume_workflow(program, run, outcome="submitted", payload={"approved": True}, handlers=...)

Functions become nodes by `wfc.node`, workflows are written in Python by `wfc.WorkflowBuilder`, runs are kept and gone
on with by `wfc.run_deployment` and `wfc.resume_run`, and a planner writes workflows by `wfc.plan`. The command line is
`wfc`, also as `python -m wfc`.

The public verbs and values are those of `__all__`. Each is imported when it is first asked for, so that `import wfc`
costs nothing.
"""

from wfc.version import VERSION

# As type checkers know it from `typing`, which costs as much as the whole rest of Python's start.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from wfc.backends.sources import CallContext
    from wfc.building import WorkflowBuilder, async_subgraph_node, subgraph_node
    from wfc.deployed import deploy, publish, resume_run, resume_run_async, run_deployment, run_deployment_async
    from wfc.diagnostics import Diagnostic, InternalError, Report
    from wfc.driver import CompileError, Loaded, check, compile, from_value, load, load_ir, loads, loads_ir
    from wfc.frontend.builder import (
        Expr,
        PathExpr,
        Step,
        all_of,
        any_of,
        branch,
        catch,
        context_path,
        exists,
        input_from,
        input_path,
        input_value,
        literal,
        output_to,
        state_path,
        subgraph_ref,
    )
    from wfc.ir import END, NodeFailed, NodeResult, Program, Reducer, Refused, RunState, WorkflowRef
    from wfc.nodes import StateField, node
    from wfc.observing import Attempt, Durations, FrameView, Observer
    from wfc.paths import GraphSourcePath, LocalPath, PathError, StatePath
    from wfc.planner import Plan, Planner, plan
    from wfc.runs import (
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
    "wfc.backends.sources": ("CallContext",),
    "wfc.building": ("WorkflowBuilder", "async_subgraph_node", "subgraph_node"),
    "wfc.deployed": (
        "deploy",
        "publish",
        "resume_run",
        "resume_run_async",
        "run_deployment",
        "run_deployment_async",
    ),
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
    "wfc.frontend.builder": (
        "PathExpr",
        "Expr",
        "Step",
        "all_of",
        "any_of",
        "branch",
        "catch",
        "context_path",
        "exists",
        "input_from",
        "input_path",
        "input_value",
        "literal",
        "output_to",
        "state_path",
        "subgraph_ref",
    ),
    "wfc.ir": ("END", "NodeFailed", "NodeResult", "Program", "Reducer", "Refused", "RunState", "WorkflowRef"),
    "wfc.nodes": ("StateField", "node"),
    "wfc.planner": ("Plan", "Planner", "plan"),
    "wfc.observing": ("Attempt", "Durations", "FrameView", "Observer"),
    "wfc.paths": ("GraphSourcePath", "LocalPath", "PathError", "StatePath"),
    "wfc.telemetry": ("Spans",),
    "wfc.runs": (
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
# A list that type checkers can read.
__all__ = [
    "END",
    "Attempt",
    "CallContext",
    "CompileError",
    "Diagnostic",
    "Durations",
    "Execution",
    "Expr",
    "FrameView",
    "GraphSourcePath",
    "InternalError",
    "Loaded",
    "LocalPath",
    "NodeFailed",
    "NodeResult",
    "Observer",
    "PathError",
    "PathExpr",
    "Plan",
    "Planner",
    "Program",
    "Reducer",
    "Refused",
    "Report",
    "RunState",
    "Spans",
    "StateField",
    "StatePath",
    "Step",
    "WorkflowBuilder",
    "WorkflowRef",
    "__version__",
    "all_of",
    "any_of",
    "async_subgraph_node",
    "branch",
    "catch",
    "check",
    "compile",
    "context_path",
    "deploy",
    "execute_workflow",
    "execute_workflow_async",
    "exists",
    "from_value",
    "input_from",
    "input_path",
    "input_value",
    "literal",
    "load",
    "load_ir",
    "loads",
    "loads_ir",
    "node",
    "output_to",
    "plan",
    "publish",
    "resume_run",
    "resume_run_async",
    "resume_workflow",
    "resume_workflow_async",
    "run_deployment",
    "run_deployment_async",
    "start_workflow",
    "state_path",
    "step_workflow",
    "step_workflow_async",
    "subgraph_node",
    "subgraph_ref",
]


def __getattr__(name: str) -> "Any":
    if name not in _HOME:
        raise AttributeError(f"`wfc` has no `{name}`")
    from importlib import import_module

    return getattr(import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
