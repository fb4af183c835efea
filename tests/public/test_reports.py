"""Faults that people reported against other engines, and the behaviour that is right here.

`SHOWN` says for every report where: in the conformance cases (by their `x-from`), in a test of another room, in one
below; or what has to be there first.
"""

from __future__ import annotations

import json
import re
import time
from pathlib import Path
from typing import Any

import pytest

import wfc
from wfc.backends.sources import Mocks

TESTS = Path(__file__).parents[1]
CONFORMANCE = "conformance"
JOURNAL = "waits for the journal and its drivers"
LATER_PASSES = "waits for the passes on types and data flow"

SHOWN: dict[str, str] = {
    **dict.fromkeys(("PR-001", "PR-002", "PR-004", "PR-005", "PR-007", "PR-010", "PR-011", "PR-014"), CONFORMANCE),
    "PR-008": "public/test_reports.py::test_runs_share_nothing",
    "PR-013": "public/test_reports.py::test_the_mode_of_a_loop_changes_no_result",
    **dict.fromkeys(("PR-016", "PR-017", "PR-019", "PR-020", "PR-022", "PR-023", "PR-025", "PR-026"), CONFORMANCE),
    **dict.fromkeys(("PR-028", "PR-029", "PR-031", "PR-032", "PR-034", "PR-035", "PR-037"), CONFORMANCE),
    "PR-038": "vm/test_laws.py::test_a_run_may_be_cut_after_every_event",
    **dict.fromkeys(("PR-040", "PR-041", "PR-043", "PR-046", "PR-047", "PR-049", "PR-050", "PR-052"), CONFORMANCE),
    "PR-044": "public/test_reports.py::test_of_several_rules_the_first_that_holds_decides",
    **dict.fromkeys(("PR-053", "PR-055", "PR-058", "PR-061", "PR-062", "PR-070", "PR-073"), CONFORMANCE),
    "PR-056": "public/test_reports.py::test_a_loop_after_a_question_finds_its_data_in_another_process",
    "PR-059": "public/test_reports.py::test_a_question_is_answered_once",
    "PR-064": "no step has a time limit for a person: the language has `wait` beside a question, and no more",
    "PR-065": "vm/test_laws.py::test_a_run_may_be_cut_after_every_event",
    "PR-067": "public/test_reports.py::test_the_clock_of_a_call_starts_with_the_call",
    "PR-068": JOURNAL,
    "PR-071": "a failed run is not taken up again: it is begun anew",
    "PR-074": JOURNAL,
    "PR-076": "public/test_reports.py::test_a_run_goes_on_with_the_program_that_it_began_with",
    "PR-077": "public/test_reports.py::test_layout_is_no_part_of_the_program",
    "PR-079": "public/test_reports.py::test_a_run_is_no_run_of_another_program",
    "PR-080": "vm/test_laws.py::test_the_order_of_parallel_answers_decides_nothing",
    "PR-082": "cli/test_doors.py::test_of_two_who_answer_at_once_one_wins",
    "PR-083": "cli/test_run.py::test_a_run_id_that_is_in_use_is_refused",
    "PR-085": "public/test_reports.py::test_a_zero_character_is_a_character",
    "PR-086": "public/test_reports.py::test_what_is_no_json_number_is_refused_at_the_node",
    "PR-088": JOURNAL,
    "PR-089": "cli/test_doors.py::test_a_signal_stops_a_run_that_can_be_resumed",
    "PR-091": "cli/test_doors.py::test_a_second_signal_does_not_disturb_the_stop",
    "PR-092": "stores/test_sqlite.py::test_a_later_format_is_refused_with_both_versions_and_left_alone",
    **dict.fromkeys(("PR-094", "PR-095", "PR-097", "PR-098", "PR-104", "PR-106", "PR-115"), CONFORMANCE),
    "PR-100": "frontend/test_faults.py::test_both_of_two_equal_keys_are_named",
    "PR-101": "frontend/test_faults.py::test_other_encodings_are_refused_by_name",
    "PR-103": "public/test_reports.py::test_depth_is_refused_at_every_boundary",
    "PR-107": "sources/test_mcp_life.py::test_a_server_that_dies_in_a_call",
    "PR-109": "sources/test_mcp_calls.py::test_how_a_call_fails",
    "PR-110": "sources/test_mcp_calls.py::test_how_a_call_fails",
    "PR-112": "sources/test_mcp_life.py::test_a_banner_before_the_handshake_is_noted_and_harms_nothing",
    "PR-113": "sources/test_mcp_calls.py::test_a_reference_that_leads_nowhere_costs_only_the_tool_that_has_it",
    "PR-116": "frontend/test_schemas.py::test_each_draft_is_judged_by_its_own_meta_schema",
}


