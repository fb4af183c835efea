"""The program that a command was given: a workflow to compile, or one that was compiled; and the input for it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from wfc.cli.asking import IR_SUFFIX
from wfc.cli.given import STANDARD_INPUT, json_argument, read_bytes, set_values
from wfc.cli.terminal import decorates_remarks, say
from wfc.diagnostics import Report, Severity
from wfc.ir import Program, decode
from wfc.project import Project, find_project
from wfc.records import replace

if TYPE_CHECKING:
    from wfc.cli.faults import DoesNotCompile
    from wfc.driver import Loaded

# Canonical text: no blanks, and a quote inside a string would be escaped.
_IR_MARK = b'"schema":"wfc.ir/'


def is_compiled(path: str) -> bool:
    """Whether a file holds a compiled program, by its name or its content. Raises `OSError`."""
    return path.endswith(IR_SUFFIX) or (path != STANDARD_INPUT and _IR_MARK in read_bytes(path))


def program_of(path: str, *, unchecked: bool, no_color: bool, store: str | None = None) -> Program:
    """The program of a file. Findings that stop it are told, with exit code 1; of others it is said that they are."""
    data = read_bytes(path)
    if is_program(path, data):
        return decode(data)
    from wfc import driver

    given = driver.loads(data, name=path, store=store)
    try:
        program, report = driver.compile_checked(given, unchecked=unchecked)
    except driver.CompileError as stopped:
        raise uncompiled(stopped.report, given, no_color) from None
    _count(report, path)
    return program


def stored_program(reference: str, project: Project, store: str, no_color: bool) -> tuple[Program, dict[str, str]]:
    """The program of an artifact or a deployment, and what its runs are pinned to."""
    from wfc.cli.faults import DoesNotCompile
    from wfc.deploying import DEPLOYMENT, DeploymentFault, unbound
    from wfc.driver import CompileError
    from wfc.preparing import ready

    try:
        made = ready(reference, project, store)
        missing = list(unbound(made.program, project)) if reference.startswith(DEPLOYMENT) else []
    except CompileError as stopped:
        findings = [one for one in stopped.report.diagnostics if one.severity is Severity.ERROR]
        for one in findings:
            say(f"error[{one.code.code}] {one.at.file}{one.at.pointer}: {one.message}")
        raise DoesNotCompile(stopped.report, {}) from None
    if missing:
        raise DeploymentFault(f"`{reference}` cannot run: {'; '.join(missing)}")
    return made.program, made.pins


def workflow_of(name: str, store: str | None) -> Loaded:
    """The workflow of a file, of standard input, or of `artifact:ID@N`. Raises `OSError`, `StoreFault`."""
    from wfc import driver
    from wfc.backends.stores import open_store
    from wfc.publishing import found_artifact, is_artifact, loaded_artifact

    if not is_artifact(name):
        return driver.loads(read_bytes(name), name=name)
    project = find_project()
    kept = store or project.store
    return loaded_artifact(found_artifact(name, open_store(kept).library), kept, project.catalogue)


def is_program(path: str, data: bytes) -> bool:
    """Whether a file holds a compiled program."""
    return path.endswith(IR_SUFFIX) or _IR_MARK in data


def _count(report: Report, path: str) -> None:
    """Say in a line that something was found: who runs a workflow every day has read it already."""
    counted = Counter(one.severity for one in report.diagnostics)
    told = [
        f"{counted[severity]} {severity}{'' if counted[severity] == 1 else 's'}"
        for severity in (Severity.ERROR, Severity.WARNING)
        if counted[severity]
    ]
    if told:
        say(f"{' and '.join(told)} in {path}; `wfc check` tells more")


def uncompiled(report: Report, given: Loaded, no_color: bool) -> DoesNotCompile:
    """What ends a command whose workflow does not compile; people are told at once."""
    from wfc.cli.faults import DoesNotCompile

    tell(report, given, no_color)
    return DoesNotCompile(report, given.texts)


def tell(report: Report, given: Loaded, no_color: bool) -> None:
    """Say what was found, unless it is only worth knowing: who wants that asks `wfc check`."""
    from wfc.report import FORMATS, paint_if

    report = replace(report, diagnostics=tuple(one for one in report.diagnostics if one.severity is not Severity.NOTE))
    say(FORMATS[0].render(report, given.texts, paint_if(decorates_remarks(no_color))).rstrip("\n"))


def input_of(program: Program, text: str | None, settings: tuple[str, ...]) -> Any:
    """The input of a run: that of `--input`, with the keys of `--set` over it."""
    given = {} if text is None else json_argument("--input", text)
    if not settings:
        return given
    if not isinstance(given, dict):
        from click import UsageError

        raise UsageError("`--set` needs an `--input` that is an object")
    return {**given, **set_values(settings, program.schemas[program.routines[0].input_schema])}
