"""Older spellings become the new ones (reference 1.7): read, never written, each with its rewrite as a fix."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from wfc.diagnostics import Code, Example, Severity
from wfc.frontend.findings import Finding, Repair, a, rewritten
from wfc.frontend.reader import Record, escaped
from wfc.frontend.reader_codes import EXCLUSIVE_FIELDS, WRONG_PATH_ROOT
from wfc.frontend.scalars import HOLE, bad_value, path
from wfc.frontend.shapes import PathText
from wfc.ir import copy
from wfc.paths import LocalPath

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
"""What an entry of an old map was: which field its key is, and which its value."""
_ENTRY = {
    "in_map": ("path", "target"),
    "request_map": ("path", "target"),
    "input_values": ("target", "value"),
    "out_map": ("source", "target"),
}


def modernised(read: Record, written: dict[str, Any]) -> Iterator[Finding]:
    """Move what old keys of a step say to the new keys, in place, and report them."""
    groups = [old for old in _OF_STEPS.get(read["type"], ()) if not read.given.isdisjoint(old.keys)]
    if not groups:
        return
    old_keys = [key for key in written if any(key in old.keys for old in groups) and key in read.given]
    new_keys = [old.new for old in _OF_STEPS[read["type"]] if old.new in read.given]
    if new_keys:
        got = f"older `{old_keys[0]}` beside `{new_keys[0]}`"
        facts = {
            "got": got,
            "owner": a(read.title),
            "expected": "one spelling in a step",
            "keys": [*old_keys, *new_keys],
        }
        beside = (("conflicts", f"{read.pointer}/{new_keys[0]}"),)
        yield Finding(EXCLUSIVE_FIELDS, f"{read.pointer}/{old_keys[0]}", facts, key=True, beside=beside)
        for old in _OF_STEPS[read["type"]]:
            read.fields[old.new] = HOLE
        return
    for old in groups:
        present = [key for key in written if key in old.keys and key in read.given]
        bindings, canonical = _bindings(read, present, written)
        read.fields[old.new] = bindings
        yield _note(read, present, old.new, written, canonical)


def _note(read: Record, present: list[str], new: str, written: dict[str, Any], canonical: list[Any]) -> Finding:
    got = " and ".join(f"`{key}`" for key in present)
    patch = [{"op": "test", "path": f"{read.pointer}/{key}", "value": written[key]} for key in present]
    patch += [{"op": "remove", "path": f"{read.pointer}/{key}"} for key in present]
    patch.append({"op": "add", "path": f"{read.pointer}/{new}", "value": canonical})
    repairs = (Repair(f"Write {got} as `{new}`", tuple(patch)),) if canonical is not None else ()
    facts = {"got": got, "expected": f"`{new}`"}
    return Finding(OLD_SPELLING, f"{read.pointer}/{present[0]}", facts, key=True, repairs=repairs)


def _bindings(read: Record, present: list[str], written: dict[str, Any]) -> tuple[list[Any], list[Any]]:
    """The bindings that old maps mean, as records at the places of their entries and as JSON."""
    bindings: list[Any] = []
    canonical: list[Any] = []
    for key in present:
        canonical += (dict(zip(_ENTRY[key], entry, strict=True)) for entry in _items(written[key]))
        entries = read[key]
        for entry in entries if isinstance(entries, list) else ():
            fields = {
                "path": None,
                "value": None,
                "on": None,
                **dict(zip(_ENTRY[key], (entry.key, entry.value), strict=True)),
            }
            given = {"value", "target"} if "value" in _ENTRY[key] else {"path", "source", "target"}
            bindings.append(Record("binding", entry.pointer, fields, {}, given))
    return bindings, canonical


def _items(written: Any) -> list[tuple[str, Any]]:
    return list(written.items()) if isinstance(written, dict) else []


def string_reference(read: Record, written: dict[str, Any]) -> Iterator[Finding]:
    """Report a workflow reference that is a bare name."""
    if read["type"] == "subgraph" and isinstance(read["workflow"], str):
        at, name = f"{read.pointer}/workflow", written["workflow"]
        patch = ({"op": "test", "path": at, "value": name}, {"op": "replace", "path": at, "value": {"name": name}})
        repair = Repair("Write the reference as an object", patch)
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
            said = f"`{name}` begins with `state.`, expected the field's name alone: `{'.'.join(place.parts[1:])}`"
            return Finding(
                WRONG_PATH_ROOT, at, {"said": said, "got": name, "expected": "a name without root"}, key=True
            )
        if not isinstance(schema, dict) or not place.parts:
            return bad_value(schema, "a JSON Schema for a named field", at)
        self.spots[pointer + "".join(f"/properties/{part}" for part in place.parts)] = at
        if self._declare(place.parts, copy(schema)):
            return None
        facts = {"got": f"`{name}` a second time", "owner": "the state schema", "expected": "each path once"}
        return Finding(EXCLUSIVE_FIELDS, at, facts, key=True)

    def _declare(self, parts: tuple[str, ...], schema: dict[str, Any]) -> bool:
        here = self.top
        for part in parts[:-1]:
            inside = _properties(here)
            if not isinstance(inside.get(part), dict):
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


def _properties(schema: dict[str, Any]) -> dict[str, Any]:
    """The properties of a schema, made where there are none."""
    if not isinstance(schema.get("properties"), dict):
        schema["properties"] = {}
    properties: dict[str, Any] = schema["properties"]
    return properties
