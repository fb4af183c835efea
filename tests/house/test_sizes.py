"""Files and functions stay small, files say what they guarantee, and no exception is swallowed."""

import ast
from pathlib import Path

from tests.house.imports import PACKAGE

TREES = {file.relative_to(PACKAGE.parent): ast.parse(file.read_text("utf-8")) for file in sorted(PACKAGE.rglob("*.py"))}
NODES = [(file, node) for file, tree in TREES.items() for node in ast.walk(tree)]


def lines(file: Path) -> int:
    return (PACKAGE.parent / file).read_text("utf-8").count("\n")


def test_no_file_is_longer_than_400_lines() -> None:
    assert {str(file): lines(file) for file in TREES if lines(file) > 400} == {}


def test_no_function_is_longer_than_50_lines() -> None:
    functions = [(file, node) for file, node in NODES if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    sizes = {f"{file}:{node.lineno} {node.name}": (node.end_lineno or 0) - node.lineno + 1 for file, node in functions}
    assert {name: size for name, size in sizes.items() if size > 50} == {}


def test_every_file_says_what_it_guarantees() -> None:
    assert [str(file) for file, tree in TREES.items() if not ast.get_docstring(tree)] == []


def test_no_handler_only_passes() -> None:
    handlers = [(file, node) for file, node in NODES if isinstance(node, ast.ExceptHandler)]
    assert [f"{file}:{node.lineno}" for file, node in handlers if isinstance(node.body[0], ast.Pass)] == []
