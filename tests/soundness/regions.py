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
from tests.soundness.values import value

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
    simple += [flow.rng.choice((steps.named, steps.whole))] * chance(flow.rng, 0.4)
    nested: list[Element] = [condition, condition, foreach, foreach, foreach, fork, loop, subgraph]
    nested += [passing] * (not place.region)
    kinds = simple + nested if place.depth > 0 else simple
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
    way = flow.rng.randrange(7)
    if way == 0:
        return _guard(flow, env)
    if way == 6:
        return _equal(flow, env)
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
    maybe += _optional(env) if chance(flow.rng, 0.5) else []
    if not maybe:
        return _compare(flow, env), env, env
    path, schema = flow.rng.choice(maybe)
    known = {**env, path: schema}
    parent = path.rpartition(".")[0]
    if parent.count(".") == 1:
        known.setdefault(parent, scene.declared(flow.fields, parent))
    return {"op": "exists", "path": path}, known, env


def _optional(env: Env) -> list[tuple[str, Json]]:
    """The fields that objects may have, and need not."""
    found = []
    for path, schema in scene.readable(env):
        if schema.get("type") == "object" and path.count(".") < 3:
            fields = schema.get("properties", {})
            names = sorted(fields.keys() - set(schema.get("required", ())))
            found += [(f"{path}.{name}", fields[name]) for name in names if f"{path}.{name}" not in env]
    return found


def _not_null(flow: Flow, env: Env) -> tuple[Json, Env, Env]:
    maybe = [(path, one) for path, one in scene.readable(env) if one and shapes.without_null(one) != one]
    if not maybe:
        return _compare(flow, env), env, env
    path, schema = flow.rng.choice(maybe)
    check = {"op": "ne", "left": {"path": path}, "right": {"value": None}}
    return check, {**env, path: shapes.without_null(schema)}, env


def _equal(flow: Flow, env: Env) -> tuple[Json, Env, Env]:
    """An equality with one value, which the true arm knows then; a tag tells as well of which kind its object is."""
    tagged = [(path, one) for path, one in env.items() if "kind" in _member(one).get("properties", ())]
    if tagged and chance(flow.rng, 0.7):
        path, schema = flow.rng.choice(tagged)
        member = flow.rng.choice(schema.get("anyOf", schema.get("oneOf")))
        check = {
            "op": "eq",
            "left": {"path": f"{path}.kind"},
            "right": {"value": member["properties"]["kind"]["const"]},
        }
        return check, {**env, path: member}, env
    lasting = [(path, one) for path, one in scene.readable(env) if not path.startswith(_PASSING)]
    simple = [(path, one) for path, one in lasting if shapes.is_kind(one, "string", "integer", "null")]
    if not simple:
        return _compare(flow, env), env, env
    path, schema = flow.rng.choice(simple)
    wanted = value(flow.rng, schema)
    check = {"op": "eq", "left": {"path": path}, "right": {"value": wanted}}
    return check, {**env, path: {"const": wanted}} if chance(flow.rng, 0.5) else env, env


# What is another thing at the next step.
_PASSING = ("context.retry_count", "context.prior_outcome", "context.activated_incoming_edge")


def _member(schema: Json) -> Json:
    return schema.get("anyOf", schema.get("oneOf", [{}]))[0]


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


def passing(flow: Flow, env: Env, place: Place) -> Made:
    """A join that closes nothing, or one that closes the forks of both arms of a condition."""
    join = flow.add("join")
    if chance(flow.rng, 0.4):
        return join, [(join, "ok", env)]
    check, when_true, when_false = _check(flow, env)
    name = flow.add("condition", check=check)
    left: Loose = []
    for outcome, known in (("true", when_true), ("false", when_false)):
        first, loose = forked(flow, known, _inner(place), join)
        flow.wire([(name, outcome, known)], first)
        left += loose
    return name, [(join, "ok", flow.meet(left))]


def fork(flow: Flow, env: Env, place: Place) -> Made:
    return forked(flow, env, place, flow.add("join"))


def forked(flow: Flow, env: Env, place: Place, join: str) -> Made:
    names = [flow.name("way") for _ in range(flow.rng.randint(1, 3))]
    guards = {one: _check(flow, env)[0] for one in names if chance(flow.rng, 0.25)}
    branches = [{"outcome": one, "when": guards[one]} if one in guards else one for one in names]
    start_env = flow.settled(env)
    roots = set(flow.fields) if place.owned is None else {*place.owned, *(place.private or ())}
    owner = {root: flow.rng.choice((*names, "all")) for root in sorted(roots)}
    shared = place.shared | {root for root in owner if owner[root] == "all"}
    name = flow.add("fork", branches=branches)
    after, made = start_env, set()
    local = chance(flow.rng, 0.2)
    for one in names:
        private: set[str] = set()
        owned = frozenset(root for root in owner if owner[root] == one)
        around, flow.region = flow.region, one
        start, loose = sequence(flow, start_env, place.inside(owned=owned, shared=shared, private=private))
        flow.region = around
        flow.wire([(name, one, start_env)], start)
        flow.wire(loose, join)
        made |= private
        if one not in guards and loose:
            sure = flow.settled(flow.meet(loose))
            kept = {path: held for path, held in sure.items() if path.startswith("state.")}
            gone = {f"state.{root}" for root in private} if local else set()
            after = {**after, **{path: held for path, held in kept.items() if not _within(path, gone)}}
    if local and made:
        flow.step(name)["locals"] = [f"state.{root}" for root in sorted(made)]
    elif place.private is not None:
        place.private.update(made)
    if not any(edge["to"] == join and edge["from"] in _inside(flow, names) for edge in flow.edges):
        flow.wire([(name, names[0], start_env)], join)
    return name, [(join, "ok", after)]


def _within(path: str, roots: set[str]) -> bool:
    return any(path == root or path.startswith(f"{root}.") for root in roots)


def _inside(flow: Flow, regions: list[str]) -> set[str]:
    return {step for step, region in flow.around.items() if region in regions}


def loop(flow: Flow, env: Env, place: Place) -> Made:
    """Steps that are run until a counter has reached a limit."""
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
    for key in ("input_schema", "output_schema"):
        if chance(flow.rng, 0.1):
            fields[key] = made[key]
    if chance(flow.rng, 0.25):
        fields["catch"], told = building.caught(flow, place, output)
        envs["broke"] = building.after(flow, env, told)
    name = flow.add("subgraph", **fields)
    return name, [(name, one, after) for one, after in envs.items()]
