"""One workflow under construction: its steps, edges, definitions and state fields, and the bindings of a step.

What is chosen here keeps to the rules of `scene`, except where `wild()` says otherwise: a workflow has a small budget
of such liberties, so that most workflows stand close to the border between clean and not.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from tests.soundness import scene, shapes
from tests.soundness.scene import Env, Target
from tests.soundness.shapes import Json, chance
from tests.soundness.values import value

Loose = list[tuple[str, str, Env]]
Fits = Callable[[Json], bool]

ERROR_TEXTS = ("error.code", "error.message")
_OTHERS = ["node_output_invalid", "undeclared_outcome", "capability_unavailable"]
_ERROR: Json = {"type": "object", "properties": {"code": shapes.TEXT, "message": shapes.TEXT, "type": shapes.TEXT}}
_ERROR["required"] = ["code", "message"]


@dataclass
class Spice:
    """How many liberties are left, and how likely one is taken where it could be."""

    budget: int
    share: float = 0.08


@dataclass(frozen=True)
class Place:
    """Where in a workflow: how deep nesting may still go, and whether a region is around.

    `owned`: the state roots that may be replaced here, none for all; `shared`: those that siblings may write as well,
    by mergeable reducers; `private`: roots that this place has made for itself; `loops`: aliases around.
    """

    depth: int
    region: bool = False
    owned: frozenset[str] | None = None
    shared: frozenset[str] = frozenset()
    private: set[str] | None = None
    loops: tuple[str, ...] = ()

    def inside(self, **changes: Any) -> Place:
        return replace(self, depth=self.depth - 1, region=True, **changes)


class Flow:
    """The one mutable thing of the generator; functions here and in `steps` and `regions` add to it."""

    def __init__(self, rng: Random, spice: Spice, children: list[Json], counter: list[int]) -> None:
        self.rng = rng
        self.spice = spice
        self.children = children
        self.counter = counter
        self.steps: list[Json] = []
        self.edges: list[Json] = []
        self.defs: list[Json] = []
        self.fields: Json = {}
        self.inputs: Json = {}
        self.ends: list[tuple[str, Env]] = []
        self.writes: set[str] = set()
        self.region = ""
        self.around: dict[str, str] = {}

    def wild(self, more: float = 1) -> bool:
        """Whether to take a liberty now; so many times likelier where the occasion is rare."""
        if self.spice.budget <= 0 or not chance(self.rng, self.spice.share * more):
            return False
        self.spice.budget -= 1
        return True

    def name(self, stem: str) -> str:
        self.counter[0] += 1
        return f"{stem}{self.counter[0]}"

    def add(self, kind: str, /, **fields: Any) -> str:
        name = self.name(kind)
        self.steps.append({"id": name, "type": kind, **fields})
        self.around[name] = self.region
        return name

    def detour(self) -> None:
        """Lead one edge to another step of the same region: a jump ahead, or back."""
        within = [edge for edge in self.edges if self.around.get(edge["to"]) == self.around[edge["from"]]]
        if within:
            edge = self.rng.choice(within)
            there = [name for name, region in self.around.items() if region == self.around[edge["from"]]]
            # The first step is the first that was made; where it is come to again, its context is another.
            edge["to"] = there[0] if chance(self.rng, 0.3) else self.rng.choice(there)

    def step(self, name: str) -> Json:
        return next(step for step in self.steps if step["id"] == name)

    def wire(self, loose: Loose, target: str) -> None:
        self.edges += [{"from": step, "outcome": outcome, "to": target} for step, outcome, _ in loose]

    def meet(self, loose: Loose) -> Env:
        return scene.meet(self.fields, [env for _, _, env in loose])

    def settled(self, env: Env) -> Env:
        return scene.settled(self.fields, env)

    def new_field(self, schema: Json) -> Target:
        """Declare a further state field that takes values of the schema."""
        name = self.name("v")
        self.fields[name] = shapes.near(self.rng, schema) if self.wild() else shapes.wider(self.rng, schema)
        return Target(f"state.{name}", scene.bare(self.fields[name]), None)


# -- reading ----------------------------------------------------------------------------------------------------------


def anything(schema: Json) -> bool:
    return True


def nothing(schema: Json) -> bool:
    return False


def of_kind(*kinds: str) -> Fits:
    return lambda schema: shapes.is_kind(schema, *kinds)


def nearly(*kinds: str) -> Fits:
    """What may be of one of the kinds, and may be something else as well."""
    return lambda schema: shapes.may_be(schema, *kinds) and not shapes.is_kind(schema, *kinds)


def source(flow: Flow, env: Env, fits: Fits = anything, almost: Fits = nothing) -> tuple[Json, Json] | None:
    """What to read: half a binding, and the schema of what it gives; none when nothing fits.

    `almost`: what may be read instead as a liberty.
    """
    doubtful = [(path, schema) for path, schema in scene.readable(env) if almost(schema)]
    if doubtful and flow.wild(5):
        path, schema = flow.rng.choice(doubtful)
        return {"path": path}, schema
    if flow.wild():
        loose = _unsure(flow, env)
        if loose:
            return loose
    readable = scene.readable(env) + (scene.whole(env) if chance(flow.rng, 0.03) else [])
    found = [(path, schema) for path, schema in readable if fits(schema)]
    if not found:
        return None
    path, schema = flow.rng.choice(found)
    return {"path": path}, schema


def _unsure(flow: Flow, env: Env) -> tuple[Json, Json] | None:
    """A path that may be missing: unwritten state, an optional field, a key that nothing mentions, another context."""
    fields = [one for one in scene.targets(flow.fields) if one.path not in env]
    found = [(one.path, one.schema) for one in fields]
    found += [(f"input.{name}", schema) for name, schema in flow.inputs.items() if f"input.{name}" not in env]
    for path, schema in env.items():
        optional = schema.get("properties", {}).keys() - set(schema.get("required", ()))
        found += [(f"{path}.{name}", schema["properties"][name]) for name in sorted(optional)]
        if schema.get("type") == "object" and chance(flow.rng, 0.1):
            found.append((f"{path}.zz", {}))
    found.append(("input.zz", {}))
    if "context.prior_outcome" not in env:
        found += [("context.prior_outcome", shapes.TEXT)] * len(found)
    path, schema = flow.rng.choice(found)
    return {"path": path}, schema


def literal(flow: Flow, schema: Json) -> Json:
    return {"value": value(flow.rng, schema)}


def bind(flow: Flow, env: Env, target: str, schema: Json) -> Json:
    """A binding for a given target whose schema stands fixed: a path that is surely of that schema, or a literal."""
    found = None if chance(flow.rng, 0.3) else source(flow, env, lambda one: one == schema or not schema)
    return {"target": target, **(found[0] if found else literal(flow, schema))}


def inputs(flow: Flow, env: Env, most: int) -> tuple[list[Json], Json]:
    """Bindings, and the object schema that their target has."""
    bindings, properties = [], {}
    if chance(flow.rng, 0.05) and (found := source(flow, env, of_kind("object") if most < 3 else anything)):
        return [{"target": ".", **found[0]}], shapes.wider(flow.rng, found[1])
    for name in ("a", "b", "c")[: flow.rng.randint(0, most)]:
        found = source(flow, env) if chance(flow.rng, 0.8) else None
        if found is None:
            schema = shapes.schema(flow.rng, 1)
            found = literal(flow, schema), schema
        part, schema = found
        properties[name] = shapes.near(flow.rng, schema) if flow.wild() else shapes.wider(flow.rng, schema)
        bindings.append({"target": name, **part})
    if bindings and chance(flow.rng, 0.1):
        inner = properties.pop("a")
        properties["deep"] = {"type": "object", "properties": {"a": inner}, "required": ["a"]}
        bindings[0]["target"] = "deep.a"
    return bindings, _object(flow, properties)


def _object(flow: Flow, properties: Json) -> Json:
    made: Json = {"type": "object", "properties": properties}
    required = [name for name in properties if chance(flow.rng, 0.7)]
    if required:
        made["required"] = required
    if chance(flow.rng, 0.4):
        made["additionalProperties"] = False
    return _by_reference(flow, made)


def _by_reference(flow: Flow, made: Json) -> Json:
    """The schema with one of its properties behind a `$ref`, now and then."""
    names = sorted(made.get("properties", ()))
    if not names or not chance(flow.rng, 0.15):
        return made
    name = flow.rng.choice(names)
    moved = {**made["properties"], name: {"$ref": "#/$defs/it"}}
    return {**made, "properties": moved, "$defs": {"it": made["properties"][name]}}


# -- writing ----------------------------------------------------------------------------------------------------------


def may_write(flow: Flow, env: Env, place: Place, target: Target) -> bool:
    """Whether a write keeps the rules: ownership among siblings, parents that hold, nothing known made unknown."""
    own = place.owned is None or target.root in place.owned or target.root in (place.private or ())
    parent = flow.fields[target.root].get("reducer", "wf.std.replace")
    mergeable = target.reducer_name != "wf.std.replace" and (not target.nested or parent == "wf.std.replace")
    if not own and not (mergeable and target.root in place.shared):
        return False
    return not scene.spoils(env, target) and not scene.creates_badly(flow.fields, env, target)


def targets(flow: Flow, env: Env, place: Place, most: int) -> list[Target]:
    """Targets of one step; none lies inside another."""
    picked: list[Target] = []
    known = list(scene.targets(flow.fields))
    for _ in range(flow.rng.randint(0, most)):
        fitting = [one for one in known if may_write(flow, env, place, one)]
        if flow.wild(1 if place.owned is None else 3):
            fitting = [one for one in known if one not in fitting] or known
        fitting = [one for one in fitting if all(one.root != other.root for other in picked)]
        if fitting and chance(flow.rng, 0.8):
            picked.append(flow.rng.choice(fitting))
            flow.writes.add(picked[-1].path)
        else:
            picked.append(own_field(flow, place, shapes.schema(flow.rng, 1)))
    return picked


def own_field(flow: Flow, place: Place, schema: Json) -> Target:
    """A new field that this place may write without a conflict."""
    target = flow.new_field(schema)
    flow.writes.add(target.path)
    if place.private is not None:
        place.private.add(target.root)
    return target


def incoming(flow: Flow, target: Target) -> Json:
    made = scene.incoming(flow.rng, target)
    return shapes.near(flow.rng, made) if flow.wild() else made


def after(flow: Flow, env: Env, picked: list[Target]) -> Env:
    for target in picked:
        env = scene.written(flow.fields, env, target)
    return env


def caught(flow: Flow, place: Place, output: list[Json], bound: bool = True) -> tuple[list[Json], list[Target]]:
    """A `catch` entry, with a binding of the error into a text field."""
    codes = flow.rng.choice((["node_failed"], ["node_failed:Boom"], ["node_failed", "node_timeout"], _OTHERS))
    entries = [{"codes": codes, "outcome": "broke"}]
    if codes != _OTHERS and chance(flow.rng, 0.2):
        entries.append({"codes": list(_OTHERS), "outcome": "broke"})
    if not bound:
        return entries, []
    if chance(flow.rng, 0.2):
        target = own_field(flow, place, _ERROR)
        output.append({"source": "error", "target": target.path, "on": ["broke"]})
        return entries, [target]
    target = own_field(flow, place, shapes.TEXT)
    source = "error.type" if flow.wild() else flow.rng.choice(ERROR_TEXTS)
    output.append({"source": source, "target": target.path, "on": ["broke"]})
    return entries, [target]
