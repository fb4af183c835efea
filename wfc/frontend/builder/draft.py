"""A workflow while it is being written in Python: its contract, definitions, steps and edges, in the order of calls.

Reference 4.8. A draft is the document under construction; `document` is what has been said so far. Whatever is wrong
with it is found by the check, and told at the call that said it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from wfc.frontend.builder.built import BuiltDocument, built
from wfc.frontend.builder.calls import caller
from wfc.frontend.builder.kinds import Kinds
from wfc.frontend.builder.steps import Step
from wfc.frontend.builder.written import Written, fields, part, plain
from wfc.ir import Reducer
from wfc.nodes import contract_of, schema_from
from wfc.records import dataclass

Function = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Defaulted:
    """The steps that `default` made: it is entered at `id`, and left by each of `exits`, a step and an outcome."""

    id: str
    exits: tuple[tuple[str, str], ...]


class Draft(Kinds):
    """What has been said of a workflow. Schemas are JSON Schemas, type hints, or mappings of names to hints and fields.

    The first step is where it starts, unless `start` names another. `functions` answer the nodes of these names;
    `reducers` are those that it needs besides the built-in ones.
    """

    def __init__(
        self,
        name: str,
        *,
        input_schema: Any = None,
        state_schema: Any = None,
        output_schema: Any = None,
        outcomes: Iterable[str] | None = None,
        start: str | Step | None = None,
        desc: str | None = None,
        extra: Mapping[str, Any] | None = None,
        module_extra: Mapping[str, Any] | None = None,
        reducers: Iterable[Reducer] = (),
    ) -> None:
        self._call = caller()
        self.name = name
        self._schemas = {
            "input_schema": _schema(input_schema),
            "state_schema": _schema(state_schema, required=False),
            "output_schema": _schema(output_schema),
        }
        self._outcomes = None if outcomes is None else list(outcomes)
        self._start = start
        self._desc = desc
        self._extra = extra
        self._module_extra = module_extra
        self._definitions: list[Written] = []
        self.functions: dict[str, Function] = {}
        self.reducers = tuple(reducers)
        self._steps: list[Written] = []
        self._edges: list[Written] = []
        self._children: list[Draft] = []

    # -- what it is made of -------------------------------------------------------------------------------------------

    @property
    def contract(self) -> dict[str, Any]:
        """Outcomes, input and output schema, with their defaults."""
        schemas = {key: self._schemas[key] for key in ("input_schema", "output_schema")}
        return {
            "outcomes": self._outcomes or ["ok"],
            **{key: {"type": "object"} if schema is None else schema for key, schema in schemas.items()},
        }

    def define(
        self,
        node: str | Function,
        *,
        input_schema: Any = None,
        output_schema: Any = None,
        outcomes: Iterable[str] | None = None,
        outcome_schemas: Mapping[str, Any] | None = None,
        uses: str | Mapping[str, Any] | None = None,
        effects: str | None = None,
        retry: int | Mapping[str, Any] | None = None,
        timeout_seconds: int | float | None = None,
        desc: str | None = None,
        extra: Mapping[str, Any] | None = None,
    ) -> str:
        """Add a node definition, by its name or as what `@wfc.node` promised for a function; what is given wins.

        Gives the name. Raises `ValueError` for a name that stands for another function.
        """
        schemas = {key: _schema(one) for key, one in (outcome_schemas or {}).items()}
        given = fields(
            extra,
            ("desc", plain(desc)),
            ("input_schema", _schema(input_schema)),
            ("output_schema", _schema(output_schema)),
            ("outcomes", None if outcomes is None else plain(list(outcomes))),
            ("outcome_schemas", schemas or None),
            ("uses", plain(uses)),
            ("effects", plain(effects)),
            ("retry", part(retry)),
            ("timeout_seconds", plain(timeout_seconds)),
        )
        name, promised = self._promised(node)
        self._definitions.append(Written({**promised, **given}))
        return name

    def _promised(self, node: str | Function) -> tuple[str, dict[str, Any]]:
        """The name of a node, and what is promised for it; a function becomes the one that answers it."""
        if isinstance(node, str):
            return node, {"name": node}
        contract = contract_of(node)
        if contract is None:
            raise TypeError(f"{node!r} is no node; expected a function marked with `@wfc.node`, or a name")
        if self.functions.setdefault(contract.name, node) is not node:
            raise ValueError(f"`{contract.name}` stands for another function already; expected one function a name")
        return contract.name, {key: plain(value) for key, value in contract.to_json().items()}

    def _used(self, node: str | Function) -> str:
        """The name of a node that a step uses; a function that is new is defined."""
        if isinstance(node, str):
            return node
        contract = contract_of(node)
        if contract is None or self.functions.get(contract.name) is not node:
            return self.define(node)
        return contract.name

    def add(self, step: Step | Mapping[str, Any]) -> Step:
        """Append a step that was made apart; the first one is where the workflow starts."""
        added = step if isinstance(step, Step) else Step(plain(step))
        self._steps.append(added)
        return added

    def start(self, step: Step | Defaulted | str) -> None:
        """Say where the workflow starts."""
        self._start = _id(step)

    def connect(
        self,
        step: Step | Defaulted | str,
        outcome: str | bool,
        target: Step | Defaulted | str,
        *,
        extra: Mapping[str, Any] | None = None,
    ) -> None:
        """Lead an outcome of a step to another step or to `END`; of what `default` made, every way out."""
        wired = {True: "true", False: "false"}[outcome] if isinstance(outcome, bool) else outcome
        exits = step.exits if isinstance(step, Defaulted) else ((_id(step), wired),)
        for source, left_by in exits:
            edge = fields(extra, ("from", plain(source)), ("outcome", plain(left_by)), ("to", plain(_id(target))))
            self._edges.append(Written(edge))

    def prepare_subgraph(self, child: Draft) -> None:
        """Make a child known, so that steps that refer to its name run it: its graph, its handlers, its reducers."""
        if child is not self and child not in self._children:
            self._children.append(child)

    # -- what it gives ------------------------------------------------------------------------------------------------

    def family(self) -> Iterator[Draft]:
        """This draft and the prepared children, of children too, each once."""
        found: dict[int, Draft] = {}
        waiting = [self]
        while waiting:
            one = waiting.pop(0)
            if id(one) not in found:
                found[id(one)] = one
                waiting += one._children
        yield from found.values()

    def document(self) -> BuiltDocument:
        """What has been said so far: a workflow, or with prepared children a module."""
        family = list(self.family())
        prepared = {one.name for one in family}
        promised = {step.child.name for one in family for step in one._steps if isinstance(step, Step) and step.child}
        top = self._workflow()
        if len(family) > 1 or self._module_extra is not None:
            workflows = [top, *(one._workflow() for one in family[1:])]
            top = Written(fields(self._module_extra, ("workflows", workflows)), self._call)
        return built(top, frozenset(promised - prepared))

    def to_json(self) -> Any:
        """The document as a JSON value; none where something was given that JSON cannot hold."""
        return self.document().value

    def _workflow(self) -> Written:
        first = self._steps[0].inside.get("id") if self._steps else None
        made = fields(
            self._extra,
            ("name", plain(self.name)),
            ("desc", plain(self._desc)),
            *self._schemas.items(),
            ("outcomes", plain(self._outcomes)),
            ("node_defs", list(self._definitions) or None),
            ("start", plain(_id(self._start)) if self._start is not None else first),
            ("nodes", list(self._steps)),
            ("edges", list(self._edges) or None),
        )
        return Written(made, self._call)


def _schema(given: Any, *, required: bool = True) -> Any:
    return None if given is None else plain(schema_from(given, required=required))


def _id(step: Any) -> Any:
    return step.id if isinstance(step, (Step, Defaulted)) else step
