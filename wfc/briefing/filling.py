"""Node definitions without contracts get those of the capabilities that they use, so that a check can judge them.

Guarantees: what a definition says itself stays; nothing moves, so that a pointer into the document means the same
before and after; definitions that were not written come last.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wfc.ir import Contract

# What is taken over together: an outcome without its schema would be judged by the wrong one.
_CONTRACT = ("input_schema", "output_schema", "outcomes", "outcome_schemas", "effects")


def definition_of(capability: Contract) -> dict[str, Any]:
    """The node definition, under its full name, that says all that is known of a capability."""
    made: dict[str, Any] = {
        "name": capability.name,
        "input_schema": capability.input,
        "output_schema": capability.output,
        "outcomes": list(capability.outcomes),
        "uses": capability.name,
        "effects": capability.effects or "write",
    }
    return {**made, "outcome_schemas": dict(capability.others)} if capability.others else made


def filled(value: Any, capabilities: Mapping[str, Contract]) -> Any:
    """A document with the contracts of the capabilities that it names; a value of another shape as it is."""
    if not isinstance(value, dict):
        return value
    if isinstance(value.get("workflows"), list):
        return {**value, "workflows": [_workflow(one, capabilities) for one in value["workflows"]]}
    return _workflow(value, capabilities)


def _workflow(value: Any, capabilities: Mapping[str, Contract]) -> Any:
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
    definitions += [definition_of(capabilities[name]) for name in missing]
    return {**value, "node_defs": definitions} if definitions else value


def _definition(value: Any, capabilities: Mapping[str, Contract]) -> Any:
    if not isinstance(value, dict):
        return value
    capability = capabilities.get(str(used_capability(value)))
    if capability is None:
        return value
    contract = {key: one for key, one in definition_of(capability).items() if key in _CONTRACT and key not in value}
    return {**value, **contract}


def used_capability(definition: Mapping[str, Any]) -> Any:
    """The full name of the capability that a definition uses."""
    uses = definition.get("uses", definition.get("name"))
    if isinstance(uses, dict):
        return f"{uses.get('source')}.{uses.get('capability_key')}"
    return uses


def bare(value: Any, capabilities: Mapping[str, Contract]) -> Any:
    """A document whose definitions leave out what the capabilities that they use say just so, to be shown briefly."""
    if not isinstance(value, dict):
        return value
    if isinstance(value.get("workflows"), list):
        return {**value, "workflows": [_bare_workflow(one, capabilities) for one in value["workflows"]]}
    return _bare_workflow(value, capabilities)


def _bare_workflow(value: Any, capabilities: Mapping[str, Contract]) -> Any:
    if not isinstance(value, dict) or not isinstance(value.get("node_defs"), list):
        return value
    return {**value, "node_defs": [_bare_definition(one, capabilities) for one in value["node_defs"]]}


def _bare_definition(value: Any, capabilities: Mapping[str, Contract]) -> Any:
    capability = capabilities.get(str(used_capability(value))) if isinstance(value, dict) else None
    if capability is None:
        return value
    known = definition_of(capability)
    if any(value.get(key) != known.get(key) for key in _CONTRACT if key in value or key in known):
        return value
    kept = {key: one for key, one in value.items() if key not in _CONTRACT}
    return {key: one for key, one in kept.items() if not (key == "uses" and one == value.get("name"))}
