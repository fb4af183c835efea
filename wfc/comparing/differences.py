"""What changed between two modules: contracts, reducers, definitions, steps, wiring.

Guarantees: two modules that mean the same have no difference, whatever their form, layout and spelling, and the order
of what has none (reference 4.1.1); two that do not have at least one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Literal

from wfc.frontend import reducer_words, type_words
from wfc.ir import END, Module, NodeDef, Step, Workflow, canonical
from wfc.records import dataclass, fields, replace

Kind = Literal["added", "removed", "changed", "renamed"]
# The words of a definition or step at its place.
Words = Callable[[Any], str]


@dataclass(frozen=True, slots=True)
class Change:
    """One difference: of which workflow, what it is about, its name there, and what it was and is, in words.

    `parts` are the keys of a step or definition that differ.
    """

    workflow: str
    what: str
    name: str
    kind: Kind
    old: str | None = None
    new: str | None = None
    parts: tuple[str, ...] = ()


def differences(old: Module, new: Module, old_words: Words, new_words: Words) -> tuple[Change, ...]:
    """Every difference, workflow by workflow."""
    made = _Comparison(old_words, new_words)
    return tuple(made.modules(old, new))


@dataclass(frozen=True, slots=True)
class _Comparison:
    old_words: Words
    new_words: Words

    def modules(self, old: Module, new: Module) -> Iterator[Change]:
        mine, theirs = _main(old), _main(new)
        pairs: list[tuple[Workflow | None, Workflow | None]] = []
        if mine is not None and theirs is not None:
            pairs.append((mine, theirs))
            if mine.name != theirs.name:
                yield Change(theirs.name, "workflow", "name", "renamed", mine.name, theirs.name)
        known = {one.name: one for one in new.workflows if one is not theirs}
        for one in old.workflows:
            if one is not mine or theirs is None:
                pairs.append((one, known.pop(one.name, None)))
        pairs += [(None, one) for one in known.values()]
        for before, after in pairs:
            if before is None or after is None:
                present = before or after
                assert present is not None
                yield Change(present.name, "workflow", present.name, "added" if before is None else "removed")
            else:
                yield from self.workflows(before, after)
        yield from _extra("", "module", old.extra, new.extra)

    def workflows(self, old: Workflow, new: Workflow) -> Iterator[Change]:
        name = new.name
        if old.desc != new.desc:
            yield Change(name, "description", "description", "changed", old.desc, new.desc)
        for word in ("input", "state", "output"):
            yield from _contract(name, word, getattr(old, f"{word}_schema").value, getattr(new, f"{word}_schema").value)
        if old.outcomes != new.outcomes:
            yield Change(name, "outcomes", "outcomes", "changed", ", ".join(old.outcomes), ", ".join(new.outcomes))
        yield from self._definitions(name, old.defs, new.defs)
        if old.start != new.start:
            yield Change(name, "start", "start", "changed", old.start, new.start)
        renamed = _renamed(old, new)
        yield from self._steps(name, old, new, renamed)
        yield from _wiring(name, old, new, renamed)
        yield from _extra(name, "workflow", old.extra, new.extra)

    def _definitions(self, workflow: str, old: Iterable[NodeDef], new: Iterable[NodeDef]) -> Iterator[Change]:
        before, after = ({one.name: one for one in several if one.written} for several in (old, new))
        for name in dict.fromkeys((*before, *after)):
            yield from self._thing(workflow, "definition", name, before.get(name), after.get(name))

    def _steps(self, workflow: str, old: Workflow, new: Workflow, renamed: Mapping[str, str]) -> Iterator[Change]:
        before = {renamed.get(step.id, step.id): step for step in old.steps}
        after = {step.id: step for step in new.steps}
        for was, now in renamed.items():
            yield Change(workflow, "step", now, "renamed", was, now)
        for name in dict.fromkeys((*before, *after)):
            if name not in renamed.values():
                yield from self._thing(workflow, "step", name, before.get(name), after.get(name))

    def _thing(self, workflow: str, what: str, name: str, old: Any, new: Any) -> Iterator[Change]:
        if old is None or new is None:
            was = None if old is None else self.old_words(old)
            now = None if new is None else self.new_words(new)
            yield Change(workflow, what, name, "added" if old is None else "removed", was, now)
        elif old != new or type(old) is not type(new):
            parts = _parts(old, new)
            yield Change(workflow, what, name, "changed", self.old_words(old), self.new_words(new), parts)


def _main(module: Module) -> Workflow | None:
    return None if module.main is None else module.workflows[module.main]


def _parts(old: Any, new: Any) -> tuple[str, ...]:
    """The fields in which two things differ."""
    if type(old) is not type(new):
        return ("type",)
    return tuple(one.name for one in fields(old) if one.compare and getattr(old, one.name) != getattr(new, one.name))


def _renamed(old: Workflow, new: Workflow) -> dict[str, str]:
    """Steps that are the same but for their ids."""
    before, after = ({step.id: step for step in one.steps} for one in (old, new))
    gone = [step for name, step in before.items() if name not in after]
    come = [step for name, step in after.items() if name not in before]
    made: dict[str, str] = {}
    for step in gone:
        same = [one for one in come if one.id not in made.values() and _alike(step, one)]
        if len(same) == 1:
            made[step.id] = same[0].id
    return made


def _alike(old: Step, new: Step) -> bool:
    return type(old) is type(new) and replace(old, id=new.id) == new


def _wiring(workflow: str, old: Workflow, new: Workflow, renamed: Mapping[str, str]) -> Iterator[Change]:
    before = {key: renamed.get(to, to) for key, to in _edges(old, renamed).items()}
    after = _edges(new, {})
    for key in dict.fromkeys((*before, *after)):
        was, now = before.get(key), after.get(key)
        if was == now:
            continue
        kind: Kind = "added" if key not in before else "removed" if key not in after else "changed"
        yield Change(workflow, "edge", f"{key[0]}.{key[1]}", kind, _target(was), _target(now))
    mine, theirs = ({(edge.source, edge.outcome): edge.extra for edge in one.edges if edge.extra} for one in (old, new))
    for source, outcome in dict.fromkeys((*mine, *theirs)):
        name = f"{source}.{outcome}"
        yield from _extra(workflow, name, mine.get((source, outcome), {}), theirs.get((source, outcome), {}))


def _edges(workflow: Workflow, renamed: Mapping[str, str]) -> dict[tuple[str, str], str]:
    made: dict[tuple[str, str], str] = {}
    for edge in workflow.edges:
        source = renamed.get(edge.source or "", edge.source or "?")
        made.setdefault((source, edge.outcome or "?"), edge.target or "?")
    return made


def _target(name: str | None) -> str | None:
    return "end ok" if name == END else name


def _extra(workflow: str, owner: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[Change]:
    for key in dict.fromkeys((*old, *new)):
        was = canonical(old[key]) if key in old else None
        now = canonical(new[key]) if key in new else None
        if was != now:
            kind: Kind = "added" if was is None else "removed" if now is None else "changed"
            yield Change(workflow, "note", f"{owner} {key}", kind, was, now)


# -- contracts --------------------------------------------------------------------------------------------------------


def _contract(workflow: str, word: str, old: Any, new: Any) -> Iterator[Change]:
    """The fields of a schema, and as a whole what no field says."""
    if canonical(old) == canonical(new):
        return
    mine, theirs = _fields(old), _fields(new)
    told = False
    for name in dict.fromkeys((*mine, *theirs)):
        for change in _field(workflow, word, name, mine.get(name), theirs.get(name)):
            told = True
            yield change
    if not told or canonical(_rest(old)) != canonical(_rest(new)):
        yield Change(workflow, "contract", word, "changed", type_words(old), type_words(new))


def _fields(schema: Any) -> dict[str, tuple[bool, Any]]:
    """Each field with whether it has to be there."""
    if not isinstance(schema, dict) or not isinstance(schema.get("properties"), dict):
        return {}
    required = schema.get("required")
    listed = required if isinstance(required, list) else []
    return {name: (name in listed, inner) for name, inner in schema["properties"].items()}


def _rest(schema: Any) -> Any:
    """A schema without its fields."""
    if not isinstance(schema, dict):
        return schema
    known = set(_fields(schema))
    required = schema.get("required")
    left = [name for name in required if name not in known] if isinstance(required, list) else None
    return {key: inner for key, inner in schema.items() if key not in ("properties", "required")} | {"required": left}


def _field(
    workflow: str, word: str, name: str, old: tuple[bool, Any] | None, new: tuple[bool, Any] | None
) -> Iterator[Change]:
    if old is None or new is None:
        kind: Kind = "added" if old is None else "removed"
        yield Change(workflow, "field", f"{word}.{name}", kind, _field_words(old), _field_words(new))
        return
    was, now = _reducer(old[1]), _reducer(new[1])
    if canonical(was) != canonical(now):
        names = [None if one is None else reducer_words(one) for one in (was, now)]
        yield Change(workflow, "reducer", f"{word}.{name}", "changed", names[0] or "replace", names[1] or "replace")
    before, after = (old[0], _unreduced(old[1])), (new[0], _unreduced(new[1]))
    if before[0] != after[0] or canonical(before[1]) != canonical(after[1]):
        yield Change(workflow, "field", f"{word}.{name}", "changed", _field_words(before), _field_words(after))


def _reducer(schema: Any) -> Any:
    return schema.get("reducer") if isinstance(schema, dict) else None


def _unreduced(schema: Any) -> Any:
    if not isinstance(schema, dict):
        return schema
    return {key: inner for key, inner in schema.items() if key != "reducer"}


def _field_words(field: tuple[bool, Any] | None) -> str | None:
    if field is None:
        return None
    required, schema = field
    plain = dict(schema) if isinstance(schema, dict) else schema
    default = ""
    if isinstance(plain, dict) and "default" in plain:
        default = f" = {canonical(plain.pop('default'))}"
    return f"{'' if required else 'optional '}{type_words(plain)}{default}"
