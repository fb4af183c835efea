"""`wfc plan`: from a request to a workflow that checks clean, and the sessions in which that was tried."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from wfc import driver
from wfc.briefing import Known, asked, compact, listed
from wfc.cli import options
from wfc.cli.exits import FINDINGS, OK, REFUSED
from wfc.cli.given import STANDARD_INPUT, read_bytes
from wfc.cli.terminal import can_ask, one_line, put, put_json, say
from wfc.planner import (
    FORMS,
    PLANS_FOLDER,
    Form,
    Options,
    Plan,
    Scripted,
    SessionFault,
    Sessions,
    chosen_planner,
    plan,
    replies_of,
)
from wfc.project import DATA_FOLDER, Project, find_project
from wfc.replacing import write_whole

_MAKE = "make"


class _Requests(click.Group):
    """A group in which what is no command is a request."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args and args[0] not in self.commands and args[0] not in ("-h", "--help"):
            args = [_MAKE, *args]
        return super().parse_args(ctx, args)


@click.group("plan", cls=_Requests, subcommand_metavar='"REQUEST" | list | show ID | replay ID')
def command() -> None:
    """Let a planner write a workflow for a request, and have it mend what the compiler finds.

    wfc plan "REQUEST" asks; wfc plan make --help shows its options. The planner sees the language and the signatures of
    the configured sources; it executes nothing. Keys are read from OPENAI_API_KEY and ANTHROPIC_API_KEY.
    """


@command.command(_MAKE)
@click.argument("request", metavar="REQUEST")
@click.option(
    "--planner", metavar="openai|anthropic|COMMAND", help="Who writes; default: `[plan]` of the configuration."
)
@click.option("--model", metavar="NAME", help="The model of an endpoint.")
@click.option("--base-url", metavar="URL", help="Where an endpoint is, for instance a local one.")
@click.option("--max-rounds", type=click.IntRange(min=0), help="Repairs after the first answer; default: 3.")
@click.option("--catalogue-tokens", type=click.IntRange(min=0), help="What the catalogue may cost; default: 8000.")
@click.option("--tools", "listings", multiple=True, metavar="FILE", help="Saved tool listings, instead of the sources.")
@click.option("--form", type=click.Choice([one.name for one in FORMS]), default="text", help="How it writes.")
@click.option("--no-auto-fix", is_flag=True, help="Leave safe fixes to the planner, too.")
@click.option("-o", "--output", "out", metavar="FILE", help="Write the workflow there; - prints it, and nothing else.")
@click.option("--run", "runs", is_flag=True, help="Show what it would call, ask, and run it.")
@click.option("--yes", is_flag=True, help="With --run: do not ask.")
@options.input
@options.as_json
@options.no_color
def make(request: str, **given: Any) -> int:
    """Write a workflow for REQUEST (- reads it from standard input).

    It exits with 0 when the workflow is clean, 2 when the planner gave no answer, else with 1.
    """
    project = find_project()
    # An argument need not be text, no more than what stands on standard input.
    said = read_bytes(STANDARD_INPUT) if request == STANDARD_INPUT else request.encode("utf-8", "surrogateescape")
    words = said.decode("utf-8", "replace")
    if not words.strip():
        raise click.UsageError("the request is empty")
    planner = chosen_planner(project, given["planner"], given["model"], given["base_url"])
    known = _known(project, given["listings"])
    sessions = _sessions(project)
    made = plan(
        words,
        planner,
        capabilities=known.capabilities,
        options=_options(project, given),
        id=f"plan-{os.urandom(4).hex()}",
        keep=_telling(sessions),
    )
    file = _written(made, given["out"])
    if given["as_json"]:
        put_json(made.to_json())
    elif given["out"] != STANDARD_INPUT:
        put(_text(made))
    if made.is_clean and given["runs"]:
        return _run(made, file or str(sessions.folder / f"{made.id}.wf.json"), given)
    return OK if made.is_clean else REFUSED if made.status == "planner_failed" else FINDINGS


def _options(project: Project, given: Mapping[str, Any]) -> Options:
    settings = project.settings.plan
    rounds, budget = given["max_rounds"], given["catalogue_tokens"]
    return Options(
        settings.max_rounds if rounds is None else rounds,
        settings.catalogue_tokens if budget is None else budget,
        auto_fix=not given["no_auto_fix"],
        form=_form(given["form"]),
    )


def _form(name: str) -> Form:
    return next(one for one in FORMS if one.name == name)


def _known(project: Project, listings: tuple[str, ...]) -> Known:
    """What may be called. A source that cannot be asked is told, and the others are used."""
    known = listed(listings) if listings else asked(project)
    for fault in known.faults:
        say(f"note: {one_line(fault)}")
    if not known.capabilities:
        say("note: no capabilities are known besides the built-in nodes; name sources in wfc.toml, or give --tools")
    return known


def _sessions(project: Project) -> Sessions:
    return Sessions(Path(project.folder) / DATA_FOLDER / PLANS_FOLDER)


def _telling(sessions: Sessions) -> Any:
    """Keeps a session after every round, and says how the round went."""

    def keep(so_far: Plan) -> None:
        sessions.keep(so_far)
        if so_far.rounds and so_far.status is None:
            last = so_far.rounds[-1]
            found = len(last.findings) + len(last.further)
            say(f"round {len(so_far.rounds)}: {last.kind}, {last.note or f'{found} found'}")

    return keep


