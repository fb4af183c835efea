"""One call to an MCP server: what comes back of everything that a server may say."""

import re

import pytest

from tests.sources.calling import called, library_server, raw_server
from wfc.backends.sources import McpServer, McpSource, ToolShape
from wfc.ir import Completed, Failed, NodeResult

BIG = 2**64 + 1


def said(output, **meta):
    return Completed("call-1", NodeResult("ok", output, meta=meta or None))


def failed(code, message, **more):
    return Failed("call-1", code, f"source `raw`: {message}", **more)


def call(tool, payload=None, **server):
    return called(raw_server(**server), (tool, payload))[0]


def test_arguments_arrive_as_they_are_with_the_call_id_beside_them():
    payload = {"none": None, "big": BIG, "whole": 1.0, "deep": {"none": None, "list": [None]}, "text": "é\u2028"}
    assert call("echo", payload) == said({"arguments": payload, "meta": {"wfc/call_id": "call-1", "wfc/attempt": 1}})


GIVEN = [
    ("say", {"text": "hello"}, said({"text": "hello"})),
    ("seem_to_fail", {}, said({"text": "Error: not really"})),
    ("status", {"content": {"status": "a", "more": BIG}}, said({"status": "a", "more": BIG})),
    ("flood", {}, said({"text": "done"})),
    ("big", {"size": 8_000_000}, said({"text": "y" * 8_000_000})),
    ("picture", {}, said({"text": "a\nb"}, left_out=[{"type": "image", "mimeType": "image/png"}])),
    (
        "chatter",
        {},
        said({"text": "still here"}, stray_output=["plain line", "\ufffd\ufffd", '{"level": "info", "msg": "hi"}']),
    ),
]


@pytest.mark.parametrize(("tool", "payload", "answer"), GIVEN)
def test_what_a_tool_gives(tool, payload, answer):
    assert call(tool, payload) == answer


def test_a_result_as_deep_as_the_language_admits():
    answer = call("deep", {"depth": 199})
    assert str(answer.result.output).count("[") == 199


FAILED = [
    ("fail", {}, failed("node_failed", "tool `fail`: no such file")),
    ("fail_with_content", {}, failed("node_failed", "tool `fail_with_content`: it broke")),
    ("fail_without_content", {}, failed("node_failed", "tool `fail_without_content`: it broke")),
    (
        "status",
        {"content": {"status": "c", "big": BIG}},
        failed(
            "node_output_invalid",
            "tool `status`: Invalid structured content returned by tool status: 'c' is not one of ['a', 'b']",
            details={"status": "c", "big": BIG},
        ),
    ),
    (
        "status",
        {"content": ["a"]},
        failed(
            "node_output_invalid",
            "tool `status`: the server answers with what is no result of a tool: "
            "Input should be a valid dictionary at `structuredContent`",
        ),
    ),
    (
        "status_as_text",
        {},
        failed(
            "node_output_invalid",
            "tool `status_as_text`: Tool status_as_text has an output schema but did not return structured content",
        ),
    ),
    (
        "no_result",
        {},
        failed(
            "node_failed",
            "tool `no_result`: the server answers with what is no result of a tool: Field required at `content`",
        ),
    ),
    ("deep", {"depth": 5000}, failed("node_output_invalid", "tool `deep`: the answer is nested too deep to be read")),
    (
        "deep",
        {"depth": 400},
        failed(
            "node_output_invalid", "tool `deep`: the answer is nested too deep: Maximum serialization depth exceeded"
        ),
    ),
    ("say", ["no object"], failed("node_failed", "tool `say`: the payload is array; a tool takes an object")),
]


@pytest.mark.parametrize(("tool", "payload", "answer"), FAILED)
def test_how_a_call_fails(tool, payload, answer):
    assert call(tool, payload) == answer


def test_an_answer_that_cannot_be_read_fails_the_call_at_once():
    answer = call("garble", {})
    assert answer.code == "node_failed"
    assert re.fullmatch(
        r"source `raw`: tool `garble`: the server answers what cannot be read \(Expecting value.*\): "
        r'\{"jsonrpc": "2.0", "id": \d+, "result": \{"content": \[',
        answer.message,
    )


