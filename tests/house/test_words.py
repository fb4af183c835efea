"""No file names a place of one machine or the address of a registry, and no message begs."""

import re
import subprocess
from pathlib import Path

from tests.house.imports import PACKAGE, ROOT

PLACES = re.compile(r"/(tmp|work|farm|root)/|files[.]pythonhosted|pypi[.]org|registry[.]npmjs|deb[.]debian")


def texts() -> list[Path]:
    """Every file that is, or is about to be, in the repository, the lock aside."""
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listed, cwd=ROOT, capture_output=True, check=True).stdout.decode().split("\0")
    return [ROOT / name for name in names if name and not name.endswith(".lock") and (ROOT / name).is_file()]


def found(pattern: re.Pattern[str], files: list[Path]) -> list[str]:
    return [
        f"{file.relative_to(ROOT)}:{number} {line.strip()}"
        for file in files
        for number, line in enumerate(file.read_text("utf-8", "replace").splitlines(), 1)
        if pattern.search(line)
    ]


def test_no_file_names_a_place_of_one_machine_or_a_registry() -> None:
    assert found(PLACES, texts()) == []


def test_the_lock_names_no_address() -> None:
    assert found(re.compile(r"://|^-"), [ROOT / "requirements.lock"]) == []


def test_no_message_begs() -> None:
    assert found(re.compile(r"\bplease\b", re.IGNORECASE), sorted(PACKAGE.rglob("*.py"))) == []
