"""Older spellings become the new ones (reference 1.7): read, never written, each with its rewrite as a fix."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from wfc.diagnostics import Code, Example, Severity
from wfc.frontend.findings import Finding, Repair, rewritten, with_article
from wfc.frontend.reader import Entry, Record, escaped
from wfc.frontend.reader_codes import EXCLUSIVE_FIELDS, WRONG_PATH_ROOT
from wfc.frontend.scalars import HOLE, bad_value, path
from wfc.frontend.shapes import PathText
from wfc.ir import copy
from wfc.paths import LocalPath
from wfc.records import dataclass, field, replace

OLD_SPELLING = Code(
    code="WF014",
    rule="old-spelling",
    severity=Severity.NOTE,
    message="found the older spelling {got}, expected {expected}",
    help="apply the fix, which writes the same in today's spelling",
    why=(
        "Older documents are read as they were meant, so that nothing that is stored stops working. New ones are "
        "written in one spelling, because two ways to say one thing are two things to know."
    ),
    example=Example(
        bad="""\
{"name": "a", "start": "s",
 "input_schema": {"type": "object", "properties": {"n": {"type": "number", "minimum": 0}}, "required": ["n"]},
 "nodes": [{"id": "s", "type": "node", "node": "wf.std.record",
    "in_map": {"input.n": "n"}}],
    ^^^^^^^^
 "edges": [{"from": "s", "outcome": "ok", "to": "__end__"}]}
""",
        good="""\
{"name": "a", "start": "s",
 "input_schema": {"type": "object", "properties": {"n": {"type": "number", "minimum": 0}}, "required": ["n"]},
 "nodes": [{"id": "s", "type": "node", "node": "wf.std.record",
    "input": [{"target": "n", "path": "input.n"}]}],
 "edges": [{"from": "s", "outcome": "ok", "to": "__end__"}]}
