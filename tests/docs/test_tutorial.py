"""The tutorial does what it says: every file of it is written, every command run, all that is shown compared."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

TUTORIAL = Path("docs/tutorial.md")
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_NAMED = re.compile(r"`([\w.]+)`[^`]*\Z")
# What differs from run to run: stands for anything within a line; alone, for any lines.
_ANY = "…"


@dataclass(frozen=True)
class File:
    name: str
    text: str


@dataclass(frozen=True)
class Shown:
    """A command, and what the page shows of it; nothing where the page does not say."""

    command: str
    output: str


def parts(page: str) -> Iterator[File | Shown]:
    """Files and commands, in the order of the page."""
    for block in _BLOCK.finditer(page):
        kind, text = block.groups()
        if kind == "console":
            for said in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
                command, _, output = said.partition("\n")
                yield Shown(command, output)
        elif kind == "crontab":
            # As cron reads it: five fields of time, `\%` for `%`.
            line = text.split(maxsplit=5)[5].replace("\\%", "%").replace("/srv/house", ".").strip()
            yield Shown(f'{line} || echo "exit code $?"', f"{_ANY}\nexit code 4\n")
        else:
            named = _NAMED.search(page[: block.start()])
            assert named is not None, f"no name for the file {text!r}"
            yield File(named[1], text)


def told(output: str) -> re.Pattern[str]:
    """What fits an output as the page shows it."""
    lines = [
        "(?:.*\n)*?" if line == _ANY else re.escape(line).replace(_ANY, ".*?") + "\n" for line in output.splitlines()
    ]
    return re.compile("".join(lines))


def script(found: Sequence[File | Shown], results: Path) -> str:
    """What a shell is given: every file and every command, with what it prints and how it ends kept in `results`."""
    lines = []
    for number, one in enumerate(found):
        if isinstance(one, File):
            lines.append(f"cat > {one.name} <<'END OF FILE'\n{one.text}END OF FILE\n")
        else:
            lines.append(f"{{ {one.command}\n}} > {results}/{number}.out 2>&1; echo $? > {results}/{number}.code\n")
    return "".join(lines)


def test_everything_in_it_is_so(tmp_path: Path) -> None:
    found = list(parts(TUTORIAL.read_text("utf-8")))
    folder = tmp_path / "house"
    folder.mkdir()
    where = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    environment = {**os.environ, "PATH": where, "CI": "true", "GIT_CONFIG_GLOBAL": os.devnull}
    given = script(found, tmp_path).encode()
    subprocess.run(["bash"], input=given, cwd=folder, env=environment, timeout=900, check=True)
    for number, one in enumerate(found):
        if isinstance(one, Shown):
            printed = (tmp_path / f"{number}.out").read_text("utf-8")
            assert told(one.output).fullmatch(printed), f"$ {one.command}\n{printed}"
            assert (tmp_path / f"{number}.code").read_text() == "0\n", f"$ {one.command}\n{printed}"
