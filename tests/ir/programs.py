"""Strategies for programs that the verifier accepts, made from the shapes; so a new instruction is in them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from hypothesis import strategies as st

from wfc.ir import (
    END,
    Activation,
    Arm,
    Block,
    Call,
    Commit,
    Compare,
    Condition,
    Definition,
    Every,
    Exists,
    Fork,
    Not,
    Program,
    Routine,
    Some,
    Value,
    canonical,
)
from wfc.ir.consistency import BODIES
from wfc.ir.shapes import (
    Choice,
    Field,
    Json,
    Many,
    Number,
    Path,
    Record,
    Reference,
    Shape,
    Source,
    Table,
    Text,
    shape_of,
)
from wfc.paths import GRAPH_ROOTS, GraphSourcePath, LocalPath, StatePath

segments = st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,5}", fullmatch=True)
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
names = st.sampled_from(["ok", "a", "on", "as", "__end__", "node_failed:quota", "notes/list.files", "x-owner"]) | texts
numbers = st.integers() | st.sampled_from([10**22, 1, 1.0]) | st.floats(allow_nan=False, allow_infinity=False)
jsons = st.recursive(
    st.none() | st.booleans() | numbers | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)
parts = st.lists(segments, max_size=3).map(tuple)
graph_paths = st.builds(GraphSourcePath, st.sampled_from(GRAPH_ROOTS), parts)
state_paths = st.builds(StatePath, st.lists(segments, min_size=1, max_size=3).map(tuple))
operands = graph_paths | st.builds(Value, jsons)
PATHS = {GraphSourcePath: graph_paths, StatePath: state_paths, LocalPath: st.builds(LocalPath, parts)}

leaves = st.builds(Exists, graph_paths) | st.builds(Compare, st.sampled_from(["eq", "le"]), operands, operands)
trees = st.recursive(
    leaves,
    lambda inner: (
        st.tuples(st.just("not"), st.tuples(inner))
        | st.tuples(st.sampled_from(["and", "or"]), st.lists(inner, min_size=1, max_size=3).map(tuple))
    ),
    max_leaves=6,
)


def flat(tree: Any) -> tuple[Any, ...]:
    """The entries of a condition, operands before operators."""
    entries: list[Any] = []

    def add(node: Any) -> int:
        if isinstance(node, tuple):
            operator, inner = node
            at = tuple(add(each) for each in inner)
            node = Not(at[0]) if operator == "not" else Every(at) if operator == "and" else Some(at)
        entries.append(node)
        return len(entries) - 1

    add(tree)
    return tuple(entries)


conditions = trees.map(flat).map(Condition)


@dataclass(frozen=True)
class Surroundings:
    """What the parts of a routine may refer to, by annotation name, and what stands for a whole class or field."""

    references: Mapping[str, st.SearchStrategy[Any]]
    made: Mapping[Any, st.SearchStrategy[Any]]


def values(shape: Shape, around: Surroundings) -> st.SearchStrategy[Any]:
    match shape:
        case Record(type_):
            return around.made[type_] if type_ in around.made else record(shape, around)
        case Choice():
            return st.one_of([values(each, around) for each in shape.by_type.values()])
        case Many(Record(type_) as item) if type_ in (Arm, Activation):
            return st.lists(values(item, around), max_size=3, unique_by=lambda each: each.outcome).map(tuple)
        case Many(item):
            return st.lists(values(item, around), max_size=3).map(tuple)
        case Table(item):
            return st.dictionaries(names, values(item, around), max_size=3)
        case Path(type_):
            return PATHS[type_]
        case Source():
            return operands
        case Text(allowed):
            return st.sampled_from(allowed) if allowed else names
        case Reference(to):
            return around.references[to]
        case Number(types):
            return st.integers() if types == (int,) else numbers
        case Json():
            return jsons


def record(shape: Record, around: Surroundings) -> st.SearchStrategy[Any]:
    def field_of(field: Field) -> st.SearchStrategy[Any]:
        if (shape.type, field.name) in around.made:
            return around.made[shape.type, field.name]
        return st.none() | values(field.shape, around) if field.optional else values(field.shape, around)

    return st.builds(shape.type, **{field.name: field_of(field) for field in shape.fields})


def definition(made: Definition) -> Definition:
    first, *others = dict.fromkeys((*made.outcomes, "ok"))
    return replace(made, outcomes=(first, *sorted(others)))


@st.composite
def blocks(draw: Callable[..., Any], labels: list[str], around: Surroundings) -> tuple[Block, ...]:
    kinds = {label: draw(st.sampled_from(list(BODIES))) for label in labels}
    joins = [label for label, kind in kinds.items() if kind == "join"]
    kinds = {label: "join" if kind == "fork" and not joins else kind for label, kind in kinds.items()}
    made = {**around.made, (Fork, "join"): st.sampled_from(joins) if joins else st.nothing()}
    around = replace(around, made=made)
    return tuple(draw(block(label, kind, around)) for label, kind in kinds.items())


@st.composite
def block(draw: Callable[..., Any], label: str, kind: str, around: Surroundings) -> Block:
    types = [type_ for type_ in BODIES[kind] if type_ is not Commit or draw(st.booleans())]
    body = [draw(record(shape_of(type_), around)) for type_ in types]
    own = {(Block, name): st.just(each) for name, each in (("id", label), ("kind", kind), ("body", tuple(body[:-1])))}
    made = {**around.made, **own, (Block, "end"): st.just(body[-1])}
    return draw(record(shape_of(Block), replace(around, made=made)))


@st.composite
def routines(draw: Callable[..., Any], references: dict[str, Any]) -> Routine:
    labels = draw(st.lists(names.filter(lambda name: name != END), min_size=1, max_size=4, unique=True))
    around = Surroundings({**references, "Label": st.sampled_from([*labels, END])}, {Condition: conditions})
    found = draw(st.lists(record(shape_of(Definition), around).map(definition), min_size=1, max_size=2))
    definitions = sorted({each.name: each for each in found}.values(), key=lambda each: each.name)
    calls = {(Call, "definition"): st.sampled_from([each.name for each in definitions])}
    made = {
        **around.made,
        (Routine, "start"): st.sampled_from(labels),
        (Routine, "definitions"): st.just(tuple(definitions)),
        (Routine, "blocks"): blocks(labels, replace(around, made={**around.made, **calls})),
    }
    return draw(record(shape_of(Routine), replace(around, made=made)))


@st.composite
def programs(draw: Callable[..., Any]) -> Program:
    schemas = draw(st.lists(jsons, min_size=1, max_size=4, unique_by=canonical))
    count = draw(st.integers(1, 3))
    made: list[Routine] = []
    for index in range(count):
        # A routine enters later ones only, so that none contains itself.
        later = st.sampled_from(range(index + 1, count)) if index + 1 < count else st.nothing()
        one = draw(routines({"SchemaIndex": st.sampled_from(range(len(schemas))), "RoutineIndex": later}))
        made.append(replace(one, name=f"{one.name}:{index}") if one.name in {each.name for each in made} else one)
    extra = draw(st.none() | st.dictionaries(names, jsons, max_size=2))
    return Program(made[0].name, tuple(made), tuple(schemas), extra)
