"""A single call keeps and judges what it gets as a run would."""

from __future__ import annotations

from wfc.ir import Answer, Completed, Contract, NodeResult
from wfc.tools.judging import judged


def test_what_a_pattern_keeps_is_what_it_keeps_in_a_run() -> None:
    """`pattern` is ECMA-262 with ASCII classes (reference 1.2): Python has no such property, and other digits."""
    schema = {
        "type": "object",
        "properties": {"n_1": {"type": "integer"}},
        "patternProperties": {r"^\p{L}+$": {"type": "string"}, r"^\d$": {"type": "integer"}},
    }
    contract = Contract("s.t", True, schema)
    assert code(contract, {"n_1": 1, "ä": "text", "5": 5, "\u0665": "no digit here"}) is None
    assert code(contract, {"ä": 1}) == "node_output_invalid"
    assert code(contract, {"5": "text"}) == "node_output_invalid"


def code(contract: Contract, output: object) -> str | None:
    found: Answer = judged(contract, Completed("call-1", NodeResult(None, output)))
    return None if isinstance(found, Completed) else found.code
