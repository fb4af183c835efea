"""Single steps: nodes, built-in nodes, waits, interrupts. Each takes what is known and says what is known after it."""

from __future__ import annotations

from collections.abc import Callable

from tests.soundness import flow as building
from tests.soundness import scene, shapes
from tests.soundness.flow import Flow, Loose, Place
from tests.soundness.scene import Env, Target
from tests.soundness.shapes import Json, chance

Made = tuple[str, Loose]


# -- nodes ------------------------------------------------------------------------------------------------------------


def node(flow: Flow, env: Env, place: Place) -> Made:
    bindings, schema = building.inputs(flow, env, 3)
    picked = building.targets(flow, env, place, 2)
    outcomes = ["ok", "other", "none"][: flow.rng.choice((1, 1, 2, 2, 3))]
    by_outcome = len(outcomes) > 1 and chance(flow.rng, 0.6)
    output, made = _outputs(flow, picked, outcomes[:1] if by_outcome else None)
    definition: Json = {"name": flow.name("work"), "input_schema": schema, "output_schema": made, "outcomes": outcomes}
    step: Json = {"node": definition["name"], "input": bindings, "output": output}
    if not picked and chance(flow.rng, 0.15):
        picked = [building.own_field(flow, place, made)]
        output.append({"source": ".", "target": picked[0].path, **({"on": outcomes[:1]} if by_outcome else {})})
    writing = set(outcomes[:1] if by_outcome else outcomes)
    envs = {one: building.after(flow, env, picked) if one in writing else env for one in outcomes}
    if by_outcome:
        definition["outcome_schemas"] = {one: _other_outcome(flow, place, output, envs, one) for one in outcomes[1:]}
    if chance(flow.rng, 0.2):
        step["catch"], told = building.caught(flow, place, output)
        envs["broke"] = building.after(flow, env, told)
    if chance(flow.rng, 0.2):
        flow.rng.choice((step, definition))["retry"] = _retry(flow)
    if chance(flow.rng, 0.5):
        definition["effects"] = flow.rng.choice(("pure", "read", "idempotent", "write"))
    if chance(flow.rng, 0.1):
        definition["timeout_seconds"] = 5
    if chance(flow.rng, 0.1):
        # The source has no such capability here; whatever is called is answered by the contract.
        definition["uses"] = flow.rng.choice(({"source": "drive", "capability_key": "list"}, "drive.list"))
    flow.defs.append(definition)
    name = flow.add("node", **step)
    return name, [(name, one, after) for one, after in envs.items()]


def named(flow: Flow, env: Env, place: Place) -> Made:
    """A definition of a built-in node, with a contract of its own that agrees with it."""
    part, schema = building.source(flow, env) or (building.literal(flow, shapes.TEXT), shapes.TEXT)
    target = building.own_field(flow, place, schema)
    value = {"type": "object", "properties": {"value": schema}, "required": ["value"]}
    definition: Json = {"name": flow.name("same"), "uses": "wf.std.identity", "outcomes": ["ok"]}
    for key in ("input_schema", "output_schema"):
        if chance(flow.rng, 0.5):
            definition[key] = value
    flow.defs.append(definition)
    output = [{"source": "value", "target": target.path}]
    name = flow.add("node", node=definition["name"], input=[{"target": "value", **part}], output=output)
    return name, [(name, "ok", building.after(flow, env, [target]))]


def whole(flow: Flow, env: Env, place: Place) -> Made:
    """A node whose payload, and whose output, may be of any type."""
    part, schema = building.source(flow, env) or (building.literal(flow, shapes.TEXT), shapes.TEXT)
    given = shapes.schema(flow.rng, 1)
    target = building.own_field(flow, place, given)
    definition: Json = {"name": flow.name("scalar"), "outcomes": ["ok"], "output_schema": given}
    definition["input_schema"] = flow.rng.choice((shapes.wider(flow.rng, schema), {}))
    flow.defs.append(definition)
    output = [{"source": ".", "target": target.path}]
    name = flow.add("node", node=definition["name"], input=[{"target": ".", **part}], output=output)
    return name, [(name, "ok", building.after(flow, env, [target]))]


