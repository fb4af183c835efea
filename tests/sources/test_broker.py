"""Who answers a call: the order of lookup, what is missing before the first step, and what needs an event loop."""

import asyncio

import pytest

from tests.sources.calling import invoke
from wfc.backends.drivers import run_without_loop
from wfc.backends.sources import Broker, Mocks, Unanswered
from wfc.diagnostics import InternalError
from wfc.ir import (
    Block,
    Call,
    CapabilityRef,
    Completed,
    Definition,
    Failed,
    NodeResult,
    Program,
    Routine,
    Switch,
)
from wfc.nodes import node

NO_HANDLER = (
    "no handler has the name `summarise` or `main/summarise`; "
    "expected one, a mock, or a capability that the definition `uses`"
)


def definition(name, source=None, key=None, effects=None):
    return Definition(name, 0, 0, ("ok",), {}, CapabilityRef(source, key or name), effects, None, None)


def program(*definitions, called=None, workflow="main"):
    """A program whose steps call these definitions, or those named in `called`."""
    names = [one.name for one in definitions] if called is None else called
    blocks = tuple(Block(name, "node", (Call(name, None, None, ()),), Switch(())) for name in names)
    return Program(workflow, (Routine(workflow, 0, 0, 0, ("ok",), definitions, "a", blocks),), ({},))


class FakeSource:
    """A source with one capability, `c`, that notes what happens to it."""

    max_concurrency = None

    def __init__(self, *, loop=False):
        self.loop = loop
        self.seen = []

    def needs_loop(self, key):
        return self.loop

    async def open(self):
        self.seen.append("open")

    async def close(self):
        self.seen.append("close")

    def missing(self, key):
        return None if key == "c" else f"no `{key}` here"

    def effects(self, key):
        return "read"

    async def perform(self, key, invoke, circumstances):
        return Completed(invoke.call_id, NodeResult(None, f"source {key} {circumstances.run_id}"))


def answer(broker, of, **which):
    async def run():
        await broker.open(of)
        return await broker.perform(invoke(definition=of.routines[0].definitions[0].name, **which))

    return run_without_loop(run())


def output(broker, of, **which):
    return answer(broker, of, **which).result.output


LOOKED_UP = program(definition("d", "src", "c"))


def test_the_order_of_lookup():
    names = ["main/d", "d", "src.c"]
    handlers = {name: lambda payload, name=name: name for name in names}
    found = []
    for gone in range(4):
        left = {name: handlers[name] for name in names[gone:]}
        found.append(output(Broker(left, {"src": FakeSource()}, run_id="r"), LOOKED_UP))
    assert found == ["main/d", "d", "src.c", "source c r"]


def test_wf_std_is_built_in_unless_a_handler_or_a_mock_names_it():
    used = program(definition("size", "wf.std", "count"))
    payload = {"array": [1, 2]}
    assert answer(Broker(), used, payload=payload) == Completed("call-1", NodeResult("ok", {"count": 2}))
    assert output(Broker({"size": lambda payload: "mine"}), used, payload=payload) == "mine"
    assert output(Broker({"wf.std.count": lambda payload: "mine"}), used, payload=payload) == "mine"
    mocks = Mocks.for_tests({"wf.std.count": [{"output": {"count": 42}}]})
    asked = {"payload": payload, "capability": "wf.std.count"}
    assert output(Broker(mocks=mocks), used, **asked) == {"count": 42}
    assert output(Broker(mocks=Mocks.for_tests({})), used, **asked) == {"count": 2}


def test_wf_std_fails_as_a_node_does():
    used = program(definition("stop", "wf.std", "fail"))
    assert answer(Broker(), used, payload={"message": "no stock"}) == Failed("call-1", "node_failed", "no stock")
    expected = Failed("call-1", "node_failed", "the payload is array; expected an object")
    assert answer(Broker(), used, payload=[]) == expected