""",
    ),
)
CODES = (OLD_SPELLING,)


@dataclass(frozen=True, slots=True)
class _Old:
    """Old keys of a step, in the order in which they are read, and the key that replaces them."""

    keys: tuple[str, ...]
    new: str


_OF_STEPS = {
    "node": (_Old(("in_map", "input_values"), "input"), _Old(("out_map",), "output")),
    "subgraph": (_Old(("in_map", "input_values"), "input"), _Old(("out_map",), "output")),
    "interrupt": (_Old(("request_map",), "request"), _Old(("out_map",), "resume")),
}
# What an entry of an old map is: the field that its key fills, and the one that its value fills.
_ENTRY = {
    "in_map": ("path", "target"),
    "request_map": ("path", "target"),
    "input_values": ("target", "value"),
    "out_map": ("source", "target"),
}


def modernised(read: Record, written: dict[str, Any]) -> Iterator[Finding]:
    """Move what old keys of a step say to the new keys, in place, and report them."""
    groups = [old for old in _OF_STEPS.get(read["type"], ()) if any(key in read.given for key in old.keys)]
    if not groups:
        return
    old_keys = [key for key in written if any(key in old.keys for old in groups) and key in read.given]
    new_keys = [old.new for old in _OF_STEPS[read["type"]] if old.new in read.given]
    if new_keys:
        got = f"older `{old_keys[0]}` beside `{new_keys[0]}`"
        facts = {
            "got": got,
            "owner": with_article(read.title),
            "expected": "one spelling in a step",
            "keys": [*old_keys, *new_keys],
        }
        beside = (("conflicts", f"{read.pointer}/{new_keys[0]}"),)
        at, repairs = f"{read.pointer}/{old_keys[0]}", _added(read, groups, written)
        yield Finding(EXCLUSIVE_FIELDS, at, facts, key=True, beside=beside, repairs=repairs)
        for old in _OF_STEPS[read["type"]]:
            read.fields[old.new] = HOLE
        return
    renewed: dict[str, list[str]] = {}
    for old in groups:
        present = [key for key in written if key in old.keys and key in read.given]
        if HOLE in [read[key] for key in present]:
            read.fields[old.new] = HOLE
            continue
        read.fields[old.new] = [_binding(key, entry) for key in present for entry in read[key]]
        renewed[old.new] = present
    # All of a step at once: half of it would be a mixture.
    repairs = (_renewal(read, renewed, written),) if len(renewed) == len(groups) else ()
    for new, present in renewed.items():
        facts = {"got": _named(present), "expected": f"`{new}`"}
        yield Finding(OLD_SPELLING, f"{read.pointer}/{present[0]}", facts, key=True, repairs=repairs)


def _binding(key: str, entry: Entry) -> Record:
    """The binding that an entry of an old map means, at the place of the entry."""
    said = dict(zip(_ENTRY[key], (entry.key, entry.value), strict=True))
    return Record("binding", entry.pointer, {"path": None, "value": None, "on": None, **said}, {}, tuple(said))


def _added(read: Record, groups: list[_Old], written: dict[str, Any]) -> tuple[Repair, ...]:
    """The older bindings behind the newer ones, whose order decides nothing."""
    patch: list[dict[str, Any]] = []
    for old in groups:
        present = [key for key in written if key in old.keys and key in read.given]
        if HOLE in [read[key] for key in present] or not isinstance(written.get(old.new) or [], list):
            return ()
        there = f"{read.pointer}/{old.new}"
        taken, renewed = _taken(read, present, written)
        patch += taken
        if written.get(old.new) is None:
            patch.append({"op": "add", "path": there, "value": renewed})
        else:
            patch += ({"op": "add", "path": f"{there}/-", "value": each} for each in renewed)
    # A test comes first, whatever else a group brings.
    patch.sort(key=lambda change: change["op"] != "test")
    return (Repair("Write all of them in the newer spelling", tuple(patch)),)


def _taken(read: Record, present: list[str], written: dict[str, Any]) -> tuple[list[dict[str, Any]], list[Any]]:
    """What takes old keys out of a step, and the bindings that they mean."""
    renewed = [dict(zip(_ENTRY[key], entry, strict=True)) for key in present for entry in written[key].items()]
    patch = [{"op": "test", "path": f"{read.pointer}/{key}", "value": written[key]} for key in present]
    return patch + [{"op": "remove", "path": f"{read.pointer}/{key}"} for key in present], renewed


def _renewal(read: Record, renewed: dict[str, list[str]], written: dict[str, Any]) -> Repair:
    """The old keys of a step under the new ones that they mean."""
    patch: list[dict[str, Any]] = []
    for new, present in renewed.items():
        taken, bindings = _taken(read, present, written)
        patch += [*taken, {"op": "add", "path": f"{read.pointer}/{new}", "value": bindings}]
    patch.sort(key=lambda change: change["op"] != "test")
    titles = (f"{_named(present)} as `{new}`" for new, present in renewed.items())
    return Repair(f"Write {', '.join(titles)}", tuple(patch))


def _named(keys: list[str]) -> str:
    return " and ".join(f"`{key}`" for key in keys)


def string_reference(read: Record) -> Iterator[Finding]:
    """Report a workflow reference that is a bare name."""
    if read["type"] == "subgraph" and isinstance(read["workflow"], str):
        at, name = f"{read.pointer}/workflow", read["workflow"]
        repair = rewritten("Write the reference as an object", at, name, {"name": name})
        facts = {"got": f'`"{name}"`', "expected": f'`{{"name": "{name}"}}`'}
        yield Finding(OLD_SPELLING, at, facts, repairs=(repair,))


@dataclass(frozen=True, slots=True)
class Renewed:
    """A state schema in today's spelling; `spots` maps pointers of moved fields to where they were written."""

    schema: Any
    spots: dict[str, str] = field(default_factory=dict)

    def moved_back(self, finding: Finding) -> Finding:
        """The finding at the place in the document instead of in the renewed schema."""
        above = finding.pointer
        while above and above not in self.spots:
            above = above.rpartition("/")[0]
        if not above:
            return finding
        return replace(finding, pointer=self.spots[above] + finding.pointer[len(above) :], repairs=())


def nested_fields(schema: Any, pointer: str, findings: list[Finding]) -> Renewed:
    """The state schema that dotted `fields` mean; any other schema as it is."""
    if not isinstance(schema, dict) or not isinstance(schema.get("fields"), dict):
        return Renewed(schema)
    at = f"{pointer}/fields"
    rest = {key: value for key, value in schema.items() if key != "fields"}
    if "properties" in schema:
        facts = {"got": "older `fields` beside `properties`", "owner": "the state schema", "expected": "`properties`"}
        beside = (("conflicts", f"{pointer}/properties"),)
        findings.append(Finding(EXCLUSIVE_FIELDS, at, facts, key=True, beside=beside))
        return Renewed(rest)
    nest = _Nest({"properties": {}}, set(), {})
    wrong = [
        found for name, inner in schema["fields"].items() if (found := nest.put(name, inner, at, pointer)) is not None
    ]
    renewed = {"type": "object", **rest, "properties": nest.top["properties"]}
    repairs = () if wrong else (rewritten("Write `fields` as nested `properties`", pointer, schema, renewed),)
    facts = {"got": "`fields`", "expected": "nested `properties`"}
    findings += [Finding(OLD_SPELLING, at, facts, key=True, repairs=repairs), *wrong]
    return Renewed(renewed, nest.spots)


