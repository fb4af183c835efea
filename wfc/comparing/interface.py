"""Whether a workflow can take the place of another one: what it takes, gives, ends with and does outside.

Guarantees: `kept` is true only where it is proved, false only with a reason; a reason names the field, outcome or
definition, and where there is one a value that shows it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from wfc.ir import InterruptStep, Linked, Module, NodeDef, NodeStep, Schema, SubgraphStep, Workflow, canonical
from wfc.ir.std import SOURCE
from wfc.passes import covers
from wfc.records import dataclass

# What a repeated call would do, the mildest first (reference 2.9).
LEVELS = ("pure", "read", "idempotent", "write")


@dataclass(frozen=True, slots=True)
class Aspect:
    """One side of an interface; `kept` none: neither is proved."""

    name: str
    kept: bool | None
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Interface:
    """All sides of it."""

    aspects: tuple[Aspect, ...]

    @property
    def kept(self) -> bool | None:
        kept = [aspect.kept for aspect in self.aspects]
        return False if False in kept else None if None in kept else True


def interface(old: Module, new: Module) -> Interface:
    """Whether the main workflow of `new` keeps the interface of that of `old`; both have one."""
    assert old.main is not None and new.main is not None
    mine, theirs = old.workflows[old.main], new.workflows[new.main]
    return Interface(
        (
            _input(mine, theirs),
            _output(mine, theirs),
            _outcomes(mine, theirs),
            _effects(old, new, mine, theirs),
        )
    )


def _input(old: Workflow, new: Workflow) -> Aspect:
    """Whatever could be given can still be given: fields that the old schema lists."""
    found = covers(new.input_schema, _listed(old.input_schema))
    if found.holds:
        return Aspect("input", True)
    reasons = list(_narrower(old.input_schema, new.input_schema, "input"))
    if found.witness is not None:
        reasons.append(f"{_shown(found.witness[0])} was taken, and is refused now")
    return Aspect("input", found.holds, tuple(reasons) or ("the new schema may refuse what the old one takes",))


def _output(old: Workflow, new: Workflow) -> Aspect:
    """Whatever is given could be given before."""
    found = covers(old.output_schema, _listed(new.output_schema))
    lost = [name for name in _properties(old.output_schema) if name not in _properties(new.output_schema)]
    reasons = [f"`output.{name}` is not given any more" for name in lost]
    if found.holds and not lost:
        return Aspect("output", True)
    reasons += _narrower(new.output_schema, old.output_schema, "output")
    if found.witness is not None:
        reasons.append(f"{_shown(found.witness[0])} could not come before, and can now")
    kept = False if lost else found.holds
    return Aspect(
        "output", kept, tuple(dict.fromkeys(reasons)) or ("the new schema may give what the old one did not",)
    )


def _narrower(wide: Schema, narrow: Schema, word: str) -> Iterator[str]:
    """The fields by which a schema refuses what another one admits."""
    mine, theirs = wide.value, narrow.value
    if not isinstance(mine, dict) or not isinstance(theirs, dict):
        return
    before = mine.get("required") or ()
    for name in theirs.get("required") or ():
        if name not in before:
            told = "has to be given now" if word == "input" else "may be missing now"
            yield f"`{word}.{name}` {told}"
    fields, others = _properties(wide), _properties(narrow)
    for name in fields:
        if (
            name in others
            and covers(Schema.of(_rooted(narrow, others[name])), Schema.of(_rooted(wide, fields[name]))).holds is False
        ):
            told = "takes less than before" if word == "input" else "can be something else than before"
            yield f"`{word}.{name}` {told}"
    if theirs.get("additionalProperties") is False:
        for name in fields:
            if name not in others:
                yield f"`{word}.{name}` {'is no field any more' if word == 'input' else 'is a new field'}"


def _rooted(schema: Schema, inner: Any) -> Any:
    """A field's schema by itself, with the named types of its root."""
    defs = schema.value.get("$defs")
    return {**inner, "$defs": defs} if isinstance(inner, dict) and defs is not None and "$defs" not in inner else inner


def _properties(schema: Schema) -> dict[str, Any]:
    value = schema.value
    found = value.get("properties") if isinstance(value, dict) else None
    return found if isinstance(found, dict) else {}


def _listed(schema: Schema) -> Schema:
    """A schema without fields that it does not list: nobody counts on these, and an output never has them."""
    value = schema.value
    if not isinstance(value, dict) or not _properties(schema) or "additionalProperties" in value:
        return schema
    return Schema.of({**value, "additionalProperties": False})


def _outcomes(old: Workflow, new: Workflow) -> Aspect:
    """No outcome that the old one does not have."""
    come = [name for name in new.outcomes if name not in old.outcomes]
    gone = [name for name in old.outcomes if name not in new.outcomes]
    reasons = [f"`{name}` is a new outcome, which no caller has wired" for name in come]
    reasons += [f"`{name}` is no outcome any more; an edge for it can be taken out" for name in gone]
    return Aspect("outcomes", not come, tuple(reasons))


# -- effects ----------------------------------------------------------------------------------------------------------


def _effects(old: Module, new: Module, mine: Workflow, theirs: Workflow) -> Aspect:
    """Nothing outside is touched more than before, and nobody is asked who was not."""
    before, after = _Done(old, mine), _Done(new, theirs)
    worst = max((LEVELS.index(level) for level in before.calls.values()), default=0)
    reasons = [
        f"`{name}` has the effect `{level}`; the old workflow had at most `{LEVELS[worst]}`"
        for name, level in after.calls.items()
        if LEVELS.index(level) > worst
    ]
    reasons += [f"it waits for an answer to `{kind}` now" for kind in after.asks if kind not in before.asks]
    return Aspect("effects", not reasons, tuple(reasons))


class _Done:
    """What a workflow and its children call, with the effect of each, and which kinds of question they ask."""

    def __init__(self, module: Module, root: Workflow) -> None:
        self.calls: dict[str, str] = {}
        self._catalogue = module.catalogue
        self.asks: list[str] = []
        waiting, seen = [root], {root.name}
        for workflow in waiting:
            definitions = {one.name: one for one in reversed(workflow.defs)}
            for step in workflow.steps:
                if isinstance(step, NodeStep) and step.definition in definitions:
                    self._called(definitions[step.definition])
                elif isinstance(step, InterruptStep) and step.kind not in self.asks:
                    self.asks.append(step.kind)
                elif isinstance(step, SubgraphStep) and isinstance(step.link, Linked):
                    child = module.workflows[step.link.index]
                    if child.name not in seen:
                        seen.add(child.name)
                        waiting.append(child)

    def _called(self, definition: NodeDef) -> None:
        known = self._catalogue.effects(definition.uses, definition.effects)
        level = known or ("pure" if definition.uses.source == SOURCE else "write")
        self.calls[str(definition.uses)] = level


def _shown(value: Any) -> str:
    text = canonical(value)
    return f"`{text if len(text) <= 60 else text[:57] + '...'}`"
