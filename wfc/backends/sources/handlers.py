"""How a Python function answers a call: it gets a copy of the payload, and nothing that it does reaches the machine.

Reference 4.8, 2.9, 2.11. Every exception of a handler becomes a failed answer; `KeyboardInterrupt` and `SystemExit`
are the caller's. A timeout ends the wait, never the process: what cannot be cancelled is abandoned, and its late answer
is ignored.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import lru_cache, partial
from types import CoroutineType, FunctionType, MappingProxyType
from typing import Any

from wfc.backends.sources.source import LONGEST_SECONDS, Circumstances
from wfc.ir import Answer, Completed, Direct, Failed, Invoke, NodeFailed, NodeResult, copy
from wfc.records import dataclass

_CONTEXT_NAMES = ("context", "ctx")
# How long a cancelled handler may take to end before nobody waits for it any more.
_GRACE_SECONDS = 1.0
_ASYNC_REFUSED = "the handler is async; expected a sync one, or a run by the async functions"


@dataclass(frozen=True, slots=True)
class CallContext:
    """What a handler may know of its call. `call_id` is the idempotency key: the same in every attempt.

    `attempt` counts from 1. `context` holds the read-only context keys of reference 2.5, such as `loop_item`.
    """

    call_id: str
    attempt: int
    node_id: str
    run_id: str
    context: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Handler:
    """A function and how it is called: `call` takes the payload and, when it `asks`, a `CallContext` behind it."""

    function: Callable[..., Any]
    call: Callable[..., Any]
    asks: bool
    is_async: bool


class _TimedOut(Exception):
    """The time of an attempt is over."""


def handler_of(function: Callable[..., Any]) -> Handler:
    """Look at a callable. Functions are remembered: a run looks at each of them several times."""
    return _of_function(function) if type(function) is FunctionType else _handler_of(function)


def _handler_of(function: Callable[..., Any]) -> Handler:
    """How a callable is called. A parameter after the first asks for the context when it is named so, or when it is the
    second and required."""
    import inspect

    from wfc.nodes import contract_of

    is_async = inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(type(function).__call__)
    contract = contract_of(function)
    call = function if contract is None or contract.call is None else contract.call
    asking = _asking(call)
    return Handler(function, asking or call, asking is not None, is_async)


_of_function = lru_cache(maxsize=256)(_handler_of)


def _asking(function: Callable[..., Any]) -> Callable[[Any, CallContext], Any] | None:
    """The function as one of payload and context; none when it does not ask for the context."""
    import inspect

    try:
        further = list(inspect.signature(function).parameters.values())[1:]
    except ValueError:
        return None  # a function written in C that does not tell its parameters
    by_name = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    named = next((one.name for one in further if one.name in _CONTEXT_NAMES and one.kind in by_name), None)
    if named is not None:
        return lambda payload, context: function(payload, **{named: context})
    positional = [one for one in further if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)]
    return function if positional and positional[0].default is inspect.Parameter.empty else None


def direct(handler: Handler, circumstances: Circumstances) -> Direct:
    """How a handler is called directly: without a time to keep to."""

    def failure(call_id: str, error: BaseException) -> Failed:
        if not isinstance(error, Exception) and not (circumstances.on_loop and _is_cancelled_from_inside(error)):
            raise error
        return _failure(call_id, error)

    def told(payload: Any, invoke: Invoke) -> Any:
        return handler.call(payload, _context(invoke, circumstances))

    call = told if handler.asks else handler.call
    return Direct(call, True, circumstances.on_loop, _not_awaited, failure, handler.asks)


def _not_awaited(returned: Any) -> NodeResult:
    """The result; what can still be awaited is none here."""
    if hasattr(type(returned), "__await__"):
        if isinstance(returned, CoroutineType):
            returned.close()
        raise NodeFailed(_ASYNC_REFUSED)
    return _result(returned)


async def perform(handler: Handler, invoke: Invoke, circumstances: Circumstances) -> Answer:
    """Call a handler once. Never raises for what the handler does."""
    seconds = None if invoke.timeout_seconds is None else min(invoke.timeout_seconds, LONGEST_SECONDS)
    try:
        arguments = _arguments(handler, invoke, circumstances)
        if handler.is_async or (seconds is None and circumstances.is_alone()):
            returned = handler.call(*arguments)
        else:
            returned, raised = await _in_thread(partial(handler.call, *arguments), seconds, circumstances)
            if raised is not None:
                raise raised
        if hasattr(type(returned), "__await__"):
            returned = await _awaited(returned, seconds, circumstances)
        result = _result(returned)
    except _TimedOut:
        return Failed(invoke.call_id, "node_timeout", f"no answer within {seconds} seconds")
    except Exception as error:  # noqa: BLE001 - the door to foreign code
        return _failure(invoke.call_id, error)
    except BaseException as error:
        if not (circumstances.on_loop and _is_cancelled_from_inside(error)):
            raise
        return _failure(invoke.call_id, error)
    return Completed(invoke.call_id, result)


def _arguments(handler: Handler, invoke: Invoke, circumstances: Circumstances) -> tuple[Any, ...]:
    payload = copy(invoke.payload)
    if not handler.asks:
        return (payload,)
    return payload, _context(invoke, circumstances)


def _context(invoke: Invoke, circumstances: Circumstances) -> CallContext:
    keys = MappingProxyType(copy(dict(invoke.context)))
    return CallContext(invoke.call_id, invoke.attempt, invoke.node_id, circumstances.run_id, keys)


async def _in_thread(
    call: Callable[[], Any], seconds: float | None, circumstances: Circumstances
) -> tuple[Any, BaseException | None]:
    """Call in a daemon thread, so that a call that outlives its time holds up neither the run nor the process.

    Gives what was returned and what was raised: a coroutine cannot raise every exception.
    """
    from concurrent.futures import Future, wait
    from contextvars import copy_context
    from threading import Thread

    ended: Future[tuple[Any, BaseException | None]] = Future()
    ended.set_running_or_notify_cancel()
    variables = copy_context()

    def work() -> None:
        try:
            ended.set_result((variables.run(call), None))
        except BaseException as error:  # noqa: BLE001 - given to whoever waits
            ended.set_result((None, error))

    Thread(target=work, daemon=True).start()
    if circumstances.on_loop:
        import asyncio

        waiting = asyncio.wrap_future(ended)
        try:
            await asyncio.wait({waiting}, timeout=seconds)
        finally:
            # So that a late answer does not look for a loop that is gone.
            waiting.cancel()
    else:
        wait([ended], timeout=seconds)
    if not ended.done():
        raise _TimedOut
    return ended.result()


async def _awaited(returned: Awaitable[Any], seconds: float | None, circumstances: Circumstances) -> Any:
    if not circumstances.on_loop:
        if isinstance(returned, CoroutineType):
            returned.close()
        raise NodeFailed(_ASYNC_REFUSED)
    if seconds is None:
        return await returned
    import asyncio

    # Not `wait_for`: its timeout looks like one that the handler raised, and it waits for a handler that will not end.
    task = asyncio.ensure_future(returned)
    try:
        await asyncio.wait({task}, timeout=seconds)
        if not task.done():
            raise _TimedOut
    finally:
        task.add_done_callback(lambda ended: ended.cancelled() or ended.exception())
        if not task.done():
            task.cancel()
            await asyncio.wait({task}, timeout=_GRACE_SECONDS)
    return task.result()


def _is_cancelled_from_inside(error: BaseException) -> bool:
    """Whether a cancellation arose in the handler: nobody cancelled the task that runs it."""
    import asyncio

    task = asyncio.current_task()
    return isinstance(error, asyncio.CancelledError) and task is not None and not task.cancelling()


def _failure(call_id: str, error: BaseException) -> Failed:
    name = type(error).__name__
    try:
        message = str(error) or name
    except Exception:  # noqa: BLE001 - an exception that cannot tell itself is known by its class
        message = name
    # What the message holds goes into a trace: a lone surrogate would be no text there.
    message = message.encode("utf-8", "replace").decode()
    named = error.type if isinstance(error, NodeFailed) else None
    return Failed(call_id, "node_failed", message, named or (None if type(error) is NodeFailed else name))


def _result(returned: Any) -> NodeResult:
    if isinstance(returned, NodeResult):
        return returned
    if type(returned) is tuple and len(returned) == 2 and isinstance(returned[0], str):
        return NodeResult(*returned)
    return NodeResult(None, returned)
