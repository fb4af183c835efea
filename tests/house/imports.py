"""What the files of `wfc/` import, read from their text, so that nothing has to be imported for it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "wfc"


@dataclass(frozen=True)
class Import:
    """One import: the file, relative to `wfc/`, the line, and the dotted name of what is imported from."""

    file: str
    line: int
    module: str

    def __str__(self) -> str:
        return f"wfc/{self.file}:{self.line} imports {self.module}"

    @property
    def room(self) -> str:
        return room_of(self.file.removesuffix(".py").removesuffix("/__init__").split("/"))

    @property
    def target(self) -> str | None:
        """The room that is imported from; none where it is no part of wfc."""
        first, *parts = self.module.split(".")
        return room_of(parts) if first == "wfc" else None


def room_of(parts: list[str]) -> str:
    """The room that a path below `wfc/` lies in; each folder of the backends is one."""
    if parts in ([], ["__init__"]):
        return "wfc"
    return "/".join(parts[:2]) if parts[0] == "backends" else parts[0]


@cache
def imports() -> tuple[Import, ...]:
    return tuple(found for file in sorted(PACKAGE.rglob("*.py")) for found in _imports_of(file))


def _imports_of(file: Path) -> Iterator[Import]:
    name = file.relative_to(PACKAGE).as_posix()
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (Import(name, node.lineno, alias.name) for alias in node.names)
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0 and node.module, f"{name}:{node.lineno} is a relative import"
            yield from (Import(name, node.lineno, module) for module in _modules(node))


def _modules(node: ast.ImportFrom) -> list[str]:
    """`from wfc import paths` imports from the module `wfc.paths`; what is no module is a name of `wfc` itself.

    The same holds of `wfc.passes`, whose rooms are asked by their names, as in `types.fits`.
    """
    module = str(node.module)
    if module not in ("wfc", "wfc.passes"):
        return [module]
    return [f"{module}.{alias.name}" if _is_module(module, alias.name) else module for alias in node.names]


def _is_module(package: str, name: str) -> bool:
    path = PACKAGE.parent.joinpath(*package.split("."), name)
    return path.is_dir() or path.with_suffix(".py").is_file()
