"""The Python text of what a step does, written for its shape and compiled once for all steps of that shape.

Guarantees: a text holds nothing that a user wrote. A shape is made of numbers and of the few words below; the keys,
values, schemas and labels of a step are handed to the compiled text as arguments. What is drafted is the ordinary
course of a step alone: whatever is unusual gives `PLOD` or `LATE` and has changed nothing, so that `wfc.vm.steps`,
which is the reference, does it instead and words what is wrong.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from types import CoroutineType
from typing import Any

from wfc.ir import AWAY, LATE, PLOD, RAISED, copy, equal
from wfc.records import dataclass
from wfc.vm.fault import MISSING, Fault
from wfc.vm.frames import BRANCH
from wfc.vm.plain import COMMON, plain
from wfc.vm.turns import left, opened

SHAPES_KEPT = 4096
_CONTAINERS = frozenset((dict, list))
_SCALARS = frozenset((str, int, float))
_NUMBERS = frozenset((int, float))


_KNOWN: dict[str, Any] = {
    "AWAY": AWAY,
    "BRANCH": BRANCH,
    "COROUTINE": CoroutineType,
    "CONTAINERS": _CONTAINERS,
    "Fault": Fault,
    "LATE": LATE,
    "MISSING": MISSING,
    "NUMBERS": _NUMBERS,
    "PLOD": PLOD,
    "RAISED": RAISED,
    "SCALARS": _SCALARS,
    "copy": copy,
    "equal": equal,
    "left": left,
    "opened": opened,
    "plain": plain,
}


# A function, and the constants to call it with.
Drafted = tuple[Callable[..., Any], tuple[Any, ...]]


@dataclass(frozen=True, slots=True)
class Read:
    """How a value is got at: `way` is `state`, `input`, `alias`, `item`, `index`, `value` or `get`, `depth` the number
    of keys behind it. The constants of place `n` are `n_k0`, `n_k1`, …, `n_parts`, `n_alias`, `n_value`, `n_get`.
    `sure`: a value of `one` kind, which is `n_kind`, or one of the kinds there, for `some`, is accepted for sure."""

    way: str
    depth: int = 0
    sure: str = ""


@dataclass(frozen=True, slots=True)
class Put:
    """One write: `way` is `replace` or `append`, for a key of the state itself; `depth` the number of keys that lead to
    the incoming value. `checks` is how many verdicts judge it. The constants are `n_s0`, …, `n_key`, `n_parts`,
    `n_v0`, …, `n_plan`; `sure` is as for `Read`."""

    way: str
    depth: int
    checks: int
    sure: str = ""


@lru_cache(maxsize=SHAPES_KEPT)
def compiled(text: str) -> Callable[..., Any]:
    return executed(text)


def executed(text: str, **further: Any) -> Callable[..., Any]:
    """The function `act` of a text that also knows these further names."""
    known = _KNOWN | further
    # As a text: `compile` would first make the classes of `ast`, which takes longer than a small run.
    exec(text, known)
    made: Callable[..., Any] = known["act"]
    return made


def drafted(lines: list[str], constants: dict[str, Any]) -> Drafted:
    """The function `act` that the lines define. Its last argument are the constants of a step, in this order: so all
    steps of a shape have one function, and what is a step's own lies close together."""
    head, *body = lines
    names = "".join(f"{name}, " for name in constants)
    return compiled("\n".join([head, *([f" {names}= constants"] if names else []), *body])), tuple(constants.values())


def reading(number: int, read: Read, give: str) -> list[str]:
    """Lines that set the name `give` to a value, inside a `try` that takes `KeyError`, `TypeError` and `Fault`. Whoever
    keeps it says so by `held`."""
    n, keys = f"r{number}", "".join(f"[r{number}_k{depth}]" for depth in range(read.depth))
    match read.way:
        case "state":
            return [
                f"if lineage._grown: lineage._settle({n}_parts)",
                f"{give} = lineage._root{keys}",
            ]
        case "input":
            return [f"{give} = frame.scope.input{keys}"]
        case "alias":
            walk = f"while loop.alias != {n}_alias: loop = loop.outer"
            return [
                "loop = frame.loop",
                "if loop is None: raise KeyError",
                *_outward(walk, n),
                f"{give} = loop.item{keys}",
            ]
        case "item":
            return ["loop = frame.loop", "if loop is None: raise KeyError", f"{give} = loop.item{keys}"]
        case "index":
            return ["loop = frame.loop", "if loop is None: raise KeyError", f"{give} = loop.index"]
        case "value":
            return [f"{give} = {n}_value"]
        case _:
            return [f"{give} = {n}_get(frame)"]


