"""What a workflow is made of: bindings, steps, edges – names resolved, defaults filled, every path a value.

Every element carries `at`, its place in the document, so that a finding points at what the author wrote. `outcomes` of
a step are those that may leave it, caught ones last; none where they cannot be known because a reference failed.
`extra` holds the author's `x-` keys.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from wfc.diagnostics import Place
from wfc.ir.calls import CapabilityRef, Retry
from wfc.ir.conditions import Condition, Value
from wfc.ir.schemas import Schema
from wfc.paths import GraphSourcePath, LocalPath, StatePath
from wfc.records import dataclass, field


@dataclass(frozen=True, slots=True)
class InputBinding:
    """target ← path | value      One field of a payload; `source` is a path, or a literal in a `Value`."""

    target: LocalPath
    source: GraphSourcePath | Value
    at: Place = field(compare=False)


@dataclass(frozen=True, slots=True)
class OutputBinding:
    """target ← source      One write to state; `on` are the outcomes it applies to, none for all but caught ones."""

    source: LocalPath
    target: StatePath
    on: tuple[str, ...] | None
    at: Place = field(compare=False)


@dataclass(frozen=True, slots=True)
class Catch:
    """Run errors of a step that become an outcome of it; a code may be `node_failed:TYPE`."""

    codes: tuple[str, ...]
    outcome: str
    at: Place = field(compare=False)


@dataclass(frozen=True, slots=True)
class NodeDef:
    """A reusable contract. `outcome_schemas` maps an outcome to the schema that replaces `output_schema` for it."""

    name: str
    input_schema: Schema
    output_schema: Schema
    outcomes: tuple[str, ...]
    outcome_schemas: Mapping[str, Schema]
    uses: CapabilityRef
    effects: Literal["pure", "read", "idempotent", "write"] | None
    retry: Retry | None
    timeout_seconds: int | float | None
    desc: str | None
    extra: Mapping[str, Any]
    at: Place = field(compare=False)
    written: bool = True
    """False for the definition that a direct use of a built-in stands for."""

    def schema_of(self, outcome: str) -> Schema:
        return self.outcome_schemas.get(outcome, self.output_schema)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Step:
    id: str
    at: Place = field(compare=False)
    outcomes: tuple[str, ...] | None
    desc: str | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)
    gaps: frozenset[str] = field(default=frozenset(), compare=False)
    """Which of its lists of bindings lack an entry because it could not be read: input, output, request, resume."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeStep(_Step):
    """Use of a node definition. `definition` is the name as written; `module.definition_of` finds it."""

    type = "node"
    definition: str
    input: tuple[InputBinding, ...] = ()
    output: tuple[OutputBinding, ...] = ()
    retry: Retry | None = None
    timeout_seconds: int | float | None = None
    catch: tuple[Catch, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ConditionStep(_Step):
    """check → true | false"""

    type = "condition"
    check: Condition


@dataclass(frozen=True, slots=True, kw_only=True)
class ForeachStep(_Step):
    """over → item per element, done after the last."""

    type = "foreach"
    over: GraphSourcePath | Value
    alias: str
    mode: Literal["serial", "parallel"] = "serial"
    on_item_error: Literal["fail", "collect", "skip"] = "fail"
    max_concurrency: int = 8
    locals: tuple[StatePath, ...] = ()
    output: tuple[OutputBinding, ...] = ()


@dataclass(frozen=True, slots=True)
class Branch:
    """One branch of a fork; without `when` it is always activated."""

    outcome: str
    when: Condition | None
    at: Place = field(compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class ForkStep(_Step):
    """→ every activated branch, in declared order."""

    type = "fork"
    branches: tuple[Branch, ...]
    locals: tuple[StatePath, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinStep(_Step):
    """Barrier for the activated branches of the fork it closes; elsewhere passed straight through."""

    type = "join"


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitStep(_Step):
    """seconds → ok, after a durable delay."""

    type = "wait"
    seconds: GraphSourcePath | Value


@dataclass(frozen=True, slots=True, kw_only=True)
class InterruptStep(_Step):
    """request → a person's or platform's outcome and payload. Schemas are filled from the kind where it is built in."""

    type = "interrupt"
    kind: str
    request: tuple[InputBinding, ...] = ()
    resume: tuple[OutputBinding, ...] = ()
    request_schema: Schema | None = None
    resume_schema: Schema | None = None
    resume_schemas: Mapping[str, Schema] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class WorkflowRef:
    """A workflow by name, or a stored version of one (reference 1.4)."""

    name: str | None = None
    artifact_id: str | None = None
    version: int | None = None

    def __str__(self) -> str:
        return self.name if self.name is not None else f"artifact:{self.artifact_id}@{self.version}"


@dataclass(frozen=True, slots=True)
class Linked:
    """The child is the workflow of this index in the module."""

    index: int


@dataclass(frozen=True, slots=True)
class Unknown:
    """Nothing in reach has the name; `known` are the names that are. `unsure` where one could not be read."""

    known: tuple[str, ...]
    unsure: bool = False


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """Several files in reach hold the name."""

    files: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Unresolved:
    """An artifact, and no store in which to look it up; judged by the step's own schemas."""


Link = Linked | Unknown | Ambiguous | Unresolved


@dataclass(frozen=True, slots=True, kw_only=True)
class SubgraphStep(_Step):
    """A workflow as a step. `declared` are the outcomes written on the step, without caught ones."""

    type = "subgraph"
    workflow: WorkflowRef
    link: Link
    declared: tuple[str, ...] = ("ok",)
    input: tuple[InputBinding, ...] = ()
    output: tuple[OutputBinding, ...] = ()
    input_schema: Schema | None = None
    output_schema: Schema | None = None
    catch: tuple[Catch, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class EndStep(_Step):
    """The run ends with this outcome of the workflow."""

    type = "end"
    outcome: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HoleStep(_Step):
    """A step that could not be read. Its id, where it has one, keeps edges to it from looking wrong."""

    type = "hole"


Step = (
    NodeStep
    | ConditionStep
    | ForeachStep
    | ForkStep
    | JoinStep
    | WaitStep
    | InterruptStep
    | SubgraphStep
    | EndStep
    | HoleStep
)
STEP_TYPES = ("node", "condition", "foreach", "fork", "join", "wait", "interrupt", "subgraph", "end")


def outputs_of(step: Step) -> tuple[OutputBinding, ...]:
    """The bindings that write what a step returns."""
    match step:
        case NodeStep() | SubgraphStep() | ForeachStep():
            return step.output
        case InterruptStep():
            return step.resume
        case _:
            return ()


@dataclass(frozen=True, slots=True)
class Edge:
    """source –outcome→ target      A part that could not be read is none; so that nothing follows from it."""

    source: str | None
    outcome: str | None
    target: str | None
    at: Place = field(compare=False)
    extra: Mapping[str, Any] = field(default_factory=dict)
