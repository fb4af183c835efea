"""A node definition from a capability, with its effects, as an author would write it (reference 1.3)."""

from __future__ import annotations

import re
from collections.abc import Container
from typing import Any

from wfc.ir import Contract

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_./-]{0,127}")
_STRANGE = re.compile(r"[^A-Za-z0-9_./-]")
_LONGEST = 128


def definition_of(contract: Contract, taken: Container[str] = (), *, locked: bool = False) -> dict[str, Any]:
    """The definition; what a lock knows is left out where `locked`. `taken` are names that others have."""
    source, _, key = contract.name.partition(".")
    name = _named(key)
    if name in taken:
        name = _named(contract.name)
    plain = _NAME.fullmatch(key) is not None
    made: dict[str, Any] = {"name": name}
    if contract.description:
        made["desc"] = " ".join(contract.description.split())
    made["uses"] = contract.name if plain else {"source": source, "capability_key": key}
    if locked:
        return made
    made["input_schema"] = contract.input
    made["output_schema"] = contract.output
    made["outcomes"] = list(contract.outcomes)
    others = {outcome: schema for outcome, schema in contract.others.items() if outcome != contract.outcomes[0]}
    if contract.outcomes[0] in contract.others:
        made["output_schema"] = contract.others[contract.outcomes[0]]
    if others:
        made["outcome_schemas"] = others
    made["effects"] = contract.effects or "write"
    return made


def _named(key: str) -> str:
    """A name that a definition may have, as near to the key as there is one."""
    name = _STRANGE.sub("_", key)[:_LONGEST]
    return name if _NAME.fullmatch(name) and not name.startswith("__") else f"tool_{name.lstrip('_')}"[:_LONGEST]
