"""Long, deep and wide documents are ordinary input: nothing recurses into them, and nothing looks at them twice."""

import json
import subprocess
import sys
from typing import Any

from tests.frontend.documents import Json, elaborated, found_in, small, stepped, workflow_of
from wfc.frontend import elaborate, read_json

HEAVY = ("networkx", "pydantic", "jsonschema", "mcp", "rich", "sqlalchemy", "lark", "asyncio", "referencing")


def chain(length: int, **step: Any) -> Json:
    nodes = [{"id": f"s{n}", "type": "wait", "seconds": 0, **step} for n in range(length)]
    edges = [{"from": f"s{n}", "outcome": "ok", "to": f"s{n + 1}"} for n in range(length - 1)]
    return small(start="s0", nodes=nodes, edges=[*edges, {"from": f"s{length - 1}", "outcome": "ok", "to": "__end__"}])


def test_a_hundred_thousand_steps() -> None:
    read = elaborate(read_json("a.wf.json", json.dumps(chain(100_000))), lambda document, name: ())
    assert read.module is not None
    assert (len(read.module.workflows[0].steps), read.diagnostics) == (100_000, ())


def test_a_fault_in_each_of_many_steps() -> None:
    found = elaborated(chain(5_000, secods=1)).diagnostics
    assert (len(found), found[-1].at.pointer, found[-1].at.step) == (5_000, "/nodes/4999/secods", "s4999")


def test_conditions_as_deep_as_documents_may_be() -> None:
    check: Json = {"op": "exists", "path": "state.a"}
    for _ in range(195):
        check = {"op": "not", "arg": check}
    step: Any = workflow_of(stepped({"type": "condition", "check": check})).steps[0]
    assert len(step.check.tests) == 196
    assert step.check.spots[0] == "/arg" * 195


def test_a_fault_at_the_bottom_of_a_deep_condition() -> None:
    check: Json = {"op": "exists", "path": "$"}
    for _ in range(96):
        check = {"op": "and", "args": [check]}
    assert found_in(stepped({"type": "condition", "check": check})) == [
        "WF020 /nodes/0/check" + "/args/0" * 96 + "/path"
    ]


def test_a_literal_as_deep_as_documents_may_be() -> None:
    value: Any = None
    for _ in range(193):
        value = [value]
    step = {"type": "node", "node": "wf.std.identity", "input": [{"target": "value", "value": value}]}
    assert found_in(stepped(step)) == []


def test_many_workflows_in_one_module() -> None:
    calls = [stepped({"type": "subgraph", "workflow": {"name": f"w{n + 1}"}}, name=f"w{n}") for n in range(1_000)]
    read = elaborated({"workflows": [*calls, small(name="w1000")]})
    assert read.module is not None
    assert (len(read.module.workflows), read.diagnostics) == (1_001, ())


def test_reading_imports_nothing_heavy() -> None:
    code = f"""
import sys
from wfc.frontend import elaborate, read_json
text = {json.dumps(small(input_schema={"type": "object"}))!r}
assert elaborate(read_json("a", text), lambda document, name: ()).diagnostics == ()
print([name for name in {HEAVY!r} if name in sys.modules])
"""
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
