"""Where results and remarks go, and when they may have colour (reference 4).

Results are written to standard output, whole or, where nobody reads any more, silently not at all.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any


def put(text: str) -> None:
    """Write a result as it is. A reader that has gone away is no fault; a full disk is an `OSError`."""
    try:
        sys.stdout.write(_for(sys.stdout, text))
        sys.stdout.flush()
    except OSError as wrong:
        _write_no_more(sys.stdout)
        if not isinstance(wrong, BrokenPipeError):
            raise OSError(wrong.errno, wrong.strerror, "standard output") from None


def put_json(value: Any) -> None:
    """Write a result as one JSON document."""
    put(json.dumps(value, indent=2) + "\n")


def pretty(value: Any) -> str:
    """A JSON value as people read it."""
    return json.dumps(value, indent=2, ensure_ascii=False)


def say(text: str) -> None:
    """Write a line that is no result. Where nobody can read it, that is no reason to leave work half done."""
    try:
        sys.stderr.write(_for(sys.stderr, f"{text}\n"))
        sys.stderr.flush()
    except OSError:
        _write_no_more(sys.stderr)


def open_closed_streams() -> None:
    """Give standard streams that the caller closed (`>&-`) something that reads empty and forgets what is written.

    Otherwise the next file that is opened takes the number of the closed one: a store, say, in which a server's remarks
    would end up.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            # The lowest number that is free, which is this one: those below are open by now.
            opened = os.open(os.devnull, os.O_RDWR)
            os.set_inheritable(opened, True)
            setattr(sys, name, open(opened, "r" if number == 0 else "w", encoding="utf-8"))  # noqa: SIM115


def settle_streams() -> None:
    """Write what others have left to be written, before the interpreter tries to, and complains of what cannot be."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            _write_no_more(stream)


def _for(stream: Any, text: str) -> str:
    """The text as it may be written there: a program gets it as it is, a terminal nothing but colours that it would
    obey, whoever has written the names and values in it."""
    if not stream.isatty():
        return text
    from wfc.report import harmless

    return harmless(text)


def _write_no_more(stream: Any) -> None:
    """So that neither we nor the interpreter, when it ends, try again to write what could not be written."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def one_line(text: str) -> str:
    """A message as one line that no terminal would obey, wherever its parts come from."""
    from wfc.report import visible

    return visible(" ".join(text.split()))


def colours_results(no_color: bool) -> bool:
    """Whether results may have colour: on a terminal that can show it, and whose user did not refuse it."""
    return not no_color and _welcomes_decoration(sys.stdout)


def decorates_remarks(no_color: bool) -> bool:
    """Whether remarks may have colour and progress may be shown."""
    return not no_color and _welcomes_decoration(sys.stderr)


def can_ask() -> bool:
    """Whether somebody sits there who can answer a question."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def _welcomes_decoration(stream: Any) -> bool:
    given = os.environ
    return bool(stream.isatty() and not given.get("NO_COLOR") and not given.get("CI") and given.get("TERM") != "dumb")
