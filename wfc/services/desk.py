"""What each tool does, without the protocol: arguments in, an answer out, and a run that somebody waits for.

Guarantees: an answer fits its tool's output schema; what the client can mend is an answer with `ok: false`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeVar

from wfc import driver
from wfc.backends.stores import StoredRun, StoreFault, UnknownRun, open_store
from wfc.briefing import (
    RULES,
    Known,
    asked,
    builtin_lines,
    by_name,
    definition_of,
    interrupt_lines,
    language_card,
    model_lines,
    search,
    text_card,
)
from wfc.diagnostics import close_match
from wfc.ir import NOT_BEGUN, Contract, Program, Refused, content_hash, decode, encode, equal
from wfc.ir.std import BUILTINS
from wfc.preparing import is_stored, ready
from wfc.project import ConfigFault, find_project
from wfc.services import looking
from wfc.services.answers import PointerFault, inside, page, small
from wfc.services.documents import DocumentFault, Documents
from wfc.services.runs import Beginning, Going, Progress, RunFault, Runs
from wfc.tools import signature
from wfc.vm import link

WAIT_SECONDS = 10.0
_PAGE = 20
_TOPICS = ("text", "card", "model", "rules", "nodes")

Answer = dict[str, Any]
Made = TypeVar("Made")


class Desk:
    """One server: the workflows it saw, the runs it began, the capabilities it knows."""

    def __init__(self, store: str | None = None) -> None:
        self.documents = Documents(store)
        self.runs = Runs(store)
        self._store = store
        self._known: asyncio.Future[Known] | None = None
        self._one_at_a_time = asyncio.Lock()

    async def answer(self, name: str, given: Mapping[str, Any], progress: Progress) -> Answer:
        """The answer of a tool."""
        tools: dict[str, Callable[[Mapping[str, Any], Progress], Awaitable[Answer]]] = {
            "search_capabilities": self._search,
            "describe_capabilities": self._describe,
            "language_help": self._help,
            "check_workflow": self._check,
            "patch_workflow": self._patch,
            "save_workflow": self._save,
            "plan_run": self._plan,
            "run_workflow": self._run,
            "read_run": self._read,
            "control_run": self._control,
        }
        try:
            return await tools[name](given, progress)
        except (ConfigFault, DocumentFault, RunFault, StoreFault, PointerFault) as wrong:
            return {"ok": False, "error": str(wrong)}

    # -- what can be called -------------------------------------------------------------------------------------------

    async def capabilities(self) -> Known:
        """What the sources offer, asked once, whoever stops waiting for it."""
        if self._known is None or (self._known.done() and (self._known.cancelled() or self._known.exception())):
            self._known = asyncio.ensure_future(asyncio.to_thread(lambda: asked(find_project())))
        return await asyncio.shield(self._known)

    async def _search(self, given: Mapping[str, Any], progress: Progress) -> Answer:
        known = await self.capabilities()
        every = (*known.capabilities, *_builtins())
        query, offset, limit = given.get("query", ""), given.get("offset", 0), given.get("limit", _PAGE)
        found = search(every, query, len(every)) if query else list(every)
        shown = [signature(one) for one in found[offset : offset + limit]]
        told: Answer = {"capabilities": shown, "total": len(found), "faults": list(known.faults)}
        return {**told, "next_offset": offset + limit} if offset + limit < len(found) else told

    async def _describe(self, given: Mapping[str, Any], progress: Progress) -> Answer:
        every = by_name((*(await self.capabilities()).capabilities, *_builtins()))
        found = [
            {**definition_of(every[name]), "desc": every[name].description} for name in given["names"] if name in every
        ]
        unknown = [
            {"name": name, "nearest": close_match(name, list(every))} for name in given["names"] if name not in every
        ]
        return small({"capabilities": found, "unknown": unknown}, "capabilities")

    async def _help(self, given: Mapping[str, Any], progress: Progress) -> Answer:
        topic = given.get("topic", "model")
        told: dict[str, Callable[[], str]] = {
            "text": text_card,
            "card": language_card,
            "model": lambda: "\n".join([*model_lines(), *interrupt_lines()]),
            "rules": lambda: "\n".join(RULES),
            "nodes": lambda: "\n".join(builtin_lines()),
        }
        topics = [*_TOPICS, "a code such as WF101"]
        if topic in told:
            return {"topic": topic, "text": told[topic](), "topics": topics}
        ended = await self.runs_alone("explain", topic, "--no-color")
        return {"topic": topic, "text": ended.out or ended.fault, "topics": topics}

    # -- workflows ----------------------------------------------------------------------------------------------------

    async def _check(self, given: Mapping[str, Any], progress: Progress) -> Answer:
        strict, limit = given.get("strict", False), given.get("limit", 20)
        return await self._apart(
            lambda: looking.checked(self.documents.seen(given["workflow"]), strict=strict, limit=limit)
        )

    async def _patch(self, given: Mapping[str, Any], progress: Progress) -> Answer:
        return await self._apart(
            lambda: looking.patched(self.documents, self.documents.seen(_hash(given["hash"])), given)
        )

    async def _save(self, given: Mapping[str, Any], progress: Progress) -> Answer:
        def saved() -> Answer:
            seen = self.documents.seen(given["workflow"])
            if "path" in given and "artifact_id" in given:
                raise DocumentFault("`path` and `artifact_id` are both given; expected one: a file, or a version")
            if "path" in given:
                return looking.saved(seen, given["path"], given.get("replaces"))
            return looking.published(seen, self._store or find_project().store, given.get("artifact_id"))

        return await self._apart(saved)

    async def _plan(self, given: Mapping[str, Any], progress: Progress) -> Answer:
        def planned() -> Answer:
            program = self._program(given["workflow"])
            if isinstance(program, dict):
                return program
            if _reference(given["workflow"]) is not None:
                return looking.planned(program, content_hash(program), given.get("input"))
            seen = self.documents.seen(given["workflow"])
            told = looking.planned(program, seen.hash, given.get("input"))
            return {**told, "skipped": looking.checked(seen, limit=1)["skipped"]}

        return small(await self._apart(planned), "steps")

    # -- runs ---------------------------------------------------------------------------------------------------------

    async def _run(self, given: Mapping[str, Any], progress: Progress) -> Answer:
        def compiled() -> tuple[Beginning, str] | Answer:
            program = self._program(given["workflow"])
            if isinstance(program, dict):
                return program
            told = (given.get("input", {}), given.get("mocks"), _reference(given["workflow"]))
            return Beginning(program.name, encode(program), *told), content_hash(program)

        made = await self._apart(compiled)
        if isinstance(made, dict):
            return made
        asked, hash = made
        going = self.runs.begin(asked, run_id=given.get("run_id"))
        answer = await self._waited(going, given, progress)
        if _never_began(answer):
            # Its input kept it from beginning: nothing is kept, and the id may be given again.
            self.runs.forget(going)
        if answer.get("ok") is False and "run_id" in given:
            # Refused, perhaps because it was begun by a server before this one: then it is that run that is asked for.
            answer = await self._begun_before(going, hash, given.get("input", {}), progress) or answer
        return {**answer, "hash": hash}

    def _program(self, workflow: Any) -> Program | Answer:
        """The program of what a client hands over, or what is wrong with it."""
        reference = _reference(workflow)
        if reference is None:
            seen = self.documents.seen(workflow)
            try:
                return driver.compile(seen.given)
            except driver.CompileError:
                return looking.checked(seen)
        project = find_project()
        try:
            return ready(reference, project, self._store or project.store).program
        except driver.CompileError as stopped:
            return {"ok": False, "error": f"`{reference}` cannot run: {stopped}"}
        except Refused as refused:
            return {"ok": False, "error": str(refused)}

    async def _begun_before(self, going: Going, hash: str, value: Any, progress: Progress) -> Answer | None:
        """The run that the store has under this id; none where it has none, or one of another workflow or input."""
        stored = await asyncio.to_thread(self._stored, going.run_id)
        if stored is None or not await self._apart(lambda: _is_of(stored, hash, value)):
            return None
        self.runs.forget(going)
        return await self._read({"run_id": going.run_id}, progress)

    def _stored(self, run_id: str) -> StoredRun | None:
        try:
            return open_store(self._store or find_project().store).load(run_id)
        except UnknownRun:
            return None

    async def _control(self, given: Mapping[str, Any], progress: Progress) -> Answer:
        run_id, action = given["run_id"], given["action"]
        if action == "cancel":
            ended = await self.runs.cancel(run_id)
            return await self._read({"run_id": run_id}, progress) if ended.code == 0 else _refused(run_id, ended.fault)
        if action == "resume":
            going: Going | None = self.runs.resume(
                run_id, given.get("outcome"), given.get("payload"), given.get("interrupt_id")
            )
        else:
            going = self.runs.going(run_id)
        return (
            await self._read({"run_id": run_id}, progress)
            if going is None
            else await self._waited(going, given, progress)
        )

    async def _waited(self, going: Going, given: Mapping[str, Any], progress: Progress) -> Answer:
        ended = await self.runs.wait(going, given.get("wait_seconds", WAIT_SECONDS), progress)
        if ended is None:
            return _under_way(going)
        if ended.json is None:
            return _refused(going.run_id, ended.fault)
        return {**_run_told(ended.json), "calls": going.calls}

    async def _read(self, given: Mapping[str, Any], progress: Progress) -> Answer:
        run_id = given.get("run_id")
        if run_id is None:
            listed = await self.runs.command("runs", "list", "--json")
            if listed.json is None:
                return {"ok": False, "error": listed.fault}
            return {"part": "list", **page(listed.json["runs"], given.get("offset", 0), given.get("limit", _PAGE))}
        part = given.get("part", "summary")
        ended = await self.runs.command("runs", "trace" if part == "trace" else "show", run_id, "--json")
        if ended.json is None:
            going = self.runs.going(run_id)
            # Begun a moment ago: nothing of it is kept before its process is there.
            return _refused(run_id, ended.fault) if going is None or part != "summary" else _under_way(going)
        if part == "summary":
            return {**_run_told(ended.json), **await self._moving(run_id, ended.json["status"])}
        value = inside(ended.json[part], given.get("pointer", ""))
        return {"run_id": run_id, "part": part, **page(value, given.get("offset", 0), given.get("limit"))}

    async def _moving(self, run_id: str, status: str) -> Answer:
        """Who goes on with a run: this server, another process, or nobody, and then it has to be taken up."""
        going = self.runs.going(run_id)
        if going is not None:
            return {"status": "running", "calls": going.calls, "last_call": going.last_call}
        stored = await asyncio.to_thread(self._stored, run_id) if status == "running" else None
        return {"status": "stopped"} if stored is not None and not stored.taken else {}

    async def runs_alone(self, *arguments: str) -> Any:
        """A command that has nothing to do with a store."""
        from wfc.services.processes import run_command

        return await run_command(*arguments)

    async def _apart(self, work: Callable[[], Made]) -> Made:
        """Do what takes the processor in a thread of its own, one such thing at a time."""
        async with self._one_at_a_time:
            return await asyncio.to_thread(work)


def _under_way(going: Going) -> Answer:
    return {"run_id": going.run_id, "status": "running", "calls": going.calls, "last_call": going.last_call}


def _reference(workflow: Any) -> str | None:
    """Where a workflow is in the store, if that is how it is named."""
    return workflow if isinstance(workflow, str) and is_stored(workflow) else None


def _builtins() -> list[Contract]:
    return [Contract(one.name, one.input, one.output, one.outcomes, one.others, "pure") for one in BUILTINS]


def _is_of(stored: StoredRun, hash: str, value: Mapping[str, Any]) -> bool:
    """Whether a run was begun with this program and this input, its defaults filled in."""
    program = decode(stored.new.program)
    if content_hash(program) != hash:
        return False
    return equal(stored.new.input, {**link(program).routines[0].input_defaults, **value})


def _hash(text: str) -> str:
    if not text.startswith("sha256:"):
        raise DocumentFault(f"`{text}` is no hash; expected one that a check here gave, such as sha256:…")
    return text


def _run_told(run: Mapping[str, Any]) -> Answer:
    """What is told of a run that rests; its state is read page by page."""
    told = {key: run[key] for key in ("run_id", "status", "outcome", "output", "interrupt", "error")}
    if run["interrupt"] is not None:
        told["interrupt"] = small(run["interrupt"], "payload")
    return small(told, "output", "error")


def _never_began(answer: Answer) -> bool:
    error = answer.get("error")
    return isinstance(error, dict) and error.get("node_id") is None and error["code"] in NOT_BEGUN


def _refused(run_id: str, fault: str) -> Answer:
    return {"ok": False, "run_id": run_id, "error": fault}
