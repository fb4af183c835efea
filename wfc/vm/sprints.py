"""The Python text of a sprint: a call and all that is around it, step after step, for as long as the steps are alike.

Guarantees the run that `begin` and `end` of the same steps give (`wfc.vm.drafts`). What a frame counts, and where it
stands, is kept in local names and written to it when the sprint ends, however it ends. A sprint ends before a step, or
between a call and its end, with nothing half done: the coroutine function `act(frame, step, limit, direct)` gives the
step on which the frame stands, what is to be done there, and what the call has given. That is nothing, for a step that
goes on in another way; `PLOD`, when the step has to be done as a whole; `LATE`, when what the call has returned needs a
closer look; `RAISED`, with the error; `AWAY`, when what the step calls is not called directly.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from wfc.records import dataclass
from wfc.vm.drafts import SHAPES_KEPT, Put, Read, executed, grown, held, reading, replaced, tupled
from wfc.vm.plain import COMMON

# How it is told that the kind of a value makes it one that is accepted for sure.
_SURE = {"one": "is", "some": "in"}


@dataclass(frozen=True, slots=True)
class Shape:
    """What the texts of two sprints can differ in.

    `reads` are the values of the payload, none where `build` makes it as a whole; `puts` the writes, none where
    `commit` does them. `single` are the kinds with which the value under the key `only`, the one key that most outputs
    have, is accepted for sure; none where there is no such key; `from_single` the writes that take that value.
    `is_asked`, `is_judged`: whether the schemas of payload and output could refuse one; `is_named`: only the keys in
    `names` stay in the output. `closes` is the mode of the foreach to which the step may lead back an item.
    """

    reads: tuple[Read, ...] | None
    is_asked: bool
    puts: tuple[Put, ...] | None
    from_single: tuple[bool, ...]
    single: tuple[str, ...] | None
    is_judged: bool
    is_named: bool
    closes: str = ""


class Sprint:
    """What steps of one shape, with constants of the same `names`, have in common; made when it is first run, because
    a run that is kept needs none. `act` is none until then."""

    __slots__ = ("_names", "_shape", "act")

    def __init__(self, shape: Shape, names: tuple[str, ...]) -> None:
        self._shape, self._names = shape, names
        self.act: Callable[..., Any] | None = None

    def made(self) -> Callable[..., Any]:
        self.act = executed("\n".join(_lines(self._shape, self._names)), this=self)
        return self.act


# Steps of one shape have one sprint, by which they know one another.
sprint = lru_cache(maxsize=SHAPES_KEPT)(Sprint)


def _lines(shape: Shape, names: Sequence[str]) -> list[str]:
    packed, written_back = _packed(shape), _written_back(shape)
    late = f"sign, packed = LATE, {packed}; break"
    return [
        "async def act(frame, step, limit, direct):",
        " entries, lineage = frame.entries, frame.lineage",
        " log = lineage.log",
        " sequence = begun = frame.sequence",
        " full = begun + limit - frame.steps",
        " packed, done, sign, returned = MISSING, None, None, None",
        *_indented(1, _OPENED if shape.closes else []),
        " try:",
        "  while step.sprint is this:",
        f"   {', '.join(names)}, = step.given",
        "   made = direct[slot]",
        "   if made is None: sign = AWAY; break",
        "   if sequence >= full: sign = PLOD; break",
        *_indented(3, _begin(shape, written_back)),
        *_indented(3, _call(packed, written_back)),
        *_indented(3, _output(shape, late)),
        *_indented(3, _turned(shape, packed) if shape.closes else []),
        *_indented(3, _committed(shape, late)),
        "   sequence += 1",
        f"   entries += (mark, sequence, {packed}, kept)",
        "   done, step = step, after",
        " finally:",
        *_indented(2, written_back),
        "  frame.payload = packed",
        " return step, sign, returned",
    ]


def _written_back(shape: Shape) -> list[str]:
    """Lines that write to the frame what was kept in local names."""
    moved = [
        "if done is not None:",
        " frame.steps += sequence - begun",
        " frame.sequence = begun = sequence",
        " frame.prior, frame.incoming, frame.step, frame.retries = done.outcome, done.edge, done.target, 0",
        " done = None",
    ]
    if not shape.closes:
        return moved
    turned = [
        "if has_turned:",
        " frame.entries, region.steps, has_turned = entries, spent, False",
        " left(frame, opening, heads, at - 1, total, entered)",
    ]
    return [*turned, *moved]


# What a sprint that closes a loop counts: `total` are the steps of the loop's frame, `entered` is its sequence, `spent`
# are the steps of items that `total` lacks, and `at` is the index of the next item.
_OPENED = [
    "opening, items, above, heads, at = opened(frame, step.turning)",
    "has_turned, around = False, frame.loop",
    "if opening is not None:",
    " holder, region = opening",
    " total, entered, outer, logs = holder.steps, holder.sequence, holder.entries, region.logs",
    " spent = region.steps + frame.steps - frame.base - begun",
]


def _turned(shape: Shape, packed: str) -> list[str]:
    """Lines that end an item with this step and let the next one enter, where that is all that happens. What the item
    writes goes straight to where it goes in the end."""
    puts = shape.puts or ()
    logs = f"({''.join(f'(w{number}_plan, w{number}), ' for number in range(len(puts)))})"
    if shape.closes == "parallel":
        handed = [f"logs[at - 1 if has_turned else frame.index] = {logs}", "spent += sequence + 1", "total += 1"]
        room = "total < limit"
    else:
        handed = [
            line for n, put in enumerate(puts) for line in (grown if put.way == "append" else replaced)(n, "above")
        ]
        handed += [f"if above.log is not None: above.log += {logs}"] if puts else []
        handed += ["if above._grown: above._settle(())"]
        handed += ["total += spent + sequence + 2", "spent = 0"]
        room = "total + spent + sequence + 1 < limit"
    return [
        f"if at < len(items) and not log and {room}:",
        f" entries += (mark, sequence + 1, {packed}, kept)",
        *_indented(1, handed),
        " lineage._root, lineage._owned = above._root, None",
        " entered += 1",
        " entries = [heads]",
        " outer += (turning.mark, entered, at, MISSING, entries)",
        " around.item, around.index = items[at], at",
        " at += 1",
        " sequence = begun = 0",
        " full = limit - total",
        " has_turned, done, step = True, turning, turning.after",
        " continue",
    ]


def _indented(depth: int, lines: Sequence[str]) -> list[str]:
    return [" " * depth + line for line in lines]


def _packed(shape: Shape) -> str:
    """What the frame keeps of the payload."""
    return "payload" if shape.reads is None else tupled([f"v{number}" for number in range(len(shape.reads))])


def _begin(shape: Shape, written_back: list[str]) -> list[str]:
    """Lines that set `given` to the payload of the call, and the names of what the frame keeps of it."""
    unusual = "sign = PLOD; break"
    refused = [f"if not accepts(payload): {unusual}"] * shape.is_asked
    if shape.reads is None:
        built = [*written_back, "try: payload = build(frame)", f"except Fault: {unusual}"]
        return [*built, *refused, "given = copy(payload) if made.foreign else payload"]
    lines = [*written_back] if any(read.way == "get" for read in shape.reads) else []
    if shape.reads:
        values = [line for n, read in enumerate(shape.reads) for line in reading(n, read, f"v{n}")]
        lines += ["try:", *_indented(1, values), f"except (KeyError, TypeError, Fault): {unusual}"]
    lines.append(f"given = payload = {{{', '.join(f't{n}: v{n}' for n in range(len(shape.reads)))}}}")
    if not shape.reads or not all(read.sure for read in shape.reads):
        return [*lines, *_with_care(shape.reads, refused)]
    sure = [f"v{n}.__class__ {_SURE[read.sure]} r{n}_kind" for n, read in enumerate(shape.reads)]
    return [*lines, f"if not ({' and '.join(sure)}):", *_indented(1, _with_care(shape.reads, refused) or ["pass"])]


def _with_care(reads: tuple[Read, ...], refused: list[str]) -> list[str]:
    """What has to be done where the kinds of the values do not tell that nothing has."""
    lines = [line for n, read in enumerate(reads) for line in held(n, read)]
    inside = " or ".join(f"v{n}.__class__ in CONTAINERS" for n in range(len(reads)))
    copied = [f"if made.foreign and ({inside}): given = copy(payload)"] if inside else []
    return [*lines, *refused, *copied]


def _call(packed: str, written_back: list[str]) -> list[str]:
    return [
        "call = made.call",
        "try:",
        " returned = call(given)",
        " if returned.__class__ is not dict and made.awaits and hasattr(returned.__class__, '__await__'):",
        *_indented(2, written_back),
        "  returned = await returned",
        f"except BaseException as error: sign, returned, packed = RAISED, error, {packed}; break",
    ]


def _output(shape: Shape, late: str) -> list[str]:
    """Lines that take what was returned, and judge it and what is written of it."""
    puts = shape.puts or ()
    lines = [f"if returned.__class__ is not dict: {late}"]
    if shape.single is None:
        lines += [*_copied(shape, late), *_incoming(puts, "output", late)]
    else:
        lines += _single(shape, shape.single, late)
    return [*lines, *(line for number, put in enumerate(puts) for line in _checked(number, put, late))]


def _committed(shape: Shape, late: str) -> list[str]:
    """Lines that write to the state."""
    if shape.puts is None:
        return ["try: commit(frame, output)", f"except Fault: {late}"]
    lines = [line for n, put in enumerate(shape.puts) for line in (grown if put.way == "append" else replaced)(n)]
    logs = ", ".join(f"(w{number}_plan, w{number})" for number in range(len(shape.puts)))
    return [*lines, *([f"if log is not None: log += ({logs},)"] if shape.puts else [])]


def _copied(shape: Shape, late: str) -> list[str]:
    """Lines that set `kept` and `output` to a copy of what was returned, which the schema accepts."""
    lines = ["kept = output = plain(returned)", f"if output is None: {late}"]
    lines += [f"if not output.keys() <= names: {late}"] * shape.is_named
    return [*lines, *[f"if not accepted(output): {late}"] * shape.is_judged]


def _single(shape: Shape, kinds: tuple[str, ...], late: str) -> list[str]:
    """Lines for an output that may have the one key `only`, and a value that need not be copied: then that is what is
    kept, under the mark `single`."""
    fast = ["mark = single"]
    if shape.puts is None:
        fast.append("output = returned")
    for number, put in enumerate(shape.puts or ()):
        fast += [f"w{number} = kept"] if shape.from_single[number] else _incoming((put,), "returned", late, number)
    lines = ["try: kept = returned[only]", "except KeyError: kept = MISSING", "kind = kept.__class__"]
    sure = " or ".join(_PLAIN[kind] for kind in kinds)
    if sure:
        lines += [f"if len(returned) == 1 and ({sure}):", *_indented(1, fast)]
    if shape.is_judged and len(kinds) < len(_PLAIN):
        every = " or ".join(_PLAIN.values())
        test = f"if len(returned) == 1 and ({every}) and accepted(returned):"
        lines += [f"el{test}" if sure else test, *_indented(1, fast)]
    otherwise = [*_copied(shape, late), *_incoming(shape.puts or (), "output", late)]
    return [*lines, "else:", *_indented(1, otherwise)]


# The kinds of values that need not be copied, and what tells one of them.
_PLAIN = {
    "int": f"kind is int and {-COMMON} <= kept <= {COMMON}",
    "str": "kind is str and kept.isascii()",
    "bool": "kind is bool",
}
PLAIN_KINDS: dict[str, type] = {"int": int, "str": str, "bool": bool}


def _incoming(puts: Sequence[Put], output: str, late: str, first: int = 0) -> list[str]:
    """Lines that read the values of writes from an output."""
    found = [
        f" w{number} = {output}{''.join(f'[w{number}_s{depth}]' for depth in range(put.depth))}"
        for number, put in enumerate(puts, first)
    ]
    return ["try:", *found, f"except (KeyError, TypeError): {late}"] if found else []


def _checked(number: int, put: Put, late: str) -> list[str]:
    """Lines that leave a write to the reference unless all is well with it."""
    n = f"w{number}"
    lines = [f"if lineage._root.get({n}_key).__class__ is not list: {late}"] if put.way == "append" else []
    if not put.checks:
        return lines
    asked = " and ".join(f"{n}_v{check}({n})" for check in range(put.checks))
    known = f"{n}.__class__ {_SURE[put.sure]} {n}_kind or " if put.sure else ""
    return [*lines, f"if not ({known}{asked}): {late}"]
