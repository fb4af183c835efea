"""Repairs of a declaration: what a field of input or state may hold becomes less, or what a place takes becomes more.

Guarantees: only the schema that stands at the field itself is changed, and only in what it says of kinds and bounds.
Whether that is enough is judged by checking again.
"""

from __future__ import annotations

from collections.abc import Set
from typing import Any

from wfc.diagnostics import Fix, Place
from wfc.ir import declarations, kind_of
from wfc.passes.graph.flow import Flow
from wfc.passes.repairs.patches import UNSAFE, rewrite
from wfc.passes.types import Type, kinds
from wfc.paths import GraphSourcePath
from wfc.source import pointer_parts

_KINDS = ("null", "boolean", "number", "string", "array", "object")
# What a schema may hold beside the kinds of a field for these to be all that it says of them.
_SILENT = frozenset({"title", "description", "default", "examples", "reducer", "$comment"})
_BOUNDS = {
    "string": ("minLength", "maxLength", "pattern"),
    "number": ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
    "array": ("minItems", "maxItems", "uniqueItems", "contains"),
    "object": ("minProperties", "maxProperties"),
}


def narrowed(flow: Flow, path: GraphSourcePath, wanted: Set[str]) -> tuple[Fix, ...]:
    """Let the field that is read hold only values of the kinds that are wanted of it."""
    if path.base == "context" or not wanted:
        return ()
    name = f"{path.base}_schema"
    root = (flow.workflow.input_schema if path.base == "input" else flow.workflow.state_schema).value
    found = declarations(root, path.parts)
    if len(found) != 1 or not isinstance(found[0][1], dict):
        return ()
    at, written = found[0]
    less = _less(written, wanted)
    if less is None or less == written:
        return ()
    place = flow.workflow.at.below(name, *pointer_parts(at))
    return (rewrite(f"Let `{path}` be {_named(wanted)}", place, written, less, UNSAFE),)


def _less(written: dict[str, Any], wanted: Set[str]) -> dict[str, Any] | None:
    """The schema of a field without the kinds that are not wanted; none where it says too much else."""
    held = written.get("type")
    if held is not None:
        left = [one for one in _listed(held) if _kind(one) in wanted]
        return {**written, "type": left[0] if len(left) == 1 else left} if left else None
    for word in ("anyOf", "oneOf"):
        choices = written.get(word)
        if isinstance(choices, list):
            left = [one for one in choices if not isinstance(one, dict) or _may_be(one, wanted)]
            rest = {key: value for key, value in written.items() if key != word}
            if len(left) == 1 and isinstance(left[0], dict) and not left[0].keys() & rest.keys():
                return {**left[0], **rest}
            return {**written, word: left} if left else None
    if written.keys() <= _SILENT:
        ordered = [kind for kind in _KINDS if kind in wanted]
        return {"type": ordered[0] if len(ordered) == 1 else ordered, **written}
    return None


def _may_be(schema: dict[str, Any], wanted: Set[str]) -> bool:
    return "type" not in schema or any(_kind(one) in wanted for one in _listed(schema["type"]))


def loosened(schema: Any, parts: tuple[str, ...], at: Place, taken: str, given: Type) -> tuple[Fix, ...]:
    """Let a place below a schema take what is given: of a kind that it does not list, or beyond its bounds.

    `at` is where the schema stands, `taken` what the place is called.
    """
    found = declarations(schema, parts)
    if len(found) != 1 or not isinstance(found[0][1], dict):
        return ()
    where, written = found[0]
    more = _more(written, kinds(given))
    if more is None or more == written:
        return ()
    return (rewrite(f"Let `{taken}` take it", at.below(*pointer_parts(where)), written, more, UNSAFE),)


def _more(written: dict[str, Any], given: Set[str]) -> dict[str, Any] | None:
    """The schema of a place with the kinds that are given and without their bounds; none where it has another form."""
    listed = _listed(written.get("type", []))
    new = [kind for kind in _KINDS if kind in given and kind not in map(_kind, listed)]
    if not new or not listed:
        bounds = {word for kind in given for word in _BOUNDS.get(kind, ())}
        return {key: value for key, value in written.items() if key not in bounds}
    choices = written.get("enum")
    if choices is None and "const" not in written:
        return {**written, "type": [*listed, *new]}
    if new == ["null"] and isinstance(choices, list) and "null" not in map(kind_of, choices):
        return {**written, "type": [*listed, "null"], "enum": [*choices, None]}
    return None


def _listed(kind: Any) -> list[Any]:
    return kind if isinstance(kind, list) else [kind]


def _kind(word: Any) -> Any:
    return "number" if word == "integer" else word


def _named(wanted: Set[str]) -> str:
    return " or ".join(kind for kind in _KINDS if kind in wanted)
