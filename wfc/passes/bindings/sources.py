"""Every path that a step reads leads to something that is known: a field that is declared, of what can hold fields."""

from __future__ import annotations

from collections.abc import Iterator

from wfc.diagnostics import Applicability, Code, Diagnostic, Fix, Related, Severity, Strict
from wfc.passes.examples import example
from wfc.passes.facts import Facts
from wfc.passes.facts.places import around, declared, is_declared
from wfc.passes.facts.reads import Fault, Reads, Through, Unknown
from wfc.passes.graph.flow import Flow
from wfc.passes.repairs.patches import SAFE, UNSAFE, put
from wfc.passes.spelling import alike, meant
from wfc.passes.types import Verdict, describe
from wfc.passes.values import Read
from wfc.paths import GraphSourcePath

UNKNOWN_SOURCE_PATH = Code(
    code="WF305",
    rule="unknown-source-path",
    severity=Severity.ERROR,
    strict=Strict.ERROR,
    message="`{got}` is read, but {owner} {says} `{field}`; expected {expected}",
    help="read a path that is there, or declare `{field}` where {owner} is written",
    why=(
        "A path that no schema knows is, as a rule, a slip: a misspelt field, or one of another root. Where the schema "
        "is closed, nothing can ever be there and the step fails with `missing_path`; where it is open, something may "
        "be, if somebody puts it there by the same name."
    ),
    example=example(
        """{"name": "rest", "start": "nap",
 "input_schema": {"type": "object", "properties": {"minutes": {"type": "number", "minimum": 0}},
                  "required": ["minutes"], "additionalProperties": false},
 "nodes": [{"id": "nap", "type": "wait", "seconds": {"path": "input.minuets"}},
                                                             ^^^^^^^^^^^^^^^
           {"id": "sleep", "type": "wait", "seconds": {"path": "input.minutes"}}],
 "edges": [{"from": "nap", "outcome": "ok", "to": "sleep"}, {"from": "sleep", "outcome": "ok", "to": "__end__"}]}
""",
        ("minuets", "minutes"),
    ),
)
PATH_THROUGH_SCALAR = Code(
    code="WF308",
    rule="path-through-scalar",
    severity=Severity.ERROR,
    message="`{got}` goes through {through}, which is {type}; expected an object there",
    help="end the path before `{field}`, or let {through} be an object",
    why=(
        "A path descends through objects only: there are no indexes into arrays and no fields of texts or numbers. "
        "What lies behind such a place is never there to be read, and a write to it finds no object to write into."
    ),
    example=example(
        """{"name": "rest", "start": "nap",
 "input_schema": {"type": "object", "properties": {"seconds": {"type": "number", "minimum": 0}},
                  "required": ["seconds"]},
 "nodes": [{"id": "nap", "type": "wait", "seconds": {"path": "input.seconds.value"}}],
                                                             ^^^^^^^^^^^^^^^^^^^^^
 "edges": [{"from": "nap", "outcome": "ok", "to": "__end__"}]}
""",
        ("input.seconds.value", "input.seconds"),
    ),
)
CODES = (UNKNOWN_SOURCE_PATH, PATH_THROUGH_SCALAR)
_SHOWN = 5
_ROOTS = ("input", "state", "context")
_Key = tuple[GraphSourcePath, int, bool, bool]


def check(facts: Facts) -> Iterator[Diagnostic]:
    """Report each unknown path of a workflow once, where it is first read; one through a scalar wherever it is read."""
    for flow in facts.flows:
        reads = facts.reads(flow)
        unknown: dict[_Key, list[Unknown]] = {}
        for read in looks(reads):
            match reads.fault(read):
                case Unknown() as fault:
                    key = (read.path, fault.depth, fault.certain, read.role == "exists")
                    unknown.setdefault(key, []).append(fault)
                case Through() as fault:
                    yield _through(facts, flow, fault)
        for faults in unknown.values():
            yield _unknown(facts, flow, faults)


