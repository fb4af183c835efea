"""How the examples of codes are written: a document with carets under what is reported, and the words to replace."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from wfc.diagnostics import Example, InternalError

_CARETS = re.compile(r"^[ ^]*\^[ ^]*\n", re.MULTILINE)


def example(
    bad: str,
    *repairs: tuple[str, str],
    config: Mapping[str, Any] | None = None,
    mended: Mapping[str, Any] | None = None,
    beside: Mapping[str, str] | None = None,
) -> Example:
    """An example whose good document is the bad one with each of the repairs made, where it first fits.

    `beside` are the files in reach of both.
    """
    good = _CARETS.sub("", bad)
    for old, new in repairs:
        if old not in good:
            raise InternalError(f"the example has no `{old}` to repair", bad)
        good = good.replace(old, new, 1)
    return Example(bad, good, config or {}, beside or {}, mended)
