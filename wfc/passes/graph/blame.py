"""Which edge is to blame where regions are not well formed: the one that leaves, or the one that comes in.

A step that can be reached both through the edge that enters a region and in another way belongs to the region when it
leads back to the region's exit and does not come after it; then the other way in is the fault. Otherwise the edge that
leads to it out of the region is. Dominators say which steps a region owns beyond doubt.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property, partial

from wfc.ir import END, ForeachStep, ForkStep
from wfc.passes.graph.closing import Closing
from wfc.passes.graph.dominators import DominatorTree, dominator_tree
from wfc.passes.graph.graph import reached, turned
from wfc.passes.graph.labels import Labels
from wfc.passes.graph.region_faults import Escape, Fault, Intrusion, Unclosed
from wfc.passes.graph.routes import Routes
from wfc.passes.graph.wiring import Wire
from wfc.records import dataclass, field


@dataclass(frozen=True, slots=True)
class _Entry:
    """A wire that enters a region, with its target; `exit` is where the region has to lead, once that is known."""

    wire: Wire
    target: str
    body: bool
    exit: str | None


@dataclass(frozen=True)
class _Ground:
    """The graph with a node of its own for every wire that enters a region, and its dominator tree.

    Node 0 is the root; `node` gives each step's node, `entries` what the further nodes enter. A fork without an active
    branch goes to its join, so that it has an arrow there.
    """

    routes: Routes
    node: dict[str, int]
    entries: dict[int, _Entry]
    arcs: list[tuple[int, Wire, str]]
    join_of: dict[str, str]
    tree: DominatorTree

    @cached_property
    def home(self) -> list[int]:
        """Per node the innermost entry on every way to it, itself included; 0 where there is none."""
        found = [0] * len(self.tree.parent)
        for node in sorted(range(1, len(found)), key=self.tree.enter.__getitem__):
            found[node] = node if node in self.entries else found[self.tree.parent[node]]
        return found

    @cached_property
    def before(self) -> dict[str, list[str]]:
        return turned(self.node, self.followers)

    def followers(self, step: str) -> Iterator[str]:
        return (target for _, target in self.routes.leaving(step) if target != END)

    def owns(self, entry: int, step: str) -> bool:
        """Whether every way to a step leads through an entry."""
        return self.tree.dominates(entry, self.node[step])

    def precedes(self, above: str, step: str) -> bool:
        """Whether a step lies on every way to another one."""
        return self.tree.dominates(self.node[above], self.node[step])

    def led_from_nowhere(self, step: str) -> bool:
        """Whether an edge leads to a step from one that cannot be reached."""
        return step in self._forgotten

    @cached_property
    def _forgotten(self) -> frozenset[str]:
        lost = (wires for name, wires in self.routes.wiring.out.items() if name not in self.node)
        return frozenset(wire.target for wires in lost for wire in wires)

    @cached_property
    def branches(self) -> dict[str, list[int]]:
        """The entries of each fork, and of each foreach."""
        found: dict[str, list[int]] = {}
        for entry, around in self.entries.items():
            found.setdefault(around.wire.source, []).append(entry)
        return found

    def merges(self, fork: str, join: str) -> bool:
        """Whether every way to a join leads through one branch of a fork."""
        return any(self.owns(entry, join) for entry in self.branches.get(fork, ()))

    @cached_property
    def into(self) -> dict[str, list[tuple[int, Wire]]]:
        """The arcs by target."""
        found: dict[str, list[tuple[int, Wire]]] = {}
        for source, wire, target in self.arcs:
            found.setdefault(target, []).append((source, wire))
        return found


def match_forks(routes: Routes, labels: Labels) -> Closing:
    """Which join closes which fork, however ill formed the regions are."""
    ground = _lay_out(routes, list(labels.innermost), {})
    forks = [step for step in labels.innermost if _is_open_fork(routes, step)]
    closing = Closing(routes, ground.precedes, ground.merges)
    for fork in sorted(forks, key=lambda fork: ground.tree.enter[ground.node[fork]], reverse=True):
        closing.match(fork)
    return closing


def blame(routes: Routes, labels: Labels) -> list[Fault]:
    """The faults of one look at the workflow, its forks being matched; those that these hide show at the next."""
    known = labels.innermost
    join_of = {fork: join for fork, join in routes.repairs.join_of.items() if fork in known and join in known}
    ground = _lay_out(routes, list(known), join_of)
    return _Judgement(ground).faults() or _conflicts(routes, labels)


def _is_open_fork(routes: Routes, step: str) -> bool:
    return isinstance(routes.wiring.steps[step], ForkStep) and step not in routes.repairs.plain


def _conflicts(routes: Routes, labels: Labels) -> list[Fault]:
    """What the walk itself stumbled over: the edge by which it came second."""
    for wire in labels.conflicts:
        region = labels.innermost[wire.source]
        if region is not None:
            return [Escape(wire, region.step, region.outcome, region.step)]
        around = labels.innermost.get(wire.target)
        if around is not None:
            return [Intrusion(wire, around.step, around.outcome, wire.target)]
        return [Escape(wire, wire.source, wire.outcome, wire.source)]
    return []


def _lay_out(routes: Routes, steps: list[str], join_of: dict[str, str]) -> _Ground:
    node = {step: index for index, step in enumerate(steps, 1)}
    successors: list[list[int]] = [[node[steps[0]]], *([] for _ in steps)]
    entries: dict[int, _Entry] = {}
    arcs: list[tuple[int, Wire, str]] = []
    for step in steps:
        for wire, target in routes.leaving(step):
            source = node[step]
            if routes.opens(wire):
                body = isinstance(routes.wiring.steps[step], ForeachStep)
                source = len(successors)
                entries[source] = _Entry(wire, target, body, step if body else join_of.get(step))
                successors[node[step]].append(source)
                successors.append([])
            if target != END:
                successors[source].append(node[target])
            arcs.append((source, wire, target))
    for fork, join in join_of.items():
        successors[node[fork]].append(node[join])
    return _Ground(routes, node, entries, arcs, join_of, dominator_tree(successors))


@dataclass
class _Judgement:
    """The faults of one graph; owned by `blame`."""

    ground: _Ground
    returns: dict[int, set[str]] = field(default_factory=dict)
    later: dict[int, set[str]] = field(default_factory=dict)
    shares: dict[str, dict[str, str]] = field(default_factory=dict)
    around: dict[int, set[str]] = field(default_factory=dict)
    invaded: dict[int, dict[str, None]] = field(default_factory=dict)

    def faults(self) -> list[Fault]:
        found: list[Fault] = []
        for source, wire, target in self.ground.arcs:
            entry = self.ground.home[source]
            if self._stays(entry, target):
                continue
            if target == self.ground.entries[entry].exit:
                continue
            if self.belongs(entry, target):
                self.invaded.setdefault(entry, {})[target] = None
            else:
                found.append(self._escape(entry, wire))
        for fork, join in self.ground.join_of.items():
            entry = self.ground.home[self.ground.node[fork]]
            if self._stays(entry, join):
                continue
            if join != self.ground.entries[entry].exit and self.belongs(entry, join):
                self.invaded.setdefault(entry, {})[join] = None
            else:
                found.append(Unclosed(fork, (join,), outer=self.ground.entries[entry].wire.source))
        return found + self._intruding({fault.wire for fault in found if isinstance(fault, Escape)})

    def _intruding(self, escaping: set[Wire]) -> list[Fault]:
        """The ways into regions from outside, each once: an escape is none, and of nested regions the widest counts."""
        widest = sorted(((self._shared_inside(entry), entry) for entry in self.invaded), key=lambda pair: -len(pair[0]))
        found: dict[Wire | None, Fault] = {}
        for inside, entry in widest:
            for fault in self._intrusions(entry, inside):
                if fault.wire not in escaping:
                    found.setdefault(fault.wire, fault)
        return list(found.values())

    def _stays(self, entry: int, target: str) -> bool:
        if entry == 0:
            return True
        return not self.ground.routes.ends(target) and self.ground.owns(entry, target)

    def _escape(self, entry: int, wire: Wire) -> Escape:
        around = self.ground.entries[entry]
        return Escape(wire, around.wire.source, around.wire.outcome, around.exit or around.wire.source)

    def belongs(self, entry: int, step: str) -> bool:
        """Whether a step that can also be reached in another way is part of a region."""
        if self.ground.routes.ends(step) or step not in self._returning(entry):
            return False
        around = self.ground.entries[entry]
        opener = around.wire.source
        if around.body:
            elsewhere = step in self._later(entry) or self.ground.precedes(step, opener)
            return not (elsewhere and self._leads_out(entry, step))
        if not self.ground.precedes(opener, step):
            return True
        return self._shared(opener).get(step) == around.wire.outcome

    def _is_stop(self, entry: int, step: str) -> bool:
        """Whether a step cannot lie in a region: it is on every way to it, and not behind the region's own first step.

        A start from which the steps before the region cannot be reached may itself stand in the region; what opens a
        region around it never does.
        """
        around = self.ground.entries[entry]
        opener = around.wire.source
        if step == opener or step in self._openers_around(entry):
            return True
        if self.ground.led_from_nowhere(opener) or not self.ground.precedes(step, opener):
            return False
        return not self.ground.precedes(around.target, step)

    def _openers_around(self, entry: int) -> set[str]:
        """The foreach and fork steps whose regions hold a region."""
        if entry not in self.around:
            found: set[str] = set()
            above = entry
            while above := self.ground.home[self.ground.node[self.ground.entries[above].wire.source]]:
                found.add(self.ground.entries[above].wire.source)
            self.around[entry] = found
        return self.around[entry]

    def _returning(self, entry: int) -> set[str]:
        """The steps from which control comes to the region's exit without going round it."""
        if entry not in self.returns:
            around, before = self.ground.entries[entry], self.ground.before
            back = before.get(around.exit, []) if around.exit is not None else []
            found = reached(back, lambda step: before.get(step, ()), partial(self._is_stop, entry))
            self.returns[entry] = set(found)
        return self.returns[entry]

    def _later(self, entry: int) -> set[str]:
        """The steps to which a foreach leads after its last item."""
        if entry not in self.later:
            leaving = self.ground.routes.leaving(self.ground.entries[entry].wire.source)
            after = [target for wire, target in leaving if wire.outcome != "item" and target != END]
            self.later[entry] = set(reached(after, self.ground.followers, partial(self._is_stop, entry)))
        return self.later[entry]

    def _leads_out(self, entry: int, step: str) -> bool:
        """Whether control may come from a step to an end, or to what lies before a region, without its opener."""
        opener = self.ground.entries[entry].wire.source
        ways = reached([step], self.ground.followers, opener.__eq__)
        routes = self.ground.routes
        return any(
            routes.ends(target) or (target != opener and self._is_stop(entry, target))
            for name in ways
            for _, target in routes.leaving(name)
        ) or any(routes.ends(name) for name in ways)

    def _shared(self, fork: str) -> dict[str, str]:
        """Whose a step is that several branches reach: the one's that needs the fewest steps to it, else the first."""
        if fork not in self.shares:
            stops = {END, fork, self.ground.join_of.get(fork)}
            owners: dict[str, str] = {}
            for wire, target in self.ground.routes.leaving(fork):
                if target not in stops:
                    owners.setdefault(target, wire.outcome)
            waiting = list(owners)
            for step in waiting:
                for target in self.ground.followers(step):
                    if target not in owners and target not in stops:
                        owners[target] = owners[step]
                        waiting.append(target)
            self.shares[fork] = owners
        return self.shares[fork]

    def _shared_inside(self, entry: int) -> set[str]:
        """What of a region can also be reached in another way."""
        inside = set(self.invaded[entry])
        waiting = list(self.invaded[entry])
        for step in waiting:
            for target in self.ground.followers(step):
                if target not in inside and not self.ground.owns(entry, target) and self.belongs(entry, target):
                    inside.add(target)
                    waiting.append(target)
        return inside

    def _intrusions(self, entry: int, inside: set[str]) -> Iterator[Intrusion]:
        """The ways into those steps, but for the ones that come from the region itself."""
        around = self.ground.entries[entry].wire
        routes = self.ground.routes
        if routes.start in inside and routes.repairs.start is None:
            yield Intrusion(None, around.source, around.outcome, str(routes.start))
        for step in sorted(inside):
            for source, wire in self.ground.into[step]:
                if self.ground.tree.dominates(entry, source) or wire.source in inside:
                    continue
                yield Intrusion(wire, around.source, around.outcome, step)
