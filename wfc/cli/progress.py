"""What a run is doing, on a terminal, while it does it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from wfc.cli.terminal import decorates_remarks
from wfc.ir import Invoke


@contextmanager
def progress(no_color: bool) -> Iterator[Callable[[Invoke], None]]:
    """A function that is told of every call; where there is no terminal it does nothing."""
    if not decorates_remarks(no_color):
        yield lambda invoke: None
        return
    from rich.console import Console
    from rich.text import Text

    with Console(stderr=True).status("starting") as status:

        def called(invoke: Invoke) -> None:
            attempt = f", attempt {invoke.attempt}" if invoke.attempt > 1 else ""
            status.update(Text(f"{invoke.node_id}: {invoke.capability}{attempt}"))

        yield called
