"""Statements become the JSON document that they mean, with the place of everything in it.

Guarantees: edges stand in the order of the text; end steps that edges alone name come last, in order of first use
(reference 1.10); what stands where it cannot is a fault, and the rest is put together without it.
"""

from __future__ import annotations

from collections.abc import Iterable

from wfc.frontend.fault_codes import SYNTAX
from wfc.frontend.faults import Fault
from wfc.frontend.text.allowances import allow
from wfc.frontend.text.build_clauses import Way
from wfc.frontend.text.build_steps import Statement
from wfc.frontend.text.build_types import put, put_all
from wfc.frontend.text.deriving import derive, in_order, is_half, other_edge, schemas, shape_sections
from wfc.frontend.text.lexer import Clash, Lexeme, Strange
from wfc.frontend.text.parts import Part, Stretch, an_array, an_object
from wfc.ir import END
from wfc.records import dataclass, field

_ORDER = (
    "name",
    "desc",
    "input_schema",
    "state_schema",
    "output_schema",
    "outcomes",
    "node_defs",
    "start",
    "nodes",
    "edges",
)


OPENS_NONE = "a workflow"
LACKS_A_STEP = "a step, or `end`"
_BELOW = "a way without a target leads to the step below"


@dataclass(slots=True)
class Assembled:
    """The document, or what it is when it holds nothing; which pointers each statement stands for; what is wrong.

    `unled` are ways that lead to a next step where none comes, which is certain only where all statements are read.
    """

    document: Part
    pointers: dict[int, tuple[str, ...]] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)
    unled: list[Fault] = field(default_factory=list)


@dataclass(slots=True)
class _Open:
    """A workflow in the making."""

    head: Statement
    part: Part
    clashes: list[Clash | Strange]
    sections: dict[str, Part] = field(default_factory=dict)
    defs: list[Part] = field(default_factory=list)
    steps: list[tuple[Part, Statement]] = field(default_factory=list)
    edges: list[Part] = field(default_factory=list)
    ends: dict[str, Part] = field(default_factory=dict)
    owners: dict[int, Part] = field(default_factory=dict)
    outcomes: dict[int, list[Part]] = field(default_factory=dict)
    loose: Part | None = None
    following: list[Part] = field(default_factory=list)
    half: tuple[Way, int] | None = None
    starts: bool = True


def assemble(
    statements: list[Statement], comments: list[Stretch], text: str, clashes: list[Clash | Strange]
) -> Assembled:
    """Put the statements of a text together."""
    return _Assembly(text, clashes, Assembled(an_object(0, 0))).run(statements, comments)


