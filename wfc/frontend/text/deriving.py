"""What the text form says without words: outcomes by edges, schemas beside outcomes, types by the state (1.10)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wfc.frontend.text.build_clauses import Way
from wfc.frontend.text.build_steps import Statement
from wfc.frontend.text.build_types import Record, opened, put
from wfc.frontend.text.carried import carried, definitions
from wfc.frontend.text.parts import Part, an_array, an_object, moved
from wfc.frontend.text.write import bare_field
from wfc.frontend.text.write_edges import WORDS

_DERIVED = ("interrupt", "subgraph")


def _pairs(pair: tuple[tuple[str, str], ...]) -> list[tuple[int, str, str]]:
    (first, _), (second, _) = pair
    return [(0, first, second), (1, second, first)]


def derive(step: Part, read: Statement, ways: list[Part]) -> None:
    """What a step says by its edges and outcomes."""
    kind = step.value.get("type")
    if kind in _DERIVED and "outcomes" not in step.value and read.outcomes is None:
        caught = step.value.get("catch")
        names = [one.get("outcome") for one in caught if isinstance(one, dict)] if isinstance(caught, list) else []
        own = {way.value: way for way in reversed(ways) if way.value not in names}
        listed = [Part(name, *own[name].stretch) for name in dict.fromkeys(way.value for way in ways) if name in own]
        if listed:
            step.put("outcomes", an_array(listed, listed[0].start, listed[-1].end))
    if kind == "interrupt":
        schemas(read, "resume_schemas", 1)
    else:
        schemas(read, "outcome_schemas", 0)


# The outcomes of steps that have two ways, each with its other one.
_OTHER = {one: (other, place == 1) for pair in WORDS.values() for place, one, other in _pairs(pair)}


def in_order(step: Part, ways: list[Way]) -> list[Way]:
    """The ways on the line of a step, in the order of their outcomes where it has two."""
    order = [outcome for outcome, _ in _ways(step)]
    if len(ways) < 2 or {way.outcome.value for way in ways} != set(order):
        return ways
    return sorted(ways, key=lambda way: order.index(way.outcome.value))


def _ways(step: Part) -> tuple[tuple[str, str], ...]:
    kind = step.value.get("type") if isinstance(step.value, dict) else None
    return WORDS.get(kind, ()) if isinstance(kind, str) else ()


def is_half(step: Part, ways: list[Way]) -> bool:
    """Whether a step has two ways, of which its line names one and where that leads."""
    return bool(_ways(step)) and len(ways) == 1 and ways[0].outcome.value in _OTHER and not ways[0].target.is_next


def other_edge(way: Way, source: Part) -> tuple[Part, bool]:
    """The edge of the other outcome of a step that has two ways, still without a target; and whether it comes first."""
    outcome, comes_first = _OTHER[way.outcome.value]
    made = an_object(way.start, way.end)
    made.put("from", Part(source.value, *source.stretch, {}))
    made.put("outcome", Part(outcome, way.start, way.end))
    return made, comes_first


def schemas(statement: Statement, key: str, first: int) -> None:
    """The schemas of outcomes; with `first` 1 that of the first one is the step's own."""
    assert statement.part is not None or statement.outcomes is None
    found = [(name, schema) for name, schema in statement.outcomes or () if schema is not None]
    if not found or statement.part is None or statement.word is None:
        return
    clashes = statement.word.clashes
    listed = statement.outcomes or []
    if first and listed[0][1] is not None:
        name, schema = found.pop(0)
        put(statement.part, "resume_schema", schema, name.stretch, clashes)
    if found:
        listed_schemas = an_object(found[0][0].start, found[-1][1].end)
        for name, schema in found:
            put(listed_schemas, name.value, schema, name.stretch, clashes)
        put(statement.part, key, listed_schemas, listed_schemas.stretch, clashes)


def shape_sections(sections: Mapping[str, Part]) -> None:
    """In state nothing is required; a field of the output without a type has that of the state."""
    state, output = sections.get("state_schema"), sections.get("output_schema")
    if isinstance(state, Record):
        _forget_required(state)
    if not isinstance(output, Record) or state is None or not isinstance(state.value, dict):
        return
    known = state.value.get("properties")
    fields = output.inside.get("properties")
    if not isinstance(known, dict) or fields is None:
        return
    for name in output.bare:
        if name in known:
            at = fields.inside[name]
            copied = moved(Part(bare_field(known[name]), *at.stretch), at.stretch)
            fields.put(name, copied, at.key)
    _carry(output, [fields.value[name] for name in output.bare if name in known], state)


def _carry(output: Record, types: list[Any], state: Part) -> None:
    """The named types that fields of the output have from the state come along."""
    found = carried(types, definitions(state.value), definitions(output.value))
    if not found:
        return
    own = output.inside.get("$defs") or an_object(*output.stretch)
    if not isinstance(own.value, dict):
        return
    own = own if own.inside is not None else opened(own)
    for name, schema in found.items():
        own.put(name, moved(Part(schema, *output.stretch), output.stretch))
    output.put("$defs", own, own.key)


def _forget_required(state: Record) -> None:
    required = state.inside.get("required")
    if required is not None and required.inside is not None and required.key is None:
        state.take("required")