def held(number: int, read: Read) -> list[str]:
    """Lines by which a value that was read may be kept by others: what is ours to change in it is so no longer."""
    if read.way != "state":
        return []
    return [f"if v{number}.__class__ in CONTAINERS: lineage._disown(r{number}_parts)"]


def _outward(walk: str, n: str) -> list[str]:
    """From the innermost loop to the one that has the alias."""
    head, body = walk.split(": ", 1)
    return [f"{head}:", f" {body}", " if loop is None: raise KeyError"]


_BEGIN = "def act(frame, limit, foreign, constants):"
_PASS = "def act(frame, limit, constants):"
_UNUSUAL = "except (KeyError, TypeError, Fault): return PLOD"


def begin_lines(reads: tuple[Read, ...], *, judged: bool) -> list[str]:
    """Lines that give the payload of a call; a copy of it for whoever is `foreign`. The frame keeps its values: one
    as it is, several as a tuple."""
    lines = [_BEGIN, " if frame.steps >= limit: return PLOD", " lineage = frame.lineage"]
    if reads:
        found = [line for n, read in enumerate(reads) for line in (*reading(n, read, f"v{n}"), *held(n, read))]
        lines += [" try:", *(f"  {line}" for line in found), f" {_UNUSUAL}"]
    values = [f"v{number}" for number in range(len(reads))]
    lines.append(f" payload = {{{', '.join(f't{n}: {value}' for n, value in enumerate(values))}}}")
    if judged:
        lines.append(" if not accepts(payload): return PLOD")
    lines.append(f" frame.payload = {tupled(values)}")
    if values:
        inside = " or ".join(f"{value}.__class__ in CONTAINERS" for value in values)
        lines.append(f" if foreign and ({inside}): return copy(payload)")
    return [*lines, " return payload"]


def tupled(names: list[str]) -> str:
    """How a frame keeps several values; one is kept as it is."""
    return names[0] if len(names) == 1 else f"({', '.join(names)})"


def whole_lines(*, judged: bool) -> list[str]:
    """Like `begin_lines`, for a payload that `build` makes; the frame keeps it as it is."""
    lines = [_BEGIN, " if frame.steps >= limit: return PLOD"]
    lines += [" try: payload = build(frame)", " except Fault: return PLOD"]
    if judged:
        lines.append(" if not accepts(payload): return PLOD")
    return [*lines, " frame.payload = payload", " return copy(payload) if foreign else payload"]


def end_lines(puts: tuple[Put, ...] | None, *, single: bool, named: bool, judged: bool) -> list[str]:
    """Lines of what a step does with the output of its outcome; they give the step that follows.

    `puts` none means that `commit` does the patch. `single`: most outputs have the one key `only`. `named`: only the
    keys in `names` stay in the output, `only` among them.
    """
    copied = [" kept = output = plain(output)", " if output is None: return LATE"]
    if named:
        copied.append(" if not output.keys() <= names: return LATE")
    lines = ["def act(frame, output, constants):", *(_single(copied) if single else copied)]
    if judged:
        lines.append(" if not accepted(output): return LATE")
    if puts is None:
        lines += [" try: commit(frame, output)", " except Fault: return LATE"]
    elif puts:
        lines += _patch(puts)
    return [*lines, *_left("frame.payload", "kept"), " frame.payload = MISSING", " return after"]


def _single(otherwise: list[str]) -> list[str]:
    """Lines for an output of the one key `only`: where its value is plain nothing has to be copied, and the value is
    what the entry keeps, under the mark `single`."""
    return [
        *(f" {line}" for line in looked_up("output")),
        " kind = type(kept) if len(output) == 1 else None",
        f" if kind is int and {-COMMON} <= kept <= {COMMON} or kind is str and kept.isascii() or kind is bool:",
        "  mark = single",
        " else:",
        *(f" {line}" for line in otherwise),
    ]