def test_where_there_are_mocks_no_source_is_asked():
    source = FakeSource(loop=True)
    broker = Broker(sources={"src": source}, mocks=Mocks.for_runs({}))
    assert not broker.needs_loop(LOOKED_UP)
    assert answer(broker, LOOKED_UP).code == "capability_unavailable"
    assert broker.missing(LOOKED_UP) == []
    assert source.seen == []
    with pytest.raises(Unanswered):
        answer(Broker(mocks=Mocks.for_tests({})), LOOKED_UP)


def test_handlers_answer_what_mocks_do_not_name():
    broker = Broker({"d": lambda payload: "handler"}, mocks=Mocks.for_tests({"s": [{"output": "mock"}]}))
    assert [output(broker, LOOKED_UP, node="s"), output(broker, LOOKED_UP, node="x")] == ["mock", "handler"]


def test_what_is_missing():
    broker = Broker({"here": len}, {"src": FakeSource()})
    wanted = program(
        definition("here"),
        definition("summarise"),
        definition("a", "src", "c"),
        definition("b", "src", "d"),
        definition("e", "scr", "c"),
        definition("f", "wf.std", "cuont"),
        definition("unused"),
        called=["here", "summarise", "a", "b", "e", "f"],
    )
    run_without_loop(broker.open(wanted))
    assert broker.missing(wanted) == [
        f"nothing answers `summarise` (node `summarise` of `main`): {NO_HANDLER}",
        "nothing answers `src.d` (node `b` of `main`): no `d` here",
        "nothing answers `scr.c` (node `e` of `main`): the source `scr` is not configured; nearest: `src`",
        "nothing answers `wf.std.cuont` (node `f` of `main`): `wf.std` has no `cuont`",
    ]
    called = run_without_loop(broker.perform(invoke(definition="summarise")))
    assert called == Failed("call-1", "capability_unavailable", NO_HANDLER)


def test_what_needs_a_loop():
    async def later(payload):
        return payload

    assert not Broker({"d": len}).needs_loop(LOOKED_UP)
    assert Broker({"d": later}).needs_loop(LOOKED_UP)
    assert not Broker({"d": len}, {"src": FakeSource(loop=True)}).needs_loop(LOOKED_UP)
    assert Broker(sources={"src": FakeSource(loop=True)}).needs_loop(LOOKED_UP)
    assert not Broker(sources={"src": FakeSource(loop=True)}).needs_loop(program(definition("d", "wf.std", "count")))
    assert not Broker().needs_loop(LOOKED_UP)


def test_only_the_sources_that_are_needed_are_opened_and_all_of_them_closed():
    needed, other, unused = FakeSource(), FakeSource(), FakeSource()
    of = program(definition("a", "x", "c"), definition("b", "x", "c"), definition("c", "y", "c"))

    async def run():
        broker = Broker(sources={"x": needed, "y": other, "z": unused}, on_loop=True)
        await broker.open(of)
        await broker.close()
        await broker.close()

    asyncio.run(run())
    assert [source.seen for source in (needed, other, unused)] == [["open", "close"], ["open", "close"], []]


def test_effects():
    @node(effects="idempotent")
    def marked(payload):
        pass

    broker = Broker({"marked": marked, "plain": len}, {"src": FakeSource()})
    asked = [
        definition("plain"),
        definition("marked"),
        definition("marked", effects="pure"),
        definition("s", "src", "c"),
        definition("i", "wf.std", "index"),
        definition("nobody"),
    ]
    found = [broker.effects_of("main", one) for one in asked]
    assert found == ["write", "idempotent", "idempotent", "read", "pure", "write"]


def test_attempts_are_counted_by_step():
    broker = Broker({"d": lambda payload: None}, mocks=Mocks.for_tests({"s": [{"error": {"code": "node_failed"}}]}))
    for step in ("s", "s", "x"):
        answer(broker, LOOKED_UP, node=step)
    assert broker.calls == {"s": 2, "x": 1}


def test_a_call_before_the_opening_is_our_fault():
    with pytest.raises(InternalError, match="`node` of `main` is called and was not opened"):
        Broker().perform(invoke())
