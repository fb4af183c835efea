"""The program `wfc`: click commands, each in a module that is imported only when it is called.

What is guaranteed for every command: the exit codes of reference 4, results on standard output and all else on standard
error, and never a traceback.
"""

from __future__ import annotations

import gc
import importlib
import sys
from collections.abc import Sequence
from itertools import takewhile

# A command makes many objects that stay, all of them at its beginning: there is nothing to collect among them.
gc.set_threshold(50_000)

import click  # noqa: E402

from wfc.cli.faults import told  # noqa: E402
from wfc.diagnostics import close_match  # noqa: E402

COMMANDS = (
    ("check", "wfc.cli.check", "Find what is wrong with workflows, before they run."),
    ("explain", "wfc.cli.explain", "Say everything about one diagnostic."),
    ("compile", "wfc.cli.compile", "Check a workflow and lower it to a program."),
    ("run", "wfc.cli.run", "Run a workflow or a compiled program."),
    ("resume", "wfc.cli.resume", "Go on with a run that waits or was stopped."),
    ("step", "wfc.cli.step", "Run one step."),
    ("cancel", "wfc.cli.cancel", "End a run where it stands."),
    ("replay", "wfc.cli.replay", "Rebuild a run from its journal and compare."),
    ("runs", "wfc.cli.runs", "Look at the runs in a store."),
    ("test", "wfc.cli.test", "Run workflow test files."),
    ("fmt", "wfc.cli.fmt", "Bring workflows into canonical layout, or into the other form."),
    ("diff", "wfc.cli.diff", "Say what changed between two workflows, and whether the interface is kept."),
    ("tools", "wfc.cli.tools", "Look at, call and lock the capabilities of the configured sources."),
    ("publish", "wfc.cli.publish", "Keep a workflow as an immutable version."),
    ("artifacts", "wfc.cli.artifacts", "Look at published workflows."),
    ("deploy", "wfc.cli.deploy", "Bind published workflows to sources."),
    ("graph", "wfc.cli.graph", "Draw a workflow, and what a run did in it."),
    ("plan", "wfc.cli.plan", "Let a planner write a workflow that checks clean."),
    ("mcp", "wfc.cli.mcp", "Serve the toolchain to agents, over MCP."),
    ("schema", "wfc.cli.schema", "Print the JSON Schema of a format."),
    ("new", "wfc.cli.new", "Start a project: configuration, workflow, test, CI."),
)


class _Commands(click.Group):
    """A group whose commands are listed from the table above and imported one at a time."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [name for name, _, _ in COMMANDS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        for name, module, _ in COMMANDS:
            if name == cmd_name:
                command: click.Command = importlib.import_module(module).command
                return command
        close = close_match(cmd_name, self.list_commands(ctx))
        raise click.UsageError(f"`{cmd_name}` is no command" + (f"; nearest: `{close}`" if close else ""), ctx)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, what) for name, _, what in COMMANDS])


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="wfc", prog_name="wfc")
def wfc() -> None:
    """Check, compile and run agent workflows."""


def run(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code. Nothing is raised."""
    for stream in (sys.stdout, sys.stderr):
        # Text from outside may hold what a terminal's encoding cannot say.
        getattr(stream, "reconfigure", lambda **_: None)(errors="backslashreplace")
    try:
        code = wfc.main(args=None if arguments is None else list(arguments), prog_name="wfc", standalone_mode=False)
        return code if isinstance(code, int) else 0
    except (Exception, KeyboardInterrupt) as wrong:  # noqa: BLE001  the one door: nothing may leave as a traceback
        return told(wrong, as_json=_wants_json(arguments))


def _wants_json(arguments: Sequence[str] | None) -> bool:
    """Whether a command was asked for JSON, also one that could not be read to its end."""
    given = sys.argv[1:] if arguments is None else arguments
    return "--json" in takewhile(lambda one: one != "--", given)


def main() -> None:
    sys.exit(run())