def _other_outcome(flow: Flow, place: Place, output: list[Json], envs: dict[str, Env], outcome: str) -> Json:
    """The output schema of a further outcome, which may write something of its own."""
    made: Json = {"type": "object"}
    if chance(flow.rng, 0.4):
        targets = building.targets(flow, envs[outcome], place, 1)
        for target in targets:
            made |= {"properties": {"w": building.incoming(flow, target)}, "required": ["w"]}
            output.append({"source": "w", "target": target.path, "on": [outcome]})
        envs[outcome] = building.after(flow, envs[outcome], targets)
    return made


def _outputs(flow: Flow, picked: list[Target], on: list[str] | None) -> tuple[list[Json], Json]:
    """Output bindings to the targets, and the schema that promises their sources."""
    bindings, properties, required = [], {}, []
    for name, target in zip(("x", "y", "z"), picked, strict=False):
        schema = building.incoming(flow, target)
        if not flow.wild(0.5):
            properties[name] = schema
        if name in properties and not flow.wild():
            required.append(name)
        source = f"{name}.deep" if flow.wild() else name
        binding: Json = {"source": source, "target": target.path}
        if on is not None and not flow.wild():
            binding["on"] = on
        bindings.append(binding)
    if chance(flow.rng, 0.3):
        properties["spare"] = shapes.schema(flow.rng, 1)
    made: Json = {"type": "object", "properties": properties, "required": required}
    if chance(flow.rng, 0.3):
        made["additionalProperties"] = flow.rng.choice((True, False))
    return bindings, made


def _retry(flow: Flow) -> Json | int:
    if chance(flow.rng, 0.5):
        return 2
    return {"max_attempts": flow.rng.randint(1, 3), "delay_seconds": flow.rng.choice((0, 1)), "on": ["node_failed"]}


# -- built-in nodes ---------------------------------------------------------------------------------------------------

