"""What definitions call is there: known to the configuration, allowed by it, and in the lock as it was locked.

Reference 1.3, 3.2, 4.2. Only configuration and lock are asked, so that the answer is the same everywhere. Names without
a dot belong to handlers, and built-ins need no lock.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from wfc.diagnostics import Code, Diagnostic, Fix, Place, Severity
from wfc.ir import Catalogue, KnownSource, NodeDef, std
from wfc.passes.examples import example
from wfc.passes.facts import Facts
from wfc.passes.graph.calls import called
from wfc.passes.repairs.patches import UNSAFE, patch
from wfc.passes.spelling import Speller, quoted

_SOURCE: Mapping[str, Any] = {"kind": "mcp", "command": "notes-server"}
_SCHEMA = {"type": "object", "properties": {"folder": {"type": "string"}}, "required": ["folder"]}
_LISTED = {"input_schema": _SCHEMA, "outcomes": ["ok"], "effects": "read"}
_KNOWN: Mapping[str, Any] = {"sources": {"notes": _SOURCE}, "lock": {"notes": {"list": _LISTED}}}
_DOCUMENT = """{"name": "tidy", "start": "look",
 "input_schema": {"type": "object", "properties": {"folder": {"type": "string"}}, "required": ["folder"]},
 "node_defs": [{"name": "files", "uses": "notes.list", "outcomes": ["ok"]}],
                                         ^^^^^^^^^^^^
 "nodes": [{"id": "look", "type": "node", "node": "files", "input": [{"target": "folder", "path": "input.folder"}]}],
 "edges": [{"from": "look", "outcome": "ok", "to": "__end__"}]}
