"""The builder is typed: a strict checker accepts what is meant, knows what it gives, and refuses what is not."""

from __future__ import annotations

import ast
from pathlib import Path

from mypy import api

import wfc
from tests.house.imports import ROOT


def test_a_strict_type_checker_agrees() -> None:
    file = Path(__file__).with_name("typed.py")
    told, faults, code = api.run(["--strict", "--config-file", str(ROOT / "pyproject.toml"), str(file)])
    assert (code, faults) == (0, ""), told


def test_every_public_name_is_exported_to_type_checkers() -> None:
    tree = ast.parse((ROOT / "wfc/__init__.py").read_text("utf-8"))
    imported = {name.name for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for name in node.names}
    assert {"__version__", *imported} - {"TYPE_CHECKING", "Any", "VERSION", "import_module"} == set(wfc.__all__)


def test_every_public_name_is_there() -> None:
    assert [name for name in wfc.__all__ if getattr(wfc, name, None) is None] == []
