"""What stands inside the marks that other languages put around a path: `{{state.x}}`, `${state.x}`, `$.state.x`."""

from __future__ import annotations

import re

_WRAPPED = re.compile(r"\s*(?:\$?\{\{?\s*)?(?:\$\.?)?([A-Za-z_][A-Za-z0-9_.]*)(\[[^]]*\])?\s*(?:\}\}?)?\s*\Z")


def unwrapped(written: str) -> str | None:
    """The path inside; none where the text is something else, or has an index behind it."""
    found = _WRAPPED.match(written)
    return None if found is None or found[2] else found[1]


def without_index(written: str) -> str | None:
    """The path in front of an index such as `[0]`; none where there is no index."""
    found = _WRAPPED.match(written)
    return None if found is None or not found[2] else found[1]
