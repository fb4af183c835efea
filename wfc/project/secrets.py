"""`${NAME}` in a configuration stands for an environment variable, looked up only when the value is used.

Reference 4.2: a secret is never written down, so it is neither in a configuration nor in what is reported about it.
Files of other clients also write `${env:NAME}`, and `${NAME:-what holds where it is not set}`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from wfc.project.settings import ConfigFault
from wfc.records import dataclass

_REFERENCE = re.compile(r"\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}")


@dataclass(frozen=True, slots=True)
class Resolved:
    """A text with its references replaced, and the values that they stood for, by name."""

    text: str
    values: Mapping[str, str]


def resolved(text: str, environ: Mapping[str, str]) -> Resolved:
    """The text with every `${NAME}` replaced from `environ`. Raises `ConfigFault` naming a variable that is not set."""
    values: dict[str, str] = {}

    def value(reference: re.Match[str]) -> str:
        name, otherwise = reference[1], reference[2]
        if name not in environ and otherwise is None:
            raise ConfigFault(f"the configuration refers to `${{{name}}}`, which is not set in the environment")
        values[name] = environ.get(name, otherwise or "")
        return values[name]

    return Resolved(_REFERENCE.sub(value, text), values)


def resolve_references(text: str, environ: Mapping[str, str]) -> str:
    """The text of `resolved`."""
    return resolved(text, environ).text


def referenced(text: str) -> tuple[str, ...]:
    """The names of the variables that a text refers to."""
    return tuple(found[1] for found in _REFERENCE.finditer(text))
