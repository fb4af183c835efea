"""Functions that `@wfc.node` makes nodes of: their contracts, and how they are called."""

import asyncio
from dataclasses import dataclass
from typing import Any, Literal

import pytest
from pydantic import BaseModel

from tests.sources.calling import invoke
from wfc.backends.sources import CallContext
from wfc.backends.sources.handlers import handler_of, perform
from wfc.backends.sources.source import Circumstances
from wfc.ir import Completed, NodeResult
from wfc.nodes import HintFault, contract_of, node


@dataclass
class Note:
    text: str
    stars: int = 0


class Nothing(BaseModel):
    why: str


def contract(function: Any) -> dict[str, Any]:
    found = contract_of(function)
    assert found is not None
    return found.to_json()


def called(function: Any, payload: Any) -> Any:
    answer = asyncio.run(perform(handler_of(function), invoke(payload), Circumstances("run", True)))
    assert isinstance(answer, Completed), answer
    return answer.result


NOTE = {
    "type": "object",
    "properties": {"text": {"type": "string"}, "stars": {"type": "integer", "default": 0}},
    "required": ["text"],
}


def test_each_parameter_is_a_field() -> None:
    @node
    def echo(text: str, times: int = 2, note: Note | None = None) -> Note:
        assert note is None or isinstance(note, Note)
        return Note(text * times, 0 if note is None else note.stars)

    assert contract(echo) == {
        "name": "echo",
        "input_schema": {
            "type": "object",
            "properties": {
                "text": {"type": "string"},
                "times": {"type": "integer", "default": 2},
                "note": {"anyOf": [NOTE, {"type": "null"}], "default": None},
            },
            "required": ["text"],
        },
        "output_schema": NOTE,
        "outcomes": ["ok"],
    }
    assert echo("a") == Note("aa")
    assert called(echo, {"text": "a"}) == NodeResult(None, Note("aa"))
    assert called(echo, {"text": "a", "times": 1, "note": {"text": "", "stars": 3}}) == NodeResult(None, Note("a", 3))


def test_a_single_record_is_the_payload() -> None:
    @node
    def rate(note: Note) -> int:
        return note.stars

    assert contract(rate)["input_schema"] == NOTE
    assert contract(rate)["output_schema"] == {"type": "integer"}
    assert called(rate, {"text": "a", "stars": 4}).output == 4


def test_a_model_is_validated_and_the_context_given() -> None:
    @node(outcomes=["ok", "none"], effects="read", retry=2, timeout_seconds=3, desc="asks")
    async def look(given: Nothing, ctx: CallContext) -> Nothing:
        return Nothing(why=given.why + ctx.node_id)

    made = contract(look)
    assert {key: made[key] for key in ("outcomes", "effects", "retry", "timeout_seconds", "desc")} == {
        "outcomes": ["ok", "none"],
        "effects": "read",
        "retry": 2,
        "timeout_seconds": 3,
        "desc": "asks",
    }
    assert called(look, {"why": "so "}).output == Nothing(why="so " + invoke({}).node_id)


def test_outcomes_from_the_type_of_what_is_returned() -> None:
    @node
    def find(key: str) -> tuple[Literal["found"], Note] | tuple[Literal["missing"], Nothing]:
        return ("found", Note(key)) if key else ("missing", Nothing(why="empty"))

    made = contract(find)
    assert made["outcomes"] == ["found", "missing"]
    assert made["output_schema"] == NOTE
    assert made["outcome_schemas"] == {
        "missing": {"type": "object", "properties": {"why": {"type": "string"}}, "required": ["why"]}
    }
    assert called(find, {"key": ""}) == NodeResult("missing", Nothing(why="empty"))


def test_outcomes_as_a_mapping() -> None:
    @node(outcomes={"ok": Note, "gone": {"why": str}})
    def find(key: str) -> Any:
        return "gone", {"why": key}

    made = contract(find)
    assert (made["outcomes"], made["output_schema"]) == (["ok", "gone"], NOTE)
    assert made["outcome_schemas"]["gone"]["required"] == ["why"]


def test_without_hints_and_with_a_schema_the_payload_comes_as_it_is() -> None:
    @node
    def plain(payload):  # type: ignore[no-untyped-def]
        return payload

    @node(input_schema={"type": "string"})
    def given(payload: str) -> str:
        return payload + "!"

    assert contract(plain)["input_schema"] == {"type": "object"}
    assert called(plain, {"a": 1}).output == {"a": 1}
    assert called(given, "a").output == "a!"


def test_a_class_that_is_called_is_a_node() -> None:
    class Adder:
        def __call__(self, n: int) -> int:
            return n + 1

    adder = Adder()
    node(name="add")(adder)
    assert contract(adder)["input_schema"]["properties"] == {"n": {"type": "integer"}}
    assert called(adder, {"n": 1}).output == 2


def test_hints_that_cannot_be_read_are_told() -> None:
    with pytest.raises(HintFault, match="the type hints of `f` cannot be read: name 'Unknown' is not defined"):

        @node
        def f(a: "Unknown") -> None:  # type: ignore[name-defined]  # noqa: F821
            pass

    with pytest.raises(HintFault, match=r"parameter `a` of `g` \(.*test_node\.py:\d+\): `set` means no JSON Schema"):

        @node
        def g(a: set) -> None:  # type: ignore[type-arg]
            pass

    with pytest.raises(HintFault, match=r"what is returned by `k` \(.*test_node\.py:\d+\): `bytes` means no JSON"):

        @node
        def k(a: int) -> bytes:
            return b""

    with pytest.raises(HintFault, match="parameter `a` of `h` has no name to call it by"):

        @node
        def h(a: int, b: int, /) -> None:
            pass
