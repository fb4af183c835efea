"""The builder is typed: a strict checker accepts what is meant, knows what it gives, and refuses what is not."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import wfc
from tests.house.imports import ROOT


def test_a_strict_type_checker_agrees() -> None:
    file = Path(__file__).with_name("typed.py")
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file", str(ROOT / "pyproject.toml"), str(file)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_public_name_is_exported_to_type_checkers() -> None:
    tree = ast.parse((ROOT / "wfc/__init__.py").read_text("utf-8"))
    imported = {name.name for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for name in node.names}
    assert {"__version__", *imported} - {"TYPE_CHECKING", "Any", "VERSION", "import_module"} == set(wfc.__all__)


def test_every_public_name_is_there() -> None:
    assert [name for name in wfc.__all__ if getattr(wfc, name, None) is None] == []
