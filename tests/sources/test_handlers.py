"""How a Python function is called: payload and context, what it may return, how it fails, what a timeout does."""

import asyncio
import functools
import sys
import threading
import types

import pytest

from tests.sources.calling import BLOCKING, ON_LOOP, invoke
from wfc.backends.drivers import run_without_loop
from wfc.backends.sources import CallContext
from wfc.backends.sources.handlers import handler_of, perform
from wfc.ir import Completed, Failed, NodeFailed, NodeResult


def call(function, payload=None, **more):
    return run_without_loop(perform(handler_of(function), invoke(payload, **more), BLOCKING))


def call_on_loop(function, payload=None, **more):
    return asyncio.run(perform(handler_of(function), invoke(payload, **more), ON_LOOP))


def completed(output, outcome=None, **more):
    return Completed("call-1", NodeResult(outcome, output, **more))


@pytest.mark.parametrize(
    ("returned", "result"),
    [
        ({"a": 1}, NodeResult(None, {"a": 1})),
        (("found", {"a": 1}), NodeResult("found", {"a": 1})),
        (("found", None), NodeResult("found", None)),
        (NodeResult("found", 1, meta={"m": 1}), NodeResult("found", 1, meta={"m": 1})),
        (None, NodeResult(None, None)),
        ((1, 2), NodeResult(None, (1, 2))),
        (("a", "b", "c"), NodeResult(None, ("a", "b", "c"))),
        (["a", "b"], NodeResult(None, ["a", "b"])),
    ],
)
def test_what_a_handler_may_return(returned, result):
    assert call(lambda payload: returned) == Completed("call-1", result)


class Callable:
    def __call__(self, payload, context):
        return context.node_id

    def method(self, payload, ctx):
        return ctx.node_id

    async def later(self, payload):
        return payload


class AsyncCallable:
    async def __call__(self, payload, ctx):
        return ctx.node_id


@pytest.mark.parametrize(
    "function",
    [
        lambda payload, context: context.node_id,
        lambda payload, anything: anything.node_id,
        lambda payload, *, ctx: ctx.node_id,
        lambda payload, context=None: context.node_id,
        lambda payload, retries=3, ctx=None: ctx.node_id,
        eval("lambda payload, c, /: c.node_id"),
        Callable(),
        Callable().method,
        functools.partial(lambda extra, payload, context: context.node_id, 1),
    ],
)
def test_a_handler_that_asks_for_the_context_gets_it(function):
    assert call(function, node="ask") == completed("ask")


@pytest.mark.parametrize(
    "function",
    [
        lambda payload: payload,
        lambda payload, retries=3: (payload, retries)[0],
        lambda *payloads: payloads[0] if len(payloads) == 1 else None,
        lambda payload, **more: None if more else payload,
        lambda context: context,
        dict,
    ],
)
def test_a_handler_that_does_not_ask_gets_the_payload_alone(function):
    assert call(function, {"n": 1}) == completed({"n": 1})


def test_the_context_is_read_only():
    seen = {}

    def handler(payload, context):
        seen["context"] = context
        context.context["loop_item"]["n"] = 2

    item = {"n": 1}
    call(handler, context={"loop_item": item}, attempt=2)
    keys = types.MappingProxyType({"loop_item": {"n": 2}})
    assert seen["context"] == CallContext("call-1", 2, "step", "run-1", keys)
    assert item == {"n": 1}
    with pytest.raises(TypeError):
        seen["context"].context["loop_item"] = 3


def test_a_handler_works_on_a_copy():
    payload = {"list": [1]}
    call(lambda given: given["list"].append(2), payload)
    assert payload == {"list": [1]}


class SoldOut(NodeFailed):
    pass


class Mute(Exception):
    def __str__(self):
        raise RuntimeError


@pytest.mark.parametrize(
    ("error", "message", "type"),
    [
        (ValueError("bad"), "bad", "ValueError"),
        (KeyError("k"), "'k'", "KeyError"),
        (ValueError(), "ValueError", "ValueError"),
        (StopIteration(), "StopIteration", "StopIteration"),
        (TimeoutError("own"), "own", "TimeoutError"),
        (NodeFailed("no", type="SoldOut"), "no", "SoldOut"),
        (NodeFailed("no"), "no", None),
        (SoldOut("no"), "no", "SoldOut"),
        (Mute(), "Mute", "Mute"),
        (ValueError("\ud800"), "?", "ValueError"),
    ],
)
@pytest.mark.parametrize("timeout", [None, 300])
def test_an_exception_is_a_failed_call(error, message, type, timeout):
    def handler(payload):
        raise error

    async def async_handler(payload):
        await asyncio.sleep(0)
        raise error

    expected = Failed("call-1", "node_failed", message, type)
    assert call(handler, timeout=timeout) == expected
    assert call_on_loop(handler, timeout=timeout) == expected
    if not isinstance(error, StopIteration):  # Python itself makes another error of it in a coroutine
        assert call_on_loop(async_handler, timeout=timeout) == expected


def test_a_recursion_error_is_a_failed_call():
    def handler(payload):
        return handler(payload)

    assert call(handler).type == "RecursionError"


def test_wrong_arguments_are_a_failed_call():
    assert call(lambda: None).type == "TypeError"


@pytest.mark.parametrize("stop", [KeyboardInterrupt, SystemExit])
@pytest.mark.parametrize("timeout", [None, 300])
def test_what_ends_the_process_is_not_swallowed(stop, timeout):
    def handler(payload):
        raise stop

    with pytest.raises(stop):
        call(handler, timeout=timeout)


