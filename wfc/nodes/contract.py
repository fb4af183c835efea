"""`@wfc.node`: a function with the contract of a node definition, explicit or read from its type hints.

Reference 1.3, 4.2, 4.8. The function stays the function that it was; what its contract and its call are is kept beside.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar, overload

from wfc.nodes.fields import schema_from
from wfc.nodes.signature import Signature, signature_of
from wfc.records import dataclass, field

EFFECTS = ("pure", "read", "idempotent", "write")
_NODE_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_./-]{0,127}")
_OUTCOME_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,127}")
_MARK = "__wfc_node__"
_OBJECT: Mapping[str, Any] = {"type": "object"}
_FROM_HINTS: Any = object()

_Function = TypeVar("_Function", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class NodeContract:
    """What a marked function promises; the fields are those of a node definition (reference 1.3).

    `call` takes the payload, and the context where it `asks` for one, and calls the function as its signature wants;
    none where the function takes the payload itself. `input` and `output` are the bindings of a use that gives none.
    """

    name: str
    outcomes: tuple[str, ...]
    input_schema: Any
    output_schema: Any
    outcome_schemas: Mapping[str, Any]
    effects: str | None
    retry: Any = None
    timeout_seconds: int | float | None = None
    desc: str | None = None
    call: Callable[..., Any] | None = field(default=None, compare=False)
    input: Mapping[str, Any] | None = field(default=None, compare=False)
    output: Mapping[str, Any] | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        if not _NODE_NAME.fullmatch(self.name) or self.name.startswith("__"):
            raise ValueError(f"`{self.name}` is no name for a node; expected letters, digits, `_`, `-`, `.` and `/`")
        if not self.outcomes or len(set(self.outcomes)) != len(self.outcomes):
            raise ValueError(
                f"the outcomes of `{self.name}` are {list(self.outcomes)}; expected one or more, each once"
            )
        for outcome in self.outcomes:
            if not _OUTCOME_NAME.fullmatch(outcome) or outcome.startswith("__"):
                raise ValueError(f"`{outcome}` of `{self.name}` is no name for an outcome")
        for outcome in self.outcome_schemas:
            if outcome not in self.outcomes:
                raise ValueError(f"`outcome_schemas` of `{self.name}` has `{outcome}`, which is none of its outcomes")
        if self.effects not in (None, *EFFECTS):
            raise ValueError(f"the effects of `{self.name}` are `{self.effects}`; expected one of {', '.join(EFFECTS)}")

    def to_json(self) -> dict[str, Any]:
        """The contract as a node definition."""
        made: dict[str, Any] = {"name": self.name, "desc": self.desc}
        made |= {"input_schema": self.input_schema, "output_schema": self.output_schema}
        made |= {"outcomes": list(self.outcomes), "outcome_schemas": dict(self.outcome_schemas) or None}
        made |= {"effects": self.effects, "retry": self.retry, "timeout_seconds": self.timeout_seconds}
        return {key: value for key, value in made.items() if value is not None}


@overload
def node(function: _Function, /) -> _Function: ...


@overload
def node(
    *,
    name: str | None = None,
    outcomes: Sequence[str] | Mapping[str, Any] = ("ok",),
    input_schema: Any = _FROM_HINTS,
    output_schema: Any = _FROM_HINTS,
    outcome_schemas: Mapping[str, Any] | None = None,
    effects: str | None = None,
    retry: int | Mapping[str, Any] | None = None,
    timeout_seconds: int | float | None = None,
    desc: str | None = None,
    input: Mapping[str, Any] | None = None,
    output: Mapping[str, Any] | None = None,
) -> Callable[[_Function], _Function]: ...


def node(
    function: Callable[..., Any] | None = None,
    /,
    *,
    name: str | None = None,
    outcomes: Sequence[str] | Mapping[str, Any] = ("ok",),
    input_schema: Any = _FROM_HINTS,
    output_schema: Any = _FROM_HINTS,
    outcome_schemas: Mapping[str, Any] | None = None,
    effects: str | None = None,
    retry: int | Mapping[str, Any] | None = None,
    timeout_seconds: int | float | None = None,
    desc: str | None = None,
    input: Mapping[str, Any] | None = None,
    output: Mapping[str, Any] | None = None,
) -> Any:
    """Mark a function as a capability; it stays the function that it was. The name is its own if none is given.

    Schemas that are not given come from the type hints: each parameter is a field of the payload, required unless it
    has a default; a single parameter whose type is a dataclass, a TypedDict or a pydantic model is the payload itself,
    and so is one without a hint. A parameter `context` or `ctx` is given the call's context. `outcomes` may map each
    outcome to the type of its output; without `effects` a repeated call counts as a `write`. `input` and `output` are
    what `builder.node` binds where a use gives no bindings; they stand at that use, and are judged there. Raises
    `ValueError` for a contract that no node definition could have.
    """
    names = sys._getframe(1).f_locals

    def mark(marked: Any) -> Any:
        own = name if name is not None else marked.__name__
        takes_payload = input_schema is not _FROM_HINTS
        signature = signature_of(marked, names, takes_payload=takes_payload)
        given = _outputs(signature, outcomes, output_schema, outcome_schemas)
        taken = schema_from(input_schema) if takes_payload else signature.input_schema
        further: tuple[Any, ...] = (effects, retry, timeout_seconds, desc, signature.call, input, output)
        setattr(marked, _MARK, NodeContract(own, *given.parts(taken), *further))
        return marked

    return mark if function is None else mark(function)


@dataclass(frozen=True, slots=True)
class _Outputs:
    outcomes: tuple[str, ...]
    usual: Any
    others: Mapping[str, Any]

    def parts(self, taken: Any) -> tuple[tuple[str, ...], Any, Any, Mapping[str, Any]]:
        return self.outcomes, taken, self.usual, self.others


def _outputs(signature: Signature, outcomes: Any, usual: Any, others: Mapping[str, Any] | None) -> _Outputs:
    """The outcomes and what each gives, as far as said, else as the type of what is returned says it."""
    typed = {name: schema_from(one) for name, one in outcomes.items()} if isinstance(outcomes, Mapping) else {}
    if not typed and signature.outcomes and tuple(outcomes) == ("ok",):
        typed = dict(signature.outcomes)
    names = tuple(typed or outcomes)
    if usual is _FROM_HINTS:
        usual = typed[names[0]] if typed else signature.output_schema
    apart = {name: schema for name, schema in typed.items() if name != names[0]}
    return _Outputs(names, schema_from(usual), apart | {key: schema_from(one) for key, one in (others or {}).items()})


def contract_of(function: Callable[..., Any]) -> NodeContract | None:
    """The contract that `node` gave a function; none for a plain one."""
    found = getattr(function, _MARK, None)
    return found if isinstance(found, NodeContract) else None
