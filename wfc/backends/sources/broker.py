"""Who answers a call: a mock, a handler, `wf.std`, or a configured source (reference 4.8, 4.5).

Everything that a program calls is resolved once, when it is opened. A handler is found as `workflow/definition`, as
definition, or as capability. Where there are mocks, no source is asked.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, assert_never

from wfc.backends.sources import handlers as python_handlers
from wfc.backends.sources import std
from wfc.backends.sources.handlers import Handler, handler_of
from wfc.backends.sources.source import Circumstances, Source
from wfc.diagnostics import InternalError, close_match
from wfc.ir import (
    Answer,
    Call,
    Completed,
    Definition,
    Direct,
    EnterForeach,
    Failed,
    Fork,
    Invoke,
    NodeFailed,
    NodeResult,
    Program,
    kind_of,
)
from wfc.ir import std as contracts
from wfc.records import dataclass

if TYPE_CHECKING:
    from wfc.backends.sources.mocks import Mocks
    from wfc.backends.sources.tool import Progress
    from wfc.ir import Listing


@dataclass(frozen=True, slots=True)
class _Builtin:
    """A function of `wf.std`."""

    function: Callable[[Mapping[str, Any]], tuple[str, Any]]


@dataclass(frozen=True, slots=True)
class _Remote:
    """A capability of a configured source."""

    source: Source
    key: str


@dataclass(frozen=True, slots=True)
class _Scripted:
    """Whatever the mocks say of it."""

    mocks: Mocks


@dataclass(frozen=True, slots=True)
class _Nobody:
    """Nothing answers, for this reason."""

    why: str


_Found = Handler | _Builtin | _Scripted | _Remote | _Nobody
_Perform = Callable[[Invoke], Awaitable[Answer]]


class Broker:
    """The capabilities of one run. `on_loop` tells that an event loop runs it; without one, calls block.

    `handlers` maps names to functions, `sources` the names of the configuration to sources. `calls` counts the attempts
    of each step, over all workflows.
    """

    def __init__(
        self,
        handlers: Mapping[str, Callable[..., Any]] | None = None,
        sources: Mapping[str, Source] | None = None,
        mocks: Mocks | None = None,
        *,
        run_id: str = "",
        on_loop: bool = False,
        is_alone: Callable[[], bool] = lambda: True,
        progress: Callable[[Invoke, Progress], None] | None = None,
    ) -> None:
        self.calls: dict[str, int] = {}
        self._handlers = {name: handler_of(function) for name, function in (handlers or {}).items()}
        self._sources = dict(sources or {})
        self._mocks = mocks
        self._circumstances = Circumstances(run_id, on_loop, is_alone, progress)
        self._resolved: tuple[Program, list[tuple[str, Definition, _Found]]] | None = None
        self._performs: dict[tuple[str, str], _Perform] = {}
        self._limits: dict[tuple[str, str], tuple[str, int]] = {}
        self._opened: list[Source] = []

    async def open(self, program: Program) -> None:
        """Resolve what a program calls, and start or import the sources that it needs. `close` undoes it."""
        for workflow, definition, found in self._called(program):
            self._performs[workflow, definition.name] = self._perform_of(found)
            if not isinstance(found, _Remote):
                continue
            if found.source not in self._opened:
                self._opened.append(found.source)
            if found.source.max_concurrency is not None and definition.uses.source is not None:
                limit = (definition.uses.source, found.source.max_concurrency)
                self._limits[workflow, definition.name] = limit
        await self._all([source.open for source in self._opened])

    async def close(self) -> None:
        """Leave nothing of the opened sources behind."""
        opened, self._opened = self._opened, []
        await self._all([source.close for source in opened])

    def missing(self, program: Program) -> list[str]:
        """What an opened program calls and nothing answers: a sentence each."""
        sentences = []
        for workflow, definition, found in self._called(program):
            why = _why_missing(found)
            if why is not None:
                node = f"node `{definition.name}` of `{workflow}`"
                sentences.append(f"nothing answers `{definition.uses}` ({node}): {why}")
        return sentences

    def drift(self, program: Program) -> list[str]:
        """What an opened program calls and is not what the lock says: a diff each."""
        asked = dict.fromkeys((one.source, one.key) for *_, one in self._called(program) if isinstance(one, _Remote))
        diffs = (source.drifted(key) for source, key in asked)
        return [diff for diff in diffs if diff is not None]

    def has_parallel(self, program: Program) -> bool:
        """Whether steps of a program may go on beside one another."""
        return _calls_of(program).has_parallel

    def listings(self, program: Program) -> dict[str, Listing]:
        """What the sources of an opened program say of the capabilities that it calls, by `source.key`."""
        called = self._called(program)
        asked = {str(definition.uses): found for _, definition, found in called if isinstance(found, _Remote)}
        listed = {name: remote.source.listing(remote.key) for name, remote in sorted(asked.items())}
        return {name: listing for name, listing in listed.items() if listing is not None}

    def needs_loop(self, program: Program) -> bool:
        """Whether a program can only be run on an event loop: it calls an async handler or another process."""
        return any(
            one.is_async if isinstance(one, Handler) else isinstance(one, _Remote) and one.source.needs_loop(one.key)
            for *_, one in self._called(program)
        )

    def limit_of(self, invoke: Invoke) -> tuple[str, int] | None:
        """The source of a call, and how many of its calls it takes at once; none when it takes any number."""
        return self._limits.get((invoke.workflow, invoke.definition))

    def may_repeat(self, program: Program, invoke: Invoke) -> bool:
        """Whether a call that may have happened can be made again without asking anybody (reference 2.9)."""
        asked = (invoke.workflow, invoke.definition)
        called = [one for workflow, one, _ in self._called(program) if (workflow, one.name) == asked]
        return all(self.effects_of(invoke.workflow, definition) != "write" for definition in called)

    def effects_of(self, workflow: str, definition: Definition) -> str:
        """What a repeated call would do: the stronger of what the definition and the capability say, else `write`."""
        from wfc.ir import stronger

        match self._find(workflow, definition):
            case Handler(function):
                from wfc.nodes import contract_of

                contract = contract_of(function)
                known = contract.effects if contract is not None else None
            case _Builtin():
                known = "pure"
            case _Remote(source, key):
                known = source.effects(key)
            case _Scripted() | _Nobody():
                known = None
        return stronger(definition.effects, known) or "write"

    def perform(self, invoke: Invoke) -> Awaitable[Answer]:
        """Make one call. Awaiting it never raises for a fault of the capability.

        Raises `Unanswered` for a call that the mocks of a test leave open.
        """
        self.calls[invoke.node_id] = self.calls.get(invoke.node_id, 0) + 1
        if self._mocks is not None and self._mocks.stands_for(invoke):
            return _answered(self._mocks.answer(invoke))
        perform = self._performs.get((invoke.workflow, invoke.definition))
        if perform is None:
            raise InternalError(f"`{invoke.definition}` of `{invoke.workflow}` is called and was not opened")
        return perform(invoke)

    def direct(self, slots: Mapping[tuple[str, str], int], program: Program) -> list[Direct | None]:
        """How the definitions of an opened program are called without `perform`, by slot; none where they are not."""
        made: list[Direct | None] = [None] * len(slots)
        if self._mocks is None:
            alone = not _calls_of(program).has_parallel
            for workflow, definition, found in self._called(program):
                made[slots[workflow, definition.name]] = self._direct_of(found, alone)
        return made

    def _direct_of(self, found: _Found, alone: bool) -> Direct | None:
        """`alone`: no other call could be made while one is waited for."""
        match found:
            case Handler(is_async=True) if not alone:
                return None
            case Handler():
                return python_handlers.direct(found, self._circumstances)
            case _Builtin(function):
                return Direct(partial(_computed, function), False, False, _of_builtin, _builtin_failure)
            case _:
                return None

    def _called(self, program: Program) -> list[tuple[str, Definition, _Found]]:
        """What a program calls, with who answers it."""
        if self._resolved is None or self._resolved[0] is not program:
            called = _calls_of(program).called
            self._resolved = (program, [(workflow, one, self._find(workflow, one)) for workflow, one in called])
        return self._resolved[1]

    def _find(self, workflow: str, definition: Definition) -> _Found:
        uses = definition.uses
        # A handler is that of all workflows with one name.
        for name in (f"{workflow.partition(':')[0]}/{definition.name}", definition.name, str(uses)):
            if name in self._handlers:
                return self._handlers[name]
        if uses.source == contracts.SOURCE:
            function = std.NODES.get(uses.capability_key)
            return _Builtin(function) if function else _Nobody(f"`{contracts.SOURCE}` has no `{uses.capability_key}`")
        if self._mocks is not None:
            return _Scripted(self._mocks)
        if uses.source is None:
            named = f"no handler has the name `{definition.name}` or `{workflow}/{definition.name}`"
            return _Nobody(f"{named}; expected one, a mock, or a capability that the definition `uses`")
        if uses.source not in self._sources:
            near = close_match(uses.source, list(self._sources))
            hint = f"nearest: `{near}`" if near else "expected a handler or a configured source of that name"
            return _Nobody(f"the source `{uses.source}` is not configured; {hint}")
        return _Remote(self._sources[uses.source], uses.capability_key)

    def _perform_of(self, found: _Found) -> _Perform:
        match found:
            case Handler():
                return partial(python_handlers.perform, found, circumstances=self._circumstances)
            case _Builtin(function):
                return partial(_compute, function)
            case _Scripted(mocks):
                return lambda invoke: _answered(mocks.answer(invoke))
            case _Remote(source, key):
                return partial(source.perform, key, circumstances=self._circumstances)
            case _Nobody(why):
                return lambda invoke: _answered(Failed(invoke.call_id, "capability_unavailable", why))
            case other:
                assert_never(other)

    async def _all(self, steps: list[Callable[[], Awaitable[None]]]) -> None:
        """Await all steps: side by side on a loop, where each may take as long as a server wants."""
        if self._circumstances.on_loop and len(steps) > 1:
            import asyncio

            await asyncio.gather(*(step() for step in steps))
            return
        for step in steps:
            await step()


@dataclass(frozen=True, slots=True)
class _Calls:
    """What a program calls: each definition with the name of its workflow, in the order of the program; and whether
    it has regions in which calls may be made side by side."""

    program: Program
    called: tuple[tuple[str, Definition], ...]
    has_parallel: bool


# A program is run many times, and it may be long.
_CALLS_KEPT = 8
_calls: dict[int, _Calls] = {}


def _calls_of(program: Program) -> _Calls:
    kept = _calls.get(id(program))
    if kept is None or kept.program is not program:
        kept = _Calls(program, tuple(_find_called(program)), _has_parallel(program))
        while len(_calls) >= _CALLS_KEPT:
            _calls.pop(next(iter(_calls)), None)
        _calls[id(program)] = kept
    return kept


def _find_called(program: Program) -> Iterator[tuple[str, Definition]]:
    for routine in program.routines:
        calls = (part for block in routine.blocks for part in block.body if isinstance(part, Call))
        names = {call.definition for call in calls}
        for definition in routine.definitions:
            if definition.name in names:
                yield routine.name, definition


def _why_missing(found: _Found) -> str | None:
    match found:
        case _Nobody(why):
            return why
        case _Remote(source, key):
            return source.missing(key)
        case _:
            return None


async def _answered(answer: Answer) -> Answer:
    return answer


def _has_parallel(program: Program) -> bool:
    parts = [part for routine in program.routines for block in routine.blocks for part in (*block.body, block.end)]
    return any(isinstance(part, Fork) or (isinstance(part, EnterForeach) and part.mode == "parallel") for part in parts)


def _computed(function: Callable[[Mapping[str, Any]], tuple[str, Any]], payload: Any) -> tuple[str, Any]:
    if not isinstance(payload, dict):
        raise NodeFailed(f"the payload is {kind_of(payload)}; expected an object")
    return function(payload)


def _of_builtin(returned: tuple[str, Any]) -> NodeResult:
    return NodeResult(*returned)


def _builtin_failure(call_id: str, error: BaseException) -> Failed:
    if not isinstance(error, NodeFailed):
        raise error
    return Failed(call_id, "node_failed", str(error), error.type)


async def _compute(function: Callable[[Mapping[str, Any]], tuple[str, Any]], invoke: Invoke) -> Answer:
    try:
        return Completed(invoke.call_id, _of_builtin(_computed(function, invoke.payload)))
    except NodeFailed as error:
        return _builtin_failure(invoke.call_id, error)