def test_more_digits_than_the_language_has_are_no_output():
    answer = call("digits", {})
    message = "tool `digits`: the answer holds an integer of too many digits to be read"
    assert answer == failed("node_output_invalid", message)


def test_a_reference_that_leads_nowhere_costs_only_the_tool_that_has_it():
    answers = called(raw_server(), ("lost_reference", {}), ("say", {"text": "hello"}))
    assert [answers[0].code, answers[1]] == ["node_output_invalid", said({"text": "hello"})]


def test_the_session_survives_what_was_wrong_with_a_call():
    calls = [("garble", {}), ("chatter", {}), ("no_result", {}), ("fail", {}), ("say", {"text": "hello"})]
    answers = called(raw_server(), ("who", {}), *calls, ("who", {}))
    assert answers[-2] == said({"text": "hello"})
    assert answers[0].result.output["pid"] == answers[-1].result.output["pid"]


def test_a_server_that_a_library_made():
    adding, describing = called(
        library_server(), ("add", {"left": BIG, "right": 1}), ("describe", {"name": "a", "size": None})
    )
    assert adding == said({"result": BIG + 1})
    assert describing == said({"name": "a", "size": None})


def test_a_server_that_asks_for_input_during_a_call_gets_none():
    asked, asked_later = called(library_server(), ("ask", {}), ("ask_later", {}))
    assert asked.code == "node_failed"
    assert "Cannot send 'elicitation/create'" in asked.message
    message = "source `library`: tool `ask_later`: the server asks for input during the call; expected an answer"
    assert asked_later == Failed("call-1", "node_failed", message)


# -- what the configuration says of a tool ----------------------------------------------------------------------------


def shaped(tool, payload=None, **shape):
    return call(tool, payload, tools={tool: ToolShape(**shape)})


def test_an_adapter_types_a_text():
    adapt = ({"error-when": "^Error: (.*)", "type": "Reported"}, {"regex": r"n=(?P<n>\d+)"})
    output = {"type": "object", "properties": {"n": {"pattern": "^[0-9]+$"}}, "required": ["n"]}
    assert shaped("say", {"text": "it is n=42"}, adapt=adapt, output=output) == said({"n": "42"})
    assert shaped("say", {"text": "Error: gone"}, adapt=adapt, output=output) == failed(
        "node_failed", "tool `say`: Error: gone", type="Reported"
    )
    assert shaped("say", {"text": "nothing"}, adapt=adapt, output=output) == failed(
        "node_output_invalid", r"tool `say`: adapter `regex`: `n=(?P<n>\d+)` is not found in the text"
    )


def test_an_error_has_the_type_that_its_text_names():
    assert shaped("fail", adapt=({"error-when": "no such", "type": "NotFound"},)) == failed(
        "node_failed", "tool `fail`: no such file", type="NotFound"
    )


def test_an_output_that_its_schema_refuses():
    shape = {"adapt": ("json",), "output": {"type": "object", "properties": {"n": {"type": "integer"}}}}
    assert shaped("say", {"text": '{"n": 1}'}, **shape) == said({"n": 1})
    assert shaped("say", {"text": '{"n": "x"}'}, **shape) == failed(
        "node_output_invalid", 'tool `say`: "x" is not of type "integer" at `n`'
    )


def test_a_renamed_parameter():
    answer = shaped("echo", {"if_match": "x", "other": 1}, rename={"If-Match": "if_match"})
    assert answer.result.output["arguments"] == {"If-Match": "x", "other": 1}


@pytest.mark.parametrize(
    ("shape", "message"),
    [
        (ToolShape(adapt=("jsn",)), "`adapt` of `raw.say`: `jsn` is no adapter"),
        (ToolShape(output={"type": "nothing"}), "`output` of `raw.say` is no JSON Schema: "),
        (ToolShape(output={"$ref": "https://example.org/x"}), "`output` of `raw.say` is no JSON Schema: "),
    ],
)
def test_a_configuration_that_cannot_be_used(shape, message):
    with pytest.raises(ValueError, match=r".") as fault:
        McpSource(McpServer("raw", "python", tools={"say": shape}))
    assert str(fault.value).startswith(message)
