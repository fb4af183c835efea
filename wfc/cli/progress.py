"""What a run is doing while it does it: on a terminal, and as lines where `WFC_CALLS` asks for them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from wfc.cli.terminal import decorates_remarks, one_line, say
from wfc.ir import Invoke


@contextmanager
def progress(no_color: bool) -> Iterator[Callable[[Invoke], None]]:
    """A function that is told of every call; where there is no terminal and nobody asked for lines it does nothing."""
    if os.environ.get("WFC_CALLS") == "lines":
        yield lambda invoke: say(f"call {one_line(_told(invoke))}")
        return
    if not decorates_remarks(no_color):
        yield lambda invoke: None
        return
    from rich.console import Console
    from rich.text import Text

    with Console(stderr=True).status("starting") as status:

        def called(invoke: Invoke) -> None:
            status.update(Text(_told(invoke)))

        yield called


def _told(invoke: Invoke) -> str:
    attempt = f", attempt {invoke.attempt}" if invoke.attempt > 1 else ""
    return f"{invoke.node_id}: {invoke.capability}{attempt}"
