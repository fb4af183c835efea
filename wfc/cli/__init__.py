"""The program `wfc`.

What is guaranteed for every command: the exit codes of reference 4, results on standard output and all else on standard
error, and never a traceback. click reads what was asked, and is imported for all but the plain run of a compiled file.
"""

from __future__ import annotations

import gc

# A command makes many objects that stay, all of them at its beginning: there is nothing to collect among them.
gc.set_threshold(50_000)

import sys  # noqa: E402
from itertools import pairwise, takewhile  # noqa: E402

# All else is imported by `run`: while modules are imported, too, Ctrl-C ends in a word and not in a traceback.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

# Python ends with a look through everything for what is still to be finalised, a tenth of a small run. Of ours nothing
# is; what modules of users made may be, and this is who imports them.
_USERS = "wfc.backends.sources.python"


def run(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code. Nothing is raised."""
    given = sys.argv[1:] if arguments is None else list(arguments)
    try:
        return _on_streams(given)
    except (Exception, KeyboardInterrupt) as wrong:  # noqa: BLE001  the one door: nothing may leave as a traceback
        from wfc.cli.faults import told

        return told(wrong, as_json=_wants_json(given))


def _wants_json(given: list[str]) -> bool:
    words = list(takewhile(lambda one: one != "--", given))
    named = {"--json", "--format=json"}.intersection(words)
    return bool(named) or ("--format", "json") in pairwise(words)


def _on_streams(given: list[str]) -> int:
    from wfc.cli.terminal import open_closed_streams

    open_closed_streams()
    out = sys.stdout
    for stream in (sys.stdout, sys.stderr):
        # Text from outside may hold what a terminal's encoding cannot say.
        getattr(stream, "reconfigure", lambda **_: None)(errors="backslashreplace")
    try:
        return _carried_out(given)
    except SystemExit:
        # When nobody reads its help any more, which is no fault, click puts another stream there, and ends.
        if sys.stdout is out:
            raise
        return 0


def _carried_out(given: list[str]) -> int:
    from wfc.cli.asking import plainly_asked

    asked = plainly_asked(given)
    if asked is not None:
        from wfc.cli.running import run_file

        return run_file(asked)
    from wfc.cli.commands import wfc

    code = wfc.main(args=given, prog_name="wfc", standalone_mode=False)
    return code if isinstance(code, int) else 0


def main() -> None:
    code = run()
    from wfc.cli.terminal import settle_streams

    settle_streams()
    if _USERS not in sys.modules:
        gc.freeze()
    sys.exit(code)
