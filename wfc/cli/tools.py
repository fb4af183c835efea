"""`wfc tools`: the capabilities of the configured sources."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import click

from wfc.cli import options
from wfc.cli.exits import FAILED, FINDINGS, OK, REFUSED
from wfc.cli.given import json_argument
from wfc.cli.terminal import decorates_remarks, one_line, pretty, put, put_json, say
from wfc.cli.told_tools import contract_json, tell_doctor, tell_list, tell_lock, tell_proposals
from wfc.diagnostics import close_match
from wfc.ir import Contract, Failed, listing_json
from wfc.project import ConfigFault, Lock, Project, find_project, lock_file, read_lock, write_lock
from wfc.tools import (
    Seen,
    also_locked,
    call,
    definition_of,
    examine,
    look,
    propose,
    pruned,
    renewed,
    sample_of,
    samples,
    signature,
    used_capabilities,
    wanted_sources,
)

if TYPE_CHECKING:
    from wfc.backends.sources import Progress

SHOW_FORMAT = "wfc.tool/1"
CALL_FORMAT = "wfc.call/1"
SCAFFOLD_FORMAT = "wfc.scaffold/1"


@click.group("tools")
def command() -> None:
    """Look at, call and lock the capabilities of the configured sources."""


@command.command("list")
@click.argument("sources", nargs=-1, metavar="[SOURCE…]")
@options.as_json
def list_tools(sources: tuple[str, ...], as_json: bool) -> int:
    """What sources offer, a capability a line: what it takes and gives, and what a repeated call would do."""
    project = find_project()
    seen = look(project, wanted_sources(project, sources), read_lock(project.folder))
    tell_list(seen, as_json)
    return OK if all(one.answered for one in seen) else REFUSED


@command.command("show")
@click.argument("name", metavar="SOURCE.CAPABILITY")
@options.as_json
def show(name: str, as_json: bool) -> int:
    """Everything about one capability."""
    project = find_project()
    lock = read_lock(project.folder)
    seen, contract = _one(project, name, lock)
    key = name.partition(".")[2]
    listing, locked = seen.listings[key], lock.listing(seen.name, key)
    state = "not locked" if locked is None else "locked" if locked.hash == listing.hash else "not what is locked"
    if as_json:
        put_json({"schema": SHOW_FORMAT, **contract_json(contract), "listed": listing_json(listing), "lock": state})
        return OK
    shown = [signature(contract), *([contract.description] if contract.description else []), f"{state}, {seen.kind}"]
    shown += [f"input\n{pretty(contract.input)}", f"output\n{pretty(contract.output)}"]
    shown += [f"output of {outcome}\n{pretty(schema)}" for outcome, schema in contract.others.items()]
    shown += [f"annotations\n{pretty(dict(listing.annotations))}"] if listing.annotations else []
    put("\n".join(shown) + "\n")
    return OK


@command.command("call")
@click.argument("name", metavar="SOURCE.CAPABILITY")
@click.argument("payload", default="{}", metavar="[JSON|@FILE|-]")
@click.option("--timeout", type=click.FloatRange(min=0, min_open=True), metavar="SECONDS", help="How long it may take.")
@click.option("--record", is_flag=True, help="Keep what was said as a sample, for `wfc tools lock --propose`.")
@options.as_json
@options.no_color
def call_tool(name: str, payload: str, timeout: float | None, record: bool, as_json: bool, no_color: bool) -> int:
    """Make one call; it is sent once, whatever comes of it."""
    project = find_project()
    value = json_argument("JSON", payload)
    lock = read_lock(project.folder)
    called = call(project, name, value, lock, seconds=timeout, progress=_progress(no_color))
    if record and called.said is not None:
        say(f"kept in {sample_of(project, name, called.said)}")
    for unjudged in called.unjudged:
        say(f"note: {unjudged}")
    answer = called.answer
    if isinstance(answer, Failed):
        error = {"code": answer.code, "message": answer.message, "type": answer.type, "details": answer.details}
        if as_json:
            put_json({"schema": CALL_FORMAT, "capability": name, "error": error})
        else:
            say(f"error: {answer.code}{f':{answer.type}' if answer.type else ''}: {one_line(answer.message)}")
        return FAILED
    result: Any = getattr(answer, "result", None)
    if as_json:
        told = {"outcome": result.outcome, "output": result.output, "meta": result.meta}
        put_json({"schema": CALL_FORMAT, "capability": name, **told})
    else:
        put(pretty(result.output) + "\n")
    return OK


@command.command("lock")
@click.argument("paths", nargs=-1, metavar="[PATH…]")
@click.option("--all", "everything", is_flag=True, help="Lock all that is allowed, not only what workflows use.")
@click.option("--check", "only_checks", is_flag=True, help="Change nothing; exit with 1 when it would.")
@click.option("--propose", "proposes", is_flag=True, help="Propose adapters for tools of which a sample was recorded.")
@options.as_json
def lock_tools(paths: tuple[str, ...], everything: bool, only_checks: bool, proposes: bool, as_json: bool) -> int:
    """Write wfc.lock.json: what the capabilities are now that the workflows below PATH use (default: the project)."""
    project = find_project()
    project = find_project()
    if proposes:
        return _proposals(project, as_json)
    lock = _lock_before(project, makes_anew=not (paths or only_checks))
    configured = wanted_sources(project, [])
    used, unread = used_capabilities(project, paths or (str(project.folder),), lock)
    for file in unread:
        say(f"note: {file} is no workflow that can be read; what it uses is not locked")
    if paths:
        used = also_locked(used, lock)
    names = configured if everything else [one for one in configured if one in used]
    made = renewed(lock, look(project, names, lock), None if everything else used)
    made = made if paths else pruned(made, names)
    for note in made.notes:
        say(f"note: {note}")
    if made.problems:
        tell_lock(made, "nothing was written", as_json)
        return REFUSED
    if only_checks:
        tell_lock(made, "it would change" if made.changes else "it is as it should be", as_json)
        return FINDINGS if made.changes else OK
    write_lock(project.folder, made.lock)
    tell_lock(made, f"{lock_file(project.folder)} is written", as_json)
    return OK


def _lock_before(project: Project, *, makes_anew: bool) -> Lock:
    """What was pinned. One that cannot be used is no obstacle where all of it is made anew, and that is told."""
    try:
        return read_lock(project.folder)
    except ConfigFault as wrong:
        if not makes_anew or lock_file(project.folder).is_dir():
            raise
        say(f"note: {one_line(str(wrong).partition(';')[0])}; it is made anew, and nothing is compared with it")
        return Lock()


def _proposals(project: Project, as_json: bool) -> int:
    kept = samples(project)
    if not kept:
        raise click.ClickException(
            "no sample is kept; record one with `wfc tools call SOURCE.CAPABILITY JSON --record`"
        )
    made = [(sample, propose(sample)) for sample in kept]
    for sample, proposal in made:
        if proposal is None:
            say(f"note: of `{sample.capability}` nothing can be made but its text")
    tell_proposals([proposal for _, proposal in made if proposal is not None], as_json)
    return OK


@command.command("scaffold")
@click.argument("names", nargs=-1, required=True, metavar="SOURCE[.CAPABILITY]…")
@click.option("--locked", is_flag=True, help="Leave out what the lock knows.")
@options.as_json
def scaffold(names: tuple[str, ...], locked: bool, as_json: bool) -> int:
    """Print node definitions for capabilities, to be put into `node_defs`."""
    project = find_project()
    lock = read_lock(project.folder)
    made: list[dict[str, Any]] = []
    for contract in _contracts(project, names, lock):
        source, _, key = contract.name.partition(".")
        known = locked and lock.listing(source, key) is not None
        made.append(definition_of(contract, {one["name"] for one in made}, locked=known))
    put_json({"schema": SCAFFOLD_FORMAT, "node_defs": made} if as_json else made)
    return OK


@command.command("doctor")
@click.argument("sources", nargs=-1, metavar="[SOURCE…]")
@options.as_json
def doctor(sources: tuple[str, ...], as_json: bool) -> int:
    """Start each source, say what is wrong with it and what to do; exit with 1 when something has to be done."""
    project = find_project()
    lock = read_lock(project.folder)
    found = [examine(project, one, lock) for one in look(project, wanted_sources(project, sources), lock)]
    tell_doctor(found, as_json)
    return OK if all(one.ok for one in found) else FINDINGS


def _one(project: Project, name: str, lock: Lock) -> tuple[Seen, Contract]:
    """A capability by its whole name, and the source that it is of. Raises `ConfigFault`."""
    source, dot, key = name.partition(".")
    if not dot:
        raise ConfigFault(f"`{name}` names no capability; expected a source and its capability, such as `files.read`")
    (seen,) = look(project, wanted_sources(project, [source]), lock)
    return seen, _contract(seen, key)


def _contract(seen: Seen, key: str) -> Contract:
    if not seen.answered:
        raise ConfigFault(str(seen.fault or f"source `{seen.name}`: {seen.wants}"))
    if key in seen.contracts:
        return seen.contracts[key]
    if key in seen.listings:
        raise ConfigFault(f"the configuration of source `{seen.name}` does not allow `{key}`")
    near = close_match(key, list(seen.contracts))
    hint = f"nearest: `{near}`" if near else f"`wfc tools list {seen.name}` shows what it has"
    raise ConfigFault(f"source `{seen.name}` has no `{key}`; {hint}")


def _contracts(project: Project, names: Sequence[str], lock: Lock) -> list[Contract]:
    """The capabilities that are meant: one by its whole name, or all of a source."""
    sources = wanted_sources(project, [name.partition(".")[0] for name in names])
    seen = {one.name: one for one in look(project, sources, lock)}
    found: dict[str, Contract] = {}
    for name in names:
        source, _, key = name.partition(".")
        if not key and not seen[source].answered:
            _contract(seen[source], key)
        meant = [_contract(seen[source], key)] if key else seen[source].contracts.values()
        found |= {contract.name: contract for contract in meant}
    return list(found.values())


def _progress(no_color: bool) -> Callable[[Progress], None] | None:
    """Tells how far a call is, where somebody looks on."""
    if not decorates_remarks(no_color):
        return None

    def told(progress: Progress) -> None:
        whole = "" if progress.total is None else f" of {progress.total:g}"
        say(f"{progress.done:g}{whole}{f': {one_line(progress.message)}' if progress.message else ''}")

    return told
