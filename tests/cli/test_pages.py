"""What is said of each code, in words, and how its example is shown: the page of `wfc explain`, kept and read."""

from __future__ import annotations

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.cli.conftest import Command
from wfc.cli.explain import CODES


@pytest.mark.parametrize("code", [code.code for code in CODES])
def test_the_page_of_a_code(code: str, wfc: Command, snapshot: SnapshotAssertion) -> None:
    ended = wfc("explain", code)
    assert (ended.code, ended.err) == (0, "")
    assert f"[{code}]" in ended.out
    assert ended.out == snapshot