def _written(made: Plan, out: str | None) -> str | None:
    """Write a clean workflow where it was asked for; what is not clean is kept in the session only."""
    if out is None or not made.is_clean:
        return None
    text = _laid_out(made.workflow, out)
    if out == STANDARD_INPUT:
        put(text)
        return None
    write_whole(out, text.encode())
    return out


def _laid_out(workflow: Any, file: str) -> str:
    """A workflow in the form that the name of the file says, as `wfc fmt` lays it out; JSON by default."""
    from wfc.frontend import TEXT_SUFFIX, canonical_text, document_of

    return canonical_text(document_of(workflow, file), "text" if file.endswith(TEXT_SUFFIX) else "json")


def _text(made: Plan) -> str:
    told = f"{made.status} after {_answers(made.rounds)}" + (f": {one_line(made.reason)}" if made.reason else "")
    left = compact(made.diagnostics)
    lines = [told, *made.further, *([left] if left else []), f"session: wfc plan show {made.id}"]
    return "\n".join(lines) + "\n"


def _answers(rounds: Sequence[Any]) -> str:
    return "1 answer" if len(rounds) == 1 else f"{len(rounds)} answers"


def _run(made: Plan, file: str, given: Mapping[str, Any]) -> int:
    """Show the calls by their effect, ask, and run the workflow as `wfc run` does."""
    from wfc.cli.execute import command as run

    effects: dict[str, list[str]] = {}
    for routine in driver.compile(made.workflow).routines:
        for one in routine.definitions:
            effects.setdefault(one.effects or "write", []).append(str(one.uses))
    say("it calls" if effects else "it calls nothing")
    for effect, names in sorted(effects.items()):
        say(f"  {effect}: {', '.join(dict.fromkeys(names))}")
    if not given["yes"]:
        if not can_ask():
            raise click.ClickException(
                "nobody can be asked here whether to run it; give --yes, or run it with `wfc run`"
            )
        if not click.confirm("Run it?", err=True):
            return OK
    write_whole(file, _laid_out(made.workflow, file).encode())
    chosen = {"file": file, "input_text": given["input_text"], "no_color": given["no_color"]}
    code: int = click.get_current_context().invoke(run, **chosen, as_json=False, settings=())
    return code


@command.command("list")
@options.as_json
def list_sessions(as_json: bool) -> None:
    """All sessions, the newest first."""
    found = list(_sessions(find_project()).all())
    if as_json:
        put_json({"schema": "wfc.plans/1", "sessions": [_line(one) for one in found]})
        return
    put("".join(f"{'  '.join(_row(one))}\n" for one in found))


def _row(session: Mapping[str, Any]) -> tuple[str, ...]:
    status = session["status"] or "unfinished"
    return session["session"], status, _answers(session["rounds"]), one_line(session["request"])[:80]


def _line(session: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "session": session["session"],
        "status": session["status"],
        "rounds": len(session["rounds"]),
        "request": session["request"],
    }


@command.command("show")
@click.argument("id", metavar="ID")
@click.option("--prompts", is_flag=True, help="Also what the planner was told before the request.")
@options.as_json
def show(id: str, prompts: bool, as_json: bool) -> None:
    """One session, round by round: what was asked, answered, found and fixed."""
    session = _sessions(find_project()).load(id)
    if as_json:
        put_json(session)
        return
    opening = session["opening"] if prompts else session["opening"][1:]
    lines = [part for one in opening for part in (f"== {one['role']}", one["text"])]
    for number, one in enumerate(session["rounds"], 1):
        asked_for = [said["text"] for said in one["asked"] if said["role"] == "user"]
        lines += [f"== round {number}: {one['kind']}" + (f" ({one['note']})" if one["note"] else "")]
        lines += [f"asked: {text}" for text in asked_for[-1:]]
        lines += ["answer:", one["answer"].rstrip()]
        lines += [f"fixed: {text}" for text in one["applied"]]
        lines += [f"found: {found['code']} {found['at']['pointer']}: {found['message']}" for found in one["findings"]]
        lines += [f"found: {text}" for text in one["further"]]
    lines.append(f"== {session['status'] or 'unfinished'}" + (f": {session['reason']}" if session["reason"] else ""))
    put("\n".join(lines) + "\n")


@command.command("replay")
@click.argument("id", metavar="ID")
@click.option("--tools", "listings", multiple=True, metavar="FILE", help="Saved tool listings, instead of the sources.")
@options.as_json
def replay(id: str, listings: tuple[str, ...], as_json: bool) -> int:
    """Go through a session again with its stored answers and no planner, and compare: 1 when it comes out otherwise."""
    project = find_project()
    session = _sessions(project).load(id)
    try:
        settings, answers = session["settings"], list(replies_of(session))
        limits = Options(
            settings["max_rounds"], settings["catalogue_tokens"], settings["auto_fix"], _form(settings["form"])
        )
    except (KeyError, TypeError, StopIteration) as wrong:
        raise SessionFault(f"the session `{id}` is damaged: {wrong}") from None
    capabilities = _known(project, listings).capabilities
    again = plan(session["request"], Scripted(answers), capabilities=capabilities, options=limits, id=id)
    same = again.session_json()
    differs = [key for key in ("status", "workflow", "rounds", "opening") if same[key] != session[key]]
    if as_json:
        put_json({"schema": "wfc.plan-replay/1", "session": id, "same": not differs, "differs": differs})
    else:
        put(f"{id} comes out " + (f"otherwise: {', '.join(differs)} differ\n" if differs else "the same\n"))
    return FINDINGS if differs else OK
