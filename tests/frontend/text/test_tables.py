"""The tables that a package carries are those of its grammar, and no text needs lark to be read."""

from __future__ import annotations

import subprocess
import sys

from wfc.frontend.text.grammar import TABLES, kept, made_tables


def test_they_are_those_of_the_grammar() -> None:
    """After a change of the grammar: `make tables`."""
    assert kept(TABLES) == made_tables()


def test_reading_a_text_imports_no_lark() -> None:
    code = """
import sys
from wfc.frontend import read_document
assert read_document("a.wf", "workflow a { s: end }").readable
print("lark" in sys.modules)
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "False\n"
