"""`${NAME}` in a configuration stands for an environment variable, looked up only when the value is used.

Reference 4.2: a secret is never written down, so it is neither in a configuration nor in what is reported about it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from wfc.project.settings import ConfigFault

_REFERENCE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")


def resolve_references(text: str, environ: Mapping[str, str]) -> str:
    """The text with every `${NAME}` replaced from `environ`. Raises `ConfigFault` naming a variable that is not set."""

    def value(reference: re.Match[str]) -> str:
        name = reference[1]
        if name not in environ:
            raise ConfigFault(f"the configuration refers to `${{{name}}}`, which is not set in the environment")
        return environ[name]

    return _REFERENCE.sub(value, text)
