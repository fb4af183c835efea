"""Secrets never leave a source: not in a message, not in an output, however deep it is (reference 4.2).

A message holds nothing that a reference of the configuration stood for. An output holds no credential; other values of
the environment, such as a folder, are data there and stay.
"""

from __future__ import annotations

import re
from typing import Any

from wfc.ir import Listing
from wfc.records import replace

# Shorter values are no secrets, and would tear holes into every text.
_SECRET_LENGTH = 6
_HIDDEN = "…"
_CREDENTIAL_NAME = re.compile(r"key|token|secret|passw|pwd|credential|auth|cookie|private|session|bearer|dsn", re.I)


def is_credential_name(name: str) -> bool:
    """Whether a variable of the environment is called like one that holds a credential."""
    return _CREDENTIAL_NAME.search(name) is not None


class Hiding:
    """What one source has to keep to itself: `credentials` everywhere, `others` in messages."""

    def __init__(self, credentials: tuple[str, ...] = (), others: tuple[str, ...] = ()) -> None:
        self._credentials: list[str] = []
        self._everything: list[str] = []
        for value in credentials:
            self.add(value)
        self._everything = _ordered([*self._everything, *others])

    def add(self, credential: str) -> None:
        """Hide one more from now on: a token that came, or the header that a command printed."""
        self._credentials = _ordered([*self._credentials, credential])
        self._everything = _ordered([*self._everything, credential])

    def message(self, text: str) -> str:
        """A text for people, without secrets and surrogates."""
        return _without(text, self._everything).encode("utf-8", "replace").decode()

    def data(self, value: Any) -> Any:
        """A JSON value without credentials; the value itself where there are none."""
        if not self._credentials:
            return value
        top: list[Any] = [value]
        waiting: list[tuple[Any, Any]] = [(top, 0)]
        while waiting:
            holder, key = waiting.pop()
            found = holder[key]
            if isinstance(found, str):
                holder[key] = _without(found, self._credentials)
            elif isinstance(found, dict):
                holder[key] = {
                    _without(name, self._credentials) if isinstance(name, str) else name: inner
                    for name, inner in found.items()
                }
                waiting += [(holder[key], name) for name in holder[key]]
            elif isinstance(found, list | tuple):
                holder[key] = list(found)
                waiting += [(holder[key], index) for index in range(len(found))]
        return top[0]

    def listing(self, listing: Listing) -> Listing:
        """What a source says of a capability, without credentials."""
        if not self._credentials:
            return listing
        return replace(
            listing,
            input_schema=self.data(listing.input_schema),
            output_schema=self.data(listing.output_schema),
            outcome_schemas=self.data(dict(listing.outcome_schemas)),
            annotations=self.data(dict(listing.annotations)),
            description=self.data(listing.description),
        )


def _ordered(values: list[str]) -> list[str]:
    """Each once, longer ones first, so that nothing is left of one that contains another."""
    return sorted({value for value in values if len(value) >= _SECRET_LENGTH}, key=lambda value: (-len(value), value))


def _without(text: str, secrets: list[str]) -> str:
    for secret in secrets:
        text = text.replace(secret, _HIDDEN)
    return text
