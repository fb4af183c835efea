"""What a run did, laid over the picture of its program: visits in their order, changes of state, where it stands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wfc.backends.emit.pictures.of_program import picture_of_program
from wfc.backends.emit.pictures.picture import Link, Node, Picture, Told, Visit
from wfc.backends.emit.pictures.sketch import with_nodes
from wfc.ir import EnterChild, Program, RunState, canonical
from wfc.records import replace

_LONGEST_VALUE = 200
Entry = Mapping[str, Any]
# A routine of the program, by its number, and a step in it.
Spot = tuple[int, str]


def picture_of_run(program: Program, run: RunState) -> Picture:
    """The program that a run is pinned to, with what the run did in it."""
    picture = picture_of_program(program)
    scopes = _Scopes(program, run)
    visits: dict[Spot, list[Visit]] = {}
    taken: dict[tuple[int, str, str | None], int] = {}
    for number, entry in enumerate(run.trace, 1):
        routine, step = scopes.routine(entry["scope"]), entry["step"]
        visits.setdefault((routine, step), []).append(_visit(number, entry))
        if "next" in entry:
            key = (routine, step, entry.get("outcome"))
            taken[key] = taken.get(key, 0) + 1
    state = _standing(run, scopes)
    spots = {node.id: (box, node.title) for box, node in _with_numbers(picture)}
    nodes = {node.id: _node(node, visits.get(spots[node.id], []), state.get(spots[node.id])) for node in picture.nodes}
    nodes |= _marks(picture, nodes)
    links = [_taken(link, spots, taken, nodes) for link in picture.links]
    return replace(with_nodes(picture, nodes | _ends(links, nodes), links), run=_told(run))


def _with_numbers(picture: Picture) -> list[tuple[int, Node]]:
    """The nodes, each with the number of its workflow."""
    where = {name: number for number, top in enumerate(picture.boxes) for box in top.every() for name in box.nodes}
    return [(where[node.id], node) for node in picture.nodes]


class _Scopes:
    """Which routine runs in a scope: that of a frame which is there, or the child of the step that began it.

    Of a child that was cut off by a failure elsewhere neither is left; it is the one that has the steps of its entries.
    """

    def __init__(self, program: Program, run: RunState) -> None:
        self._known = {"root": 0}
        self._known |= {frame["scope"]: frame["routine"] for frame in run.frames if "routine" in frame}
        entries: dict[tuple[str, int], Entry] = {(entry["lineage"], entry["sequence"]): entry for entry in run.trace}
        # The first lineage of a scope bears its name, and was begun by the step that runs the child.
        self._openers: dict[str, Entry | None] = {
            entry["scope"]: entries.get((entry["parent"]["lineage"], entry["parent"]["sequence"]))
            for entry in run.trace
            if entry["lineage"] == entry["scope"] and entry["parent"] is not None
        }
        self._blocks = [
            {
                str(block.id): [one.routine for one in block.body if isinstance(one, EnterChild)]
                for block in routine.blocks
            }
            for routine in program.routines
        ]
        self._steps: dict[str, set[str]] = {}
        for entry in run.trace:
            self._steps.setdefault(entry["scope"], set()).add(entry["step"])
        self._follow(program, run.error.route if run.error is not None else ())

    def _follow(self, program: Program, route: tuple[dict[str, str], ...]) -> None:
        """Take from a route which workflow runs in each of its scopes."""
        outer = 0
        for hop in route:
            named = [number for number, routine in enumerate(program.routines) if routine.name == hop["workflow"]]
            outer = next((number for number in self._children(outer) if number in named), (*named, 0)[0])
            self._known.setdefault(hop["scope"], outer)

    def _children(self, routine: int) -> list[int]:
        return [child for children in self._blocks[routine].values() for child in children if child is not None]

    def routine(self, scope: str) -> int:
        """The number of the routine that runs in a scope."""
        chain: list[tuple[str, Entry]] = []
        outer = scope
        while outer not in self._known:
            opener = self._openers.get(outer)
            if opener is None:
                self._known[outer] = self._fitting(outer)
                break
            chain.append((outer, opener))
            outer = opener["scope"]
        for inner, opener in reversed(chain):
            children = self._blocks[self._known[opener["scope"]]].get(opener["step"], ())
            self._known[inner] = next((child for child in children if child is not None), 0)
        return self._known[scope]

    def _fitting(self, scope: str) -> int:
        """The first child that has all the steps that were made in a scope."""
        steps = self._steps.get(scope, set())
        return next((number for number, blocks in enumerate(self._blocks) if number and steps <= blocks.keys()), 0)


def _visit(number: int, entry: Entry) -> Visit:
    changes = tuple((change["path"], _short(change["value"])) for change in entry.get("changes", ()))
    error = entry.get("error")
    told = None if error is None else f"{error['code']}: {error['message']}"
    return Visit(number, entry.get("outcome"), changes, told, entry.get("index"))


def _short(value: Any) -> str:
    text = canonical(value)
    return text if len(text) <= _LONGEST_VALUE else text[: _LONGEST_VALUE - 1] + "…"


def _standing(run: RunState, scopes: _Scopes) -> dict[Spot, str]:
    """The steps at which a run waits or has failed."""
    found: dict[Spot, str] = {}
    if run.interrupt is not None:
        asked = run.interrupt
        found[_spot(asked.route, asked.node_id, scopes)] = "waiting"
    if run.error is not None and run.error.node_id is not None:
        found[_spot(run.error.route, run.error.node_id, scopes)] = "failed"
    return found


def _spot(route: tuple[dict[str, str], ...], step: str, scopes: _Scopes) -> Spot:
    """The innermost step of a route, else the step itself in the main workflow."""
    if not route:
        return 0, step
    return scopes.routine(route[-1]["scope"]), route[-1]["step"]


def _node(node: Node, visits: list[Visit], state: str | None) -> Node:
    if node.kind in ("start", "stop", "missing"):
        return node
    found = state or ("failed" if visits and visits[-1].error else "visited" if visits else "untouched")
    return replace(node, visits=tuple(visits), state=found)


def _marks(picture: Picture, nodes: Mapping[str, Node]) -> dict[str, Node]:
    """The marks of a beginning: as far as the step that they lead to."""
    beginnings = {link.source: nodes[link.target] for link in picture.links if nodes[link.source].kind == "start"}
    return {name: replace(nodes[name], state=_reached(to)) for name, to in beginnings.items()}


def _ends(links: list[Link], nodes: Mapping[str, Node]) -> dict[str, Node]:
    """The marks of an end: whether a link that was taken leads there."""
    reached = {link.target for link in links if link.taken}
    return {
        name: replace(node, state="visited" if name in reached else "untouched")
        for name, node in nodes.items()
        if node.kind == "stop"
    }


def _reached(node: Node) -> str:
    return "untouched" if node.state == "untouched" else "visited"


def _taken(
    link: Link,
    spots: Mapping[str, Spot],
    taken: Mapping[tuple[int, str, str | None], int],
    nodes: Mapping[str, Node],
) -> Link:
    source = nodes[link.source]
    if link.kind == "child":
        return replace(link, taken=len(source.visits) or (1 if source.state in ("waiting", "visited") else 0))
    if source.kind == "start":
        return replace(link, taken=int(_reached(nodes[link.target]) == "visited"))
    return replace(link, taken=taken.get((*spots[link.source], link.label), 0))


def _told(run: RunState) -> Told:
    """What a run came to, for the head of a picture."""
    lines = [f"{len(run.trace)} entries in its trace"]
    if run.interrupt is not None:
        asked = run.interrupt
        lines.append(f"waits for an answer to {asked.kind}: {', '.join(asked.outcomes)}")
    if run.error is not None:
        lines.append(f"{run.error.code}: {run.error.message}")
    outcome = f" with {run.outcome}" if run.outcome else ""
    return Told(f"run {run.run_id}: {run.status}{outcome}", tuple(lines))
