"""Node definitions without contracts get those of the capabilities that they use, so that a check can judge them.

Guarantees: what a definition says itself stays; nothing moves, so that a pointer into the document means the same
before and after; definitions that were not written come last.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wfc.briefing.capability import Capability

# What is taken over together: an outcome without its schema would be judged by the wrong one.
_CONTRACT = ("input_schema", "output_schema", "outcomes", "outcome_schemas", "effects")


def filled(value: Any, capabilities: Mapping[str, Capability]) -> Any:
    """A document with the contracts of the capabilities that it names; a value of another shape as it is."""
    if not isinstance(value, dict):
        return value
    if isinstance(value.get("workflows"), list):
        return {**value, "workflows": [_workflow(one, capabilities) for one in value["workflows"]]}
    return _workflow(value, capabilities)


def _workflow(value: Any, capabilities: Mapping[str, Capability]) -> Any:
    if not isinstance(value, dict):
        return value
    written = value.get("node_defs") or []
    if not isinstance(written, list):
        return value
    known = {one.get("name") for one in written if isinstance(one, dict) and isinstance(one.get("name"), str)}
    steps = value.get("nodes")
    used = [one.get("node") for one in steps if isinstance(one, dict)] if isinstance(steps, list) else []
    missing = dict.fromkeys(
        name for name in used if isinstance(name, str) and name in capabilities and name not in known
    )
    definitions = [_definition(one, capabilities) for one in written]
    definitions += [capabilities[name].definition for name in missing]
    return {**value, "node_defs": definitions} if definitions else value


def _definition(value: Any, capabilities: Mapping[str, Capability]) -> Any:
    if not isinstance(value, dict):
        return value
    capability = capabilities.get(str(_used(value)))
    if capability is None:
        return value
    contract = {key: one for key, one in capability.definition.items() if key in _CONTRACT and key not in value}
    return {**value, **contract}


def _used(definition: Mapping[str, Any]) -> Any:
    """The full name of the capability that a definition uses."""
    uses = definition.get("uses", definition.get("name"))
    if isinstance(uses, dict):
        return f"{uses.get('source')}.{uses.get('capability_key')}"
    return uses
