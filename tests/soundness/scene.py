"""What a step may read and write: state fields with their reducers, and the paths that are surely there, with types.

An `Env` maps each path that is surely readable at a place of a workflow to a schema of what is read. It is the
generator's own, simple view; a workflow made by it alone is meant to be clean, and what is not is worth a look.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from tests.soundness import shapes
from tests.soundness.shapes import Json, chance
from tests.soundness.values import value

Env = dict[str, Json]

_GROWING = ("wf.std.append", "wf.std.extend", "wf.std.set_union")


@dataclass(frozen=True)
class Target:
    """A state path that may be written: its schema, its reducer, and whether its parent may have to be created."""

    path: str
    schema: Json
    reducer: Json | str | None

    @property
    def root(self) -> str:
        return self.path.split(".")[1]

    @property
    def nested(self) -> bool:
        return self.path.count(".") > 1

    @property
    def reducer_name(self) -> str:
        if isinstance(self.reducer, dict):
            return f"wf.std.{self.reducer['ref']['capability_key']}"
        return self.reducer or "wf.std.replace"


def bare(schema: Json) -> Json:
    """A state schema without reducers and defaults, which say nothing about values."""
    kept = {key: held for key, held in schema.items() if key not in ("reducer", "default")}
    if "properties" in kept:
        kept["properties"] = {name: bare(one) for name, one in kept["properties"].items()}
    return kept


# -- state fields -----------------------------------------------------------------------------------------------------


def field(rng: Random, wild: bool) -> tuple[str, Json]:
    """A stem for the name, and the schema of a state field. `wild`: its reducer may lead out of its schema."""
    stem, made = rng.choice((_plain, _plain, _plain, _sum, _extreme, _ring, _list, _list, _list, _object, _parts))(rng)
    if wild:
        made = shapes.near(rng, made)
    if "default" not in made and chance(rng, 0.35):
        made = {**made, "default": value(rng, bare(made))}
    return stem, made


def _plain(rng: Random) -> tuple[str, Json]:
    made = shapes.schema(rng, 2)
    return "plain", {**made, "reducer": "wf.std.replace"} if chance(rng, 0.1) else made


def _sum(rng: Random) -> tuple[str, Json]:
    return "sum", {"type": rng.choice(("integer", "number")), "reducer": "wf.std.add"}


def _extreme(rng: Random) -> tuple[str, Json]:
    return "best", {"type": rng.choice(("integer", "number")), "reducer": rng.choice(("wf.std.max", "wf.std.min"))}


def _ring(rng: Random) -> tuple[str, Json]:
    modulus = rng.choice((2, 5, 10))
    reducer = {"ref": {"source": "wf.std", "capability_key": "modulo_add"}, "config": {"modulus": modulus}}
    return "ring", {"type": "integer", "minimum": 0, "maximum": modulus - 1, "reducer": reducer}


def _list(rng: Random) -> tuple[str, Json]:
    made: Json = {"type": "array", "items": shapes.schema(rng, 1), "reducer": rng.choice(_GROWING)}
    if made["reducer"] == "wf.std.set_union" and chance(rng, 0.3):
        made["uniqueItems"] = True
    if chance(rng, 0.5):
        made["default"] = []
    return "list", made


def _object(rng: Random) -> tuple[str, Json]:
    made: Json = {
        "type": "object",
        "properties": {name: shapes.schema(rng, 1) for name in rng.sample(shapes.NAMES, 2)},
        "reducer": "wf.std.merge_object",
    }
    if chance(rng, 0.2):
        made["properties"]["log"] = _list(rng)[1]
    if chance(rng, 0.4):
        made["additionalProperties"] = False
    if chance(rng, 0.5):
        made["default"] = {}
    return "facts", made


def _parts(rng: Random) -> tuple[str, Json]:
    properties: Json = {name: shapes.schema(rng, 1) for name in rng.sample(shapes.NAMES, 2)}
    properties["log"] = _list(rng)[1]
    if chance(rng, 0.4):
        properties["hits"] = {"type": "integer", "reducer": "wf.std.add", "default": 0}
    made: Json = {"type": "object", "properties": properties}
    if chance(rng, 0.3):
        made["additionalProperties"] = False
    return "parts", made


def declared(fields: Json, path: str) -> Json:
    """What the state schema says of a path; anything where it says nothing."""
    held = {"properties": fields}
    for part in path.split(".")[1:]:
        held = held.get("properties", {}).get(part, {})
    return bare(held)


def initial(fields: Json) -> Env:
    """The state paths that defaults fill before the first step."""
    env: Env = {}
    for name, schema in fields.items():
        inner = {key: one for key, one in schema.get("properties", {}).items() if "default" in one}
        if "default" in schema or inner:
            env[f"state.{name}"] = bare(schema)
        if "default" not in schema:
            env |= {f"state.{name}.{key}": bare(one) for key, one in inner.items()}
    return env


def targets(fields: Json) -> Iterator[Target]:
    """Every declared state path of at most two segments below the root."""
    for name, schema in fields.items():
        yield Target(f"state.{name}", bare(schema), schema.get("reducer"))
        if schema.get("type") == "object":
            for key, one in schema.get("properties", {}).items():
                yield Target(f"state.{name}.{key}", bare(one), one.get("reducer"))


# -- environments -----------------------------------------------------------------------------------------------------


def readable(env: Env) -> list[tuple[str, Json]]:
    """Every path that can be read, the required fields of objects included."""
    found = list(env.items())
    for path, schema in found:
        if path.count(".") < 3 and schema.get("type") == "object" and path.startswith(("input.", "state.", "context.")):
            properties = schema.get("properties", {})
            within = [(f"{path}.{name}", properties[name]) for name in schema.get("required", ()) if name in properties]
            found += [(name, one) for name, one in within if name not in env]
    return found


def whole(env: Env) -> list[tuple[str, Json]]:
    """The bare roots, of which little is known."""
    given = [path.removeprefix("input.") for path in env if path.startswith("input.")]
    known = {"type": "object", "properties": {name: env[f"input.{name}"] for name in given}, "required": given}
    return [("input", known), ("state", {"type": "object"}), ("context", {"type": "object"})]


def settled(fields: Json, env: Env) -> Env:
    """What is still known when anything may have been written meanwhile: presence, and declared types."""
    return {path: declared(fields, path) if path.startswith("state.") else one for path, one in env.items()}


def meet(fields: Json, envs: Sequence[Env]) -> Env:
    """What is known where several ways come together."""
    first, *others = envs
    kept = {path: one for path, one in first.items() if all(path in other for other in others)}
    agreed = {path for path, one in kept.items() if all(other[path] == one for other in others)}
    loose = settled(fields, kept)
    return {path: one if path in agreed else loose[path] for path, one in kept.items() if _kept(path, agreed)}


def _kept(path: str, agreed: set[str]) -> bool:
    return path in agreed or path.startswith("state.")


def written(fields: Json, env: Env, target: Target) -> Env:
    """What is known after a write: the path, its parents, and nothing below it that is not in its type."""
    after = {path: one for path, one in env.items() if not path.startswith(f"{target.path}.")}
    parts = target.path.split(".")
    for length in range(2, len(parts) + 1):
        path = ".".join(parts[:length])
        after[path] = declared(fields, path)
    return after


def spoils(env: Env, target: Target) -> bool:
    """Whether a write would make a path unknown that is known now."""
    sure = {path for path, _ in readable({target.path: target.schema})}
    return any(path.startswith(f"{target.path}.") and path not in sure for path in env)


def creates_badly(fields: Json, env: Env, target: Target) -> bool:
    """Whether writing a nested path may make, or leave, a parent that its schema refuses."""
    if not target.nested:
        return False
    parent, _, last = target.path.rpartition(".")
    if shapes.RULES & declared(fields, parent).keys():
        return True
    return parent not in env and bool(set(declared(fields, parent).get("required", ())) - {last})


def incoming(rng: Random, target: Target) -> Json:
    """A schema of values that the reducer of a target takes and that stay within its schema."""
    items = target.schema.get("items", {})
    match target.reducer_name:
        case "wf.std.append":
            return shapes.narrower(rng, items)
        case "wf.std.extend" | "wf.std.set_union":
            return {"type": "array", "items": shapes.narrower(rng, items)}
        case "wf.std.merge_object":
            known = target.schema.get("properties", {})
            names = [name for name in sorted(known) if chance(rng, 0.7)]
            made: Json = {"type": "object", "properties": {name: known[name] for name in names}}
            return {**made, "additionalProperties": False, "required": [name for name in names if chance(rng, 0.5)]}
        case "wf.std.replace":
            return shapes.narrower(rng, target.schema)
    kind = "integer" if shapes.is_kind(target.schema, "integer") or chance(rng, 0.5) else "number"
    return {"type": kind}
