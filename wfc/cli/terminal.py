"""Where results and remarks go, and when they may have colour (reference 4).

Results are written to standard output, whole or, where nobody reads any more, silently not at all.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any


def put(text: str) -> None:
    """Write a result as it is. A reader that has gone away is no fault."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        # So that the interpreter does not try to flush again when it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def put_json(value: Any) -> None:
    """Write a result as one JSON document."""
    put(json.dumps(value, indent=2) + "\n")


def pretty(value: Any) -> str:
    """A JSON value as people read it."""
    return json.dumps(value, indent=2, ensure_ascii=False)


def say(text: str) -> None:
    """Write a line that is no result."""
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()


def one_line(text: str) -> str:
    """A message as one line that no terminal would obey, wherever its parts come from."""
    from wfc.report import visible

    return visible(" ".join(text.split()))


def colours_results(no_color: bool) -> bool:
    """Whether results may have colour: on a terminal whose user did not refuse it."""
    return not no_color and _welcomes_decoration(sys.stdout)


def decorates_remarks(no_color: bool) -> bool:
    """Whether remarks may have colour and progress may be shown."""
    return not no_color and _welcomes_decoration(sys.stderr)


def can_ask() -> bool:
    """Whether somebody sits there who can answer a question."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def _welcomes_decoration(stream: Any) -> bool:
    return bool(stream.isatty() and not os.environ.get("NO_COLOR") and not os.environ.get("CI"))
