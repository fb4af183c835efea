"""From a payload to the arguments of a tool, and from what it said to an output: what the configuration makes of it.

Reference 4.2. The lock is a judge of structured content beside the server's own listing, which may be another by now.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wfc.backends.sources.adapters import AdapterSpec, Chain, compile_chain
from wfc.backends.sources.tool import Said, ToolFault
from wfc.ir import Listing, NotJson, kind_of, to_json
from wfc.records import dataclass, field


@dataclass(frozen=True, slots=True)
class ToolShape:
    """What a configuration says of one tool: `adapt` makes an output of what it says and `output` judges it, `rename`
    maps a parameter to its name in payloads, `effects` wins over what the server claims."""

    adapt: tuple[AdapterSpec, ...] = ()
    output: Any = None
    effects: str | None = None
    rename: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Prepared:
    """A tool made ready: `promised` judges structured content, `judge` what comes of the adapters; `parameter_of` leads
    back from renamed fields."""

    chain: Chain = Chain()
    promised: Any = None
    judge: Any = None
    parameter_of: Mapping[str, str] = field(default_factory=dict)
    effects: str | None = None

    def arguments(self, payload: Any) -> dict[str, Any]:
        """What the tool is given. Raises `ToolFault`."""
        if not isinstance(payload, dict):
            raise ToolFault("node_failed", f"the payload is {kind_of(payload)}; a tool takes an object")
        given: dict[str, Any] = payload
        return {self.parameter_of.get(name, name): value for name, value in given.items()}

    def output(self, said: Said) -> Any:
        """What the tool gives. Raises `ToolFault`."""
        if said.is_error:
            raise ToolFault("node_failed", said.text or "an error without a text", type=self.chain.error_type(said))
        if self.promised is not None:
            _require(self.promised, said.structured, "the structured content of the answer: ")
        output = self.chain.output(said)
        if self.judge is not None:
            _require(self.judge, output)
        return output


def prepare(name: str, shape: ToolShape, locked: Listing | None) -> Prepared:
    """A tool made ready. Raises `ValueError` for an adapter or a schema that cannot be used."""
    try:
        chain = compile_chain(shape.adapt)
    except ValueError as error:
        raise ValueError(f"`adapt` of `{name}`: {error}") from None
    promised = None if locked is None else locked.output_schema
    return Prepared(
        chain=chain,
        promised=None if promised is None else _judge_of(f"the locked output schema of `{name}`", promised),
        judge=None if shape.output is None else _judge_of(f"`output` of `{name}`", shape.output),
        parameter_of={name: parameter for parameter, name in shape.rename.items()},
        effects=shape.effects,
    )


def _judge_of(what: str, schema: Any) -> Any:
    import jsonschema_rs

    try:
        return jsonschema_rs.validator_for(schema, validate_formats=False, offline=True)
    except ValueError as error:
        raise ValueError(f"{what} is no JSON Schema: {error}") from None


def _require(judge: Any, output: Any, what: str = "") -> None:
    try:
        output = to_json(output)
    except NotJson as error:
        raise ToolFault("node_output_invalid", f"{what}{error}") from None
    first = next(iter(judge.iter_errors(output)), None)
    if first is not None:
        where = ".".join(str(part) for part in first.instance_path)
        raise ToolFault("node_output_invalid", f"{what}{first.message} at `{where or '.'}`")
