"""`wfc new`: a small project that checks clean, passes its tests and runs."""

from __future__ import annotations

from collections.abc import Iterator
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
    targets = list(_missing(Path(folder)))
    ignored = Path(folder) / IGNORED[1]
    has_ignored = ignored.exists()
    if not has_ignored:
        targets.append((ignored, _content(IGNORED[0])))
    for target, content in targets:
        target.parent.mkdir(parents=True, exist_ok=True)
        write_whole(target, content)
    if as_json:
        put_json({"schema": FORMAT, "files": [str(target) for target, _ in targets]})
        return
    put("".join(f"made {target}\n" for target, _ in targets))
    if has_ignored:
        say(f"{ignored} is there already; let it name `.wfc/`, where runs are kept")
    workflow = Path(folder) / "greet.wf.json"
    put(f"next: wfc check {workflow} && wfc test {folder} && wfc run {workflow}\n")


def _missing(folder: Path) -> Iterator[tuple[Path, bytes]]:
    """What a new project lacks. Where making one was cut short, by a full disk say, that is the rest of it."""
    wanted = [(folder / target, _content(name)) for name, target in STARTER]
    there = [(target, content) for target, content in wanted if target.exists()]
    begun = len(there) < len(wanted) and all(one.is_file() and one.read_bytes() == content for one, content in there)
    if there and not begun:
        raise click.ClickException(f"{there[0][0]} is there already; give a folder without it")
    return (one for one in wanted if one not in there)


def _content(name: str) -> bytes:
    return files("wfc.cli").joinpath("starter", name).read_bytes()
