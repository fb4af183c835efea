"""Nothing is asked of state as a whole: of the root of its schema only `properties` is enforced (reference 1.6)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from wfc.diagnostics import Code, Diagnostic, Severity
from wfc.passes.examples import example
from wfc.passes.facts import Facts
from wfc.passes.repairs.patches import SAFE, UNSAFE, take_out

STATE_ROOT_KEYWORD = Code(
    code="WF414",
    rule="state-root-keyword",
    severity=Severity.WARNING,
    message="`{got}` stands at the root of `state_schema`, where nothing enforces it; expected `properties` alone",
    help="{advice}",
    why=(
        "State is validated where it is written, field by field, and never as a whole: it begins empty and fills up as "
        "the run goes on. A keyword about all of its fields at once, at the root, would promise what nobody checks."
    ),
    example=example(
        """{"name": "size", "start": "count",
 "input_schema": {"type": "object", "properties": {"names": {"type": "array"}}, "required": ["names"]},
 "state_schema": {"type": "object", "properties": {"length": {"type": "integer"}}, "required": ["length"]},
                                                                                               ^^^^^^^^^^
 "output_schema": {"type": "object", "properties": {"length": {"type": "integer"}}},
 "nodes": [{"id": "count", "type": "node", "node": "wf.std.count",
            "input": [{"target": "array", "path": "input.names"}],
            "output": [{"source": "count", "target": "state.length"}]}],
 "edges": [{"from": "count", "outcome": "ok", "to": "__end__"}]}
""",
        (', "required": ["length"]}', "}"),
    ),
)
CODES = (STATE_ROOT_KEYWORD,)

# What only says something of all fields together, and so can go without anything being lost.
_ASSERTIONS = (
    "required", "additionalProperties", "unevaluatedProperties", "minProperties", "maxProperties", "propertyNames",
    "dependencies", "dependentRequired", "dependentSchemas", "enum", "const", "not", "if", "then", "else",
)  # fmt: skip
# What may declare fields or first values that are meant to count.
_DECLARING = ("$ref", "$dynamicRef", "$recursiveRef", "allOf", "anyOf", "oneOf", "patternProperties", "default")


def check(facts: Facts) -> Iterator[Diagnostic]:
    """Report each keyword by itself; one that asks for nothing says nothing wrong."""
    for flow in facts.flows:
        schema = flow.workflow.state_schema.value
        for keyword, value in schema.items() if isinstance(schema, dict) else ():
            if keyword not in _ASSERTIONS + _DECLARING or _is_idle(keyword, value, schema):
                continue
            place = flow.workflow.at.below("state_schema", keyword)
            declares = keyword in _DECLARING
            yield STATE_ROOT_KEYWORD.at(
                place,
                fixes=(take_out(f"Remove `{keyword}`", place, value, UNSAFE if declares else SAFE),),
                advice=_advice(keyword),
                got=keyword,
                expected="properties",
            )


def _is_idle(keyword: str, value: Any, schema: Any) -> bool:
    """Whether a keyword admits everything that there can be, so that not enforcing it makes no difference."""
    match keyword:
        case "if":
            return "then" not in schema and "else" not in schema
        case "then" | "else":
            return "if" not in schema
        case "additionalProperties" | "unevaluatedProperties" | "propertyNames":
            return value is True or value == {}
        case "required" | "patternProperties" | "dependencies" | "dependentRequired" | "dependentSchemas":
            return not value
        case _:
            return keyword == "minProperties" and value == 0


def _advice(keyword: str) -> str:
    if keyword == "default":
        return "give each field a `default` of its own"
    if keyword in _DECLARING:
        return "declare the fields in the `properties` of `state_schema` itself"
    if keyword == "required":
        return "remove it; what a run has to give at its end is required by `output_schema`"
    return "remove it, or say it of a field: an object inside state is checked whenever something in it is written"
