"""The digests of `wfc.digests` are those of `hashlib`, whoever makes them."""

import hashlib

import pytest

from wfc import digests


@pytest.mark.parametrize("content", [b"", b"a", b"\x00" * 1_000_000, b"long" * 250_001])
def test_a_digest_is_that_of_hashlib(content: bytes) -> None:
    assert digests.sha256(content) == hashlib.sha256(content).hexdigest()


def test_an_interpreter_without_its_own_has_hashlib(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(digests, "_OWN", ("no_such_module",))
    assert digests.sha256(b"a") == hashlib.sha256(b"a").hexdigest()
