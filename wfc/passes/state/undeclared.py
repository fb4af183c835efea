"""Only declared state is written and made local: its root stands in `state_schema.properties` (reference 1.6, 2.6).

Guarantees to later phases: a write that is not reported here is to a place that some object may have, or to one inside
a value that is no object.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from wfc.diagnostics import Applicability, Code, Diagnostic, Fix, Place, Related, Severity
from wfc.ir import ForeachStep, ForkStep, NodeStep, Step, declarations, root_properties
from wfc.passes.examples import example
from wfc.passes.facts import Facts
from wfc.passes.facts.field_uses import FieldUses
from wfc.passes.graph.flow import Flow
from wfc.passes.repairs.patches import SAFE, UNSAFE, patch, put
from wfc.passes.spelling import Speller, alike, meant
from wfc.passes.values.access import Write
from wfc.records import dataclass
from wfc.source import pointer

UNDECLARED_STATE = Code(
    code="WF307",
    rule="undeclared-state",
    severity=Severity.ERROR,
    message="`{step}` {does} `{got}`, which `state_schema` does not {says}; expected {expected}",
    help="use a path that is declared, or declare `{got}` in the `properties` of `state_schema`",
    why=(
        "State is typed memory: what may be kept, and how a write meets what is there, is declared in one place. A "
        "path that is declared nowhere has no type and no reducer, and most often it is a declared one with a slip in "
        "it, so that the readers of the right one find nothing."
    ),
    example=example(
        """{"name": "size", "start": "count",
 "input_schema": {"type": "object", "properties": {"names": {"type": "array"}}, "required": ["names"]},
 "state_schema": {"type": "object", "properties": {"length": {"type": "integer"}}},
 "output_schema": {"type": "object", "properties": {"length": {"type": "integer"}}},
 "nodes": [{"id": "count", "type": "node", "node": "wf.std.count",
            "input": [{"target": "array", "path": "input.names"}],
            "output": [{"source": "count", "target": "state.lenght"}]}],
                                                     ^^^^^^^^^^^^^^
 "edges": [{"from": "count", "outcome": "ok", "to": "__end__"}]}
