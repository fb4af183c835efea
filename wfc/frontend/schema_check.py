"""Which schemas can be used: those that their meta-schema accepts, whose references stay inside, and that can be built.

Reference 1.2. The verdict is the one of jsonschema-rs, in the draft that `$schema` names; jsonschema is imported only
to word a refusal. Each distinct schema is judged once. This file is the room's door to both packages.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from wfc.diagnostics import close_match, nearest
from wfc.frontend.findings import Finding, Repair, rewritten, shown
from wfc.frontend.property_maps import (
    TYPES,
    TYPES_MEANT,
    as_object_schema,
    is_property_map,
    list_as_required,
    listed_as_required,
    named_type,
)
from wfc.frontend.references import astray
from wfc.frontend.schema_codes import BAD_SCHEMA, UNRESOLVABLE_REF
from wfc.ir import DRAFTS, OBJECT, Schema, canonical, draft_of, root_properties
from wfc.records import dataclass
from wfc.source import lookup, pointer

_OR_ELSE = ("items", "additionalItems", "additionalProperties")
_NAMED = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas")


@dataclass(frozen=True, slots=True)
class _Fault:
    """What is wrong at a place inside a schema; `meant` is what surely has to stand there."""

    parts: tuple[str, ...]
    reference: bool
    facts: dict[str, Any]
    meant: str | dict[str, Any] | None = None


def schema_at(written: Any, pointer: str, findings: list[Finding]) -> Schema:
    """A schema at a node's boundary; where parts cannot be used they are reported and left out."""
    schema = Schema.of(written)
    faults = _faults(schema.text)
    if not faults:
        return schema
    findings += (_finding(fault, written, pointer) for fault in faults)
    return _without(schema, faults)


def object_schema_at(written: Any, pointer: str, findings: list[Finding]) -> Schema:
    """A schema of a workflow: one that describes objects."""
    if not isinstance(written, dict):
        facts = {"got": f"{shown(written)} as a workflow schema", "expected": "an object schema"}
        findings.append(Finding(BAD_SCHEMA, pointer, facts))
        return OBJECT
    if is_property_map(written):
        renewed = as_object_schema(written)
        facts = {"got": "a map of properties as a workflow schema", "expected": "an object schema with `properties`"}
        repairs = (rewritten("Write it as an object schema", pointer, written, renewed),)
        findings.append(Finding(BAD_SCHEMA, pointer, facts, repairs=repairs))
        return schema_at(renewed, pointer, findings)
    kind = written.get("type", "object")
    if kind == "object" or (isinstance(kind, list) and "object" in kind) or not _is_type(kind):
        return schema_at(written, pointer, findings)
    facts = {"got": f"{shown(kind)} as the type of a workflow schema", "expected": '`"object"`'}
    repairs = (rewritten("Make it an object schema", f"{pointer}/type", kind, "object"),)
    findings.append(Finding(BAD_SCHEMA, f"{pointer}/type", facts, repairs=repairs))
    return schema_at({**written, "type": "object"}, pointer, findings)


def schema_fault(written: Any) -> str | None:
    """Why a schema from elsewhere cannot be used, in some words; none where it can."""
    findings: list[Finding] = []
    schema_at(written, "", findings)
    return None if not findings else findings[0].code.message.format(**findings[0].facts)


def _is_type(written: Any) -> bool:
    return written in TYPES if isinstance(written, str) else isinstance(written, list)


def _finding(fault: _Fault, written: Any, base: str) -> Finding:
    at = base + pointer(*fault.parts)
    repairs: tuple[Repair, ...] = ()
    if _says_required(fault.parts, lookup(written, fault.parts)[0]):
        repairs = (listed_as_required(written, fault.parts, base),)
    fields = _all_required(fault.parts, written)
    if fields:
        repairs = (*repairs, rewritten("List every property", at, True, fields))
    if _names_required(fault.parts, lookup(written, fault.parts)[0]):
        name = lookup(written, fault.parts)[0]
        repairs = (rewritten(f"List `{name}`", at, name, [name]),)
    once = _listed_once(lookup(written, fault.parts)[0])
    if once:
        repairs = (rewritten("List each of them once", at, lookup(written, fault.parts)[0], once),)
    if fault.meant is not None:
        said = fault.meant if isinstance(fault.meant, str) else canonical(fault.meant)
        repairs = (rewritten(f"Write `{said}`", at, lookup(written, fault.parts)[0], fault.meant),)
    return Finding(UNRESOLVABLE_REF if fault.reference else BAD_SCHEMA, at, dict(fault.facts), repairs=repairs)


