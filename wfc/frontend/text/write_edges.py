"""Edges beside the steps that they leave: on the step's own line where a word says them, else on lines below it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from wfc.frontend.text.layout import BREAK, WIDTH, Fragment, flat, joined, literal
from wfc.frontend.text.words import BEHIND_END, CLAUSES, ENTRIES, STATEMENTS, TARGETS, name
from wfc.ir import END
from wfc.records import dataclass, field

_EDGE_KEYS = {"from", "outcome", "to"}
# By type of step: the outcomes that words on its line lead on, where its edges are for these, in this order.
WORDS = {
    "condition": (("true", "then"), ("false", "else")),
    "foreach": (("item", "do"), ("done", "then")),
}
USUAL = (("ok", "then"),)


@dataclass(frozen=True, slots=True)
class Row:
    """A line of edges and their pointers."""

    pointers: tuple[str, ...]
    fragment: Fragment


@dataclass(frozen=True, slots=True)
class OfStep:
    """The edges of one step: their outcomes, what stands on its line, the targets of its branches, rows below."""

    outcomes: list[str] = field(default_factory=list)
    inline: Fragment = ()
    inline_pointers: tuple[str, ...] = ()
    branches: dict[str, str] | None = None
    rows: tuple[Row, ...] = ()


@dataclass(frozen=True, slots=True)
class Wiring:
    """The edges of a workflow: of each step, those that leave no step, and which end steps go without a line.

    `below` gives all edges of a step as rows.
    """

    of_steps: list[OfStep]
    loose: tuple[Row, ...]
    implied: frozenset[int]
    below: Callable[[int], Iterator[Row]]


Edge = tuple[int, Any]


@dataclass(frozen=True, slots=True)
class Habits:
    """How an author writes: what is said although it goes without saying, and which edges stand on lines of their own.

    `ends` are the ids of end steps that are told, `start` tells that the first step is named, `rows` are the ids of
    steps whose edges all stand below them, and with `only_rows` all edges do; `one_by_one` edges to one step
    stand apart; `spelt` are the ids of steps that name the next step, or the outcome `ok` of an end.
    """

    ends: frozenset[str] = frozenset()
    start: bool = False
    rows: frozenset[str] = frozenset()
    only_rows: bool = False
    one_by_one: bool = False
    spelt: frozenset[str] = frozenset()

    def below(self, step: Any) -> bool:
        """Whether all edges of a step stand below it."""
        return self.only_rows or (isinstance(step, dict) and str(step.get("id")) in self.rows)


NO_HABITS = Habits()


def wiring(steps: list[Any], edges: list[Any], pointer: str, habits: Habits = NO_HABITS) -> Wiring:
    """How the edges of a workflow are written."""
    places: dict[Any, int] = {}
    for place, step in enumerate(steps):
        if isinstance(step, dict) and isinstance(step.get("id"), str):
            places.setdefault(step["id"], place)
    grouped: list[list[Edge]] = [[] for _ in steps]
    loose: list[Edge] = []
    for index, edge in enumerate(edges):
        if _is_sound(edge) and edge["from"] in places:
            grouped[places[edge["from"]]].append((index, edge))
        else:
            loose.append((index, edge))
    in_order = [edge for group in (*grouped, loose) for _, edge in group if _is_sound(edge)]
    implied = _implied(steps, in_order, habits.ends)
    ends = {steps[place]["id"]: steps[place]["outcome"] for place in implied}
    write = _Writer(pointer, ends, habits)
    written = [_id(step) for place, step in enumerate(steps) if place not in implied]
    following = [*written[1:], *([None] * len(steps))][: len(steps)]
    of_steps = [write.step(*one) for one in zip(steps, grouped, following, strict=True)]
    return Wiring(
        of_steps, tuple(write.loose(loose)), frozenset(implied), lambda place: write.rows(grouped[place], steps[place])
    )


def _id(step: Any) -> str | None:
    found = step.get("id") if isinstance(step, dict) else None
    return found if isinstance(found, str) else None


def _is_sound(edge: Any) -> bool:
    return isinstance(edge, dict) and all(isinstance(edge.get(key), str) for key in _EDGE_KEYS)


def _implied(steps: list[Any], edges: list[Any], told: frozenset[str]) -> list[int]:
    """The end steps at the end of a list that edges alone bring about, in order of first use."""
    first = len(steps)
    while first and _is_plain_end(steps[first - 1]) and steps[first - 1]["id"] not in told:
        first -= 1
    ids = [step["id"] for step in steps[first:]]
    others = [step.get("id") for step in steps[:first] if isinstance(step, dict)]
    ids = ids if len(set(ids)) == len(ids) and not any(one in others for one in ids) else []
    targets = dict.fromkeys(edge["to"] for edge in edges)
    for skipped in range(len(ids) + 1):
        wanted = ids[skipped:]
        if wanted == [target for target in targets if target in wanted]:
            return list(range(len(steps) - len(wanted), len(steps))) if len(wanted) < len(steps) else []
    return []


def _is_plain_end(step: Any) -> bool:
    if not isinstance(step, dict) or set(step) != {"id", "type", "outcome"} or step["type"] != "end":
        return False
    outcome = step["outcome"]
    return isinstance(outcome, str) and outcome != "ok" and step["id"] == f"end_{outcome}"


@dataclass(frozen=True, slots=True)
class _Writer:
    pointer: str
    ends: dict[str, str]
    habits: Habits

    def step(self, step: Any, edges: list[Edge], following: str | None) -> OfStep:
        """The edges of a step; `following` is the step below it."""
        outcomes = list(dict.fromkeys(edge["outcome"] for _, edge in edges))
        if self.habits.below(step):
            return OfStep(outcomes, (), (), None, tuple(self.rows(edges, step)))
        kind = step.get("type") if isinstance(step, dict) else None
        if kind == "fork" and self._are_branches(step, edges):
            targets = {edge["outcome"]: self.target(edge, step) for _, edge in edges}
            return OfStep(outcomes, (), self._pointers(edges), targets)
        words = WORDS.get(kind, USUAL) if isinstance(kind, str) else USUAL
        said = self._said(words, edges)
        if words is not USUAL and not len(said) == len(edges) == len(words):
            # One way alone on the line would say where the other one leads.
            said = []
        told = [f"{BREAK}{word} {self.target(edge, step)}" for word, (_, edge) in zip(said, edges, strict=False)]
        if not self._is_spelt(step):
            told = _terse(told, [f"{BREAK}{word} {name(following, TARGETS)}" for word in said] if following else [])
        here, below = edges[: len(said)], edges[len(said) :]
        return OfStep(outcomes, joined(*told), self._pointers(here), None, tuple(self.rows(below, step)))

    def _is_spelt(self, step: Any) -> bool:
        return _id(step) in self.habits.spelt

    def _said(self, words: tuple[tuple[str, str], ...], edges: list[Edge]) -> list[str]:
        """The words for the first edges, as far as there are words for them."""
        said: list[str] = []
        known = iter(words)
        for _, edge in edges:
            word = next((word for outcome, word in known if outcome == edge["outcome"]), None)
            if word is None or set(edge) != _EDGE_KEYS:
                break
            said.append(word)
        return said

    def _are_branches(self, step: dict[str, Any], edges: list[Edge]) -> bool:
        branches = step.get("branches")
        if not isinstance(branches, list) or not branches:
            return False
        names = [one.get("outcome") if isinstance(one, dict) else one for one in branches]
        plain = all(set(edge) == _EDGE_KEYS for _, edge in edges)
        sound = all(
            isinstance(one, str) or (isinstance(one, dict) and set(one) <= {"outcome", "when"}) for one in branches
        )
        return plain and sound and names == [edge["outcome"] for _, edge in edges] and len(set(names)) == len(names)

    def target(self, edge: Any, step: Any = None) -> str:
        to = edge["to"]
        if to == END:
            return "end ok" if self._is_spelt(step) else "end"
        return f"end {name(self.ends[to], BEHIND_END)}" if to in self.ends else name(to, TARGETS)

    def _pointers(self, edges: list[Edge]) -> tuple[str, ...]:
        return tuple(f"{self.pointer}/{index}" for index, _ in edges)

    def rows(self, edges: list[Edge], step: Any = None) -> Iterator[Row]:
        """Edges with one target together, and short ones on one line."""
        parts: list[Row] = []
        for index, edge in edges:
            at = f"{self.pointer}/{index}"
            left = {key: value for key, value in edge.items() if key not in _EDGE_KEYS}
            arrow = f" -> {self.target(edge, step)}"
            if left:
                parts.append(Row((at,), joined(name(edge["outcome"], STATEMENTS), arrow, " with ", literal(left))))
            elif (
                parts
                and not self.habits.one_by_one
                and flat(parts[-1].fragment).endswith(arrow)
                and isinstance(last := parts[-1].fragment[0], str)
                and len(parts[-1].fragment) == 2
            ):
                parts[-1] = Row((*parts[-1].pointers, at), (f"{last} | {name(edge['outcome'])}", arrow))
            else:
                parts.append(Row((at,), (name(edge["outcome"], STATEMENTS), arrow)))
        together = Row(
            tuple(at for part in parts for at in part.pointers),
            joined(*(joined(", " if place else "", part.fragment) for place, part in enumerate(parts))),
        )
        one_line = all(len(part.fragment) == 2 for part in parts) and len(flat(together.fragment)) <= WIDTH
        yield from [together] if one_line and parts else parts

    def loose(self, edges: list[Edge]) -> Iterator[Row]:
        for index, edge in edges:
            at = (f"{self.pointer}/{index}",)
            if not _is_sound(edge):
                yield Row(at, joined("edge json ", literal(edge)))
                continue
            left = {key: value for key, value in edge.items() if key not in _EDGE_KEYS}
            more = joined(" with ", literal(left)) if left else ()
            yield Row(
                at,
                joined(
                    f"edge {name(edge['from'], ENTRIES)} {name(edge['outcome'], CLAUSES)} -> {self.target(edge)}", more
                ),
            )


def _terse(told: list[str], followed: list[str]) -> list[str]:
    """Ways without the one that leads to the next step: of two it goes without saying, alone it has no target."""
    place = next((place for place, one in enumerate(followed) if told[place] == one), None)
    if place is None:
        return told
    if len(told) == 2:
        return [told[1 - place]]
    return [told[place].rpartition(" ")[0]]
