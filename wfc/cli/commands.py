"""The commands of the program `wfc`, each in a module that is imported only when it is called. The door of click for
all of them together."""

from __future__ import annotations

import importlib

import click

from wfc.diagnostics import close_match

COMMANDS = (
    ("check", "wfc.cli.check", "Find what is wrong with workflows, before they run."),
    ("explain", "wfc.cli.explain", "Say everything about one diagnostic."),
    ("compile", "wfc.cli.compile", "Check a workflow and lower it to a program."),
    ("run", "wfc.cli.execute", "Run a workflow or a compiled program."),
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
