"""What a whole run comes to where it stands for one call: its outcome and output, or why the call has failed.

Reference 2.4, 2.9. A call has one answer, so a question that the run asks cannot be passed on: like a server that asks
for input during a call, it fails the node.
"""

from __future__ import annotations

from typing import Any

from wfc.ir import NodeFailed, RunState


def ended(run: RunState) -> tuple[str, Any]:
    """The outcome and output of a run. Raises `NodeFailed`, whose type is the run error's code, or `interrupted`."""
    if run.status == "completed" and run.outcome is not None:
        return run.outcome, run.output
    if run.error is not None:
        raise NodeFailed(run.error.message, type=run.error.code)
    asked = "" if run.interrupt is None else f" of kind `{run.interrupt.kind}` at `{run.interrupt.node_id}`"
    raise NodeFailed(
        f"the child workflow asks a question{asked}, which an opaque node cannot pass on", type="interrupted"
    )