@dataclass(slots=True)
class _Assembly:
    text: str
    clashes: list[Clash | Strange]
    made: Assembled
    workflows: list[Part] = field(default_factory=list)
    top: Part = field(default_factory=lambda: an_object(0, 0))
    open: _Open | None = None
    numbers: dict[int, tuple[str, int]] = field(default_factory=dict)
    main: Statement | None = None
    shapes: dict[int, list[tuple[str, int]]] = field(default_factory=dict)

    def run(self, statements: list[Statement], comments: list[Stretch]) -> Assembled:
        placed: list[tuple[int, Statement, int]] = []
        for index, statement in enumerate(statements):
            before = len(self.workflows)
            self._take(statement, index)
            placed.append((before, statement, index))
        if self.open is not None:
            self._lacks("`}` that closes the workflow", len(self.text.rstrip()), self.open.head)
            self._close(self.open.head)
        allow(statements, comments, self.text)
        self._finish()
        return self.made

    # -- one statement ------------------------------------------------------------------------------------------------

    def _take(self, statement: Statement, index: int) -> None:
        kind = statement.kind
        if kind == "head":
            self._begin(statement, index)
        elif kind == "json" and self.open is None:
            assert statement.part is not None
            self._note(index, "", len(self.workflows))
            self.workflows.append(statement.part)
        elif kind == "with" and self.open is None:
            assert statement.word is not None
            self.shapes[index] = [("", -2)]
            self._more(self.top, statement.word)
        elif kind == "main":
            self.shapes[index] = [("/main", -3)]
            self._main(statement)
        elif self.open is None:
            self._stray(statement)
        elif kind == "close":
            self._note(index, " close", -2)
            self._close(statement)
        else:
            self._inside(self.open, statement, index)

    def _note(self, index: int, key: str, number: int, more: int | None = None) -> None:
        """Remember what a statement is: entry `number` of a list of its workflow."""
        workflow = len(self.workflows)
        self.shapes.setdefault(index, []).append((f"{workflow}|{key}", number))

    def _begin(self, statement: Statement, index: int) -> None:
        if self.open is not None:
            self._lacks("`}` before the next workflow", statement.start, self.open.head)
            self._close(self.open.head)
        assert statement.part is not None
        self.open = _Open(statement, statement.part, self.clashes)
        self._note(index, "", 0)
        if statement.word is not None:
            self.main = self._main_is(statement, statement.part.inside["name"])

    def _main_is(self, statement: Statement, name: Part) -> Statement:
        if self.main is not None and self.main.part is not None:
            self.clashes.append(Clash("main", self.main.part.stretch, (statement.start, name.end)))
            return self.main
        return Statement("main", Part(name.value, *name.stretch), statement.word)

    def _main(self, statement: Statement) -> None:
        assert statement.part is not None
        self.main = self._main_is(statement, statement.part)

    def _more(self, owner: Part, more: Lexeme) -> None:
        whole = put_all(owner, more, more)
        if whole is not None:
            put(owner, "with", whole, (more.start, more.end), self.clashes)

    def _inside(self, here: _Open, statement: Statement, index: int) -> None:
        kind, part = statement.kind, statement.part
        if kind == "section":
            assert statement.word is not None and part is not None
            self._section(here, f"{statement.word.text}_schema", part, statement, index)
        elif kind == "outcomes":
            self._outcomes(here, statement, index)
        elif kind == "start":
            here.starts = part is not None
            if part is not None:
                self._section(here, "start", part, statement, index)
        elif kind == "with":
            assert statement.word is not None
            self._note(index, " with", -2)
            self._more(here.part, statement.word)
        elif kind == "def":
            assert part is not None
            self._note(index, "node_defs", len(here.defs))
            here.owners[index] = part
            schemas(statement, "outcome_schemas", 0)
            if part.inside is not None:
                part.start, part.end = statement.start, statement.end
            here.defs.append(part)
        elif kind in ("step", "json"):
            assert part is not None
            self._lead_on(here, _id(part))
            self._note(index, "nodes", len(here.steps))
            here.owners[index] = part
            if part.inside is not None:
                part.start, part.end = statement.start, statement.end
            here.steps.append((part, statement))
            ways = in_order(part, statement.ways)
            self._edges(here, ways, _id(part), index)
            here.half = (ways[0], index) if is_half(part, ways) else None
        elif kind == "edges":
            here.half = None
            self._edges_below(here, statement, index)
        else:
            self._loose(here, statement, index)

    def _section(self, here: _Open, key: str, part: Part, statement: Statement, index: int) -> None:
        word = statement.word
        assert word is not None
        at = (word.start, word.end)
        self._note(index, key, -1)
        if key in here.sections:
            self.clashes.append(Clash(key, here.sections[key].key or here.sections[key].stretch, at))
            return
        part.key = at
        here.sections[key] = part

    def _outcomes(self, here: _Open, statement: Statement, index: int) -> None:
        listed = statement.outcomes or []
        for _name, schema in listed:
            if schema is not None:
                self._fault(
                    schema.start,
                    schema.end,
                    "a type",
                    "`,` or the end of the line",
                    "the outcomes of a workflow have no types of their own",
                )
        names = [name for name, _ in listed]
        self._section(here, "outcomes", an_array(names, names[0].start, names[-1].end), statement, index)

    def _edges_below(self, here: _Open, statement: Statement, index: int) -> None:
        if not here.steps:
            self._fault(
                statement.start,
                statement.end,
                "an edge",
                "a step that it leaves",
                "edges stand below the step that they leave",
            )
            return
        owner = here.steps[-1][0]
        here.owners[index] = owner
        self._edges(here, statement.ways, _id(owner), index)

    def _loose(self, here: _Open, statement: Statement, index: int) -> None:
        if statement.source is not None:
            here.loose = statement.source
            self._edges(here, statement.ways, statement.source, index)
        elif statement.part is not None:
            self._note(index, "edges", len(here.edges))
            here.edges.append(statement.part)

    def _edges(self, here: _Open, ways: Iterable[Way], source: Part, index: int) -> None:
        for way in ways:
            self._note(index, "edges", len(here.edges))
            made = an_object(way.start, way.end)
            made.put("from", Part(source.value, *source.stretch, {}))
            made.put("outcome", way.outcome)
            if way.target.is_next:
                here.following.append(made)
            else:
                made.put("to", _led_to(here, way))
            if way.more is not None:
                self._more(made, way.more)
            here.edges.append(made)
            if here.steps and source is not here.loose:
                here.outcomes.setdefault(len(here.steps) - 1, []).append(way.outcome)

    def _lead_on(self, here: _Open, following: Part | None) -> None:
        """Lead the ways of the last step that go on with the next one to it."""
        led = following is not None and isinstance(following.value, str)
        half, waiting = here.half, here.following
        here.half, here.following = None, []
        if half is not None and led:
            way, index = half
            source = here.edges[-1].inside["from"]
            other, comes_first = other_edge(way, source)
            here.edges.insert(len(here.edges) - comes_first, other)
            waiting.append(other)
            self._note(index, "edges", len(here.edges) - 1)
        for edge in waiting:
            if led:
                assert following is not None
                edge.put("to", Part(following.value, edge.start, edge.end))
                continue
            facts = {"got": "the end of the line", "expected": LACKS_A_STEP}
            self.made.unled.append(Fault(SYNTAX, edge.end, edge.end, (), facts, hint=_BELOW))

    # -- the end of a workflow ----------------------------------------------------------------------------------------

    def _close(self, statement: Statement) -> None:
        here = self.open
        assert here is not None
        self.open = None
        part = here.part
        self._lead_on(here, None)
        for place, (step, read) in enumerate(here.steps):
            if read.kind == "step":
                derive(step, read, here.outcomes.get(place, []))
        shape_sections(here.sections)
        for key, section in here.sections.items():
            put(part, key, section, section.key or section.stretch, self.clashes)
        ids = {step.value.get("id") for step, _ in here.steps if isinstance(step.value, dict)} if here.ends else ()
        steps = [step for step, _ in here.steps] + [end for name, end in here.ends.items() if name not in ids]
        for key, listed in (("node_defs", here.defs), ("nodes", steps), ("edges", here.edges)):
            if listed:
                array = an_array(listed, listed[0].start, listed[-1].end)
                put(part, key, array, (array.start, array.start), self.clashes)
        if here.starts and "start" not in part.value and steps and (first := _id(steps[0])) is not None:
            part.put("start", Part(first.value, *first.stretch))
        _sorted(part)
        self.workflows.append(part)

    # -- all of it ----------------------------------------------------------------------------------------------------

    def _finish(self) -> None:
        alone = len(self.workflows) == 1 and self.main is None and not self.top.inside
        made = self.made
        if alone:
            made.document = self.workflows[0]
        elif self.workflows or self.top.inside or self.main is not None:
            made.document = self._module()
        for index, found in self.shapes.items():
            made.pointers[index] = tuple(_pointer(shape, number, alone) for shape, number in found)

    def _module(self) -> Part:
        end = self.workflows[-1].end if self.workflows else 0
        module = an_object(0, end)
        if self.main is not None and self.main.part is not None:
            put(module, "main", self.main.part, self.main.part.stretch, self.clashes)
        put(module, "workflows", an_array(self.workflows, 0, end), (0, 0), self.clashes)
        for key, part in self.top.inside.items():
            put(module, key, part, part.key or part.stretch, self.clashes)
        return module

    # -- faults -------------------------------------------------------------------------------------------------------

    def _fault(self, start: int, end: int, got: str, expected: str, hint: str) -> None:
        self.made.faults.append(Fault(SYNTAX, start, end, (), {"got": got, "expected": expected}, hint=hint))

    def _stray(self, statement: Statement) -> None:
        shown = self.text[statement.start : statement.end].split("\n")[0].split(" ")[0]
        if statement.kind == "close":
            self._fault(statement.start, statement.end, "`}`", OPENS_NONE, "this brace closes nothing")
            return
        self._fault(
            statement.start,
            statement.start + len(shown),
            f"`{shown}` outside of a workflow",
            "`workflow NAME {`",
            "definitions, steps and the rest stand between the braces of a workflow",
        )

    def _lacks(self, expected: str, at: int, head: Statement) -> None:
        line = self.text.count("\n", 0, head.start) + 1
        got = "the end of the text" if at >= len(self.text.rstrip()) else f"`{self.text[at:].split(None, 1)[0]}`"
        self._fault(at, at, got, expected, f"the workflow of line {line} is not closed")


