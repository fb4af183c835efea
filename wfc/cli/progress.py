"""What a run is doing, while it does it: a tree of its frames on a terminal, its entries for a program."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING, Any, TextIO

from wfc.cli.outcome import entry_line
from wfc.cli.terminal import decorates_remarks, one_line, say
from wfc.ir import Invoke
from wfc.records import dataclass

if TYPE_CHECKING:
    from rich.live import Live
    from rich.tree import Tree

    from wfc.backends.sources import Progress
    from wfc.ir import Answer
    from wfc.observing import Observer, Watched

# The trace is told as it happens where this stands for a file.
STANDARD_OUTPUT = "-"
_SECONDS_BETWEEN = 0.1
_MOST_FRAMES = 24
_KINDS = {"foreach_item": "item", "fork_branch": "branch", "subgraph": "child"}


@dataclass(frozen=True, slots=True)
class Watching:
    """Who is told of what a run does: of each call as it is made, and of how far one is."""

    called: Callable[[Invoke], None] | None = None
    told: Callable[[Invoke, Progress], None] = lambda invoke, progress: None


_NOBODY = Watching()
_LINES = Watching(lambda invoke: say(f"call {one_line(_told(invoke))}"))


@contextmanager
def progress(no_color: bool, trace_file: str | None) -> Iterator[tuple[Watching, Observer | None]]:
    """Who looks on while a run goes on: lines where `WFC_CALLS` asks for them, a tree on a terminal, entries where the
    trace goes to standard output. To be entered before standard output is redirected."""
    stream = sys.stdout if trace_file == STANDARD_OUTPUT else None
    entries = None if stream is None else _entries(stream)
    if os.environ.get("WFC_CALLS") == "lines":
        yield _LINES, entries
        return
    if not decorates_remarks(no_color):
        yield _NOBODY, entries
        return
    from rich.console import Console
    from rich.live import Live

    from wfc.observing import Together

    with Live(console=Console(stderr=True), refresh_per_second=1 / _SECONDS_BETWEEN, transient=True) as live:
        shown = _tree(live)
        yield Watching(None, shown.far), shown if entries is None else Together((shown, entries))


def _told(invoke: Invoke) -> str:
    attempt = f", attempt {invoke.attempt}" if invoke.attempt > 1 else ""
    return f"{invoke.node_id}: {invoke.capability}{attempt}"


def _entries(stream: TextIO) -> Observer:
    """Writes entries as JSON lines."""
    from wfc.observing import Observer

    class Entries(Observer):
        def enters(self, entry: dict[str, Any]) -> None:
            try:
                stream.write(json.dumps(entry) + "\n")
                stream.flush()
            except BrokenPipeError:
                # Nobody reads any more, which is no reason to stop a run.
                self.enters = lambda entry: None  # type: ignore[method-assign]
            except OSError as wrong:
                raise OSError(wrong.errno, wrong.strerror, "standard output") from None

    return Entries()


def steps_told(beside: Observer | None) -> Observer:
    """Says of every step that it was made, in a line; `beside` is whoever looks on as well."""
    from wfc.observing import Observer, Together

    class Steps(Observer):
        def enters(self, entry: dict[str, Any]) -> None:
            say(f"made {entry_line(entry)}")

    return Steps() if beside is None else Together((beside, Steps()))


def _tree(live: Live) -> Any:
    """Shows the frames of a run as they are whenever something happens, but not too often."""
    from wfc.observing import Observer

    class Shown(Observer):
        run: Watched
        calls_made = 0
        at = 0.0
        under_way: dict[str, tuple[str, int]]

        def begins(self, run: Watched) -> None:
            self.run, self.under_way = run, {}
            self.show(0.0)

        def calls(self, invoke: Invoke) -> None:
            self.calls_made += 1
            # The first call is shown at once: there may be nothing else to see for a long time.
            self.show_call(invoke, _SECONDS_BETWEEN if self.under_way else 0.0)

        def show_call(self, invoke: Invoke, apart: float) -> None:
            self.under_way[invoke.frame_id] = (invoke.capability, invoke.attempt)
            self.show(apart)

        def answers(self, invoke: Invoke, answer: Answer, seconds: float) -> None:
            self.under_way.pop(invoke.frame_id, None)

        def far(self, invoke: Invoke, progress: Progress) -> None:
            whole = "" if progress.total is None else f" of {progress.total:g}"
            said = f" {progress.message}" if progress.message else ""
            told = one_line(f"{invoke.capability}, {progress.done:g}{whole}{said}")
            self.under_way[invoke.frame_id] = (told, invoke.attempt)
            self.show(_SECONDS_BETWEEN)

        def enters(self, entry: dict[str, Any]) -> None:
            self.show(_SECONDS_BETWEEN)

        def show(self, apart: float) -> None:
            now = monotonic()
            if now - self.at >= apart:
                self.at = now
                live.update(drawn(self.run, self.under_way, self.calls_made))

    return Shown()


def drawn(run: Watched, under_way: dict[str, tuple[str, int]], calls: int) -> Tree:
    """The frames of a run as a tree; `under_way` are capability and attempt of the call of a frame."""
    from rich.text import Text
    from rich.tree import Tree

    top = Tree(Text(f"{run.workflow} {run.run_id}: {calls} call{'' if calls == 1 else 's'}"))
    above: list[Tree] = [top]
    left_out = 0
    for number, frame in enumerate(run.frames()):
        if number >= _MOST_FRAMES:
            left_out += 1
            continue
        kind = _KINDS.get(frame.kind)
        named = "" if kind is None else f"{kind} {frame.index}: " if kind != "child" else "child: "
        call = under_way.get(frame.id)
        attempt = f", attempt {call[1]}" if call is not None and call[1] > 1 else ""
        what = f": {call[0]}{attempt}" if call is not None else f" ({frame.status})"
        del above[frame.depth + 1 :]
        above.append(above[-1].add(Text(f"{named}{frame.step}{what}")))
    if left_out:
        top.add(Text(f"and {left_out} more"))
    return top
