"""What contains other steps: conditions with their arms, foreach, fork with join, loops, subgraphs; and sequences."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from tests.soundness import flow as building
from tests.soundness import scene, shapes, steps
from tests.soundness.flow import Flow, Loose, Place
from tests.soundness.scene import Env
from tests.soundness.shapes import Json, chance
from tests.soundness.steps import Made

Element = Callable[[Flow, Env, Place], Made]
Child = Callable[[Flow, Env, Place], tuple[Json, list[Json]]]


def sequence(flow: Flow, env: Env, place: Place) -> Made:
    first, loose = element(flow, env, place)
    for _ in range(flow.rng.randint(0, 2)):
        if not loose:
            break
        known = flow.meet(loose) | {
            "context.prior_outcome": dict(shapes.TEXT),
            "context.activated_incoming_edge": _EDGE,
        }
        start, after = element(flow, known, place)
        flow.wire(loose, start)
        loose = after
    return first, loose


_EDGE: Json = {
    "type": "object",
    "properties": {"from": shapes.TEXT, "outcome": shapes.TEXT, "to": shapes.TEXT},
    "required": ["from", "outcome", "to"],
}


def element(flow: Flow, env: Env, place: Place) -> Made:
    simple: list[Element] = [steps.node, steps.node, steps.node, steps.builtin, steps.wait, steps.interrupt]
    nested: list[Element] = [condition, condition, foreach, foreach, foreach, fork, loop, subgraph]
    kinds = simple + nested if place.depth else simple
    return leaving(flow, place, *flow.rng.choice(kinds)(flow, env, place))


def leaving(flow: Flow, place: Place, first: str, loose: Loose) -> Made:
    """Outside of regions, one of several ways may lead to an end at once."""
    if place.region or len(loose) < 2 or not chance(flow.rng, 0.25):
        return first, loose
    way = flow.rng.randrange(len(loose))
    end(flow, loose[way : way + 1])
    return first, loose[:way] + loose[way + 1 :]


def end(flow: Flow, loose: Loose) -> None:
    """Lead loose ends out of the workflow."""
    outcome = flow.rng.choice(("ok", "ok", "late"))
    target = "__end__" if outcome == "ok" and chance(flow.rng, 0.5) else flow.add("end", outcome=outcome)
    flow.wire(loose, target)
    flow.ends.append((outcome, flow.meet(loose)))


# -- conditions -------------------------------------------------------------------------------------------------------


def condition(flow: Flow, env: Env, place: Place) -> Made:
    check, when_true, when_false = _check(flow, env)
    name = flow.add("condition", check=check)
    arms: Loose = []
    for outcome, known in (("true", when_true), ("false", when_false)):
        if chance(flow.rng, 0.6):
            start, loose = sequence(flow, known, place.inside() if place.region else _inner(place))
            flow.wire([(name, outcome, known)], start)
            arms += loose
        else:
            arms.append((name, outcome, known))
    return name, arms


def _inner(place: Place) -> Place:
    return replace(place, depth=place.depth - 1)


def _check(flow: Flow, env: Env) -> tuple[Json, Env, Env]:
    """A condition, and what is known where it is true, and where it is false."""
    way = flow.rng.randrange(6)
    if way == 0:
        return _guard(flow, env)
    if way == 1:
        return _not_null(flow, env)
    if way == 2:
        check, true, false = _check(flow, env)
        return {"op": "not", "arg": check}, false, true
    if way == 3:
        first, known, _ = flow.rng.choice((_guard, _not_null))(flow, env)
        return {"op": "and", "args": [first, _compare(flow, known)]}, known, env
    if way == 4:
        check, known, unknown = _guard(flow, env)
        return {"op": "or", "args": [{"op": "not", "arg": check}, _compare(flow, known)]}, env, unknown
    return _compare(flow, env), env, env


def _guard(flow: Flow, env: Env) -> tuple[Json, Env, Env]:
    """`exists` of something that may be missing; the true arm knows it is there."""
    unsure = [one for one in scene.targets(flow.fields) if one.path not in env]
    # What nothing has written yet is there hardly ever; a guard of it would make one arm dead.
    maybe = [(one.path, one.schema) for one in unsure if one.path in flow.writes or chance(flow.rng, 0.05)]
    maybe += [(f"input.{name}", schema) for name, schema in flow.inputs.items() if f"input.{name}" not in env]
    if not maybe:
        return _compare(flow, env), env, env
    path, schema = flow.rng.choice(maybe)
    known = {**env, path: schema}
    parent = path.rpartition(".")[0]
    if parent.count(".") == 1:
        known.setdefault(parent, scene.declared(flow.fields, parent))
    return {"op": "exists", "path": path}, known, env


def _not_null(flow: Flow, env: Env) -> tuple[Json, Env, Env]:
    maybe = [(path, one) for path, one in scene.readable(env) if one and shapes.without_null(one) != one]
    if not maybe:
        return _compare(flow, env), env, env
    path, schema = flow.rng.choice(maybe)
    check = {"op": "ne", "left": {"path": path}, "right": {"value": None}}
    return check, {**env, path: shapes.without_null(schema)}, env


def _compare(flow: Flow, env: Env) -> Json:
    kinds, schema = flow.rng.choice(((("integer", "number"), shapes.INTEGER), (("string",), shapes.TEXT)))
    kind = building.of_kind(*kinds)
    found = building.source(flow, env, kind, building.nearly(*kinds))
    if found is None or chance(flow.rng, 0.2):
        found = building.source(flow, env) or (building.literal(flow, {}), {})
        right = building.literal(flow, found[1])
        return {"op": flow.rng.choice(("eq", "ne")), "left": found[0], "right": right}
    other = building.source(flow, env, kind) if chance(flow.rng, 0.4) else None
    right = other[0] if other else building.literal(flow, schema)
    return {"op": flow.rng.choice(("lt", "le", "gt", "ge", "eq")), "left": found[0], "right": right}


# -- regions ----------------------------------------------------------------------------------------------------------


def foreach(flow: Flow, env: Env, place: Place) -> Made:
    over, items = _over(flow, env)
    mode = flow.rng.choice(("serial", "parallel"))
    alias = flow.name("item")
    fields: Json = {"over": over, "as": alias, "mode": mode}
    if chance(flow.rng, 0.75):
        fields["on_item_error"] = flow.rng.choice(("fail", "skip", "collect"))
    if mode == "parallel" and chance(flow.rng, 0.5):
        fields["max_concurrency"] = flow.rng.randint(1, 3)
    known = {path: one for path, one in flow.settled(env).items() if path != "context.loop_item"}
    known |= {f"context.{alias}": items, "context.loop_index": {"type": "integer", "minimum": 0}}
    known["context.prior_outcome"] = dict(shapes.TEXT)
    private: set[str] = set()
    parallel = mode == "parallel"
    inner = place.inside(loops=(*place.loops, alias), private=private if parallel else place.private)
    name = flow.add("foreach", **fields)
    if parallel:
        shared = (
            frozenset(flow.fields) if place.owned is None else place.shared | place.owned | (place.private or set())
        )
        inner = place.inside(loops=inner.loops, private=private, owned=frozenset(), shared=shared)
    around, flow.region = flow.region, name
    start, loose = sequence(flow, known, inner)
    flow.region = around
    flow.wire([(name, "item", known)], start)
    flow.wire(loose, name)
    step = flow.step(name)
    if private and not flow.wild(4):
        step["locals"] = [f"state.{root}" for root in sorted(private)]
    elif place.private is not None:
        place.private.update(private)
    after = _result(flow, flow.settled(env), place, step)
    return name, [(name, "done", after)]


def _over(flow: Flow, env: Env) -> tuple[Json | str, Json]:
    # An array that only its default fills is most often empty, and its body would never run.
    known = env if chance(flow.rng, 0.1) else {path: one for path, one in env.items() if _may_vary(flow, path)}
    fits, almost = building.of_kind("array"), building.nearly("array")
    found = building.source(flow, known, fits, almost) if chance(flow.rng, 0.75) else None
    if found is not None and "path" in found[0]:
        return found[0]["path"], found[1].get("items", {})
    items = shapes.schema(flow.rng, 1)
    made = {"type": "array", "items": items, "minItems": int(chance(flow.rng, 0.8)), "maxItems": 3}
    return building.literal(flow, made), items


def _may_vary(flow: Flow, path: str) -> bool:
    return not path.startswith("state.") or path in flow.writes or path.split(".")[1] in flow.inputs


_RESULT = {
    "count": {"type": "integer", "minimum": 0},
    "failed": {"type": "integer", "minimum": 0},
    "failed_indexes": {"type": "array", "items": {"type": "integer", "minimum": 0}},
    "errors": {"type": "array", "items": {"type": "object"}},
}


def _result(flow: Flow, env: Env, place: Place, step: Json) -> Env:
    """Bind part of what the foreach step itself gives, now and then."""
    if not chance(flow.rng, 0.4):
        return env
    field = flow.rng.choice(sorted(_RESULT))
    target = building.own_field(flow, place, _RESULT[field])
    step["output"] = [{"source": field, "target": target.path}]
    return building.after(flow, env, [target])


def fork(flow: Flow, env: Env, place: Place) -> Made:
    names = [flow.name("way") for _ in range(flow.rng.randint(1, 3))]
    guards = {one: _check(flow, env)[0] for one in names if chance(flow.rng, 0.25)}
    branches = [{"outcome": one, "when": guards[one]} if one in guards else one for one in names]
    start_env = flow.settled(env)
    roots = set(flow.fields) if place.owned is None else {*place.owned, *(place.private or ())}
    owner = {root: flow.rng.choice((*names, "all")) for root in sorted(roots)}
    shared = place.shared | {root for root in owner if owner[root] == "all"}
    name, join = flow.add("fork", branches=branches), flow.add("join")
    after = start_env
    for one in names:
        private: set[str] = set()
        owned = frozenset(root for root in owner if owner[root] == one)
        around, flow.region = flow.region, one
        start, loose = sequence(flow, start_env, place.inside(owned=owned, shared=shared, private=private))
        flow.region = around
        flow.wire([(name, one, start_env)], start)
        flow.wire(loose, join)
        if place.private is not None:
            place.private.update(private)
        if one not in guards and loose:
            sure = flow.settled(flow.meet(loose))
            after = {**after, **{path: held for path, held in sure.items() if path.startswith("state.")}}
    if not any(edge["to"] == join for edge in flow.edges):
        flow.wire([(name, names[0], start_env)], join)
    return name, [(join, "ok", after)]


def loop(flow: Flow, env: Env, place: Place) -> Made:
    """Steps that are run until a counter has reached a limit."""
    if place.owned is not None:
        return steps.node(flow, env, place)
    counter = flow.name("count")
    flow.fields[counter] = {"type": "integer", "reducer": "wf.std.add", "default": 0}
    path = f"state.{counter}"
    known = {**flow.settled(env), path: dict(shapes.INTEGER)}
    tick = {"node": "wf.std.identity", "input": [{"target": "value", "value": 1}]}
    first = flow.add("node", **tick, output=[{"source": "value", "target": path}])
    start, loose = sequence(flow, known, place.inside())
    flow.wire([(first, "ok", known)], start)
    if not loose:
        return first, loose
    limit = {"value": flow.rng.randint(1, 3)}
    last = flow.add("condition", check={"op": "lt", "left": {"path": path}, "right": limit})
    flow.wire(loose, last)
    flow.wire([(last, "true", known)], first)
    return first, [(last, "false", flow.settled(flow.meet(loose)))]


def subgraph(flow: Flow, env: Env, place: Place) -> Made:
    from tests.soundness.generate import child

    made, bindings = child(flow, env, place.depth - 1)
    result = made["output_schema"]
    outcomes = list(made["outcomes"])
    output, picked = [], []
    for name in sorted(result["properties"]):
        sure = name in result.get("required", ())
        if chance(flow.rng, 0.7) and (sure or flow.wild(4)):
            target = building.own_field(flow, place, result["properties"][name])
            on = [flow.rng.choice(outcomes)] if len(outcomes) > 1 and chance(flow.rng, 0.4) else outcomes
            picked += [(one, target) for one in on]
            output.append({"source": name, "target": target.path, **({} if on is outcomes else {"on": on})})
    envs = {one: building.after(flow, env, [held for way, held in picked if way == one]) for one in outcomes}
    fields: Json = {"workflow": {"name": made["name"]}, "input": bindings, "output": output, "outcomes": outcomes}
    if chance(flow.rng, 0.25):
        fields["catch"], told = building.caught(flow, place, output)
        envs["broke"] = building.after(flow, env, told)
    name = flow.add("subgraph", **fields)
    return name, [(name, one, after) for one, after in envs.items()]