def looked_up(output: str) -> list[str]:
    """Lines that set `kept` to the value under the key `only`. Beside a key that is no string anything may be raised:
    then the output is no JSON, which is told when it is copied."""
    return [f"try: kept = {output}[only]", "except Exception: kept = MISSING"]


def _patch(puts: tuple[Put, ...]) -> list[str]:
    lines = [" lineage = frame.lineage", " try:"]
    for number, put in enumerate(puts):
        keys = "".join(f"[w{number}_s{depth}]" for depth in range(put.depth))
        lines.append(f"  w{number} = output{keys}")
    lines.append(" except (KeyError, TypeError): return LATE")
    for number, put in enumerate(puts):
        if put.way == "append":
            lines.append(f" if lineage._root.get(w{number}_key).__class__ is not list: return LATE")
        lines += [f" if not w{number}_v{check}(w{number}): return LATE" for check in range(put.checks)]
    for number, put in enumerate(puts):
        lines += [f" {line}" for line in (grown(number) if put.way == "append" else replaced(number))]
    logs = ", ".join(f"(w{number}_plan, w{number})" for number in range(len(puts)))
    return [*lines, f" if lineage.log is not None: lineage.log += ({logs},)"]


def replaced(number: int, lineage: str = "lineage") -> list[str]:
    """Lines that replace the value of a key."""
    n = f"w{number}"
    return [
        f"owned = {lineage}._owned",
        f"if owned is None or {lineage}._grown: {lineage}.put({n}_parts, {n})",
        "else:",
        f" {lineage}._root[{n}_key] = {n}",
        f" if owned: owned.pop({n}_key, None)",
    ]


def grown(number: int, lineage: str = "lineage") -> list[str]:
    """Lines that add to the array under a key."""
    n = f"w{number}"
    return [
        f"owned = {lineage}._owned",
        f"if owned and {n}_key in owned and not {lineage}._grown: {lineage}._root[{n}_key].append({n})",
        f"else: {lineage}.add({n}_parts, {n})",
    ]


def _left(payload: str, output: str) -> list[str]:
    """Lines that write the entry of a step and follow its edge."""
    return [
        " frame.steps += 1",
        " frame.sequence = sequence = frame.sequence + 1",
        f" frame.entries += (mark, sequence, {payload}, {output})",
        " frame.prior = outcome",
        " frame.incoming = edge",
        " frame.retries = 0",
        " frame.step = target",
    ]


def choice_lines(check: list[str]) -> list[str]:
    """Lines for a condition; `check` sets `answer`, or gives `PLOD`."""
    lines = [_PASS, " if frame.steps >= limit: return PLOD"]
    lines += [" try:", *(f"  {line}" for line in check), f" {_UNUSUAL}"]
    lines.append(" mark, outcome, edge, target, after = if_true if answer else if_false")
    return [*lines, *_left("MISSING", "MISSING"), " return after"]


def join_lines() -> list[str]:
    """Lines for a join that closes no region of the frame."""
    lines = [_PASS, " if frame.steps >= limit or frame.kind == BRANCH: return PLOD"]
    return [*lines, *_left("MISSING", "MISSING"), " return after"]


def comparison(op: str, left: Read, right: Read) -> list[str]:
    """Lines that set `answer` to a comparison of two values; anything but two scalars of one kind is left to `equal`,
    or to the reference."""
    lines = ["lineage = frame.lineage", *reading(0, left, "a"), *reading(1, right, "b")]
    if op in ("eq", "ne"):
        same = "a.__class__ in SCALARS and a.__class__ is b.__class__"
        word = "" if op == "eq" else "not "
        return [*lines, f"answer = {word}(a == b if {same} else equal(a, b))"]
    sign = {"lt": "<", "le": "<=", "gt": ">", "ge": ">="}[op]
    ordered = "a.__class__ in NUMBERS and b.__class__ in NUMBERS or a.__class__ is str and b.__class__ is str"
    return [*lines, f"if not ({ordered}): return PLOD", f"answer = a {sign} b"]


def exists(read: Read) -> list[str]:
    """Lines that set `answer` to whether a path is there."""
    looked = [f" {line}" for line in reading(0, read, "a")]
    return [
        "lineage = frame.lineage",
        "try:",
        *looked,
        " answer = True",
        "except (KeyError, TypeError): answer = False",
    ]
