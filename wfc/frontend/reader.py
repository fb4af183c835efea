"""Reads a JSON value by a shape: what fits is given normalised, what does not is a finding and a hole.

Guarantees: recursion is as deep as the tables, never as the value: shapes that hold themselves go on a list of what is
left to do. Every key of an object's shape is in the result: as read, as its default where it is absent or null, or as a
`HOLE` where it could not be read. A required key that is missing is a hole; an optional scalar that cannot be read
keeps its default.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from wfc.diagnostics import Applicability
from wfc.frontend.findings import (
    Finding,
    Repair,
    ranked,
    removed,
    renamed,
    rewritten,
    shown,
    surely_meant,
    with_article,
)
from wfc.frontend.reader_codes import BAD_VALUE, EXCLUSIVE_FIELDS, MISSING_FIELD, UNKNOWN_FIELD
from wfc.frontend.scalars import HOLE, bad_value, path, scalar
from wfc.frontend.shapes import (
    Again,
    Case,
    Either,
    Field,
    ListOf,
    MapOf,
    Object,
    Only,
    PathText,
    Shape,
    Tagged,
)
from wfc.ir import kind_of
from wfc.records import dataclass, replace

# What bindings are called at a step of another type: a question has a request and an answer, a call input and output.
_ELSEWHERE = {
    "input": "request", "in_map": "request_map", "output": "resume", "request": "input", "request_map": "in_map",
    "resume": "output",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Record:
    """An object as read: the fields of its shape, the author's `x-` keys, and which fields were written."""

    title: str
    pointer: str
    fields: dict[str, Any]
    extra: dict[str, Any]
    given: tuple[str, ...]

    def __getitem__(self, name: str) -> Any:
        return self.fields[name]

    def extras(self) -> dict[str, Any]:
        """The author's `x-` keys, and under their JSON pointers below this object those of the objects inside it."""
        found = dict(self.extra)
        waiting: list[Any] = list(self.fields.values())
        while waiting:
            inside = waiting.pop()
            if isinstance(inside, Record):
                if inside.extra:
                    found[inside.pointer[len(self.pointer) :]] = inside.extra
                waiting += inside.fields.values()
            elif isinstance(inside, Entry):
                waiting.append(inside.value)
            elif isinstance(inside, list):
                waiting += [part for part in inside if isinstance(part, (Record, Entry))]
        return {key: found[key] for key in sorted(found)}


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of an object whose keys are the author's."""

    pointer: str
    key: Any
    value: Any


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read, and what could not be."""

    value: Any
    findings: list[Finding]


def read(shape: Shape, written: Any, again: Mapping[str, Shape], pointer: str = "") -> Reading:
    """Read `written`, which stands at `pointer`, by `shape`; `again` has the shapes that hold themselves."""
    walk = _Walk([], [], again)
    value = walk.read(shape, written, pointer)
    while walk.todo:
        shape, written, pointer, holder, key = walk.todo.pop()
        holder[key] = walk.read(shape, written, pointer)
    return Reading(value, walk.findings)


@dataclass(frozen=True, slots=True)
class _Walk:
    """The state of one reading: what was found, and what is left to do: shape, value, pointer, and where it belongs."""

    findings: list[Finding]
    todo: list[tuple[Shape, Any, str, Any, Any]]
    again: Mapping[str, Shape]

    def read(self, shape: Shape, written: Any, pointer: str) -> Any:
        """The value as read, without what is inside of shapes that hold themselves."""
        match shape:
            case Object():
                return self._object(shape, written, pointer)
            case ListOf():
                return self._list(shape, written, pointer)
            case Tagged():
                return self._tagged(shape, written, pointer)
            case Either():
                return self._either(shape, written, pointer)
            case MapOf():
                return self._map(shape, written, pointer)
            case Again():
                return self.read(self.again[shape.title], written, pointer)
            case _:
                return self._scalar(scalar(shape, written, pointer))

    def _scalar(self, outcome: tuple[Any, Finding | None]) -> Any:
        value, finding = outcome
        if finding is not None:
            self.findings.append(finding)
        return value

    def _list(self, shape: ListOf, written: Any, pointer: str) -> Any:
        if not isinstance(written, list) or len(written) < shape.least:
            return self._no_list(shape, written, pointer)
        item = shape.item
        if not isinstance(item, Again):
            return [self.read(item, each, f"{pointer}/{at}") for at, each in enumerate(written)]
        items: list[Any] = [HOLE] * len(written)
        self.todo.extend((item, each, f"{pointer}/{at}", items, at) for at, each in enumerate(written))
        return items

    def _no_list(self, shape: ListOf, written: Any, pointer: str) -> Any:
        """Report what stands in the place of a list; a map whose entries are meant is read as their list."""
        expected = "an array with at least one entry" if shape.least else "an array"
        entries = shape.entries(written) if isinstance(written, dict) else None
        if entries and any(not read(shape.item, each, self.again).findings for each in entries.values()):
            repair = rewritten("Write its entries as an array", pointer, written, list(entries.values()))
            self._refuse(written, expected, pointer, (repair,))
            return [self.read(shape.item, each, f"{pointer}/{escaped(key)}") for key, each in entries.items()]
        one = isinstance(written, (str, dict)) and written and not read(shape.item, written, self.again).findings
        return self._refuse(written, expected, pointer, (_wrapped(written, pointer),) if one else ())

    def _map(self, shape: MapOf, written: Any, pointer: str) -> Any:
        if not isinstance(written, dict):
            return self._refuse(written, "an object", pointer)
        entries = []
        for key, value in written.items():
            at = f"{pointer}/{escaped(key)}"
            name = self._scalar(path(shape.key, key, at, key=True)) if isinstance(shape.key, PathText) else key
            entries.append(Entry(at, name, self.read(shape.value, value, at)))
        return entries

    def _tagged(self, shape: Tagged, written: Any, pointer: str) -> Any:
        rewrite = None if _is_like(shape, written) else shape.rewrites(written)
        if rewrite is not None and not read(shape, rewrite[0], self.again).findings:
            repair = rewritten(f"Write it as {with_article(shape.title)}", pointer, written, rewrite[0])
            if not rewrite[1]:
                repair = replace(repair, applicability=Applicability.UNSAFE)
            self._refuse(written, f"{with_article(shape.title)}: an object with `{shape.tag}`", pointer, (repair,))
            return self.read(shape, rewrite[0], pointer)
        if not isinstance(written, dict):
            return self._refuse(written, f"{with_article(shape.title)}: an object with `{shape.tag}`", pointer)
        tag = written.get(shape.tag)
        if tag is None:
            self._lacks(shape.title, [shape.tag], [shape.tag], pointer)
            return HOLE
        known = isinstance(tag, str) and tag in shape.cases
        meant = tag if known else self._unknown_tag(shape, tag, f"{pointer}/{shape.tag}")
        if meant is None:
            return HOLE
        record = self._object(shape.cases[meant], written, pointer)
        record.fields[shape.tag] = meant
        return record

    def _unknown_tag(self, shape: Tagged, tag: Any, pointer: str) -> str | None:
        """Report a tag that names no case; gives the case that was surely meant."""
        choices = ", ".join(f"`{case}`" for case in shape.cases)
        if not isinstance(tag, str):
            self.findings.append(bad_value(tag, f"one of {choices}", pointer))
            return None
        meant = shape.meant.get(tag) or surely_meant(tag, tuple(shape.cases))
        got = shown(tag) if shape.code is BAD_VALUE else tag
        facts = {"got": got, "expected": f"one of {choices}", "allowed": ranked(tag, tuple(shape.cases))}
        repairs = (rewritten(f"Write `{meant}`", pointer, tag, meant),) if meant else ()
        self.findings.append(Finding(shape.code, pointer, facts, repairs=repairs))
        return meant

    def _either(self, shape: Either, written: Any, pointer: str) -> Any:
        case = fitting(shape, written)
        if case is not None:
            return self.read(case.shape, written, pointer)
        repairs = tuple(
            Repair(title, rewritten(title, pointer, written, new).patch, Applicability.UNSAFE)
            for title, new in shape.rewrites(written)
        )
        return self._refuse(written, shape.what, pointer, repairs)

    def _object(self, shape: Object, written: Any, pointer: str) -> Any:
        if not isinstance(written, dict):
            return self._refuse(written, f"{with_article(shape.title)}: an object", pointer)
        fields, extra = dict(shape.blank), {}
        given: list[str] = []
        unknown: list[Finding] = []
        by_name = shape.by_name
        for key, value in written.items():
            entry = by_name.get(key)
            if entry is not None:
                at = f"{pointer}/{key}"
            elif key.startswith("x-"):
                extra[key] = value
                continue
            else:
                at = f"{pointer}/{escaped(key)}"
                entry = self._misspelt(shape, key, written, at, unknown)
            if entry is not None and (value is not None or entry.required or entry.null_is_value):
                given.append(entry.name)
                self._field(entry, value, at, fields)
        record = Record(shape.title, pointer, fields, extra, tuple(given))
        self._complete(shape, record, written, unknown)
        return record

    def _field(self, entry: Field, value: Any, pointer: str, fields: dict[str, Any]) -> None:
        if isinstance(entry.shape, Again):
            self.todo.append((entry.shape, value, pointer, fields, entry.name))
            return
        if entry.scalar is None:
            read = self.read(entry.shape, value, pointer)
        else:
            read = self._scalar(scalar(entry.scalar, value, pointer))
        if read is not HOLE or entry.keeps_hole:
            fields[entry.name] = read

    def _misspelt(
        self, shape: Object, key: str, written: dict[str, Any], at: str, unknown: list[Finding]
    ) -> Field | None:
        """Note a key that the shape does not have; gives the field that was surely meant, where it is not there."""
        allowed = ranked(key, shape.known)
        words = (*shape.meant.get(key, ()), _ELSEWHERE.get(key))
        meant = next((word for word in words if word in shape.by_name and written.get(word) is None), None)
        if meant is None:
            meant = surely_meant(key, tuple(name for name in shape.known if written.get(name) is None))
        if meant is None:
            repair = removed(f"Remove `{key}`", at, written[key])
        else:
            allowed = [meant, *(name for name in allowed if name != meant)]
            repair = renamed(f"Rename `{key}` to `{meant}`", at, written[key], f"{at.rpartition('/')[0]}/{meant}")
        facts = {"got": key, "owner": with_article(shape.title), "nearest": allowed[0], "allowed": allowed}
        unknown.append(Finding(UNKNOWN_FIELD, at, facts, key=True, repairs=(repair,)))
        return None if meant is None else shape.by_name[meant]

    def _complete(self, shape: Object, record: Record, written: dict[str, Any], unknown: list[Finding]) -> None:
        """Report keys that are due and absent, unknown ones, and those that may not stand beside others.

        An object that has no key of its shape is another thing: its keys are not unknown one by one.
        """
        given = record.given
        another = unknown if shape.required and not given else []
        if not another:
            self.findings.extend(unknown)
        missing = [name for name in shape.required if name not in given]
        if self._is_misnamed(shape, record, missing, written, unknown):
            return
        if shape.one_of:
            missing += self._choose(shape, record, written)
        if missing:
            record.fields.update(dict.fromkeys(missing, HOLE))
            others = [found.facts["got"] for found in another]
            self._lacks(shape.title, missing, shape.required or missing, record.pointer, others)
        for rule in shape.rules:
            self.findings.extend(_broken(rule, record, shape, written))

    def _is_misnamed(
        self, shape: Object, record: Record, missing: list[str], written: dict[str, Any], unknown: list[Finding]
    ) -> bool:
        """Whether the one key that is unknown stands for the one that is missing: its value can be read as that.

        It is then renamed and not read, since what it holds may still be something else.
        """
        absent = list(missing)
        if shape.one_of and not any(name in record.given for group in shape.one_of for name in group):
            absent += [group[0] for group in shape.one_of if len(group) == 1]
        strays = [found for found in unknown if found.repairs[0].applicability is Applicability.UNSAFE]
        if len(strays) != 1 or not absent or len(missing) > 1 or (missing and len(absent) > 1):
            return False
        stray, value = strays[0], written[strays[0].facts["got"]]
        meant = next((name for name in absent if not read(shape.by_name[name].shape, value, self.again).findings), None)
        if meant is None or value is None:
            return False
        at, nearest = stray.pointer, [meant, *(name for name in stray.facts["allowed"] if name != meant)]
        key = stray.facts["got"]
        repair = renamed(f"Rename `{key}` to `{meant}`", at, value, f"{record.pointer}/{meant}")
        facts = {**stray.facts, "nearest": meant, "allowed": nearest}
        found = replace(stray, facts=facts, repairs=(repair,), hides=1)
        self.findings[:] = [one for one in self.findings if one is not stray]
        self.findings.append(found)
        record.fields.update(dict.fromkeys([*missing, *(name for group in shape.one_of for name in group)], HOLE))
        return True

    def _choose(self, shape: Object, record: Record, written: dict[str, Any]) -> list[str]:
        """Report several groups, or none, where exactly one is due; gives what is missing of the one that is there."""
        begun = [group for group in shape.one_of if any(name in record.given for name in group)]
        if len(begun) == 1:
            return [name for name in begun[0] if name not in record.given]
        choices = " or ".join(" with ".join(f"`{name}`" for name in group) for group in shape.one_of)
        present = [name for group in begun for name in group if name in record.given]
        got = " with ".join(f"`{name}`" for name in present) or "none of its alternatives"
        facts = {"got": got, "owner": with_article(shape.title), "expected": f"exactly one: {choices}", "keys": present}
        repairs = tuple(
            removed(f"Remove `{name}`", f"{record.pointer}/{name}", written[name])
            for name in reversed(present)
            if name in written
        )
        if len(repairs) == 2 and written[present[-1]] is None:
            # A null beside something is what remained of a form that was filled in.
            repairs = (replace(repairs[0], applicability=Applicability.SAFE), repairs[1])
        self.findings.append(Finding(EXCLUSIVE_FIELDS, record.pointer, facts, repairs=repairs))
        record.fields.update(dict.fromkeys((name for group in shape.one_of for name in group), HOLE))
        return []

    def _lacks(
        self, title: str, missing: list[str], required: Sequence[str], pointer: str, others: Sequence[str] = ()
    ) -> None:
        """Report missing keys; `others` are unknown ones that stand in their place."""
        owner = f"{with_article(title)} with {_quoted(others)} and" if others else with_article(title)
        facts = {"owner": owner, "missing": " and ".join(f"`{name}`" for name in missing)}
        facts["required"] = _quoted(required)
        self.findings.append(Finding(MISSING_FIELD, pointer, {**facts, "keys": missing}, hides=len(others)))

    def _refuse(self, written: Any, expected: str, pointer: str, repairs: tuple[Repair, ...] = ()) -> Any:
        self.findings.append(bad_value(written, expected, pointer, repairs))
        return HOLE


def _is_like(shape: Tagged, written: Any) -> bool:
    """Whether a value is an object of one of the shapes, as far as its tag tells; its keys are judged one by one."""
    tag = written.get(shape.tag) if isinstance(written, dict) else None
    return isinstance(tag, str) and shape.meant.get(tag, tag) in shape.cases


def fitting(shape: Either, written: Any) -> Case | None:
    """The case of a choice that a value is read by."""
    kind = kind_of(written)
    for case in shape.cases:
        if kind in case.kinds and (not case.having or any(key in written for key in case.having)):
            return case
    return None


def _quoted(names: Sequence[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def escaped(key: str) -> str:
    """A key as a segment of a JSON pointer."""
    return key.replace("~", "~0").replace("/", "~1") if "~" in key or "/" in key else key


def _wrapped(written: Any, pointer: str) -> Repair:
    return rewritten("Put it into an array", pointer, written, [written])


def _broken(rule: Only, record: Record, shape: Object, written: Mapping[str, Any]) -> Iterator[Finding]:
    """Fields that stand where the value of another field does not admit them, if that could be read."""
    value, other = record.fields[rule.other], shape.by_name[rule.other]
    if value is HOLE or (value in rule.among) is not rule.none_of:
        return
    said = written.get(rule.other)
    if said is not None and other.scalar is not None and scalar(other.scalar, said, "")[0] is HOLE:
        return
    for name in rule.fields:
        if name not in record.given:
            continue
        got = f"`{name}` with {rule.other} `{value}`"
        facts = {"got": got, "owner": with_article(shape.title), "expected": rule.expected}
        yield Finding(rule.code, f"{record.pointer}/{name}", facts, key=True)
