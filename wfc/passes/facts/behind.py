"""The capability behind a definition, as far as it is known without asking anybody (reference 1.3, 4.2).

Known are the built-in nodes and what the lock knows; an entry of the lock that does not hold says nothing.
"""

from __future__ import annotations

from wfc.ir import Catalogue, Contract, NodeDef, NodeStep, std
from wfc.passes import types
from wfc.passes.facts.facts import Facts
from wfc.passes.graph.flow import Flow
from wfc.passes.types import Type
from wfc.passes.types.fields import lists_fields, required_fields

Known = std.Builtin | Contract


def known_behind(catalogue: Catalogue, definition: NodeDef) -> Known | None:
    """What is known of the capability that a definition uses."""
    source, key = definition.uses.source, definition.uses.capability_key
    if source == std.SOURCE:
        return std.BY_KEY.get(key)
    locked = catalogue.sources.get(source) if source is not None else None
    return None if locked is None or key in locked.drift else locked.contracts.get(key)


def harmless(definition: NodeDef, effects: str) -> str:
    """How to say that a call does less than its source claims: the configuration wins over the lock."""
    uses = definition.uses
    line = f'effects."{uses.capability_key}" = "{effects}"'
    return f"where `{uses}` does no more than that, write `{line}` in `[sources.{uses.source}]` of the configuration"


def unmentioned(asked: Type, offered: Type) -> tuple[str, ...]:
    """The fields that objects of `asked` must have and that `offered` lists nowhere, nor says to admit."""
    if not lists_fields(offered):
        return ()
    found = ((name, types.field(offered, name)) for name in required_fields(asked))
    return tuple(name for name, one in found if not one.listed and one.further == "silent")


def never_given(facts: Facts, flow: Flow, definition: NodeDef, known: Known) -> tuple[str, ...]:
    """What a capability requires, its definition does not mention and no step binds, so that it refuses each call."""
    lacking = unmentioned(types.of(known.input), types.of(definition.input_schema))
    return tuple(name for name in lacking if not _is_bound(facts, flow, definition, name)) if lacking else ()


def _is_bound(facts: Facts, flow: Flow, definition: NodeDef, name: str) -> bool:
    accesses = facts.values.solver(flow).accesses
    users = (one for one in flow.reachable if _uses(flow, one, definition))
    return any(argument.target.parts[:1] in ((), (name,)) for one in users for argument in accesses[one].arguments)


def _uses(flow: Flow, name: str, definition: NodeDef) -> bool:
    step = flow.steps[name]
    return isinstance(step, NodeStep) and step.definition == definition.name