def test_every_report_is_shown_somewhere() -> None:
    cases = "".join(file.read_text() for file in (TESTS / "conformance").glob("*.wftest.json"))
    for report, where in SHOWN.items():
        file, found, test = where.partition("::")
        if where == CONFORMANCE:
            assert re.search(rf'"x-from": "[^"]*{report}', cases), report
        elif found:
            assert re.search(rf"^(async )?def {test}\(", (TESTS / file).read_text(), re.MULTILINE), report


def step(id: str, node: str, *bound: tuple[str, Any], writes: dict[str, str] | None = None) -> dict[str, Any]:
    moves = [
        {"target": target, **(source if isinstance(source, dict) else {"path": source})} for target, source in bound
    ]
    output = [{"source": source, "target": target} for source, target in (writes or {}).items()]
    return {"id": id, "type": "node", "node": node, "input": moves, "output": output}


def workflow(nodes: list[dict[str, Any]], edges: list[str], state: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Edges are written `from:outcome>to`; every state field is part of the output."""
    wires = [re.split("[:>]", edge) for edge in edges]
    return {
        "name": "main",
        "input_schema": {"type": "object", "properties": {"xs": {}}},
        "state_schema": {"type": "object", "properties": state},
        "output_schema": {"type": "object", "properties": {name: {} for name in state}},
        "start": nodes[0]["id"],
        "nodes": nodes,
        "edges": [{"from": a, "outcome": b, "to": c} for a, b, c in wires],
        **more,
    }


NODE: dict[str, Any] = {"input_schema": {}, "output_schema": {}, "outcomes": ["ok"]}
ASK = {"id": "ask", "type": "interrupt", "kind": "approval", "request": [{"target": "prompt", "value": "?"}]}
LOG = {"log": {"type": "array", "reducer": "wf.std.append", "default": []}}


def test_runs_share_nothing() -> None:
    ask = {**ASK, "outcomes": ["ok"], "resume": []}
    say = step("say", "wf.std.identity", ("value", "input.xs"), writes={"value": "state.log"})
    program = wfc.compile(workflow([ask, say], ["ask:ok>say", "say:ok>__end__"], LOG))
    waiting = wfc.execute_workflow(program, {"xs": "a"})
    before = waiting.to_json()
    ended = [wfc.resume_workflow(program, waiting, outcome="ok").output for _ in range(2)]
    assert ended == [{"log": ["a"]}, {"log": ["a"]}]
    assert waiting.to_json() == before


@pytest.mark.parametrize("items", [[], [1], [1, 2, 3]])
def test_the_mode_of_a_loop_changes_no_result(items: list[int]) -> None:
    outputs = []
    for mode in ("serial", "parallel"):
        each = {"id": "each", "type": "foreach", "over": "input.xs", "as": "x", "mode": mode}
        keep = step("keep", "wf.std.identity", ("value", "context.x"), writes={"value": "state.log"})
        document = workflow([each, keep], ["each:item>keep", "keep:ok>each", "each:done>__end__"], LOG)
        outputs.append(wfc.execute_workflow(wfc.compile(document), {"xs": items}).output)
    assert outputs == [{"log": items}, {"log": items}]


@pytest.mark.parametrize(("number", "via"), [(1, "rule1"), (2, "rule2"), (3, "default")])
def test_of_several_rules_the_first_that_holds_decides(number: int, via: str) -> None:
    def rule(id: str, below: int) -> dict[str, Any]:
        return {
            "id": id,
            "type": "condition",
            "check": {"op": "le", "left": {"path": "input.xs"}, "right": {"value": below}},
        }

    marks = [
        step(name, "wf.std.identity", ("value", {"value": name}), writes={"value": "state.via"})
        for name in ("rule1", "rule2", "default")
    ]
    edges = ["c1:true>rule1", "c1:false>c2", "c2:true>rule2", "c2:false>default"]
    edges += [f"{name}:ok>__end__" for name in ("rule1", "rule2", "default")]
    document = workflow([rule("c1", 1), rule("c2", 2), *marks], edges, {"via": {}})
    assert wfc.execute_workflow(wfc.compile(document), {"xs": number}).output == {"via": via}


def test_a_loop_after_a_question_finds_its_data_in_another_process() -> None:
    ask = {**ASK, "outcomes": ["ok"], "resume": []}
    each = {"id": "each", "type": "foreach", "over": "state.xs", "as": "x", "mode": "parallel"}
    child = workflow(
        [step("add", "wf.std.calculate", ("operator", {"value": "+"}), ("left", "input.x"), ("right", "input.y"))],
        ["add:ok>__end__", "add:undefined>__end__"],
        {"sum": {"type": "number"}},
        name="child",
        input_schema={"type": "object", "properties": {"x": {"type": "integer"}, "y": {"type": "integer"}}},
    )
    child["nodes"][0]["output"] = [{"source": "value", "target": "state.sum", "on": ["ok"]}]
    use = {"id": "use", "type": "subgraph", "workflow": {"name": "child"}, "outcomes": ["ok"]}
    use["input"] = [{"target": "x", "path": "context.x"}, {"target": "y", "path": "state.y"}]  # type: ignore[assignment]
    use["output"] = [{"source": "sum", "target": "state.log"}]  # type: ignore[assignment]
    make = step("make", "wf.std.record", ("xs", "input.xs"), ("y", {"value": 10}))
    make["output"] = [{"source": name, "target": f"state.{name}"} for name in ("xs", "y")]
    edges = ["make:ok>ask", "ask:ok>each", "each:item>use", "use:ok>each", "each:done>__end__"]
    state: dict[str, Any] = {**LOG, "xs": {"type": "array"}, "y": {"type": "integer"}}
    main = workflow([make, ask, each, use], edges, state)
    program = wfc.compile({"main": "main", "workflows": [main, child]})
    waiting = wfc.execute_workflow(program, {"xs": [1, 2]}, run_id="r")
    run = wfc.resume_workflow(program, wfc.RunState.from_json(waiting.to_json()), outcome="ok")
    assert run.output is not None and run.output["log"] == [11, 12]
    assert (run.run_id, run.trace[: len(waiting.trace)]) == ("r", waiting.trace)


def test_a_question_is_answered_once() -> None:
    program = wfc.compile(workflow([{**ASK, "outcomes": ["ok"], "resume": []}], ["ask:ok>__end__"], {}))
    waiting = wfc.execute_workflow(program, {})
    assert waiting.interrupt is not None
    ended = wfc.resume_workflow(program, waiting, outcome="ok", interrupt_id=waiting.interrupt.id)
    with pytest.raises(wfc.Refused) as refused:
        wfc.resume_workflow(program, ended, outcome="ok", interrupt_id=waiting.interrupt.id)
    assert refused.value.reason == "stale_interrupt"


def test_the_clock_of_a_call_starts_with_the_call() -> None:
    # All calls together take longer than one may, whatever the tempo; a slow machine gets another chance at a slower.
    assert any(_each_in_its_time(tempo) for tempo in (0.1, 1, 10))


def _each_in_its_time(tempo: float) -> bool:
    each = {"id": "each", "type": "foreach", "over": "input.xs", "as": "x", "mode": "parallel", "max_concurrency": 4}
    slow = {**step("slow", "slow"), "timeout_seconds": 5 * tempo}
    edges = ["each:item>slow", "slow:ok>each", "each:done>__end__"]
    document = workflow([each, slow], edges, {}, node_defs=[{"name": "slow", **NODE}])

    def handler(payload: Any) -> Any:
        time.sleep(tempo)
        return {}

    run = wfc.execute_workflow(wfc.compile(document), {"xs": list(range(8))}, handlers={"slow": handler})
    return run.status == "completed"


def test_a_run_goes_on_with_the_program_that_it_began_with() -> None:
    ask = {**ASK, "outcomes": ["ok"], "resume": []}
    old = wfc.compile(workflow([ask], ["ask:ok>__end__"], LOG))
    after = step("after", "wf.std.identity", ("value", {"value": 1}), writes={"value": "state.log"})
    new = wfc.compile(workflow([ask, after], ["ask:ok>after", "after:ok>__end__"], LOG))
    waiting = wfc.execute_workflow(old, {})
    with pytest.raises(wfc.Refused) as refused:
        wfc.resume_workflow(new, waiting, outcome="ok")
    assert refused.value.reason == "drift"
    assert wfc.resume_workflow(old, waiting, outcome="ok").output == {"log": []}


def test_layout_is_no_part_of_the_program() -> None:
    ask = {**ASK, "outcomes": ["ok", "no"], "resume": []}
    end = {"id": "late", "type": "end", "outcome": "late"}
    edges = ["ask:ok>__end__", "ask:no>late"]
    document = workflow([ask, end], edges, LOG, outcomes=["ok", "late"])
    other = {key: document[key] for key in reversed(document)}
    other["nodes"], other["edges"] = document["nodes"][::-1], document["edges"][::-1]
    programs = [
        wfc.compile(wfc.loads(json.dumps(one, indent=indent))) for one, indent in ((document, None), (other, 3))
    ]
    waiting = wfc.execute_workflow(programs[0], {})
    assert wfc.resume_workflow(programs[1], waiting, outcome="no").outcome == "late"


def test_a_run_is_no_run_of_another_program() -> None:
    ask = {**ASK, "outcomes": ["ok"], "resume": []}
    first = wfc.compile(workflow([ask], ["ask:ok>__end__"], LOG))
    second = wfc.compile(workflow([ask], ["ask:ok>__end__"], {}))
    waiting = wfc.execute_workflow(first, {})
    with pytest.raises(wfc.Refused, match=r"sha256:.*sha256:"):
        wfc.resume_workflow(second, waiting, outcome="ok")


def test_a_zero_character_is_a_character() -> None:
    say = step("say", "say", writes={"text": "state.text", "map": "state.map"})
    document = workflow([say], ["say:ok>__end__"], {"text": {}, "map": {}}, node_defs=[{"name": "say", **NODE}])
    answer = {"text": "a\0b", "map": {"k\0": 1}}
    run = wfc.execute_workflow(wfc.compile(document), {}, handlers={"say": lambda payload: answer})
    assert run.output == answer
    assert wfc.RunState.from_json(run.to_json()) == run


@pytest.mark.parametrize("value", [float("nan"), float("inf"), {"deep": [float("-inf")]}])
def test_what_is_no_json_number_is_refused_at_the_node(value: Any) -> None:
    say = step("say", "say", writes={"n": "state.best"})
    state = {"best": {"type": "number", "reducer": "wf.std.max", "default": 0}}
    document = workflow([say], ["say:ok>__end__"], state, node_defs=[{"name": "say", **NODE}])
    run = wfc.execute_workflow(wfc.compile(document), {}, handlers={"say": lambda payload: {"n": value}})
    assert run.error is not None and run.error.code == "node_output_invalid" and run.error.path is not None
    assert run.state == {"best": 0}


def nested(levels: int) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = [value]
    return value


def test_depth_is_refused_at_every_boundary() -> None:
    text = "[" * 20_000 + "]" * 20_000
    assert [found.code.code for found in wfc.check(wfc.loads(text)).diagnostics] == ["WF005"]
    ask = {**ASK, "outcomes": ["ok"], "resume": [{"source": "data", "target": "state.data"}]}
    say = step("say", "say", writes={"n": "state.data"})
    edges = ["ask:ok>say", "say:ok>__end__"]
    program = wfc.compile(workflow([ask, say], edges, {"data": {}}, node_defs=[{"name": "say", **NODE}]))
    deep_input = wfc.execute_workflow(program, {"xs": nested(20_000)})
    assert deep_input.error is not None and deep_input.error.code == "input_invalid"
    handlers = {"say": lambda payload: {"n": nested(20_000)}}
    waiting = wfc.execute_workflow(program, {}, handlers=handlers)
    with pytest.raises(wfc.Refused) as refused:
        wfc.resume_workflow(program, waiting, outcome="ok", payload={"data": nested(20_000)}, handlers=handlers)
    assert refused.value.reason == "payload_invalid"
    run = wfc.resume_workflow(program, waiting, outcome="ok", payload={"data": 1}, handlers=handlers)
    assert run.error is not None and run.error.code == "node_output_invalid"


def test_mocks_are_read_as_strictly_as_everything_else() -> None:
    with pytest.raises(ValueError, match="`mocks`"):
        Mocks.for_runs([1])
