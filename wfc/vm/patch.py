"""A patch commits as a whole or not at all (reference 2.4): everything is reduced and validated before the first write.

`commit` takes the writes of one step. `merge` takes the logs of lineages at a barrier: they are applied to a staged
copy, what they touched is validated once, at the end, and then the copy is adopted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

from wfc.ir import ReducerError
from wfc.paths import Parts, overlap
from wfc.records import dataclass
from wfc.vm.fault import MISSING, Fault
from wfc.vm.lineage import Lineage
from wfc.vm.plans import Check, Plan
from wfc.vm.verdicts import Judge, refusal

Write = tuple[Plan, Any]


@dataclass(frozen=True, slots=True)
class _Put:
    parts: Parts
    value: Any


@dataclass(frozen=True, slots=True)
class _Grow:
    parts: Parts
    elements: list[Any]


def commit(judge: Judge, lineage: Lineage, writes: Sequence[Write]) -> None:
    """Commit the writes of one step; raises `Fault` and leaves state as it was."""
    if not writes:
        return
    changes = [_checked(judge, lineage, write, change) for write in writes for change in [_reduced(lineage, write)]]
    if any(plan.ancestors or plan.creators for plan, _ in writes):
        _judge_ancestors(judge, lineage, writes, changes)
    for change in changes:
        _perform(lineage, change)
    if lineage.log is not None:
        lineage.log.extend(writes)


def merge(
    judge: Judge,
    lineage: Lineage,
    logs: Mapping[int, Sequence[Write]],
    own: Sequence[Write],
) -> None:
    """Commit the logs of sibling lineages, in order, and the region's own writes as one patch (reference 2.6).

    Logs stand by the index of the item or of the activated branch.
    """
    written = list(chain.from_iterable(logs.values()))
    plans = _plans(written)
    conflict = _conflict(logs, plans)
    if conflict is not None:
        raise _refused_siblings(*conflict)
    staged = lineage.branch()
    written += own
    _apply(staged, written)
    _judge_touched(judge, staged, [*plans, *_plans(own)])
    lineage.adopt(staged)
    if lineage.log is not None:
        lineage.log.extend(written)


def _plans(writes: Iterable[Write]) -> list[Plan]:
    """The plans of writes, each once, in order."""
    return list({id(write[0]): write[0] for write in writes}.values())


def hand_outward(lineage: Lineage, log: Sequence[Write]) -> None:
    """Commit the log of a serial item without locals: its writes were validated on the same state, one by one."""
    _apply(lineage, log)
    if lineage.log is not None:
        lineage.log.extend(log)


def _apply(lineage: Lineage, log: Iterable[Write]) -> None:
    """Reduce and perform writes, one after the other."""
    grown = lineage._grown
    for write in log:
        plan, incoming = write
        if plan.way == "append":
            waiting = grown.get(plan.parts)
            if waiting is not None:
                waiting.append(incoming)
                continue
            if lineage.add(plan.parts, incoming):
                continue
        elif plan.way == "replace":
            lineage.put(plan.parts, incoming)
            continue
        _perform(lineage, _reduced(lineage, write))
        grown = lineage._grown


def _reduced(lineage: Lineage, write: Write) -> _Put | _Grow:
    plan, incoming = write
    obstacle = lineage.obstacle(plan.parts)
    if obstacle is not None:
        blocked = ".".join(("state", *obstacle))
        raise Fault(
            "state_conflict",
            f"`{plan.text}` lies inside `{blocked}`, which is no object",
            path=plan.text,
        )
    try:
        return _merged(lineage, plan, incoming)
    except ReducerError as error:
        raise Fault(
            "reducer_failed",
            f"`{plan.reducer.name}` at `{plan.text}`: {error}",
            path=plan.text,
        ) from None


def _merged(lineage: Lineage, plan: Plan, incoming: Any) -> _Put | _Grow:
    reducer = plan.reducer
    if reducer.grows is not None and isinstance(lineage.bare(plan.parts), list):
        return _Grow(plan.parts, reducer.grows(incoming))
    current = lineage.peek(plan.parts)
    if current is MISSING:
        return _Put(plan.parts, reducer.first(incoming, plan.config))
    return _Put(plan.parts, reducer.merge(current, incoming, plan.config))


def _checked(judge: Judge, lineage: Lineage, write: Write, change: _Put | _Grow) -> _Put | _Grow:
    """The change itself, when the schemas of its exact destination accept it."""
    plan, _ = write
    if isinstance(change, _Grow) and plan.elements is not None:
        for element in change.elements:
            if not all(check.verdict.is_valid(element) for check in plan.elements):
                message = f"an element for `{plan.text}` is refused by the schema of its elements"
                raise Fault("state_invalid", message, path=plan.text)
        return change
    grown = isinstance(change, _Grow)
    value = [*lineage.peek(plan.parts), *change.elements] if isinstance(change, _Grow) else change.value
    for check in plan.checks:
        if not check.verdict.is_valid(value):
            raise _refused(judge, check, value)
    return _Put(plan.parts, value) if grown else change


def _perform(lineage: Lineage, change: _Put | _Grow) -> None:
    if isinstance(change, _Grow):
        lineage.grow(change.parts, change.elements)
    else:
        lineage.put(change.parts, change.value)


def _judge_ancestors(judge: Judge, lineage: Lineage, writes: Sequence[Write], changes: list[_Put | _Grow]) -> None:
    created = [c for plan, _ in writes for c in plan.creators if lineage.bare(c.parts) is MISSING]
    checks = [*(check for plan, _ in writes for check in plan.ancestors), *created]
    if not checks:
        return
    staged = lineage.branch()
    for change in changes:
        _perform(staged, change)
    for check in checks:
        _require(judge, staged, check)


def _judge_touched(judge: Judge, staged: Lineage, plans: list[Plan]) -> None:
    judged: set[tuple[Parts, str]] = set()
    for plan in plans:
        for check in (*plan.checks, *plan.ancestors, *plan.creators):
            if (check.parts, check.at) not in judged:
                judged.add((check.parts, check.at))
                _require(judge, staged, check)


def _require(judge: Judge, staged: Lineage, check: Check) -> None:
    value = staged.peek(check.parts)
    if value is not MISSING and not check.verdict.is_valid(value):
        raise _refused(judge, check, value)


def _refused(judge: Judge, check: Check, value: Any) -> Fault:
    path = ".".join(("state", *check.parts))
    return refusal(judge, check.at, value, "state_invalid", f"the value of `{path}`", path)


Writer = tuple[int, Plan]


def _conflict(logs: Mapping[int, Sequence[Write]], plans: list[Plan]) -> tuple[Writer, Writer] | None:
    """The first two writes of different lineages between which no order has a meaning."""
    if all(plan.reducer.mergeable for plan in plans) and len(plans) < _FEW and overlapping(plans) is None:
        return None
    tree: dict[str, Any] = {}
    for index, log in logs.items():
        for plan in {id(plan): plan for plan, _ in log}.values():
            other = _clashing(tree, plan, index)
            if other is not None:
                return other, (index, plan)
    return None


def _refused_siblings(first: Writer, second: Writer) -> Fault:
    (one, early), (other, late) = first, second
    if early.parts == late.parts:
        said = f"is written by the parallel lineages {one} and {other} and has no reducer that can merge them"
    else:
        said = f"is written by lineage {other} beside `{early.text}` by lineage {one}, and one lies in the other"
    return Fault("state_conflict", f"`{late.text}` {said}", path=late.text)


# Fewer paths than this are compared with one another.
_FEW = 30
_WRITERS = ""  # no segment is empty, so the writers of a place stand beside the places inside it


def _clashing(tree: dict[str, Any], plan: Plan, index: int) -> Writer | None:
    """Note that a lineage writes the path; the other lineage whose write that meets, if there is one."""
    for part in plan.parts:
        if (above := _other(tree, index)) is not None:
            return above
        tree = tree.setdefault(part, {})
    inside = [tree[key] for key in tree if key != _WRITERS]
    while inside:
        deeper = inside.pop()
        if (below := _other(deeper, index)) is not None:
            return below
        inside += [deeper[key] for key in deeper if key != _WRITERS]
    same = None if plan.reducer.mergeable else _other(tree, index)
    if same is None:
        tree.setdefault(_WRITERS, {})[index] = plan
    return same


def _other(tree: dict[str, Any], index: int) -> Writer | None:
    """The first lineage but this that writes the place."""
    writers: dict[int, Plan] = tree.get(_WRITERS, {})
    return next((writer for writer in writers.items() if writer[0] != index), None)


def overlapping(plans: Sequence[Plan]) -> Plan | None:
    """The first plan whose path overlaps an earlier one's: such bindings are no patch (reference 1.5)."""
    for number, plan in enumerate(plans):
        if any(overlap(plan.parts, other.parts) for other in plans[:number]):
            return plan
    return None