@lru_cache(maxsize=4096)
def _faults(text: str) -> tuple[_Fault, ...]:
    """What is wrong with a schema, given by its canonical text."""
    from wfc.engine import jsonschema_rs

    schema = json.loads(text)
    unknown = _unknown_draft(schema)
    if unknown is not None:
        return (unknown,)
    if not jsonschema_rs.meta.is_valid(schema):
        return tuple(_refusals(schema))
    refers = 'Ref":' in text or '$ref":' in text
    wrong = (
        tuple(
            _Fault(found.spot, True, _reference_facts(found), _definition(schema, found.written))
            for found in astray(schema)
        )
        if refers
        else ()
    )
    return wrong or tuple(_unbuildable(schema))


def _definition(schema: Any, written: str) -> str | None:
    """The reference to the definition of the schema that was surely meant."""
    name = written.rpartition("/")[2].removeprefix("#")
    for holder in ("$defs", "definitions"):
        known = schema.get(holder)
        meant = close_match(name, list(known)) if isinstance(known, dict) and name else None
        if meant is not None:
            reference = f"#/{holder}{pointer(name if name in known else meant)}"
            # One that leads round in a circle is there already.
            return None if reference == written else reference
    return None


def _reference_facts(found: Any) -> dict[str, Any]:
    return {"got": found.written, "problem": found.problem, "expected": found.expected}


def _unknown_draft(schema: Any) -> _Fault | None:
    named = schema.get("$schema") if isinstance(schema, dict) else None
    if named is None or (isinstance(named, str) and named.rstrip("#") in DRAFTS):
        return None
    choices = ", ".join(f"`{draft}`" for draft in DRAFTS)
    facts = {"got": f"{shown(named)} as `$schema`", "expected": f"one of {choices}"}
    return _Fault(("$schema",), False, {**facts, "allowed": nearest(named, DRAFTS)}, close_match(named, DRAFTS))


def _unbuildable(schema: Any) -> Iterator[_Fault]:
    """What the meta-schema admits and the engine cannot build, such as a pattern that is no regular expression."""
    from wfc.engine import jsonschema_rs

    try:
        _rust(schema)(schema, retriever=_no_retrieval, validate_formats=False)
    except jsonschema_rs.ValidationError as wrong:
        parts = tuple(str(part) for part in wrong.instance_path)
        got = f"`{parts[-1]}` ({wrong.message})" if parts else wrong.message
        yield _Fault(parts, False, {"got": got, "expected": "a schema that can be built"})


def _no_retrieval(address: str) -> Any:
    raise ValueError(f"{address} is outside the schema")


def _rust(schema: Any) -> Any:
    from wfc.engine import jsonschema_rs

    drafts = (
        jsonschema_rs.Draft4Validator,
        jsonschema_rs.Draft6Validator,
        jsonschema_rs.Draft7Validator,
        jsonschema_rs.Draft201909Validator,
        jsonschema_rs.Draft202012Validator,
    )
    return drafts[DRAFTS.index(draft_of(schema))]


def _refusals(schema: Any) -> Iterator[_Fault]:
    """Each place at which the meta-schema refuses a schema, in words of jsonschema.

    Where it admits a schema or something else, the engine names the whole of it; what is inside is then judged alone.
    """
    import jsonschema

    words = (
        jsonschema.Draft4Validator,
        jsonschema.Draft6Validator,
        jsonschema.Draft7Validator,
        jsonschema.Draft201909Validator,
        jsonschema.Draft202012Validator,
    )[DRAFTS.index(draft_of(schema))]
    judge = _rust(schema)(words.META_SCHEMA)
    seen: set[tuple[str, ...]] = set()
    waiting: list[tuple[tuple[str, ...], Any]] = [((), schema)]
    while waiting:
        above, part = waiting.pop()
        for wrong in judge.iter_errors(part):
            parts = tuple(str(step) for step in wrong.instance_path)
            inside = [(tail, value) for tail, value in _alternatives(part, parts) if not judge.is_valid(value)]
            waiting += (((*above, *parts, *tail), value) for tail, value in inside)
            if not inside and (*above, *parts) not in seen:
                seen.add((*above, *parts))
                yield _refusal(schema, (*above, *parts), words, wrong.message)


def _alternatives(schema: Any, parts: tuple[str, ...]) -> list[tuple[tuple[str, ...], Any]]:
    """The schemas at a keyword that may hold one, several, or something else."""
    if not parts or (parts[-1] not in _OR_ELSE and parts[-2:-1] != ("dependencies",)):
        return []
    value = lookup(schema, parts)[0]
    if isinstance(value, list):
        return [((str(index),), item) for index, item in enumerate(value) if isinstance(item, dict)]
    return [((), value)] if isinstance(value, dict) else []


