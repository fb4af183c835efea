"""What is said about a JSON Schema that cannot be used as one (WF016, WF017)."""

from __future__ import annotations

from wfc.diagnostics import Code, Example, Severity

BAD_SCHEMA = Code(
    code="WF016",
    rule="bad-schema",
    severity=Severity.ERROR,
    message="found {got}, expected {expected}",
    help="write the schema in the draft that it names, else in 2020-12; a workflow's own schemas describe objects",
    why=(
        "Every payload is judged by its schema, and a schema that its own meta-schema refuses would be read "
        "differently by every tool, most often as one that accepts everything. Input, state and output of a workflow "
        "are objects, because their fields are what paths lead to."
    ),
    example=Example(
        bad="""\
{"name": "a", "start": "s",
 "input_schema": {"type": "object", "required": ["n"],
    "properties": {"n": {"type": "num", "minimum": 0}}},
                                 ^^^^^
 "nodes": [{"id": "s", "type": "wait", "seconds": {"path": "input.n"}}],
 "edges": [{"from": "s", "outcome": "ok", "to": "__end__"}]}
""",
        good="""\
{"name": "a", "start": "s",
 "input_schema": {"type": "object", "required": ["n"],
    "properties": {"n": {"type": "number", "minimum": 0}}},
 "nodes": [{"id": "s", "type": "wait", "seconds": {"path": "input.n"}}],
 "edges": [{"from": "s", "outcome": "ok", "to": "__end__"}]}
""",
    ),
)
UNRESOLVABLE_REF = Code(
    code="WF017",
    rule="unresolvable-ref",
    severity=Severity.ERROR,
    message="reference `{got}` {problem}, expected {expected}",
    help="copy what is meant under `$defs` of the same schema and refer to it as `#/$defs/NAME`",
    why=(
        "A workflow means the same on every machine and without a network, so a schema carries everything that it "
        "refers to. References that only lead to one another describe nothing."
    ),
    example=Example(
        bad="""\
{"name": "a", "start": "s",
 "input_schema": {"type": "object", "required": ["n"],
    "properties": {"n": {"$ref": "#/$defs/count"}}, "$defs": {"counter": {"type": "number", "minimum": 0}}},
                                 ^^^^^^^^^^^^^^^
 "nodes": [{"id": "s", "type": "wait", "seconds": {"path": "input.n"}}],
 "edges": [{"from": "s", "outcome": "ok", "to": "__end__"}]}
""",
        good="""\
{"name": "a", "start": "s",
 "input_schema": {"type": "object", "required": ["n"],
    "properties": {"n": {"$ref": "#/$defs/counter"}}, "$defs": {"counter": {"type": "number", "minimum": 0}}},
 "nodes": [{"id": "s", "type": "wait", "seconds": {"path": "input.n"}}],
 "edges": [{"from": "s", "outcome": "ok", "to": "__end__"}]}
""",
    ),
)
CODES = (BAD_SCHEMA, UNRESOLVABLE_REF)
