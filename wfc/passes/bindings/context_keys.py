"""Every `context` key that is read is there at that place, and no loop hides the item of an outer one (reference 2.5).

Guarantees to later phases: a key that is not reported here is there whenever it is read, or an `exists` before it has
told so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from wfc.diagnostics import Applicability, Code, Diagnostic, Fix, Related, Severity, Strict
from wfc.ir import ForeachStep, canonical
from wfc.passes.examples import example
from wfc.passes.facts import Facts
from wfc.passes.facts.field_uses import FieldUses
from wfc.passes.graph.flow import Flow
from wfc.passes.repairs.offers import Offers
from wfc.passes.repairs.patches import SAFE, UNSAFE, patch, put
from wfc.passes.spelling import alike, fresh, meant, quoted
from wfc.passes.values.access import Check, Read
from wfc.passes.values.decisions import decisions
from wfc.passes.values.results import context
from wfc.passes.values.roots import loop_of, loops
from wfc.paths import GraphSourcePath
from wfc.records import dataclass

UNKNOWN_CONTEXT = Code(
    code="WF309",
    rule="unknown-context",
    severity=Severity.ERROR,
    strict=Strict.ERROR,
    message="`{step}` reads `context.{got}`, {reason}; expected {expected}",
    help=(
        "read a key that `context` has at `{step}`; what a later step needs of an item, the body has to write to state"
    ),
    why=(
        "`context` is what the machine tells a step of its own place in the run: the item of a loop inside its body, "
        "the way on which control came. The same path elsewhere leads to nothing, and the step fails with "
        "`missing_path`."
    ),
    example=example(
        """{"name": "sizes", "start": "each",
 "input_schema": {"type": "object", "properties": {"rows": {"type": "array", "items": {"type": "array"}}},
                  "required": ["rows"]},
 "state_schema": {"type": "object", "properties": {
   "sizes": {"type": "array", "items": {"type": "integer"}, "reducer": "wf.std.append"}}},
 "output_schema": {"type": "object", "properties": {"sizes": {"type": "array"}}},
 "nodes": [{"id": "each", "type": "foreach", "over": "input.rows", "as": "row"},
  {"id": "size", "type": "node", "node": "wf.std.count", "input": [{"target": "array", "path": "context.rwo"}],
                                                                                               ^^^^^^^^^^^^^
   "output": [{"source": "count", "target": "state.sizes"}]}],
 "edges": [{"from": "each", "outcome": "item", "to": "size"}, {"from": "size", "outcome": "ok", "to": "each"},
           {"from": "each", "outcome": "done", "to": "__end__"}]}
""",
        ("context.rwo", "context.row"),
    ),
)
HIDDEN_ALIAS = Code(
    code="WF507",
    rule="hidden-alias",
    severity=Severity.WARNING,
    message="the items of `{step}` are called `{got}`, as those of `{outer}` around it; expected a name of their own",
    help="call the items of one of the two loops by another name",
    why=(
        "Inside the inner loop the name means the inner item, and nothing can read the outer one any more. Who reads "
        "the body has to know both loops to see which item is meant, and a step that is moved changes its meaning."
    ),
    example=example(
        """{"name": "sizes", "start": "pages",
 "input_schema": {"type": "object", "required": ["pages"], "properties": {
   "pages": {"type": "array", "items": {"type": "array", "items": {"type": "array"}}}}},
 "state_schema": {"type": "object", "properties": {
   "sizes": {"type": "array", "items": {"type": "integer"}, "reducer": "wf.std.append"}}},
 "output_schema": {"type": "object", "properties": {"sizes": {"type": "array"}}},
 "nodes": [{"id": "pages", "type": "foreach", "over": "input.pages", "as": "row"},
  {"id": "rows", "type": "foreach", "over": "context.row", "as": "row"},
                                                                 ^^^^^
  {"id": "size", "type": "node", "node": "wf.std.count", "input": [{"target": "array", "path": "context.row"}],
   "output": [{"source": "count", "target": "state.sizes"}]}],
 "edges": [{"from": "pages", "outcome": "item", "to": "rows"}, {"from": "rows", "outcome": "item", "to": "size"},
           {"from": "size", "outcome": "ok", "to": "rows"}, {"from": "rows", "outcome": "done", "to": "pages"},
           {"from": "pages", "outcome": "done", "to": "__end__"}]}
