"""In a whole check the example of a code gives the findings that it promises and no other; repaired, it gives none.

Its fixes repair it too; where there are none, the code says why."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from wfc import driver
from wfc.cli.explain import CODES
from wfc.diagnostics import Code, Report, Severity, Strict
from wfc.project import catalogue_of_example
from wfc.report import unmarked

each_code = pytest.mark.parametrize("code", CODES, ids=lambda code: code.code)


def loaded(text: str, code: Code, mended: Mapping[str, Any] | None = None) -> driver.Loaded:
    config = code.example.config if mended is None else mended
    return driver.loads(
        text, name="example.wf.json", beside=code.example.beside, catalogue=catalogue_of_example(config)
    )


def checked(text: str, code: Code, mended: Mapping[str, Any] | None = None) -> Report:
    return driver.check(loaded(text, code, mended), strict=code.strict is Strict.ONLY)


@each_code
def test_bad_gives_nothing_else(code: Code) -> None:
    found = [one.code.code for one in checked(unmarked(code.example.bad), code).diagnostics]
    assert found
    assert set(found) == {code.code}


@each_code
def test_good_gives_nothing(code: Code) -> None:
    assert [one.message for one in checked(code.example.good, code, code.example.mended).diagnostics] == []


@each_code
def test_a_fix_heals_it_or_it_is_said_why_there_is_none(code: Code) -> None:
    given = loaded(unmarked(code.example.bad), code)
    strict = code.strict is Strict.ONLY
    offers = [one.fixes[0] for one in driver.check(given, strict=strict).diagnostics if one.fixes]
    assert bool(offers) is not bool(code.unrepaired)
    if offers:
        left = driver.check(driver.with_fixes(given, offers), strict=strict).diagnostics
        assert [one.message for one in left if one.code is code or one.severity is Severity.ERROR] == []
