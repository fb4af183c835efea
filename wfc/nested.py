"""Published workflows as capabilities: one call is one run of its own, begun and ended in it (reference 4.2, 4.4).

Guarantees: before the first call everything below a capability was found, bound, checked, compared with the lock and
opened, and no chain of workflows that call one another closes. The nested run has the id of the call, so that whatever
it calls has the same idempotency key in every attempt; it is kept in no store.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from wfc.backends.sources import LONGEST_SECONDS, Broker, Circumstances, Source
from wfc.backends.stores import StoreFault
from wfc.diagnostics import close_match
from wfc.driver import CompileError
from wfc.ir import (
    Answer,
    Ask,
    Call,
    Completed,
    Failed,
    Invoke,
    Listing,
    NodeFailed,
    NodeResult,
    Program,
    Refused,
    RunState,
    content_hash,
    copy,
    difference,
    effects_by_pattern,
    is_allowed,
)
from wfc.opaque import ended
from wfc.project import ConfigFault, WorkflowSettings
from wfc.records import dataclass
from wfc.runs import Execution

# What a repeated call would do, the mildest first (reference 2.9).
_LEVELS = ("pure", "read", "idempotent", "write")


@dataclass(frozen=True, slots=True)
class Below:
    """What a source of workflows asks of those above it.

    `prepare` gives the program of a reference and raises `StoreFault`, `CompileError`, `ConfigFault` or `Refused`.
    `sources_of` gives the sources that a program uses, where the references led to it; it raises `ConfigFault`.
    `within` are the references that led here.
    """

    prepare: Callable[[str], Program]
    sources_of: Callable[[Program, tuple[str, ...]], Mapping[str, Source]]
    within: tuple[str, ...] = ()
    step_limit: int | None = None


@dataclass(frozen=True, slots=True)
class _Nested:
    """A workflow that can be called: its program, the sources that answer it, and who looks after these."""

    reference: str
    program: Program
    sources: Mapping[str, Source]
    broker: Broker


class WorkflowSource:
    """The published workflows of one configured source. `wanted` are the capabilities that will be called, by default
    all; `locked` is what the lock pins of them."""

    def __init__(
        self,
        name: str,
        settings: WorkflowSettings,
        below: Below,
        *,
        wanted: Collection[str] | None = None,
        locked: Mapping[str, Listing] | None = None,
    ) -> None:
        self.name = name
        self.max_concurrency = settings.max_concurrency
        self.keys = [key for key in settings.workflows if wanted is None or key in wanted]
        self._settings = settings
        self._below = below
        self._locked = dict(locked or {})
        self._nested: dict[str, _Nested] = {}
        self._faults: dict[str, str] = {}

    @property
    def faults(self) -> dict[str, str]:
        """Why workflows of an opened source cannot be called, by capability."""
        return dict(self._faults)

    def needs_loop(self, key: str) -> bool:
        return True

    async def open(self) -> None:
        import asyncio

        for key in self.keys:
            found = self._prepared(self._settings.workflows[key])
            if isinstance(found, str):
                self._faults[key] = f"source `{self.name}`: {found}"
            else:
                self._nested[key] = found
        await asyncio.gather(*(one.broker.open(one.program) for one in self._nested.values()))
        for key, one in self._nested.items():
            missing = one.broker.missing(one.program)
            if missing:
                self._faults[key] = f"source `{self.name}`: `{one.reference}` cannot run: {missing[0]}"

    async def close(self) -> None:
        import asyncio

        nested, self._nested = self._nested, {}
        self._faults = {}
        await asyncio.gather(*(one.broker.close() for one in nested.values()))

    def missing(self, key: str) -> str | None:
        known = self._settings.workflows
        if key not in known:
            near = close_match(key, list(known))
            hint = f"nearest: `{near}`" if near else f"expected one of {', '.join(f'`{one}`' for one in known)}"
            return f"source `{self.name}` has no `{key}`; {hint}"
        if not is_allowed(key, self._settings.allow, self._settings.deny):
            return f"the configuration of source `{self.name}` does not allow `{key}`"
        return self._faults.get(key)

    def listing(self, key: str) -> Listing | None:
        found = self._nested.get(key)
        return None if found is None or key in self._faults else _listing(found)

    def drifted(self, key: str) -> str | None:
        """Also of what is below: a lock that accepts a workflow accepts what it calls."""
        found, locked, now = self._nested.get(key), self._locked.get(key), self.listing(key)
        diffs = [] if found is None else found.broker.drift(found.program)
        if locked is not None and now is not None and locked.hash != now.hash:
            diffs.insert(0, difference(locked, now, old_name=f"{self.name}.{key} (locked)", new_name="now"))
        return "\n".join(diffs) or None

    def effects(self, key: str) -> str | None:
        found = self._nested.get(key)
        return effects_by_pattern(key, self._settings.effects) or (None if found is None else _effects(found))

    async def perform(self, key: str, invoke: Invoke, circumstances: Circumstances) -> Answer:
        import asyncio

        found = self._nested[key]
        seconds = invoke.timeout_seconds if invoke.timeout_seconds is not None else self._settings.timeout_seconds
        seconds = None if seconds is None else min(seconds, LONGEST_SECONDS)
        execution = Execution(
            found.program,
            sources=found.sources,
            is_unseen=True,
            # Who has a time to keep to has to be able to stop waiting.
            is_alone=lambda: seconds is None and circumstances.is_alone(),
            **_passed_on(invoke, circumstances),
        )
        execution.start(copy(invoke.payload), run_id=invoke.call_id, step_limit=self._below.step_limit)
        try:
            async with asyncio.timeout(seconds) as time:
                run = await execution.go()
        except TimeoutError:
            if not time.expired():
                raise
            return Failed(invoke.call_id, "node_timeout", f"no answer within {seconds} seconds")
        except Refused as refused:
            return Failed(invoke.call_id, refused.reason, f"`{found.reference}`: {refused}")
        return _answer(invoke, found.reference, run)

    def _prepared(self, reference: str) -> _Nested | str:
        """What a reference leads to, or why it cannot be called."""
        within = (*self._below.within, reference)
        if reference in self._below.within:
            return f"`{reference}` calls itself: {' → '.join(f'`{one}`' for one in within)}"
        try:
            program = self._below.prepare(reference)
            sources = self._below.sources_of(program, within)
        except (StoreFault, ConfigFault, Refused) as wrong:
            return f"`{reference}` cannot be used: {wrong}"
        except CompileError as stopped:
            first = stopped.report.diagnostics[0]
            return f"`{reference}` does not compile here: {first.code.code} {first.message}"
        held = {name: _Held(source) for name, source in sources.items()}
        return _Nested(reference, program, held, Broker(sources=sources, on_loop=True))


def _passed_on(invoke: Invoke, circumstances: Circumstances) -> dict[str, Any]:
    """Whoever hears how far a call is also hears it of what goes on inside."""
    told = circumstances.progress
    return {} if told is None else {"progress": lambda inner, how_far: told(invoke, how_far)}


def _answer(invoke: Invoke, reference: str, run: RunState) -> Answer:
    try:
        outcome, output = ended(run)
    except NodeFailed as failed:
        where = "" if run.error is None or run.error.node_id is None else f" at `{run.error.node_id}`"
        return Failed(invoke.call_id, "node_failed", f"`{reference}`{where}: {failed}", failed.type)
    return Completed(invoke.call_id, NodeResult(outcome, output, meta={"workflow": reference}))


def _listing(nested: _Nested) -> Listing:
    """What a workflow takes and gives. Its program and what it calls are pinned with it, so that nothing that a caller
    counts on changes unseen."""
    main = nested.program.routines[0]
    annotations: dict[str, Any] = {"program": content_hash(nested.program)}
    calls = {name: one.hash for name, one in nested.broker.listings(nested.program).items()}
    asks = {one.kind for one in _instructions(nested.program) if isinstance(one, Ask)}
    annotations |= {"calls": calls} if calls else {}
    annotations |= {"asks": sorted(asks)} if asks else {}
    return Listing(
        input_schema=nested.program.schemas[main.input_schema],
        output_schema=nested.program.schemas[main.output_schema],
        outcomes=main.outcomes,
        annotations=annotations,
        effects=_effects(nested),
        description=main.desc,
    )


def _effects(nested: _Nested) -> str:
    """The worst of what is called."""
    called = {(routine.name, one.definition) for routine in nested.program.routines for one in _calls(routine)}
    levels = [
        nested.broker.effects_of(routine.name, definition)
        for routine in nested.program.routines
        for definition in routine.definitions
        if (routine.name, definition.name) in called
    ]
    return max(levels, key=_LEVELS.index, default=_LEVELS[0])


def _calls(routine: Any) -> list[Call]:
    return [one for block in routine.blocks for one in block.body if isinstance(one, Call)]


def _instructions(program: Program) -> list[Any]:
    return [one for routine in program.routines for block in routine.blocks for one in block.body]


class _Held:
    """A source that stays open from call to call, and takes no more calls at once than it may, from all runs
    together."""

    def __init__(self, source: Source) -> None:
        import asyncio

        self.max_concurrency = source.max_concurrency
        self._source = source
        self._free = None if source.max_concurrency is None else asyncio.Semaphore(source.max_concurrency)

    def needs_loop(self, key: str) -> bool:
        return self._source.needs_loop(key)

    async def open(self) -> None:
        """It is open."""

    async def close(self) -> None:
        """Whoever opened it closes it."""

    def missing(self, key: str) -> str | None:
        return self._source.missing(key)

    def listing(self, key: str) -> Listing | None:
        return self._source.listing(key)

    def drifted(self, key: str) -> str | None:
        return self._source.drifted(key)

    def effects(self, key: str) -> str | None:
        return self._source.effects(key)

    async def perform(self, key: str, invoke: Invoke, circumstances: Circumstances) -> Answer:
        if self._free is None:
            return await self._source.perform(key, invoke, circumstances)
        async with self._free:
            return await self._source.perform(key, invoke, circumstances)