# Of each: what its inputs have to be (a schema stands for a literal of it), and by outcome what its output is, by the
# schemas of its inputs.
Typing = Callable[[dict[str, Json]], Json]
_ARRAY, _NUMBERS = ("array",), ("integer", "number")
_COUNT: Json = {"type": "integer", "minimum": 0}
_TEXTS: Json = {"type": "array", "items": shapes.TEXT}
BUILTINS: dict[str, tuple[dict[str, tuple[str, ...] | Json], dict[str, dict[str, Typing]]]] = {
    "identity": ({"value": {}}, {"ok": {"value": lambda given: given["value"]}}),
    "count": ({"array": _ARRAY}, {"ok": {"count": lambda given: _COUNT}}),
    "index": (
        {"array": _ARRAY, "position": {"type": "integer", "minimum": 0, "maximum": 2}},
        {"ok": {"value": lambda given: given["array"].get("items", {})}, "out_of_range": {}},
    ),
    "slice": ({"array": _ARRAY, "start": _COUNT}, {"ok": {"array": lambda given: _loose(given["array"])}}),
    "unique": ({"array": _ARRAY}, {"ok": {"array": lambda given: _loose(given["array"])}}),
    "concat": (
        {"arrays": {"type": "array", "items": {"type": "array", "items": {"type": "integer"}}, "maxItems": 2}},
        {"ok": {"array": lambda given: {"type": "array"}}},
    ),
    "merge": (
        {
            "objects": {
                "type": "array",
                "items": {"type": "object", "properties": {"id": shapes.INTEGER}},
                "minItems": 1,
            }
        },
        {"ok": {"object": lambda given: {"type": "object"}}},
    ),
    "calculate": (
        {"operator": {"enum": ["+", "-", "*", "/", "//", "%"]}, "left": _NUMBERS, "right": _NUMBERS},
        {"ok": {"value": lambda given: shapes.NUMBER}, "undefined": {}},
    ),
    "range": (
        {"count": {"type": "integer", "minimum": 0, "maximum": 3}},
        {"ok": {"array": lambda given: {"type": "array", "items": _COUNT}}},
    ),
    "join_text": (
        {"array": {**_TEXTS, "maxItems": 2}, "separator": shapes.TEXT},
        {"ok": {"text": lambda given: shapes.TEXT}},
    ),
    "template": (
        {"text": {"enum": ["{a}", "plain", "{missing} {a}"]}, "values.a": {}},
        {"ok": {"text": lambda given: shapes.TEXT}, "missing_value": {}},
    ),
    "pick": (
        {"object": ("object",), "fields": {"enum": [["id"], ["name", "size"]]}},
        {"ok": {"object": lambda given: {"type": "object"}}},
    ),
    "sum": (
        {"array": {"type": "array", "items": {"type": "integer"}}},
        {"ok": {"sum": lambda given: shapes.NUMBER}},
    ),
    "filter_equal": (
        {"array": _ARRAY, "field": {"enum": ["id", "name"]}, "value": {}},
        {"ok": {"array": lambda given: _loose(given["array"])}},
    ),
    "sort_by": (
        {"array": _ARRAY, "field": {"enum": ["id", "size"]}},
        {"ok": {"array": lambda given: given["array"]}, "not_comparable": {}},
    ),
    "pluck": (
        {"array": _ARRAY, "field": {"enum": ["id", "name"]}},
        {"ok": {"values": lambda given: {"type": "array"}}, "missing_field": {}},
    ),
    "record": ({"a": {}, "b": {}}, {"ok": {"a": lambda given: given["a"], "b": lambda given: given["b"]}}),
    "parse_json": (
        {"text": {"enum": ["{}", "[1]", "1", "null", "no"]}},
        {"ok": {"value": lambda given: {}}, "invalid": {"message": lambda given: shapes.TEXT}},
    ),
    "to_json": ({"value": {}}, {"ok": {"text": lambda given: shapes.TEXT}}),
    "fail": ({"message": shapes.TEXT}, {}),
}


def _loose(array: Json) -> Json:
    """An array of the same elements, of any length."""
    return {key: held for key, held in array.items() if key in ("type", "items")}


def builtin(flow: Flow, env: Env, place: Place) -> Made:
    key = flow.rng.choice([one for one in BUILTINS if one != "fail"])
    wanted, outcomes = BUILTINS[key]
    bindings, given = [], {}
    for target, want in wanted.items():
        found = _wanted(flow, env, want)
        if found is None:
            return node(flow, env, place)
        part, given[target] = found
        bindings.append({"target": target, **part})
    loose_ends: list[tuple[str, Env]] = []
    output = []
    for outcome, fields in outcomes.items():
        picked = []
        for field, typing in fields.items():
            if chance(flow.rng, 0.85):
                target = building.own_field(flow, place, _claimed(flow, typing(given)))
                picked.append(target)
                on = {"on": [outcome]} if len(outcomes) > 1 else {}
                output.append({"source": field, "target": target.path, **on})
        loose_ends.append((outcome, building.after(flow, env, picked)))
    name = flow.add("node", node=f"wf.std.{key}", input=bindings, output=output)
    return name, [(name, outcome, after) for outcome, after in loose_ends]


def _claimed(flow: Flow, made: Json) -> Json:
    """What is claimed of an output; as a liberty more than is known without a look at how the node works."""
    if not flow.wild(3):
        return made
    if shapes.is_kind(made, "number"):
        return dict(shapes.INTEGER)
    return shapes.near(flow.rng, made)


