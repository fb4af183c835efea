"""A document as text in canonical layout: one construct a line, in the order of the language.

Guarantees: reading what is written gives the document again, up to shorthands, forms of paths and older spellings
(reference 1.10); what the language cannot say is written as JSON, so that every document has a text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from wfc.frontend.legacy import renewed_state
from wfc.frontend.text.carried import definitions, unsaid
from wfc.frontend.text.layout import Fragment, joined, literal
from wfc.frontend.text.words import name, text_literal
from wfc.frontend.text.write_edges import NO_HABITS, Habits, Wiring, wiring
from wfc.frontend.text.write_steps import definition_text, step_text
from wfc.frontend.text.write_types import is_record, written_root
from wfc.records import dataclass, field

ALLOW = "x-wfc-allow"
_WORKFLOW = frozenset({"workflow"})
_CODE = re.compile(r"(?!because\Z)[A-Za-z0-9-]+\Z")
_ONE_LINE = re.compile(r"\S[^\n\r]*\Z")


@dataclass(frozen=True, slots=True)
class Line:
    """A construct: what it is, the pointers that it stands for, how deep it stands, its text.

    `remarks` are comments that belong to what it says.
    """

    kind: str
    pointers: tuple[str, ...]
    depth: int
    fragment: Fragment
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Known:
    """The fragments of definitions and steps by what they were made from; `grows` while these objects live on."""

    fragments: dict[Any, Fragment] = field(default_factory=dict)
    grows: bool = True

    def fragment(self, key: Any, make: Callable[[], Fragment]) -> Fragment:
        found = self.fragments.get(key)
        if found is None:
            found = make()
            if self.grows:
                self.fragments[key] = found
        return found


def lines_of(value: Any, habits: Habits = NO_HABITS, known: Known | None = None) -> Iterator[Line]:
    """The constructs of a document in their order."""
    listed = value.get("workflows") if isinstance(value, dict) else None
    if isinstance(listed, list) and any(map(_is_named, listed)):
        yield from _module(value, listed, habits, known)
    elif _is_named(value) and not {"workflows", "main"} & set(value):
        yield from _workflow(value, "", False, habits, known)
    else:
        yield Line("json", ("",), 0, joined("json ", literal(value)))


def _is_named(value: Any) -> bool:
    return isinstance(value, dict) and isinstance(value.get("name"), str)


def _module(value: dict[str, Any], listed: list[Any], habits: Habits, known: Known | None) -> Iterator[Line]:
    left = {key: inner for key, inner in value.items() if key != "workflows"}
    names = [one.get("name") if isinstance(one, dict) else None for one in listed]
    main = left.get("main")
    marked = None
    if isinstance(main, str) and main in names:
        del left["main"]
        marked = names.index(main) if names.index(main) else None
    elif isinstance(main, str):
        del left["main"]
        yield Line("main", ("/main",), 0, (f"main {name(main, _WORKFLOW)}",))
    elif main is None:
        left.pop("main", None)
    if left:
        yield Line("with", (" with",), 0, _with(left))
    for place, one in enumerate(listed):
        yield from _workflow(one, f"/workflows/{place}", place == marked, habits, known)


def _with(left: dict[str, Any]) -> Fragment:
    return joined("with ", literal(left))


def _workflow(written: Any, pointer: str, is_main: bool, habits: Habits, known: Known | None) -> Iterator[Line]:
    if not _is_named(written):
        yield Line("json", (pointer,), 0, joined("json ", literal(written)))
        return
    left = dict(written)
    allowed = allowances(left)
    head = f"{'main ' if is_main else ''}workflow {name(left.pop('name'))}"
    if isinstance(left.get("desc"), str):
        head += f" {text_literal(left.pop('desc'))}"
    yield Line("head", (pointer,), 0, (head + " {",), allowed)
    sections = list(_sections(left, pointer))
    defs, nodes, edges = (left.pop(key, None) for key in ("node_defs", "nodes", "edges"))
    for key, given in (("node_defs", defs), ("nodes", nodes), ("edges", edges)):
        if given is not None and not isinstance(given, list):
            left[key] = given
    steps = nodes if isinstance(nodes, list) else []
    wired = wiring(steps, edges if isinstance(edges, list) else [], f"{pointer}/edges", habits)
    first = steps[0].get("id") if steps and isinstance(steps[0], dict) else None
    start = left.pop("start", None)
    if start is not None and not isinstance(start, str):
        left["start"] = start
    if isinstance(nodes, list) and not nodes:
        left["nodes"] = nodes
    left = {key: value for key, value in left.items() if value is not None or key not in _OPTIONAL}
    yield from sections
    if left:
        yield Line("with", (f"{pointer} with",), 1, _with(left))
    for place, one in enumerate(defs if isinstance(defs, list) else []):
        yield _definition(one, f"{pointer}/node_defs/{place}", known)
    if start is None and isinstance(first, str):
        # Where nothing is said, the first step is the start.
        yield Line("start", (f"{pointer}/start",), 1, ("start *",))
    if isinstance(start, str) and (habits.start or start != first):
        yield Line("start", (f"{pointer}/start",), 1, (f"start {name(start)}",))
    for place, one in enumerate(steps):
        yield from _step(one, place, f"{pointer}/nodes/{place}", wired, known)
    yield from (Line("edge", edge.pointers, 1, edge.fragment) for edge in wired.loose)
    yield Line("close", (f"{pointer} close",), 0, ("}",))


_OPTIONAL = ("desc", "input_schema", "state_schema", "output_schema", "outcomes", "node_defs", "edges")


def _sections(left: dict[str, Any], pointer: str) -> Iterator[Line]:
    """The contracts of a workflow, taken out of what is left to say."""
    state = renewed_state(left["state_schema"]) if isinstance(left.get("state_schema"), dict) else None
    fields = state.get("properties") if state is not None else None
    like = {key: bare_field(inner) for key, inner in fields.items()} if isinstance(fields, dict) else {}
    for word in ("input", "state", "output"):
        key = f"{word}_schema"
        written = left.get(key)
        if written is None:
            continue
        del left[key]
        at = f"{pointer}/{key}"
        if word == "state":
            said = written_root(state if state is not None else written, optional=True, tag=at)
        else:
            types: Mapping[str, Any] | None = None
            if word == "output" and is_record(written):
                written, types = unsaid(written, like, definitions(state))
            said = written_root(written, like=types, tag=at)
        yield Line(word, (at,), 1, joined(f"{word} ", said))
    outcomes = left.get("outcomes")
    if isinstance(outcomes, list) and outcomes and all(isinstance(one, str) for one in outcomes):
        del left["outcomes"]
        yield Line("outcomes", (f"{pointer}/outcomes",), 1, (f"outcomes {', '.join(map(name, outcomes))}",))


def bare_field(schema: Any) -> Any:
    """A field of the state as an output has it: without what only state has."""
    if not isinstance(schema, dict):
        return schema
    return {key: inner for key, inner in schema.items() if key not in ("reducer", "default")}


def _definition(written: Any, pointer: str, known: Known | None) -> Line:
    left = dict(written) if isinstance(written, dict) else written
    allowed = allowances(left) if isinstance(left, dict) and isinstance(left.get("name"), str) else ()
    return Line("def", (pointer,), 1, _fragment(known, id(written), lambda: definition_text(left)), allowed)


def _step(written: Any, place: int, pointer: str, wired: Wiring, known: Known | None) -> Iterator[Line]:
    if place in wired.implied:
        return
    edges = wired.of_steps[place]
    left = dict(written) if isinstance(written, dict) else written
    allowed = allowances(left) if isinstance(left, dict) else ()
    key = (id(written), *edges.outcomes, *(edges.branches or {}).items())
    fragment = _fragment(known, key, lambda: step_text(left, edges.outcomes, edges.branches))
    if fragment[0] == "json ":
        yield Line("step", (pointer,), 1, step_text(written, edges.outcomes, edges.branches))
        yield from (Line("edges", row.pointers, 2, row.fragment) for row in wired.below(place))
        return
    yield Line("step", (pointer, *edges.inline_pointers), 1, joined(fragment, edges.inline), allowed)
    yield from (Line("edges", row.pointers, 2, row.fragment) for row in edges.rows)


def _fragment(known: Known | None, key: Any, make: Callable[[], Fragment]) -> Fragment:
    return make() if known is None else known.fragment(key, make)


def allowances(left: dict[str, Any]) -> tuple[str, ...]:
    """The suppressions of an object as comments, taken out of it where comments can say them."""
    written = left.get(ALLOW)
    if not isinstance(written, list) or not written:
        return ()
    made = []
    for entry in written:
        comment = _allowance(entry)
        if comment is None:
            return ()
        made.append(comment)
    del left[ALLOW]
    return tuple(made)


def _allowance(entry: Any) -> str | None:
    """A suppression as a comment; what it lacks is lacking there as well."""
    if not isinstance(entry, dict) or not set(entry) <= {"code", "reason"}:
        return None
    said = "# wfc: allow"
    code, reason = entry.get("code"), entry.get("reason")
    if "code" in entry:
        if not isinstance(code, str) or not _CODE.match(code):
            return None
        said += f" {code}"
    if "reason" in entry:
        if not isinstance(reason, str) or not _ONE_LINE.match(reason) or reason.splitlines() != [reason.strip()]:
            return None
        said += f" because {reason}"
    return said
