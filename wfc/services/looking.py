"""Checking, patching and saving workflows, and what a run of one would do: the answers that run nothing.

Guarantees: `ok` is never said without the hash of what was checked, nor without what the check had to skip.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from wfc import driver
from wfc.briefing import best_fix
from wfc.diagnostics import Diagnostic, Report, Severity
from wfc.ir import Ask, Block, Call, Definition, EnterChild, EnterForeach, Fork, Label, Program, Routine
from wfc.replacing import write_whole
from wfc.services.documents import DocumentFault, Documents, Seen, inside_the_folder

_MOST_FINDINGS = 20


def checked(seen: Seen, *, strict: bool = False, limit: int = _MOST_FINDINGS) -> dict[str, Any]:
    """What a check finds in a workflow, the first `limit` findings of it."""
    return _told(seen, driver.check(seen.given, strict=strict), limit)


def patched(documents: Documents, seen: Seen, asked: Mapping[str, Any]) -> dict[str, Any]:
    """The workflow after fixes or a patch, checked. `workflow` is there where it was asked for."""
    if asked.get("patch") is not None:
        after = documents.changed(seen, asked["patch"])
    elif asked.get("fixes") is not None:
        after = documents.kept(_with_fixes(seen, asked["fixes"]))
    else:
        after = documents.kept(driver.repair(seen.given).given)
    told = _told(after, driver.check(after.given), _MOST_FINDINGS)
    told |= {"changed": after.hash != seen.hash}
    return {**told, "workflow": after.text} if asked.get("return_workflow") else told


def _with_fixes(seen: Seen, wanted: list[str]) -> driver.Loaded:
    """The verified fixes of the findings with these ids, applied together."""
    found = {one.id: one for one in driver.check(seen.given).diagnostics}
    unknown = [one for one in wanted if one not in found]
    if unknown:
        raise DocumentFault(f"`{unknown[0]}` is the id of no finding in this workflow; check it again")
    chosen = [(one, best_fix(found[one].fixes)) for one in wanted]
    for one, fix in chosen:
        if fix is None:
            raise DocumentFault(f"the finding `{one}` has no fix that was verified; give a `patch` instead")
    fixes = [fix for _, fix in chosen if fix is not None and fix.file == seen.name]
    return driver.with_fixes(seen.given, fixes)


def saved(seen: Seen, path: str, replaces: str | None) -> dict[str, Any]:
    """Write a workflow without errors to a file. A file that is there is only replaced by who knows its hash."""
    place = inside_the_folder(path)
    told = checked(seen)
    if not told["ok"]:
        return {**told, "saved": False}
    if not driver.loads(seen.text, name=place).root.readable:
        raise DocumentFault(f"the workflow is of the other form than `{place}` holds; *.wf is text, *.wf.json is JSON")
    there = Documents().seen(place).hash if os.path.exists(place) else None
    if there is not None and there not in (replaces, seen.hash):
        raise DocumentFault(f"{place} is there already; to replace it give its hash as `replaces`: {there}")
    _write(place, seen.text)
    return {**told, "saved": True, "path": place, "hash": Documents().seen(place).hash}


def published(seen: Seen, store: str, artifact_id: str | None) -> dict[str, Any]:
    """Keep a workflow without errors as the next version of an artifact; what one holds already gives that one."""
    from wfc.publishing import publish

    told = checked(seen)
    if not told["ok"]:
        return {**told, "saved": False}
    made = publish(driver.loads(seen.text, name=seen.name, store=store), store, artifact_id)
    return {**told, "saved": True, "artifact": str(made.artifact), "new": made.is_new}


def _write(place: str, text: str) -> None:
    """At once or not at all: nobody reads half a workflow."""
    try:
        Path(place).parent.mkdir(parents=True, exist_ok=True)
        write_whole(place, text.encode())
    except OSError as wrong:
        raise DocumentFault(f"{place} cannot be written: {str(wrong.strerror).lower()}") from None


def _told(seen: Seen, report: Report, limit: int) -> dict[str, Any]:
    shown = [_finding(one, seen) for one in report.diagnostics[:limit]]
    told: dict[str, Any] = {
        "ok": report.ok,
        "hash": seen.hash,
        "summary": {one.value: report.count(one) for one in Severity},
        "diagnostics": shown,
        "skipped": [f"{one.what}: {one.why}" for one in report.skipped],
    }
    if report.clean is not None:
        told["clean"] = report.clean
    if len(shown) < len(report.diagnostics):
        told["cut"] = {"diagnostics": len(report.diagnostics)}
    return told


def _finding(found: Diagnostic, seen: Seen) -> dict[str, Any]:
    told: dict[str, Any] = {
        "id": found.id,
        "code": found.code.code,
        "severity": found.severity.value,
        "at": found.at.pointer,
        "message": found.message,
        "help": found.help,
    }
    # An object has no lines: those that it was given here mean nothing to the client.
    if found.at.span is not None and seen.has_lines and found.at.file in ("", seen.name):
        told |= {"line": found.at.span.start.line, "column": found.at.span.start.column}
    fix = best_fix(found.fixes)
    if fix is None:
        return told
    return {**told, "fix": [dict(one) for one in fix.patch], "applicability": fix.applicability.value}


# -- what a run would do ----------------------------------------------------------------------------------------------


def planned(program: Program, hash: str, value: Any) -> dict[str, Any]:
    """What a run would do, step by step in an order in which they can come, without doing any of it."""
    steps = list(_steps(program, program.routines[0], ()))
    calls = [one for one in steps if "capability" in one]
    effects: dict[str, list[str]] = {}
    for one in calls:
        names = effects.setdefault(one["effects"], [])
        if one["capability"] not in names:
            names.append(one["capability"])
    told: dict[str, Any] = {
        "ok": True,
        "hash": hash,
        "steps": steps,
        "effects": effects,
        "approvals": [one["step"] for one in steps if one["type"] == "interrupt"],
    }
    faults = [] if value is None else list(_input_faults(program, value))
    return {**told, "input_faults": faults} if value is not None else told


def _input_faults(program: Program, value: Any) -> Iterator[str]:
    from wfc.services.arguments import faults_of

    yield from faults_of(program.schemas[program.routines[0].input_schema], value)


def _steps(program: Program, routine: Routine, around: tuple[int, ...]) -> Iterator[dict[str, Any]]:
    """The steps that can be reached, those of children behind the step that enters them."""
    blocks = {block.id: block for block in routine.blocks}
    definitions = {one.name: one for one in routine.definitions}
    waiting, met = [routine.start], {routine.start}
    while waiting:
        block = blocks.get(waiting.pop(0))
        if block is None:
            continue
        told = {"step": block.id, "type": block.kind, **_what(block, definitions)}
        yield {**told, "in": routine.name} if around else told
        for part in block.body:
            if isinstance(part, EnterChild) and part.routine is not None and part.routine not in around:
                yield from _steps(program, program.routines[part.routine], (*around, part.routine))
        for target in _targets(block):
            if target not in met:
                met.add(target)
                waiting.append(target)


def _what(block: Block, definitions: Mapping[str, Definition]) -> dict[str, Any]:
    for part in block.body:
        match part:
            case Call(definition=name):
                found = definitions[name]
                retry = part.retry or found.retry
                told: dict[str, Any] = {"capability": str(found.uses), "effects": found.effects or "write"}
                return {**told, "attempts": retry.max_attempts} if retry is not None else told
            case EnterChild(workflow=name):
                return {"workflow": name}
            case Ask(kind=kind):
                return {"kind": kind}
            case EnterForeach(mode=mode):
                return {"mode": mode}
            case _:
                continue
    return {"branches": len(block.end.branches)} if isinstance(block.end, Fork) else {}


def _targets(block: Block) -> Iterator[Label]:
    """The steps that can come next."""
    for part in (*block.body, block.end):
        for arm in (*getattr(part, "arms", ()), *getattr(part, "branches", ())):
            if arm.target is not None:
                yield arm.target
        target = getattr(part, "target", None)
        if isinstance(target, str):
            yield Label(target)
