"""Workflows of all features whose schemas matter, made from one random stream: `workflow(rng)` gives a module.

Most of them are meant to be clean; the others take a liberty or two of which the compiler has to judge.
"""

from __future__ import annotations

from random import Random

from tests.soundness import flow as building
from tests.soundness import regions, scene, shapes
from tests.soundness.flow import Flow, Place, Spice
from tests.soundness.scene import Env
from tests.soundness.shapes import Json, chance
from tests.soundness.values import value

_BUDGETS = (0, 0, 0, 1, 1, 1, 1, 2, 2, 3)


def workflow(rng: Random, *, depth: int = 2, budget: int | None = None) -> Json:
    """A module document whose main workflow contains the others."""
    spice = Spice(rng.choice(_BUDGETS) if budget is None else budget)
    flow = Flow(rng, spice, [], [0])
    given = [(f"in{index}", shapes.schema(rng, 2)) for index in range(rng.randint(1, 4))]
    made = _filled(flow, given, depth, sure=False)
    return {"main": made["name"], "workflows": [made, *flow.children]}


def child(parent: Flow, env: Env, depth: int) -> tuple[Json, list[Json]]:
    """A further workflow, and the bindings with which its parent starts it."""
    flow = Flow(parent.rng, parent.spice, parent.children, parent.counter)
    given, bindings = [], []
    for index in range(parent.rng.randint(0, 2)):
        found = building.source(parent, env)
        if found is None:
            break
        part, schema = found
        name = f"in{index}"
        given.append((name, shapes.near(parent.rng, schema) if parent.wild() else schema))
        bindings.append({"target": name, **part})
    made = _filled(flow, given, depth, sure=True)
    parent.children.append(made)
    return made, bindings


def _filled(flow: Flow, given: list[tuple[str, Json]], depth: int, *, sure: bool) -> Json:
    rng = flow.rng
    for _ in range(rng.randint(2, 5)):
        stem, schema = scene.field(rng, flow.wild())
        flow.fields[flow.name(stem)] = schema
    input_schema, env = _inputs(flow, given, sure)
    # A seed replaces what defaults have filled, and what stood inside it.
    seeded = tuple(f"state.{name}." for name in flow.inputs)
    env["context.retry_count"] = {"type": "integer", "minimum": 0}
    env |= {path: one for path, one in scene.initial(flow.fields).items() if not path.startswith(seeded)}
    start, loose = regions.sequence(flow, env, Place(depth))
    if loose:
        regions.end(flow, loose)
    if flow.wild(3):
        flow.detour()
    return {
        "name": flow.name("flow"),
        "input_schema": input_schema,
        "state_schema": _disguised(rng, flow.fields),
        "output_schema": _output(flow),
        "outcomes": _outcomes(flow),
        "node_defs": flow.defs,
        "start": start,
        "nodes": flow.steps,
        "edges": flow.edges,
    }


def _disguised(rng: Random, fields: Json) -> Json:
    """The state schema, some of whose fields stand behind a `$ref` or in an `allOf`, which changes nothing."""
    made: Json = {"type": "object", "properties": dict(fields)}
    for name in fields if chance(rng, 0.3) else ():
        own = {key: held for key, held in fields[name].items() if key in ("reducer", "default")}
        rest = {key: held for key, held in fields[name].items() if key not in own}
        way = rng.randrange(6)
        if way == 0:
            made["properties"][name] = {"$ref": f"#/$defs/{name}", **own}
            made.setdefault("$defs", {})[name] = rest
        elif way == 1:
            made["properties"][name] = {"allOf": [rest], **own}
        elif way == 2:
            made["properties"][name] = {"allOf": [{**rest, **own}]}
    return made


def _inputs(flow: Flow, given: list[tuple[str, Json]], sure: bool) -> tuple[Json, Env]:
    """The input schema, and what of it can surely be read; some inputs seed a state field."""
    rng, env = flow.rng, {}
    properties: Json = {}
    required = []
    for name, schema in given:
        properties[name] = schema
        if sure or chance(rng, 0.7):
            required.append(name)
        elif chance(rng, 0.5):
            properties[name] = {**schema, "default": value(rng, schema)}
    seeded = rng.choice(sorted(flow.fields))
    if not sure and chance(rng, 0.25):
        schema = scene.declared(flow.fields, f"state.{seeded}")
        properties[seeded] = shapes.near(rng, schema) if flow.wild() else shapes.narrower(rng, schema)
        required += [seeded] * chance(rng, 0.6)
    for name, schema in properties.items():
        if name in required or "default" in schema:
            env[f"input.{name}"] = scene.bare(schema)
            if name in flow.fields:
                env[f"state.{name}"] = scene.declared(flow.fields, f"state.{name}")
    flow.inputs = {name: scene.bare(schema) for name, schema in properties.items()}
    made: Json = {"type": "object", "properties": properties, "required": required}
    if chance(rng, 0.3):
        made["additionalProperties"] = rng.choice((True, False))
    return made, env


def _outcomes(flow: Flow) -> list[str]:
    given = [outcome for outcome, _ in flow.ends]
    return [one for one in ("ok", "late") if one in given] or ["ok"]


def _output(flow: Flow) -> Json:
    """The output schema: fields that some end knows, required where all do."""
    rng = flow.rng
    envs = [env for _, env in flow.ends]
    sure = scene.meet(flow.fields, envs) if envs else {}
    some = {path.split(".")[1] for path in flow.writes}
    names = [name for name in flow.fields if f"state.{name}" in sure or (name in some and chance(rng, 0.6))]
    properties, required = {}, []
    for name in rng.sample(names, min(len(names), rng.randint(0, 4))):
        schema = scene.declared(flow.fields, f"state.{name}")
        properties[name] = shapes.near(rng, schema) if flow.wild() else shapes.wider(rng, schema)
        if (f"state.{name}" in sure and chance(rng, 0.7)) or flow.wild(4):
            required.append(name)
    made: Json = {"type": "object", "properties": properties, "required": required}
    if flow.wild():
        made |= rng.choice(({"minProperties": 1}, {"maxProperties": 1}, {"required": [*required, "ghost"]}))
    return made
