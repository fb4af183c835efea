"""A workflow in which nothing is found, for the tests of `wfc check`."""

from __future__ import annotations

from typing import Any

from tests.cli.conftest import APPROVAL

NAME = {"type": "object", "properties": {"name": {"type": "string", "default": "Ada"}}}
GREETING: dict[str, Any] = {**APPROVAL, "input_schema": NAME}