def _wanted(flow: Flow, env: Env, want: tuple[str, ...] | Json) -> tuple[Json, Json] | None:
    if isinstance(want, tuple):
        return building.source(flow, env, building.of_kind(*want), building.nearly(*want))
    if not want and chance(flow.rng, 0.7):
        return building.source(flow, env) or (building.literal(flow, want), want)
    found = building.source(flow, env, building.nothing, building.nearly(*shapes.types_of(want)))
    return found or (building.literal(flow, want), want)


# -- waits and interrupts ---------------------------------------------------------------------------------------------


def wait(flow: Flow, env: Env, place: Place) -> Made:
    found = building.source(flow, env, _not_negative, _maybe_negative) if chance(flow.rng, 0.6) else None
    name = flow.add("wait", seconds=found[0] if found and "path" in found[0] else flow.rng.choice((0, 1, 2.5)))
    return name, [(name, "ok", env)]


def _not_negative(schema: Json) -> bool:
    return shapes.is_kind(schema, "integer", "number") and schema.get("minimum", -1) >= 0


def _maybe_negative(schema: Json) -> bool:
    return shapes.may_be(schema, "integer", "number") and not _not_negative(schema)


def interrupt(flow: Flow, env: Env, place: Place) -> Made:
    kind = flow.rng.choice(("approval", "text_input", "choice", "tool_auth", "custom", "custom"))
    outcomes = ["yes", "no"][: flow.rng.randint(1, 2)]
    request, fields = _asking(flow, env, kind)
    picked = building.targets(flow, env, place, 1)
    if picked and kind in ("approval", "text_input") and not flow.wild():
        picked = [building.own_field(flow, place, shapes.TEXT)]
    resume, envs = [], dict.fromkeys(outcomes, env)
    if picked:
        source, schema = _answer(flow, kind, picked[0])
        if kind == "custom":
            fields["resume_schema"] = schema
        resume = [{"source": source, "target": picked[0].path, "on": outcomes[:1]}]
        envs[outcomes[0]] = building.after(flow, env, picked)
    if len(outcomes) > 1 and chance(flow.rng, 0.3):
        target = building.own_field(flow, place, shapes.TEXT)
        fields["resume_schemas"] = {"no": {"type": "object", "properties": {"why": shapes.TEXT}, "required": ["why"]}}
        resume.append({"source": "why", "target": target.path, "on": ["no"]})
        envs["no"] = building.after(flow, env, [target])
    name = flow.add("interrupt", kind=kind, request=request, resume=resume, outcomes=outcomes, **fields)
    return name, [(name, one, after) for one, after in envs.items()]


def _asking(flow: Flow, env: Env, kind: str) -> tuple[list[Json], Json]:
    """Bindings of the request, and the schema of the step for a kind that brings none."""
    if kind == "custom":
        bindings, schema = building.inputs(flow, env, 2)
        return bindings, {"request_schema": schema}
    required = {"approval": {"prompt": shapes.TEXT}, "text_input": {"prompt": shapes.TEXT}}
    required["choice"] = {"prompt": shapes.TEXT, "options": {"type": "array", "items": shapes.INTEGER}}
    required["tool_auth"] = {"source": shapes.TEXT}
    bindings = [building.bind(flow, env, name, schema) for name, schema in required[kind].items()]
    if kind == "approval" and chance(flow.rng, 0.4):
        found = building.source(flow, env)
        bindings += [{"target": "data", **found[0]}] if found else []
    return bindings, {}


def _answer(flow: Flow, kind: str, target: Target) -> tuple[str, Json]:
    field = {"approval": "comment", "text_input": "text", "choice": "choice", "tool_auth": "token", "custom": "given"}
    schema = {"given": scene.incoming(flow.rng, target)}
    return field[kind], {"type": "object", "properties": schema, "required": ["given"] if chance(flow.rng, 0.6) else []}


def fail(flow: Flow, env: Env, place: Place) -> Made:
    name = flow.add("node", node="wf.std.fail", input=[building.bind(flow, env, "message", shapes.TEXT)])
    return name, []