def looks(reads: Reads) -> Iterator[Read]:
    """The looks of a workflow's steps, in the order in which steps are reached; not those of what its ends project."""
    for access in reads.solver.accesses.values():
        yield from (read for read in access.reads if read.role != "output")


def _unknown(facts: Facts, flow: Flow, faults: list[Unknown]) -> Diagnostic:
    first, *others = faults
    read, name = first.read, first.read.path.parts[first.depth]
    names = alike(name, first.known)
    elsewhere = _elsewhere(facts, flow, read)
    nearest = elsewhere or (GraphSourcePath(read.path.base, (*first.above.parts, names[0])) if names else None)
    fails = first.certain and read.role != "exists"
    related = [Related("read", other.read.at, "and here") for other in others[:_SHOWN]]
    return UNKNOWN_SOURCE_PATH.at(
        read.at,
        severity=Severity.ERROR if fails else Severity.WARNING,
        confidence="proved" if first.certain else "likely",
        related=(*_owner_place(flow, first), *related),
        fixes=_rename(flow, faults, elsewhere),
        hides=len(others),
        got=str(read.path),
        field=name,
        owner=_owner(first),
        says="has no" if first.certain else "does not mention",
        expected="another path" if nearest is None else f"one such as `{nearest}`",
        allowed=names,
        path=flow.trail(read.step),
    )


def _owner(fault: Fault) -> str:
    above = fault.above
    if above.parts:
        return f"`{above}`"
    return "the input schema" if above.base == "input" else "the state schema"


def _owner_place(flow: Flow, fault: Fault) -> tuple[Related, ...]:
    above = fault.above
    if above.base == "context":
        return ()
    if above.parts:
        return declared(flow, above, "what there is")
    return (Related("declared", flow.workflow.at.below(f"{above.base}_schema"), "what there is"),)


def _rename(flow: Flow, faults: list[Unknown], elsewhere: GraphSourcePath | None) -> tuple[Fix, ...]:
    """The same path in another root, the field that is spelt like it, or else what should hold the field."""
    first = faults[0]
    path, depth = first.read.path, first.depth
    if elsewhere is not None:
        return _rewritten(flow, faults, elsewhere)
    guess = meant(path.parts[depth], first.known)
    if guess is not None:
        return _rewritten(
            flow, faults, GraphSourcePath(path.base, (*first.above.parts, guess, *path.parts[depth + 1 :]))
        )
    return _rewritten(flow, faults, first.above, UNSAFE) if depth and depth == len(path.parts) - 1 else ()


def _elsewhere(facts: Facts, flow: Flow, read: Read) -> GraphSourcePath | None:
    """The very same path in the one other root that has it: nothing is spelt more like it."""
    others = [GraphSourcePath(base, read.path.parts) for base in _ROOTS if base != read.path.base]
    known = [other for other in others if _is_known(facts, flow, read.step, other)]
    return known[0] if len(known) == 1 else None


def _is_known(facts: Facts, flow: Flow, step: str, path: GraphSourcePath) -> bool:
    """Whether a path of another root may be there: one that is declared as a whole, or that belongs to a loop."""
    if facts.values.seen_at(flow, step, path).presence is Verdict.NEVER:
        return False
    return path.base == "context" or is_declared(flow, path)


def _rewritten(
    flow: Flow, faults: list[Unknown], path: GraphSourcePath, applicability: Applicability = SAFE
) -> tuple[Fix, ...]:
    places = [(fault.read.at, str(path)) for fault in faults]
    return (put(f"Read `{path}`", flow.steps[faults[0].read.step], places, applicability),)


def _through(facts: Facts, flow: Flow, fault: Through) -> Diagnostic:
    read, above = fault.read, fault.above
    step = flow.steps[read.step]
    return PATH_THROUGH_SCALAR.at(
        read.at,
        related=around(facts, flow, above),
        fixes=(put(f"Read `{above}`", step, [(read.at, str(above))], UNSAFE),),
        got=str(read.path),
        field=read.path.parts[fault.depth],
        through=f"`{above}`",
        type=describe(fault.type),
        path=flow.trail(read.step),
    )
