"""`from wfc.ir import NAME` finds every public name of the room, each in one file, and no file before it is needed."""

import ast
import subprocess
import sys
from collections import Counter
from pathlib import Path

import wfc.ir

FOLDER = Path(wfc.ir.__file__).parent
ASKED_AS_A_WHOLE = {"std"}
INNER = {"__init__", "consistency", "phrases", "scanner", "shapes", "wording"}


def defined(file: Path) -> list[str]:
    """The public names that a file defines at its top level."""
    names: list[str] = []
    for node in ast.parse(file.read_text("utf-8")).body:
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                names.append(name)
            case ast.Assign(targets=targets):
                names += [target.id for target in targets if isinstance(target, ast.Name)]
            case ast.AnnAssign(target=ast.Name(id=name)):
                names.append(name)
    return [name for name in names if not name.startswith("_")]


FILES = [file for file in sorted(FOLDER.glob("*.py")) if file.stem not in ASKED_AS_A_WHOLE | INNER]


def test_every_name_is_found() -> None:
    missing = [name for file in FILES for name in defined(file) if not hasattr(wfc.ir, name)]
    assert missing == []


def test_no_name_is_defined_twice() -> None:
    counts = Counter(name for file in FILES for name in defined(file))
    assert [name for name, count in counts.items() if count > 1] == []


def test_a_run_imports_no_file_that_only_a_compile_needs() -> None:
    code = "import sys; from wfc.ir import Program, RunState, canonical, decode; print(*sorted(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"wfc.ir.assembly", "wfc.ir.module", "wfc.ir.std", "wfc.ir.verifier"} & set(loaded)