""",
        ('"over": "context.row", "as": "row"', '"over": "context.row", "as": "line"'),
        ('"path": "context.row"', '"path": "context.line"'),
    ),
)
CODES = (UNKNOWN_CONTEXT, HIDDEN_ALIAS)
_SHOWN = 5
_LOOP_KEYS = ("loop_item", "loop_index")
# Literals of other languages, which are names here; and where a value can stand in the place of a path.
_LITERALS = {"True": True, "TRUE": True, "False": False, "FALSE": False} | dict.fromkeys(
    ("None", "NULL", "Null", "nil", "undefined")
)
_VALUED = frozenset({"input", "request", "operand"})
_WAY_KEYS = ("prior_outcome", "activated_incoming_edge")


def check(facts: Facts) -> Iterator[Diagnostic]:
    for flow in facts.flows:
        uses = facts.field_uses(flow)
        aliases, offers = _aliases(flow), Offers(facts, flow)
        for fault in _faults(flow, uses):
            yield _unknown(flow, fault, aliases, tuple(_key_fixes(facts, flow, fault, offers)))
        yield from _hidden(flow, uses)


def _aliases(flow: Flow) -> dict[str, ForeachStep]:
    """The loops by alias; of several with one alias the first in the document."""
    found: dict[str, ForeachStep] = {}
    for step in flow.workflow.steps:
        if isinstance(step, ForeachStep):
            found.setdefault(step.alias, step)
    return found


# -- keys -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Fault:
    """A look at a key that is not there, or not always; `known` are those that are, and whether they always are."""

    read: Read
    known: Mapping[str, bool]

    @property
    def key(self) -> str:
        return self.read.path.parts[0]

    @property
    def maybe(self) -> bool:
        return self.key in self.known

    @property
    def sure(self) -> list[str]:
        """The keys that are always there, those most like the one that is looked for first."""
        return alike(self.key, [name for name, always in self.known.items() if always])


def _faults(flow: Flow, uses: FieldUses) -> Iterator[_Fault]:
    reads: dict[str, list[Read]] = {}
    for parts, found in uses.paths.read["context"].items():
        for read in found if parts else ():
            reads.setdefault(read.step, []).append(read)
    for name, looks in reads.items():
        known = _known(flow, name)
        guarded = {read for check in uses.accesses[name].checks for read in _guarded(check)}
        for read in looks:
            always = known.get(read.path.parts[0])
            if always or read in guarded or (always is False and read.role == "exists"):
                continue
            # A loop, an edge or a start that could not be read may be what the key belongs to.
            if always is None and (flow.workflow.holes or flow.wiring.start is None):
                continue
            yield _Fault(read, known)


def _known(flow: Flow, name: str) -> dict[str, bool]:
    """The keys that `context` has at a step, and whether it always has them."""
    known = {key: always for key, (_, always) in context(flow, name).items()}
    for _, foreach in loops(flow, name):
        known |= {"loop_item": True, foreach.alias: True}
    return known


def _guarded(check: Check) -> Iterator[Read]:
    """The looks of a condition at keys that it only comes to after a look at the same key has succeeded."""
    found = decisions(check.condition.tests)
    seen: dict[int, frozenset[str]] = {next(iter(found)): frozenset()}
    for index in sorted(found):
        before, reads = seen.get(index, frozenset()), check.reads[index]
        keys = {_key(read) for read in reads if read.path.base == "context" and read.path.parts}
        yield from (read for read in reads if read.role != "exists" and _key(read) in before)
        decision, exists = found[index], any(read.role == "exists" for read in reads)
        for target, told in ((decision.if_true, True), (decision.if_false, not exists)):
            if isinstance(target, int):
                after = before | keys if told else before
                seen[target] = seen[target] & after if target in seen else after


def _key(read: Read) -> str:
    """The key of a look; what is known of the way here is there as a whole or not at all."""
    first = read.path.parts[0] if read.path.parts else ""
    return _WAY_KEYS[0] if first in _WAY_KEYS else first


def _unknown(flow: Flow, fault: _Fault, aliases: Mapping[str, ForeachStep], fixes: tuple[Fix, ...]) -> Diagnostic:
    read, owner, names = fault.read, aliases.get(fault.key), fault.sure
    # No key that every step has is an array.
    is_array = read.role == "over" and not any(loops(flow, read.step))
    return UNKNOWN_CONTEXT.at(
        read.at,
        severity=Severity.WARNING if fault.maybe or read.role == "exists" else Severity.ERROR,
        confidence="likely" if fault.maybe else "proved",
        related=(Related("declared", owner.at.below("as"), "the loop whose items are called so"),) if owner else (),
        fixes=fixes,
        step=flow.steps[read.step].id,
        got=".".join(read.path.parts),
        reason=_reason(fault.key, fault.maybe, owner),
        expected="the path of an array" if is_array else f"one of {quoted(names[:_SHOWN])}",
        allowed=names,
        path=flow.trail(read.step),
    )


def _reason(key: str, maybe: bool, owner: ForeachStep | None) -> str:
    if maybe:
        return "which is not there when the run begins with it"
    if key in _WAY_KEYS:
        return "which the first step of a run does not have"
    if owner is not None:
        return f"which only the body of `{owner.id}` has"
    return "which only the body of a loop has" if key in _LOOP_KEYS else "which is no context key"


def _key_fixes(facts: Facts, flow: Flow, fault: _Fault, offers: Offers) -> Iterator[Fix]:
    """A slip is put right; else the item of the loop around may be meant, or what is called like what is bound."""
    if fault.maybe:
        return
    read, rest = fault.read, fault.read.path.parts[1:]
    if fault.key in _LITERALS and not rest and read.role in _VALUED:
        yield _as_value(flow, read, _LITERALS[fault.key])
        return
    guess = meant(fault.key, fault.sure)
    item = next((foreach.alias for _, foreach in loops(flow, read.step)), None)
    if guess is not None or item is not None:
        path = GraphSourcePath("context", (guess or item or "", *rest))
        yield _read(flow, read, path, UNSAFE if guess is None else SAFE)
    else:
        yield from offers.instead(read)


def _as_value(flow: Flow, read: Read, value: Any) -> Fix:
    """The literal that was written as other languages write it, and so became a path."""
    holder = read.at.pointer.rpartition("/")[0]
    step = flow.steps[read.step]
    changes = [
        {"op": "test", "path": step.at.below("id").pointer, "value": step.id},
        {"op": "remove", "path": read.at.pointer},
        {"op": "add", "path": f"{holder}/value", "value": value},
    ]
    return patch(f"Write `{canonical(value)}`", read.at, changes, SAFE)


def _read(flow: Flow, read: Read, path: GraphSourcePath, applicability: Applicability) -> Fix:
    return put(f"Read `{path}`", flow.steps[read.step], [(read.at, str(path))], applicability)


# -- aliases ----------------------------------------------------------------------------------------------------------


def _hidden(flow: Flow, uses: FieldUses) -> Iterator[Diagnostic]:
    hidden: dict[str, tuple[ForeachStep, ForeachStep]] = {}
    for name in flow.reachable:
        step = flow.steps[name]
        if isinstance(step, ForeachStep):
            outer = next((each for _, each in loops(flow, name) if each.alias == step.alias), None)
            hidden |= {} if outer is None else {name: (step, outer)}
    meaning: dict[str, list[Read]] = {}
    for parts, found in uses.paths.read["context"].items() if hidden else ():
        for read in found if parts and parts[0] != "loop_item" else ():
            loop = loop_of(flow, read.step, parts[0])
            if loop in hidden:
                meaning.setdefault(str(loop), []).append(read)
    for name, (step, outer) in hidden.items():
        yield HIDDEN_ALIAS.at(
            step.at.below("as"),
            related=(Related("declared", outer.at.below("as"), "the outer loop"),),
            fixes=(_renamed(flow, uses, step, meaning.get(name, [])),),
            step=step.id,
            got=step.alias,
            outer=outer.id,
        )


def _renamed(flow: Flow, uses: FieldUses, step: ForeachStep, reads: list[Read]) -> Fix:
    """Call the item by a name of its own in the loop and wherever it is meant; who reads all of `context` sees it."""
    taken = {each.alias for each in flow.steps.values() if isinstance(each, ForeachStep)}
    name = fresh(step.alias, taken)
    paths = [(read.at, ".".join(("context", name, *read.path.parts[1:]))) for read in reads]
    bare = () in uses.read["context"]
    return put(f"Call it `{name}`", step, [(step.at.below("as"), name), *paths], UNSAFE if bare else SAFE)
