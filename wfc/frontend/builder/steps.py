"""Steps as values: what a builder appends, and what can be made without one (reference 1.4)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Protocol, runtime_checkable

from wfc.frontend.builder.bindings import Inputs, Outputs, inputs, outputs
from wfc.frontend.builder.expressions import Expr, condition
from wfc.frontend.builder.written import Written, assembled, fields, part, plain
from wfc.ir import Program, WorkflowRef
from wfc.records import dataclass, field

_OUTCOMES: Mapping[str, tuple[str, ...]] = {
    "condition": ("true", "false"),
    "foreach": ("item", "done"),
    "join": ("ok",),
    "wait": ("ok",),
    "end": (),
}


@runtime_checkable
class Contracted(Protocol):
    """A workflow under construction, whose contract is known already."""

    name: str

    @property
    def contract(self) -> dict[str, Any]: ...


@dataclass(frozen=True, slots=True, eq=False)
class Step(Written):
    """A step: what stands in the document, and for a subgraph `child`, the builder it was copied from."""

    child: Contracted | None = field(default=None, kw_only=True)
    outcomes: tuple[str, ...] = field(default=(), kw_only=True)
    """The outcomes that are known here, without those of `catch`: empty where only a definition tells them."""

    @property
    def id(self) -> str:
        return str(self.inside.get("id"))

    @property
    def type(self) -> str:
        return str(self.inside["type"])

    @property
    def input_schema(self) -> Any:
        """The schema that stands on the step; none where it has none."""
        return self.inside.get("input_schema")

    @property
    def output_schema(self) -> Any:
        return self.inside.get("output_schema")

    def to_json(self) -> dict[str, Any]:
        """The step as it stands in a document."""
        made: dict[str, Any] = assembled(self).value
        return made


def step(
    id: str, type: str, desc: str | None, extra: Mapping[str, Any] | None, *given: tuple[str, Any], **known: Any
) -> Step:
    """A step of some type with the fields that were given."""
    known.setdefault("outcomes", _OUTCOMES.get(type, ()))
    return Step(fields(extra, ("id", plain(id)), ("type", type), ("desc", plain(desc)), *given), **known)


def branch(
    outcome: str, *, when: Expr | Mapping[str, Any] | None = None, extra: Mapping[str, Any] | None = None
) -> Written:
    """A branch of a fork, activated always or `when` a condition holds."""
    check = None if when is None else condition(when)
    return Written(fields(extra, ("outcome", plain(outcome)), ("when", check)))


def catch(codes: str | Iterable[str], outcome: str, *, extra: Mapping[str, Any] | None = None) -> Written:
    """An entry of `catch`: these run errors leave the step by this outcome."""
    listed = [codes] if isinstance(codes, str) else list(codes)
    return Written(fields(extra, ("codes", plain(listed)), ("outcome", plain(outcome))))


def names(given: Iterable[Any] | None) -> Any:
    """A list of what is given: names, or parts that say more."""
    if given is None:
        return None
    return [part(one) for one in ([given] if isinstance(given, str) else given)]


# -- a workflow as a step ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Child:
    """What a step says of its child: a reference, and its contract where that is known."""

    ref: Any
    outcomes: list[str] | None = None
    input_schema: Any = None
    output_schema: Any = None
    draft: Contracted | None = None


def subgraph_ref(
    id: str,
    workflow: Any,
    *,
    workflow_ref: WorkflowRef | Mapping[str, Any] | str | None = None,
    input: Inputs | None = None,
    output: Outputs | None = None,
    outcomes: Iterable[str] | None = None,
    input_schema: Any = None,
    output_schema: Any = None,
    catch: Iterable[Any] | None = None,
    desc: str | None = None,
    extra: Mapping[str, Any] | None = None,
) -> Step:
    """A subgraph step by itself. `workflow` is a builder, a program, a workflow document, or a reference.

    The contract of what is no mere reference is copied into the step. `workflow_ref` refers to it in another way, such
    as `WorkflowRef(artifact_id="child", version=1)`.
    """
    child = _child(workflow)
    declared = list(outcomes) if outcomes is not None else child.outcomes
    return step(
        id,
        "subgraph",
        desc,
        extra,
        ("workflow", child.ref if workflow_ref is None else _reference(workflow_ref)),
        ("input", inputs(input, {})),
        ("output", outputs(output)),
        ("outcomes", plain(declared)),
        ("input_schema", child.input_schema if input_schema is None else plain(input_schema)),
        ("output_schema", child.output_schema if output_schema is None else plain(output_schema)),
        ("catch", names(catch)),
        child=child.draft if workflow_ref is None else None,
        outcomes=tuple(declared or ("ok",)),
    )


def _child(workflow: Any) -> _Child:
    if isinstance(workflow, Contracted):
        own = workflow.contract
        return _Child({"name": workflow.name}, own["outcomes"], own["input_schema"], own["output_schema"], workflow)
    if isinstance(workflow, Program):
        main = workflow.routines[0]
        schemas = [plain(workflow.schemas[index]) for index in (main.input_schema, main.output_schema)]
        return _Child({"name": main.name}, list(main.outcomes), *schemas)
    if isinstance(workflow, Mapping) and "nodes" in workflow:
        schemas = [plain(workflow.get(key, {"type": "object"})) for key in ("input_schema", "output_schema")]
        return _Child({"name": workflow.get("name")}, list(workflow.get("outcomes") or ["ok"]), *schemas)
    return _Child(_reference(workflow))


def _reference(given: Any) -> Any:
    if isinstance(given, WorkflowRef):
        parts = {"name": given.name, "artifact_id": given.artifact_id, "version": given.version}
        return {key: value for key, value in parts.items() if value is not None}
    if isinstance(given, str):
        return {"name": given}
    if isinstance(given, Mapping):
        return plain(given)
    raise TypeError(f"{given!r} is no workflow; expected a builder, a program, a document or a reference")
