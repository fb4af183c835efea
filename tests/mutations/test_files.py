"""`wfc check --fix` heals a file as the measurement heals a value, and leaves alone what it need not touch."""

from __future__ import annotations

import difflib
import json
import subprocess
import sys
from pathlib import Path

from bench.mutations.corpus import originals
from bench.mutations.documents import Json
from bench.mutations.survey import kinds
from wfc import driver

SAFE = (
    "misspelt_edge_target", "misspelt_definition", "dollar_path", "rootless_write_target", "misspelt_argument",
    "literal_as_text", "repeated_write", "foreign_type", "foreign_key", "next_on_step", "outcomes_on_step",
    "map_for_bindings", "mixed_spelling", "required_in_property", "text_for_list", "spaced_name",
)  # fmt: skip
UNSAFE = ("unknown_argument", "indexed_path", "condition_on_edge")
_MOST_LINES = 16


def written(document: Json) -> str:
    """A document as its author may lay it out: the lists of a workflow one entry a line, with marks of haste."""
    lines = []
    for key, value in document.items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            entries = ",\n".join(f"\t  {json.dumps(each, separators=(' ,', ' :'))}" for each in value)
            lines.append(f'  "{key}" : [\n{entries} ]')
        else:
            lines.append(f'  "{key}" : {json.dumps(value)}')
    return "{\n" + " ,\n\n".join(lines) + "\n}\n"


def faulty(kind: str) -> Json:
    """The first mutant of a kind in a workflow that stands by itself."""
    alone = (one for one in originals() if "workflows" not in one.document)
    return next(mutant.document for one in alone for mutant in kinds()[kind](one.document))


def mended(folder: Path, names: tuple[str, ...], option: str) -> None:
    """Write the faulty documents of the kinds, apply fixes to all, and compare each with the repair of its value."""
    texts = {kind: written(faulty(kind)) for kind in names}
    for kind, text in texts.items():
        (folder / f"{kind}.wf.json").write_text(text, "utf-8")
    subprocess.run([sys.executable, "-m", "wfc", "check", option, "."], cwd=folder, capture_output=True, check=False)
    for kind, before in texts.items():
        after = (folder / f"{kind}.wf.json").read_text("utf-8")
        repaired = driver.repair(driver.from_value(json.loads(before)), unsafe=option == "--unsafe-fixes")
        assert repaired.report.fixed, kind
        assert json.loads(after) == repaired.given.root.value, kind
        changed = [line for line in difflib.ndiff(before.splitlines(), after.splitlines()) if line[:1] in "+-"]
        assert 0 < len(changed) <= _MOST_LINES, (kind, changed)


def test_safe_fixes_heal_files(tmp_path: Path) -> None:
    mended(tmp_path, SAFE, "--fix")


def test_unsafe_fixes_heal_files(tmp_path: Path) -> None:
    mended(tmp_path, UNSAFE, "--unsafe-fixes")
