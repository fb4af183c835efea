"""What is said about a JSON Schema that cannot be used as one (WF016, WF017)."""

from __future__ import annotations

from wfc.diagnostics import Code, Example, Severity

BAD_SCHEMA = Code(
    code="WF016",
    rule="bad-schema",
    severity=Severity.ERROR,
    message="{said}",
    help="write the schema in the draft that it names, 2020-12 where it names none; a workflow's own schemas describe objects",
    why=(
        "Every payload is judged by its schema, and a schema that its own meta-schema refuses would be read differently by "
        "every tool, most often as one that accepts everything. Input, state and output of a workflow are objects, "
        "because their fields are what paths lead to."
    ),
    example=Example(
        bad='{"name": "a", "start": "s", "nodes": [{"id": "s", "type": "end", "outcome": "ok"}],\n'
        ' "input_schema": {"type": "object", "properties": {"n": {"type": "int"}}}}\n'
        "                                                                 ^^^^^\n",
        good='{"name": "a", "start": "s", "nodes": [{"id": "s", "type": "end", "outcome": "ok"}],\n'
        ' "input_schema": {"type": "object", "properties": {"n": {"type": "integer"}}}}\n',
    ),
)
UNRESOLVABLE_REF = Code(
    code="WF017",
    rule="unresolvable-ref",
    severity=Severity.ERROR,
    message="reference `{got}` {said}, expected {expected}",
    help="copy what is meant under `$defs` of the same schema and refer to it as `#/$defs/NAME`",
    why=(
        "A workflow means the same on every machine and without a network, so a schema carries everything that it refers to. "
        "References that only lead to one another describe nothing."
    ),
    example=Example(
        bad='{"name": "a", "start": "s", "nodes": [{"id": "s", "type": "end", "outcome": "ok"}],\n'
        ' "input_schema": {"type": "object", "properties": {"n": {"$ref": "#/$defs/count"}}}}\n'
        "                                                                 ^^^^^^^^^^^^^^^\n",
        good='{"name": "a", "start": "s", "nodes": [{"id": "s", "type": "end", "outcome": "ok"}],\n'
        ' "input_schema": {"type": "object", "properties": {"n": {"$ref": "#/$defs/count"}}, "$defs": {"count": {}}}}\n',
    ),
)
CODES = (BAD_SCHEMA, UNRESOLVABLE_REF)
