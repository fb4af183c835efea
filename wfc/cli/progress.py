"""What a run is doing while it does it: on a terminal, and as lines where `WFC_CALLS` asks for them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from wfc.cli.terminal import decorates_remarks, one_line, say
from wfc.ir import Invoke
from wfc.records import dataclass

if TYPE_CHECKING:
    from wfc.backends.sources import Progress


@dataclass(frozen=True, slots=True)
class Watching:
    """Who is told of what a run does: of each call as it is made, and of how far one is."""

    called: Callable[[Invoke], None] = lambda invoke: None
    told: Callable[[Invoke, Progress], None] = lambda invoke, progress: None


@contextmanager
def progress(no_color: bool) -> Iterator[Watching]:
    """Who is told of what a run does; where there is no terminal and nobody asked for lines, nobody."""
    if os.environ.get("WFC_CALLS") == "lines":
        yield Watching(lambda invoke: say(f"call {one_line(_told(invoke))}"))
        return
    if not decorates_remarks(no_color):
        yield Watching()
        return
    from rich.console import Console
    from rich.text import Text

    with Console(stderr=True).status("starting") as status:

        def called(invoke: Invoke) -> None:
            status.update(Text(_told(invoke)))

        def told(invoke: Invoke, progress: Progress) -> None:
            status.update(Text(one_line(f"{_told(invoke)}, {_far(progress)}")))

        yield Watching(called, told)


def _told(invoke: Invoke) -> str:
    attempt = f", attempt {invoke.attempt}" if invoke.attempt > 1 else ""
    return f"{invoke.node_id}: {invoke.capability}{attempt}"


def _far(progress: Progress) -> str:
    whole = "" if progress.total is None else f" of {progress.total:g}"
    return f"{progress.done:g}{whole}{f' {progress.message}' if progress.message else ''}"