async def soon(payload):
    await asyncio.sleep(0)
    return "late"


TIMED_OUT = Failed("call-1", "node_timeout", "no answer within 0.05 seconds")


@pytest.fixture
def held():
    """A sync handler that answers when the test lets it go, and who lets it go."""
    go = threading.Event()

    def handler(payload):
        go.wait(300)
        return "late"

    yield handler, go
    go.set()


def test_a_sync_handler_outlives_its_time_in_a_thread_that_is_abandoned(held):
    handler, go = held
    assert call(handler, timeout=0.05) == TIMED_OUT
    assert call_on_loop(handler, timeout=0.05) == TIMED_OUT
    assert not go.is_set()
    assert all(thread.daemon for thread in threading.enumerate() if thread is not threading.main_thread())


def test_a_late_answer_of_a_thread_disturbs_nobody(held, capfd):
    handler, go = held
    before = set(threading.enumerate())
    assert call_on_loop(handler, timeout=0.05) == TIMED_OUT
    (late,) = set(threading.enumerate()) - before
    go.set()
    late.join()
    assert capfd.readouterr() == ("", "")


def test_in_time_is_no_timeout():
    assert call(lambda payload: "late", timeout=300) == completed("late")
    assert call_on_loop(lambda payload: "late", timeout=300) == completed("late")
    assert call_on_loop(soon, timeout=300) == completed("late")


def test_a_thread_sees_the_context_variables_of_its_caller():
    import contextvars

    variable = contextvars.ContextVar("variable", default=None)
    variable.set("here")
    assert call(lambda payload: variable.get(), timeout=300) == completed("here")


def test_an_async_handler_is_cancelled_when_its_time_is_over():
    seen = []

    async def handler(payload):
        try:
            await asyncio.sleep(600)
        except asyncio.CancelledError:
            seen.append("cancelled")
            raise

    assert call_on_loop(handler, timeout=0.05) == TIMED_OUT
    assert seen == ["cancelled"]


def test_an_async_handler_that_will_not_be_cancelled_is_abandoned(monkeypatch):
    monkeypatch.setattr("wfc.backends.sources.handlers._GRACE_SECONDS", 0.05)

    async def run():
        go = asyncio.Event()

        async def stubborn(payload):
            while not go.is_set():
                try:
                    await go.wait()
                except asyncio.CancelledError:
                    continue

        answer = await perform(handler_of(stubborn), invoke(timeout=0.05), ON_LOOP)
        go.set()
        return answer

    assert asyncio.run(run()) == TIMED_OUT


@pytest.mark.parametrize("seconds", [1e300, 10**400])
def test_any_number_of_seconds_is_a_timeout(seconds):
    assert call(lambda payload: "late", timeout=seconds) == completed("late")
    assert call_on_loop(lambda payload: "late", timeout=seconds) == completed("late")
    assert call_on_loop(soon, timeout=seconds) == completed("late")


def test_a_late_value_of_a_cancelled_handler_is_ignored():
    async def handler(payload):
        try:
            await asyncio.sleep(600)
        except asyncio.CancelledError:
            return "late"

    assert call_on_loop(handler, timeout=0.05) == TIMED_OUT


def test_a_handlers_own_timeout_is_not_ours():
    async def handler(payload):
        await asyncio.wait_for(asyncio.sleep(600), 0.01)

    answer = call_on_loop(handler, timeout=300)
    assert (answer.code, answer.type) == ("node_failed", "TimeoutError")


@pytest.mark.parametrize("timeout", [None, 300])
def test_a_cancellation_from_inside_is_a_failed_call(timeout):
    async def handler(payload):
        task = asyncio.ensure_future(asyncio.sleep(600))
        task.cancel()
        await task

    answer = call_on_loop(handler, timeout=timeout)
    assert answer == Failed("call-1", "node_failed", "CancelledError", "CancelledError")


@pytest.mark.parametrize("timeout", [None, 300])
def test_a_cancellation_from_outside_goes_through(timeout):
    ended = []

    async def run():
        begun = asyncio.Event()

        async def handler(payload):
            begun.set()
            try:
                await asyncio.sleep(600)
            finally:
                ended.append(True)

        task = asyncio.ensure_future(perform(handler_of(handler), invoke(timeout=timeout), ON_LOOP))
        await begun.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(run())
    assert ended == [True]


def test_async_handlers_are_known_before_they_are_called():
    async def handler(payload):
        pass

    asynchronous = [handler, functools.partial(handler), Callable().later, AsyncCallable()]
    assert [handler_of(one).is_async for one in asynchronous] == [True] * 4
    assert [handler_of(one).is_async for one in (Callable(), dict)] == [False] * 2
    assert call_on_loop(AsyncCallable(), node="ask") == completed("ask")


def test_without_a_loop_an_awaitable_is_refused(recwarn):
    message = "the handler is async; expected a sync one, or a run by the async functions"
    assert call(lambda payload: soon(payload)) == Failed("call-1", "node_failed", message)
    assert call_on_loop(lambda payload: soon(payload)) == completed("late")
    assert not recwarn.list


def test_a_process_with_an_abandoned_handler_ends(tmp_path):
    import subprocess

    program = (
        "import time\n"
        "from tests.sources.test_handlers import call\n"
        "print(call(lambda payload: time.sleep(600), timeout=0.05).code)\n"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=300, check=False)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "node_timeout\n", "")