"""

UNKNOWN_CAPABILITY = Code(
    code="WF710",
    rule="unknown-capability",
    severity=Severity.ERROR,
    message="`{definition}` calls `{got}`, and {problem}; expected {expected}",
    help="name a capability of a configured source; `wfc tools list` shows them, `wfc tools lock` looks again",
    why=(
        "A definition names what answers its calls, and the configuration says where that is. What neither it nor the "
        "lock knows cannot be called, so that the workflow would fail before its first step."
    ),
    example=example(
        _DOCUMENT.replace('"notes.list"', '"notes.lst"').replace("^^^^^^^^^^^^", "^^^^^^^^^^^"),
        ('"notes.lst"', '"notes.list"'),
        config=_KNOWN,
    ),
)
NOT_LOCKED = Code(
    code="WF711",
    rule="not-locked",
    severity=Severity.WARNING,
    message="`{definition}` calls `{got}`, which is not in the lock; expected {expected}",
    help="run `wfc tools lock`, and keep `wfc.lock.json` with the workflow",
    why=(
        "The lock says what a capability takes and gives, without asking its source. What is not in it is judged by "
        "what the definition claims, which nobody compared with the source, and a change there goes unnoticed."
    ),
    unrepaired="the document is as it should be; `wfc lock` writes the entry",
    example=example(_DOCUMENT, config={"sources": {"notes": _SOURCE}}, mended=_KNOWN),
)
LOCK_DRIFT = Code(
    code="WF712",
    rule="lock-drift",
    severity=Severity.ERROR,
    message="`{definition}` calls `{got}`, whose lock entry does not hold: {problem}; expected {expected}",
    help="look at what has changed, then run `wfc tools lock` to accept it",
    why=(
        "Workflows are judged by what the lock says of a capability. Where its source says something else by now, or "
        "the entry is not what was locked, that judgement is worth nothing."
    ),
    unrepaired="the document is as it should be; `wfc lock` takes over what the source offers now, once that "
    "was looked at",
    example=example(
        _DOCUMENT,
        config={"sources": {"notes": _SOURCE}, "lock": {"notes": {"list": {**_LISTED, "hash": "sha256:0"}}}},
        mended=_KNOWN,
    ),
)
CAPABILITY_DENIED = Code(
    code="WF714",
    rule="capability-denied",
    severity=Severity.ERROR,
    message="`{definition}` calls `{got}`, which the configuration of `{source}` does not allow; expected {expected}",
    help="call something that is allowed, or change `allow` and `deny` of `[sources.{source}]` if it is to be called",
    why=(
        "The rules of a source are where the owner of a machine says what workflows may do there. A workflow cannot "
        "change them, and a call that they forbid is never made."
    ),
    unrepaired="what a source may be used for is decided in its configuration, not by the workflow",
    example=example(
        _DOCUMENT.replace('"notes.list"', '"notes.delete"').replace("^^^^^^^^^^^^", "^^^^^^^^^^^^^^"),
        ('"notes.delete"', '"notes.list"'),
        config={
            "sources": {"notes": {**_SOURCE, "deny": ["delete*"]}},
            "lock": {"notes": {"list": _LISTED, "delete": {**_LISTED, "effects": "write"}}},
        },
    ),
)
_SHOWN = 5
CODES = (UNKNOWN_CAPABILITY, NOT_LOCKED, LOCK_DRIFT, CAPABILITY_DENIED)
# Without a configuration that names sources these cannot be asked (reference 3.2).
NEED_SOURCES = ("WF710 unknown-capability", "WF711 not-locked")


def check(facts: Facts) -> Iterator[Diagnostic]:
    """Report each definition that a reachable step calls, once; and those that are nothing without the lock.

    What the built-in source has is known without a configuration.
    """
    catalogue = facts.module.catalogue
    for flow in facts.flows:
        used = called(flow)
        bare = [one for one in flow.definitions.values() if not one.outcomes and one not in used]
        for definition in (*used, *bare):
            source, key = definition.uses.source, definition.uses.capability_key
            if source == std.SOURCE and key not in std.BY_KEY:
                yield _unknown(definition, f"`{std.SOURCE}` has no `{key}`", list(std.BY_NAME))
            if source is None or source == std.SOURCE or not catalogue.sources:
                continue
            known = catalogue.sources.get(source)
            found = _unknown_source(catalogue, definition) if known is None else _judged(known, key, definition)
            if found is not None:
                yield found


def _judged(known: KnownSource, key: str, definition: NodeDef) -> Diagnostic | None:
    """What is wrong with a capability of a configured source: the first of what can be."""
    name, got = definition.name, str(definition.uses)
    if not known.allows(key):
        expected = "one that is allowed"
        return CAPABILITY_DENIED.at(_place(definition), definition=name, got=got, source=known.name, expected=expected)
    if key in known.drift:
        expected = "the entry as `wfc tools lock` writes it"
        return LOCK_DRIFT.at(_place(definition), definition=name, got=got, problem=known.drift[key], expected=expected)
    if key in known.contracts:
        return None
    if known.names is None or key in known.names:
        expected = "an entry that `wfc tools lock` writes"
        if definition.outcomes:
            return NOT_LOCKED.at(_place(definition), definition=name, got=got, expected=expected)
        # Neither the definition nor the lock says what it can end with, so that nothing can be wired or run.
        return NOT_LOCKED.at(
            _place(definition),
            severity=Severity.ERROR,
            help="run `wfc tools lock`, or declare `outcomes` and the schemas",
            definition=name,
            got=got,
            expected=expected,
        )
    others = [f"{known.name}.{one}" for one in known.names if known.allows(one)]
    return _unknown(definition, f"`{known.name}` had no `{key}` when it was locked", others)


def _unknown_source(catalogue: Catalogue, definition: NodeDef) -> Diagnostic:
    """Of a source that is not configured: a slip of its name is the one before the dot."""
    source, key = str(definition.uses.source), definition.uses.capability_key
    near = Speller(catalogue.sources).meant(source)
    problem = f"no source `{source}` is configured"
    if near is not None:
        return _unknown(definition, problem, [f"{near}.{key}"])
    named = [contract.name for contract in catalogue.contracts()]
    return _unknown(definition, problem, named) if named else _unlocked(definition, problem, list(catalogue.sources))


def _unlocked(definition: NodeDef, problem: str, sources: list[str]) -> Diagnostic:
    """Nothing is locked, so that only the names of sources are known."""
    return UNKNOWN_CAPABILITY.at(
        _place(definition),
        definition=definition.name,
        got=str(definition.uses),
        problem=problem,
        expected=f"a capability of {quoted(sources[:_SHOWN])}",
        allowed=sources,
    )


def _unknown(definition: NodeDef, problem: str, names: list[str]) -> Diagnostic:
    """`names` are capabilities to take instead; where one is surely meant, it is put there."""
    written = str(definition.uses)
    speller = Speller(names)
    guess = speller.meant(written)
    alike = speller.alike(written)
    return UNKNOWN_CAPABILITY.at(
        _place(definition),
        fixes=() if guess is None else (_renamed(definition, guess),),
        definition=definition.name,
        got=written,
        problem=problem,
        expected=f"a capability such as {quoted(alike[:1])}" if alike else "one that is there",
        allowed=alike,
    )


def _renamed(definition: NodeDef, name: str) -> Fix:
    """Call another capability. A definition that is named by its capability keeps its name, which steps use."""
    test = {"op": "test", "path": definition.at.below("name").pointer, "value": definition.name}
    put = {"op": "add", "path": definition.at.below("uses").pointer, "value": name}
    return patch(f"Call `{name}`", definition.at, [test, put], UNSAFE)


def _place(definition: NodeDef) -> Place:
    """Where a definition names its capability: in `uses`, else it is its name."""
    return definition.at.below("name" if definition.name == str(definition.uses) else "uses")