def _refusal(schema: Any, parts: tuple[str, ...], words: Any, otherwise: str) -> _Fault:
    """Jsonschema sees the one keyword that was refused by itself, so that the depth of a schema costs no recursion."""
    import jsonschema

    got = lookup(schema, parts)[0]
    if parts[-1:] == ("type",) and isinstance(got, str):
        choices = ", ".join(f"`{kind}`" for kind in TYPES)
        meant = TYPES_MEANT.get(got.lower()) or close_match(got, TYPES)
        facts = {"got": f"{shown(got)} as `type`", "expected": f"one of {choices}"}
        return _Fault(parts, False, {**facts, "allowed": nearest(meant or got, TYPES)}, meant)
    schema_of_type = named_type(got) if _is_entry(parts) or parts[-1] in _OR_ELSE else None
    if schema_of_type is not None:
        facts = {"got": f"{shown(got)} as the schema of `{parts[-1]}`", "expected": "a JSON Schema: an object"}
        return _Fault(parts, False, facts, schema_of_type)
    alone = got if _is_entry(parts) else {parts[-1]: got}
    error = jsonschema.exceptions.best_match(words(words.META_SCHEMA).iter_errors(alone))
    said = otherwise if error is None else error.message
    expected = "what the meta-schema admits"
    return _Fault(parts, False, {"got": f"`{parts[-1]}` ({said})" if parts else said, "expected": expected})


def _is_entry(parts: tuple[str, ...]) -> bool:
    """Whether a place is an entry of a map or list of schemas instead of a keyword."""
    return not parts or parts[-1].isdigit() or (len(parts) > 1 and parts[-2] in _NAMED)


def _without(schema: Schema, faults: tuple[_Fault, ...]) -> Schema:
    """The schema with what cannot be used left out, so that what is well formed in it can still be judged.

    References are looked at only when the meta-schema accepts the rest, so that a second round may be needed.
    """
    for _ in range(2):
        schema = Schema.of(_cut(schema.value, faults))
        faults = _faults(schema.text)
        if not faults:
            return schema
    return Schema.of(True)


def _says_required(parts: tuple[str, ...], written: Any) -> bool:
    """Whether a property says of itself whether it is required, as the oldest draft had it."""
    return parts[-1:] == ("required",) and parts[-3:-2] == ("properties",) and isinstance(written, bool)


def _names_required(parts: tuple[str, ...], written: Any) -> bool:
    """Whether an object names the one field that it requires, where it should list it."""
    return isinstance(written, str) and parts[-1:] == ("required",) and parts[-2:-1] != ("properties",)


def _listed_once(written: Any) -> list[str]:
    """The names of a list that has one of them twice, each once; of any other value none."""
    if not isinstance(written, list) or not all(isinstance(name, str) for name in written):
        return []
    once = list(dict.fromkeys(written))
    return once if len(once) < len(written) else []


def _required_in(schema: Any, listed: list[Any]) -> list[str]:
    """The names of a list of which some cannot be read: these are the other properties, if they are as many."""
    names = [name for name in listed if isinstance(name, str)]
    others = [name for name in root_properties(schema) if name not in names]
    return [*names, *others] if len(others) == len(listed) - len(names) else names


def _all_required(parts: tuple[str, ...], schema: Any) -> list[str]:
    """The properties of an object that says `"required": true`; of one that is a property itself it may say both."""
    if parts[-1:] != ("required",) or parts[-2:-1] == ("properties",) or lookup(schema, parts)[0] is not True:
        return []
    return list(root_properties(lookup(schema, parts[:-1])[0]))


def _cut(value: Any, faults: tuple[_Fault, ...]) -> Any:
    """The schema without the keywords at fault; an entry of several schemas becomes one that admits everything."""
    for fault in faults:
        fields = _all_required(fault.parts, value)
        holder, reached = lookup(value, fault.parts[:-1])
        said = _says_required(fault.parts, lookup(value, fault.parts)[0])
        if said:
            list_as_required(value, fault.parts)
        if fields:
            holder["required"] = fields
        if said or fields:
            continue
        if _names_required(fault.parts, lookup(value, fault.parts)[0]):
            holder["required"] = [holder["required"]]
            continue
        once = _listed_once(lookup(value, fault.parts)[0])
        if once and isinstance(holder, dict):
            holder[fault.parts[-1]] = once
            continue
        if isinstance(holder, list) and fault.parts[-2:-1] == ("required",):
            holder[:] = _required_in(lookup(value, fault.parts[:-2])[0], holder)
            continue
        if isinstance(fault.meant, dict) and isinstance(holder, dict):
            holder[fault.parts[-1]] = fault.meant
            continue
        if not fault.parts or reached != fault.parts[:-1]:
            return True
        if isinstance(holder, list):
            holder[int(fault.parts[-1])] = True
        elif _is_entry(fault.parts):
            holder[fault.parts[-1]] = True
        elif isinstance(holder, dict):
            holder.pop(fault.parts[-1], None)
    return value
