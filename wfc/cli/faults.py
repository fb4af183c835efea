"""Every way in which a command can end badly, as one line on standard error and an exit code (reference 4).

Who asked for JSON gets it on standard output too: `wfc.error/1`, or the findings of a workflow that does not compile.

This is the one door at which exceptions are caught: what the user can mend is an `error:` line with what to do next,
what only we can mend is a report to send, and no traceback is printed.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping

from wfc.cli.exits import FINDINGS, INTERNAL, OK, REFUSED, STOPPED
from wfc.cli.terminal import one_line, put, say
from wfc.diagnostics import Report
from wfc.source import Source

FORMAT = "wfc.error/1"


class DoesNotCompile(Exception):
    """A workflow whose findings keep it from running: they have been told to people, and are here for programs."""

    def __init__(self, report: Report, texts: Mapping[str, Source]) -> None:
        super().__init__("the workflow does not compile")
        self.report = report
        self.texts = texts


def told(wrong: BaseException, *, as_json: bool = False) -> int:
    """Say what went wrong, and return the exit code for it."""
    if isinstance(wrong, DoesNotCompile):
        if as_json:
            _put(findings_json(wrong.report, wrong.texts))
        return FINDINGS
    # Before anything is imported: what was being imported when the user stopped it may be there by half.
    if isinstance(wrong, KeyboardInterrupt):
        return stopped("stopped", as_json=as_json)
    # Imported here, where something went wrong already: what goes well may need none of it.
    import click

    if isinstance(wrong, click.exceptions.Exit):
        return wrong.exit_code
    if isinstance(wrong, click.Abort):
        return stopped("stopped", as_json=as_json)
    if isinstance(wrong, BrokenPipeError):
        return OK
    if isinstance(wrong, click.exceptions.NoArgsIsHelpError):
        say(wrong.format_message())
        return REFUSED
    sentence = _sentence(wrong)
    code = INTERNAL if sentence is None else REFUSED
    text = _report(wrong) if sentence is None else "\n".join([f"error: {sentence}", *_evidence(wrong)])
    say(text)
    if as_json:
        _put(_error(wrong, sentence or text, code))
    return code


def stopped(told: str, *, as_json: bool) -> int:
    """Say that the user stopped the command, to programs as well, and return the exit code for it."""
    say(told)
    if as_json:
        _put(_document(None, told, STOPPED))
    return STOPPED


def _put(document: str) -> None:
    """What programs are told. Where standard output takes nothing, what people were told has to do."""
    try:
        put(document)
    except OSError as wrong:
        say(f"error: {_sentence(wrong)}")


def put_error(wrong: BaseException, code: int) -> None:
    """Say to programs what people have been told."""
    _put(_error(wrong, _sentence(wrong) or str(wrong), code))


def findings_json(report: Report, texts: Mapping[str, Source]) -> str:
    """The findings that keep a command from its result, in the place of that."""
    from wfc.report import FORMATS, paint_if

    form = next(one for one in FORMATS if one.name == "json")
    return form.render(report, texts, paint_if(False))


def _error(wrong: BaseException, message: str, code: int) -> str:
    """One line, so that it may end a stream of lines as well."""
    from wfc.ir import Refused

    reason = wrong.reason if isinstance(wrong, Refused) else None
    return _document(reason, message, code)


def _document(reason: str | None, message: str, code: int) -> str:
    return json.dumps({"schema": FORMAT, "reason": reason, "message": message, "exit": code}) + "\n"


def _sentence(wrong: BaseException) -> str | None:
    """What the user can do about it, in one line; none where it is our fault."""
    # Imported here, where something went wrong already: a command that goes well needs few of these.
    import click

    from wfc.backends.emit.pictures import NoLayout
    from wfc.backends.sources import MockFault
    from wfc.backends.stores import StoreFault
    from wfc.ir import IrFault, Refused
    from wfc.planner import SessionFault
    from wfc.project import ConfigFault
    from wfc.testing import TestFileFault

    match wrong:
        case click.UsageError():
            command = wrong.ctx.command_path if wrong.ctx else "wfc"
            return f"{_line(wrong.format_message())}; `{command} --help` shows how it is used"
        case click.ClickException():
            return _line(wrong.format_message())
        case Refused():
            return f"refused ({wrong.reason}): {_line(str(wrong))}"
        case SessionFault() | ConfigFault() | StoreFault() | IrFault() | MockFault() | NoLayout() | TestFileFault():
            return _line(str(wrong))
        case OSError(strerror=str() as reason):
            told = reason[:1].lower() + reason[1:]
            if wrong.filename is not None:
                return f"{wrong.filename}: {told}"
            return told if _is_somewhere() else "the current folder is not there any more; go to one that is"
        case UnicodeEncodeError() if wrong.encoding == sys.getfilesystemencoding() != "utf-8":
            named = f"`{_line(wrong.object)}` has no name in `{wrong.encoding}`, the encoding of this environment"
            return f"{named}; set PYTHONUTF8=1, or a locale such as C.UTF-8"
    return None


def _is_somewhere() -> bool:
    try:
        os.getcwd()
    except FileNotFoundError:
        return False
    return True


def _evidence(wrong: BaseException) -> list[str]:
    """What a person wants to see of it besides the sentence."""
    from wfc.backends.sources import Drifted

    return wrong.diff.split("\n") if isinstance(wrong, Drifted) else []


def _line(text: str) -> str:
    return one_line(text).removesuffix(".")


def _report(wrong: BaseException) -> str:
    """What to send: kind, place and version here, the whole story in a file."""
    import platform
    import tempfile
    import traceback

    frame = traceback.extract_tb(wrong.__traceback__)[-1] if wrong.__traceback__ else None
    where = f" ({frame.filename.rpartition('/')[2]}:{frame.lineno})" if frame else ""
    lines = [
        f"error: a fault of wfc itself, not of your workflow: {type(wrong).__name__}: {_line(str(wrong))}{where}",
        f"wfc {_version()}, Python {platform.python_version()}, {platform.platform()}",
    ]
    story = "\n".join([*lines, *traceback.format_exception(wrong), getattr(wrong, "evidence", "")])
    try:
        handle, path = tempfile.mkstemp(prefix="wfc-fault-", suffix=".txt")
        with open(handle, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(story)
    except OSError:
        return "\n".join([*lines, "report these two lines to the maintainers of wfc"])
    return "\n".join([*lines, f"report it to the maintainers of wfc with the file {path}"])


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("wfc")
    except PackageNotFoundError:
        return f"(not installed, {sys.path[0]})"