""",
        ("state.lenght", "state.length"),
    ),
)
CODES = (UNDECLARED_STATE,)
_SHOWN = 5

Parts = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Use:
    """A place at which a step names a state path that is not declared."""

    step: Step
    parts: Parts
    at: Place
    write: Write | None = None


def check(facts: Facts) -> Iterator[Diagnostic]:
    """Report each undeclared root once, at the first step that names it, and every other place by itself."""
    for flow in facts.flows:
        uses = facts.field_uses(flow)
        roots: dict[str, list[_Use]] = {}
        for parts, named in _named(flow, uses).items():
            if parts[0] not in uses.declared.roots:
                roots.setdefault(parts[0], []).extend(named)
            else:
                yield from (_inside(flow, uses, use) for use in named if _is_wrong(uses, use))
        speller = Speller(uses.declared.roots)
        order = {id(step): index for index, step in enumerate(flow.workflow.steps)} if roots else {}
        for root, named in roots.items():
            yield _root(flow, uses, root, sorted(named, key=lambda use: order[id(use.step)]), speller)


def _named(flow: Flow, uses: FieldUses) -> dict[Parts, list[_Use]]:
    """The state paths that are written, and those that are made local, where that may be wrong."""
    found: dict[Parts, list[_Use]] = {}
    for parts, writes in uses.paths.written.items():
        if len(parts) > 1 or parts[0] not in uses.declared.roots:
            found[parts] = [_Use(flow.steps[write.step], parts, write.at, write) for write in writes]
    for name in flow.reachable if uses.local else ():
        step = flow.steps[name]
        if isinstance(step, ForeachStep | ForkStep):
            for index, path in enumerate(step.locals):
                found.setdefault(path.parts, []).append(_Use(step, path.parts, step.at.below("locals", index)))
    return found


def _is_wrong(uses: FieldUses, use: _Use) -> bool:
    """Below a declared root a write may go wherever some object admits it; what is made local has to be declared."""
    return uses.refuses(use.parts) or (use.write is None and uses.is_unlisted(use.parts))


def _root(flow: Flow, uses: FieldUses, root: str, named: Sequence[_Use], speller: Speller) -> Diagnostic:
    first, *others = named
    names = speller.alike(root)
    local = any(use.write is None for use in named)
    return UNDECLARED_STATE.at(
        first.at,
        severity=Severity.WARNING if uses.declared.is_open(root) and not local else Severity.ERROR,
        related=tuple(Related("written" if use.write else "declared", use.at, "here too") for use in others[:_SHOWN]),
        fixes=tuple(_root_fixes(flow, uses, root, named, speller.meant(root))),
        hides=len(others),
        step=first.step.id,
        does="writes" if first.write else "makes local",
        says="declare",
        got=_shown(first.parts),
        expected=f"a declared path such as `state.{names[0]}`" if names else "a declared path",
        allowed=[f"state.{name}" for name in names],
    )


def _inside(flow: Flow, uses: FieldUses, use: _Use) -> Diagnostic:
    *above, last = use.parts
    known = _fields(uses, tuple(above))
    names, guess = alike(last, known), meant(last, known)
    return UNDECLARED_STATE.at(
        use.at,
        fixes=tuple(_inside_fixes(flow, uses, use, guess)),
        step=use.step.id,
        does="writes" if use.write else "makes local",
        says="admit" if uses.refuses(use.parts) else "declare",
        got=_shown(use.parts),
        expected=f"a place such as `{_shown((*above, names[0]))}`" if names else "a declared path",
        allowed=[_shown((*above, name)) for name in names],
    )


def _fields(uses: FieldUses, parts: Parts) -> list[str]:
    """The fields that are declared directly below a path."""
    found = (
        schema.get("properties") for _, schema in declarations(uses.declared.value, parts) if isinstance(schema, dict)
    )
    return list(dict.fromkeys(name for each in found if isinstance(each, dict) for name in each))


def _shown(parts: Sequence[str]) -> str:
    return ".".join(("state", *parts))


# -- fixes ------------------------------------------------------------------------------------------------------------


def _root_fixes(flow: Flow, uses: FieldUses, root: str, named: Sequence[_Use], guess: str | None) -> Iterator[Fix]:
    """A slip is put right; what others read or hand out by the same name was only never declared."""
    known = root in uses.outputs or root in uses.inputs
    wanted = known or any(parts[:1] == (root,) for parts in uses.read["state"])
    if guess is not None and not wanted:
        places = [(use.at, _shown((guess, *use.parts[1:]))) for use in named]
        yield put(f"Write `state.{guess}`", named[0].step, places)
        return
    yield _declared(flow, uses, root, named, SAFE if wanted and guess is None else UNSAFE)


def _inside_fixes(flow: Flow, uses: FieldUses, use: _Use, guess: str | None) -> Iterator[Fix]:
    """A slip is put right; what is used by that name below was only never declared."""
    *above, last = use.parts
    used = use.parts in uses.written or use.parts in uses.read["state"]
    if guess is not None and (use.write is not None or not used):
        yield put(f"Write `{guess}`", use.step, [(use.at, _shown((*above, guess)))])
        return
    holders = declarations(uses.declared.value, tuple(above))
    if uses.refuses(use.parts) or len(holders) != 1 or not root_properties(holders[0][1]):
        return
    place = flow.workflow.at.below("state_schema")
    added = {"op": "add", "path": place.pointer + holders[0][0] + pointer("properties", last), "value": {}}
    test = {"op": "test", "path": flow.workflow.at.below("start").pointer, "value": flow.workflow.start}
    yield patch(f"Declare `{_shown(use.parts)}`", place, [test, added], SAFE if used else UNSAFE)


def _declared(flow: Flow, uses: FieldUses, root: str, named: Sequence[_Use], applicability: Applicability) -> Fix:
    """The declaration, as narrow as the schema of the one source that is written."""
    place, schema = flow.workflow.at.below("state_schema"), uses.declared.value
    whole = [use.write for use in named if use.write is not None and len(use.parts) == 1]
    field = _schema_of(flow, whole[0]) if len(whole) == 1 else {}
    added = {"op": "add", "path": place.below("properties", root).pointer, "value": field}
    if not uses.declared.roots:
        added = {"op": "add", "path": place.pointer, "value": {**schema, "properties": {root: field}}}
    test = {"op": "test", "path": flow.workflow.at.below("start").pointer, "value": flow.workflow.start}
    return patch(f"Declare `state.{root}`", place, [test, added], applicability)


def _schema_of(flow: Flow, write: Write) -> Any:
    """What the definition's schema says of the source of a write, where that can stand by itself."""
    step = flow.steps[write.step]
    definition = flow.definitions.get(step.definition) if isinstance(step, NodeStep) else None
    if definition is None or not write.outcomes:
        return {}
    schema = definition.schema_of(write.outcomes[0])
    found = declarations(schema.value, write.source.parts)
    alone = len(found) == 1 and isinstance(found[0][1], dict) and "$ref" not in str(found[0][1])
    return found[0][1] if alone else {}
