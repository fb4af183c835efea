"""The README's map of the house is true: a fenced block that opens with `wfc/`, a name a line, two blanks a level.

    wfc/
      source.py       what follows a name is a remark
      ir/             nouns
      backends/
        emit/         every folder stands there, and every file of `wfc/` itself

Files inside rooms need not stand there; what stands there exists.
"""

import re
from pathlib import Path

from tests.house.imports import PACKAGE, ROOT

BLOCK = re.compile(r"^```\w*\n(wfc/.*?)^```", re.MULTILINE | re.DOTALL)


def named() -> set[str]:
    """The paths that the map names, relative to the repository."""
    block = BLOCK.search((ROOT / "README.md").read_text("utf-8"))
    assert block is not None, "README.md has no fenced block that opens with `wfc/`"
    names: set[str] = set()
    levels: list[str] = []
    for line in block[1].splitlines():
        if line.strip():
            depth = (len(line) - len(line.lstrip())) // 2
            levels[depth:] = [line.split()[0].rstrip("/")]
            names.add("/".join(levels))
    return names


def visible(path: Path) -> bool:
    return not any(part.startswith((".", "__pycache__")) for part in path.relative_to(ROOT).parts)


def test_the_map_names_every_folder_and_every_file_at_the_top() -> None:
    folders = [path for path in (PACKAGE, *PACKAGE.rglob("*")) if path.is_dir() and any(path.iterdir())]
    wanted = {path.relative_to(ROOT).as_posix() for path in (*folders, *PACKAGE.glob("*.py")) if visible(path)}
    assert wanted - named() == set()


def test_what_the_map_names_exists() -> None:
    assert {name for name in named() if not (ROOT / name).exists()} == set()
