"""In a whole check the example of a code gives the findings that it promises and no other; repaired, it gives none."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from wfc import driver
from wfc.cli.explain import CODES
from wfc.diagnostics import Code, Report, Strict
from wfc.project import catalogue_of_example
from wfc.report import unmarked

each_code = pytest.mark.parametrize("code", CODES, ids=lambda code: code.code)


def checked(text: str, code: Code, mended: Mapping[str, Any] | None = None) -> Report:
    config = code.example.config if mended is None else mended
    given = driver.loads(
        text, name="example.wf.json", beside=code.example.beside, catalogue=catalogue_of_example(config)
    )
    return driver.check(given, strict=code.strict is Strict.ONLY)


@each_code
def test_bad_gives_nothing_else(code: Code) -> None:
    found = [one.code.code for one in checked(unmarked(code.example.bad), code).diagnostics]
    assert found
    assert set(found) == {code.code}


@each_code
def test_good_gives_nothing(code: Code) -> None:
    assert [one.message for one in checked(code.example.good, code, code.example.mended).diagnostics] == []
