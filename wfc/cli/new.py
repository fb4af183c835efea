"""`wfc new`: a small project that checks clean, passes its tests and runs."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import click

from wfc.cli import options
from wfc.cli.terminal import put, put_json, say
from wfc.replacing import write_whole

# What is copied, and to where in the new project.
STARTER = (
    ("wfc.toml", "wfc.toml"),
    ("greet.wf.json", "greet.wf.json"),
    ("greet.wftest.json", "greet.wftest.json"),
    ("workflows.yml", ".github/workflows/wfc.yml"),
)
# What every folder has at most one of: one that is there stays as it is.
IGNORED = ("gitignore", ".gitignore")
FORMAT = "wfc.new/1"


@click.command("new")
@click.argument("folder", default=".", metavar="[DIR]")
@options.as_json
def command(folder: str, as_json: bool) -> None:
    """Start a project in DIR, by default here: configuration, one workflow, one test, a CI snippet.

    Nothing that is there is overwritten.
    """
    targets = [(name, Path(folder) / target) for name, target in STARTER]
    for _, target in targets:
        if target.exists():
            raise click.ClickException(f"{target} is there already; give a folder without it")
    ignored = Path(folder) / IGNORED[1]
    has_ignored = ignored.exists()
    if not has_ignored:
        targets.append((IGNORED[0], ignored))
    for name, target in targets:
        target.parent.mkdir(parents=True, exist_ok=True)
        write_whole(target, files("wfc.cli").joinpath("starter", name).read_bytes())
    if as_json:
        put_json({"schema": FORMAT, "files": [str(target) for _, target in targets]})
        return
    put("".join(f"made {target}\n" for _, target in targets))
    if has_ignored:
        say(f"{ignored} is there already; let it name `.wfc/`, where runs are kept")
    workflow = Path(folder) / "greet.wf.json"
    put(f"next: wfc check {workflow} && wfc test {folder} && wfc run {workflow}\n")
