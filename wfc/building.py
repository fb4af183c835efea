"""Workflows written in Python: a draft that is checked, compiled and run with the functions that it was written with.

Reference 4.8. A builder gives a document and goes the same way as a text; nothing is compiled that the check refuses.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Unpack

from wfc import driver, runs
from wfc.frontend.builder import Defaulted, Draft, PathExpr, exists, input_value, output_to
from wfc.ir import Program, Reducer, RunState
from wfc.nodes import node
from wfc.opaque import ended
from wfc.runs import Answering

if TYPE_CHECKING:
    from wfc.diagnostics import Report


class WorkflowBuilder(Draft):
    """A workflow in Python. Each method that adds something to it is described where it is defined, at `Draft`.

    Functions that steps use answer their calls when it is executed here; other handlers can be given then.
    """

    # -- more than one step at once -----------------------------------------------------------------------------------

    def default(self, path: PathExpr, value: Any, to: PathExpr, *, id: str = "default") -> Defaulted:
        """Write what a path has to a place in state, or `value` where there is nothing.

        It is a condition `id`, and steps of `wf.std.identity` behind it: `ID_value` writes the value, `ID_path` what
        the path has. The latter is not needed where the path is the place itself.
        """
        self.condition(id, exists(path))
        writes = [output_to("value", to)]
        self.node("wf.std.identity", f"{id}_value", input=[input_value(value, "value")], output=writes)
        self.connect(id, "false", f"{id}_value")
        exits = [(f"{id}_value", "ok")]
        if str(path) == str(to):
            return Defaulted(id, ((id, "true"), *exits))
        self.node("wf.std.identity", f"{id}_path", output=writes, value=path)
        self.connect(id, "true", f"{id}_path")
        return Defaulted(id, ((f"{id}_path", "ok"), *exits))

    # -- what it comes to ---------------------------------------------------------------------------------------------

    def load(self) -> driver.Loaded:
        """What has been said so far, read as a workflow; every verb that takes one takes this."""
        return driver.from_document(self.document())

    def check(self, *, strict: bool = False) -> Report:
        """All findings, each at the call that it is about."""
        return driver.check(self.load(), strict=strict)

    def compile(self) -> Program:
        """Check and lower. Raises `CompileError`, whose note tells the findings at their places."""
        given = self.load()
        try:
            return driver.compile(given)
        except driver.CompileError as stopped:
            from wfc.report import render_findings

            stopped.add_note("\n" + render_findings(stopped.report.diagnostics, given.texts))
            raise

    # -- running ------------------------------------------------------------------------------------------------------

    def handlers(self) -> dict[str, Callable[..., Any]]:
        """The functions that answer the calls of this workflow and of its prepared children."""
        drafts = self.family()
        return {f"{one.name}/{name}": function for one in drafts for name, function in one.functions.items()}

    def execute(
        self,
        input: Any,
        *,
        run_id: str | None = None,
        step_limit: int | None = None,
        **answering: Unpack[Answering],
    ) -> RunState:
        """Compile and run, as `execute_workflow` does; handlers that are given win over the functions of the steps."""
        program = self.compile()
        return runs.execute_workflow(program, input, run_id=run_id, step_limit=step_limit, **self._answering(answering))

    async def execute_async(
        self,
        input: Any,
        *,
        run_id: str | None = None,
        step_limit: int | None = None,
        **answering: Unpack[Answering],
    ) -> RunState:
        """Like `execute`, on the event loop that awaits it; sync and async functions mix."""
        program = self.compile()
        return await runs.execute_workflow_async(
            program, input, run_id=run_id, step_limit=step_limit, **self._answering(answering)
        )

    def resume(
        self,
        run: RunState,
        *,
        outcome: str | None = None,
        payload: Any = None,
        interrupt_id: str | None = None,
        **answering: Unpack[Answering],
    ) -> RunState:
        """Go on with a run of this workflow, as `resume_workflow` does. Raises `Refused`, also after a change of it."""
        given = {"outcome": outcome, "payload": payload, "interrupt_id": interrupt_id}
        return runs.resume_workflow(self.compile(), run, **given, **self._answering(answering))

    async def resume_async(
        self,
        run: RunState,
        *,
        outcome: str | None = None,
        payload: Any = None,
        interrupt_id: str | None = None,
        **answering: Unpack[Answering],
    ) -> RunState:
        """Like `resume`, on the event loop that awaits it."""
        given = {"outcome": outcome, "payload": payload, "interrupt_id": interrupt_id}
        return await runs.resume_workflow_async(self.compile(), run, **given, **self._answering(answering))

    def _answering(self, given: Answering) -> Answering:
        made = Answering(**given)
        made["handlers"] = {**self.handlers(), **given.get("handlers", {})}
        own: list[Reducer] = [reducer for one in self.family() for reducer in one.reducers]
        made["reducers"] = (*own, *given.get("reducers", ()))
        return made


# -- a workflow as one opaque node ------------------------------------------------------------------------------------


def subgraph_node(
    workflow: WorkflowBuilder | Program, *, name: str | None = None, **answering: Unpack[Answering]
) -> Callable[[Any], Any]:
    """A whole workflow as one node, for where a subgraph step cannot stand.

    It hides what a subgraph step shows: the steps of the child are not in the trace, a question that it asks cannot be
    passed on and fails the node, a run that was cut is begun again, and nothing of it is checked together with the
    parent. Prefer `builder.subgraph`.
    """
    program, given = _prepared(workflow, answering)

    def child(payload: Any) -> Any:
        return ended(runs.execute_workflow(program, payload, **given))

    return _opaque(child, program, name)


def async_subgraph_node(
    workflow: WorkflowBuilder | Program, *, name: str | None = None, **answering: Unpack[Answering]
) -> Callable[[Any], Any]:
    """Like `subgraph_node`, for children with async functions; it hides the same."""
    program, given = _prepared(workflow, answering)

    async def child(payload: Any) -> Any:
        return ended(await runs.execute_workflow_async(program, payload, **given))

    return _opaque(child, program, name)


def _prepared(workflow: WorkflowBuilder | Program, answering: Answering) -> tuple[Program, Answering]:
    if isinstance(workflow, Program):
        return workflow, answering
    return workflow.compile(), workflow._answering(answering)


def _opaque(child: Callable[..., Any], program: Program, name: str | None) -> Callable[..., Any]:
    main = program.routines[0]
    marked: Callable[..., Any] = node(
        name=name or main.name,
        outcomes=main.outcomes,
        input_schema=_schema(program, main.input_schema),
        output_schema=_schema(program, main.output_schema),
    )(child)
    return marked


def _schema(program: Program, index: int) -> Mapping[str, Any]:
    found: Mapping[str, Any] = program.schemas[index]
    return found