@dataclass(frozen=True, slots=True)
class _Nest:
    """Nested properties while they are made. `implied` are the objects that only stand above a declared field."""

    top: dict[str, Any]
    implied: set[int]
    spots: dict[str, str]

    def put(self, name: str, schema: Any, fields: str, pointer: str) -> Finding | None:
        """Declare one dotted field; gives what is wrong with it."""
        at = f"{fields}/{escaped(name)}"
        place, wrong = path(PathText(LocalPath), name, at, key=True)
        if wrong is not None:
            return wrong
        if place.parts[:1] == ("state",) and len(place.parts) > 1:
            expected = f"the name of the field alone: `{'.'.join(place.parts[1:])}`"
            facts = {"problem": f"`{name}` begins with `state.`", "got": name, "expected": expected}
            return Finding(WRONG_PATH_ROOT, at, facts, key=True)
        if not isinstance(schema, (dict, bool)) or not place.parts:
            return bad_value(schema, "a JSON Schema for a named field", at)
        self.spots[pointer + "".join(f"/properties/{part}" for part in place.parts)] = at
        # A boolean is written as an object, so that fields below it have a place to stand.
        declared = copy(schema) if isinstance(schema, dict) else {} if schema else {"not": {}}
        if self._declare(place.parts, declared):
            return None
        twice = {"got": f"`{name}` a second time", "owner": "the state schema", "expected": "each path once"}
        return Finding(EXCLUSIVE_FIELDS, at, twice, key=True)

    def _declare(self, parts: tuple[str, ...], schema: dict[str, Any]) -> bool:
        here: Any = self.top
        for part in parts[:-1]:
            inside = _properties(here)
            if part not in inside:
                inside[part] = {"type": "object"}
                self.implied.add(id(inside[part]))
            here = inside[part]
        inside = _properties(here)
        if parts[-1] not in inside:
            inside[parts[-1]] = schema
            return True
        return self._merge(inside[parts[-1]], schema)

    def _merge(self, present: Any, schema: Any) -> bool:
        """Let a parent say what it is after its children; false where something is said twice."""
        waiting = [(present, schema)]
        while waiting:
            present, schema = waiting.pop()
            if id(present) not in self.implied or not isinstance(schema, dict):
                return False
            self.implied.discard(id(present))
            inside, inner = _properties(present), schema.pop("properties", {})
            present.update(schema)
            for name, each in inner.items() if isinstance(inner, dict) else ():
                if name in inside:
                    waiting.append((inside[name], each))
                else:
                    inside[name] = each
        return True


def _properties(schema: Any) -> dict[str, Any]:
    """The properties of a schema, made where there are none; of what is no schema, ones that belong to nothing.

    What is no schema stays as it is, for the meta-schema to refuse.
    """
    declared = schema.setdefault("properties", {}) if isinstance(schema, dict) else {}
    return declared if isinstance(declared, dict) else {}


def renewed_step(written: dict[str, Any]) -> dict[str, Any]:
    """A step in today's spelling, as the notes on it offer; as it is where it mixes both or holds no maps."""
    kind = written.get("type")
    olds = [
        old
        for old in (_OF_STEPS.get(kind, ()) if isinstance(kind, str) else ())
        if any(written.get(key) is not None for key in old.keys)
    ]
    if any(written.get(old.new) is not None for old in olds):
        return written
    step = dict(written)
    for old in olds:
        maps = {key: step.pop(key) for key in written if key in old.keys and written[key] is not None}
        if not all(isinstance(one, dict) for one in maps.values()):
            return written
        step[old.new] = [
            dict(zip(_ENTRY[key], entry, strict=True)) for key, one in maps.items() for entry in one.items()
        ]
    return step


def renewed_state(schema: Any) -> Any:
    """A state schema in today's spelling; as it is where its `fields` cannot be read."""
    findings: list[Finding] = []
    renewed = nested_fields(schema, "", findings).schema
    return schema if any(found.code is not OLD_SPELLING for found in findings) else renewed
