"""What a client hands over, judged by a schema: the one door to the validator."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import jsonschema_rs

_MOST = 5


def faults_of(schema: Any, value: Any) -> Iterator[str]:
    """What is wrong with a value, a sentence each, the first few."""
    found = jsonschema_rs.validator_for(schema, validate_formats=False, offline=True).iter_errors(value)
    for _, fault in zip(range(_MOST), found, strict=False):
        where = "/".join(map(str, fault.instance_path))
        yield f"{fault.message} at `/{where}`" if where else fault.message
