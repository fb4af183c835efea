"""What goes into a single call and comes out of it, judged as a run would (reference 1.2, 2.3)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from wfc.engine import jsonschema_rs
from wfc.frontend import schema_fault
from wfc.ir import Answer, Completed, Contract, Failed, NotJson, kind_of, to_json
from wfc.source import pointer
from wfc.vm import Keeper

_WORDS_LIMIT = 500


def unusable(contract: Contract) -> Iterator[str]:
    """The schemas of a contract by which nothing can be judged, a sentence each."""
    for what, schema in (("input", contract.input), ("output", contract.output), *contract.others.items()):
        fault = schema_fault(schema)
        if fault is not None:
            yield f"nothing is judged by the schema of `{contract.name}` for `{what}`, which cannot be used: {fault}"


def refused_payload(contract: Contract, payload: Any) -> str | None:
    """Why a payload cannot be sent."""
    if not isinstance(payload, dict):
        return f"the payload of `{contract.name}` is {kind_of(payload)}; expected an object"
    found = _refusal(contract.input, payload)
    return None if found is None else f"the payload of `{contract.name}` is refused{found}"


def judged(contract: Contract, answer: Answer) -> Answer:
    """The answer, or that what it gives is not what the contract says."""
    if not isinstance(answer, Completed):
        return answer
    name = contract.name
    try:
        output = to_json(answer.result.output)
    except NotJson as wrong:
        return Failed(answer.call_id, "node_output_invalid", f"the output of `{name}` is no JSON: {wrong}")
    outcome = contract.outcomes[0] if answer.result.outcome is None else answer.result.outcome
    found = _refusal(contract.others.get(outcome, contract.output), _declared(contract, outcome, output))
    if found is not None:
        return Failed(answer.call_id, "node_output_invalid", f"the output of `{name}` is refused{found}")
    if outcome not in contract.outcomes:
        declared = ", ".join(f"`{one}`" for one in contract.outcomes)
        told = f"`{name}` gave the outcome `{outcome}`; it declares {declared}"
        return Failed(answer.call_id, "undeclared_outcome", told)
    return answer


def _declared(contract: Contract, outcome: str, output: Any) -> Any:
    """An output without top-level keys that its schema does not list, which a run keeps aside."""
    extra = Keeper(contract.others.get(outcome, contract.output)).extra(output)
    return {key: value for key, value in output.items() if key not in extra} if extra else output


def _refusal(schema: Any, value: Any) -> str | None:
    """Where and why a value is refused, to be put behind a name; none where it is not, or nobody can say."""
    if schema_fault(schema) is not None:
        return None
    judge = jsonschema_rs.validator_for(schema, validate_formats=False, offline=True)
    first = next(iter(judge.iter_errors(value)), None)
    if first is None:
        return None
    where = pointer(*first.instance_path)
    return f"{f' at `{where}`' if where else ''}: {first.message[:_WORDS_LIMIT]}"
