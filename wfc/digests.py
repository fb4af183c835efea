"""SHA-256 without OpenSSL: `hashlib` links all of that, which takes longer than a whole run of a small program.

The digests are the same. What Python itself brings is used up to a length from which OpenSSL makes up for its start.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any

_LONG = 1_000_000
# As Python calls its own, from 3.12 on and before; an interpreter without either has `hashlib`.
_OWN = ("_sha2", "_sha256")


def sha256(content: bytes) -> str:
    """The digest of a content as 64 hexadecimal digits."""
    digest: str = _made_by(("hashlib",) if len(content) > _LONG else _OWN)(content).hexdigest()
    return digest


@cache
def _made_by(modules: tuple[str, ...]) -> Callable[[bytes], Any]:
    for name in modules:
        try:
            found: Callable[[bytes], Any] = import_module(name).sha256
        except ImportError:
            continue
        return found
    return _made_by(("hashlib",))