def _pointer(shape: str, number: int, alone: bool) -> str:
    if number == -3:
        return shape
    if "|" not in shape:
        return f"{shape} with"
    workflow, key = shape.split("|")
    above = "" if alone else f"/workflows/{workflow}"
    if not key:
        return above
    if number == -2:
        return f"{above}{key}"
    return f"{above}/{key}" if number < 0 else f"{above}/{key}/{number}"


def _id(step: Part) -> Part:
    """The id of a step, or the step where it has none."""
    if step.inside and "id" in step.inside:
        return step.inside["id"]  # type: ignore[no-any-return]
    named = step.value.get("id") if isinstance(step.value, dict) else None
    return Part(named, *step.stretch)


def _led_to(here: _Open, way: Way) -> Part:
    target = way.target
    if not target.is_end:
        return target.name
    name = target.name.value
    if name == "ok":
        return Part(END, target.start, target.end)
    step = f"end_{name}"
    if step not in here.ends:
        made = an_object(target.start, target.end)
        for key, value in (("id", step), ("type", "end"), ("outcome", name)):
            made.put(key, Part(value, target.start, target.end))
        here.ends[step] = made
    return Part(step, target.start, target.end)


def _sorted(part: Part) -> None:
    """Bring the keys of a workflow into the order of the language."""
    keys = [key for key in _ORDER if key in part.inside] + [key for key in part.inside if key not in _ORDER]
    inside = {key: part.inside[key] for key in keys}
    part.inside, part.value = inside, {key: one.value for key, one in inside.items()}
