"""How sources and their capabilities are told: for people on lines, for programs as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wfc.cli.terminal import one_line, put, put_json, say
from wfc.ir import Contract
from wfc.tools import Examined, Proposal, Renewed, Seen, signature

LIST_FORMAT = "wfc.tools/1"
LOCK_FORMAT = "wfc.locked/1"
DOCTOR_FORMAT = "wfc.doctor/1"
PROPOSAL_FORMAT = "wfc.proposals/1"
_SIGNS = {"added": "+", "changed": "~", "removed": "-"}


def tell_list(seen: Sequence[Seen], as_json: bool) -> None:
    """What sources offer; a source that did not answer is a remark."""
    if as_json:
        put_json({"schema": LIST_FORMAT, "sources": [_seen_json(one) for one in seen]})
    else:
        put("".join(signature(contract) + "\n" for one in seen for contract in one.contracts.values()))
    for one in seen:
        if not one.answered:
            say(f"error: {one_line(one.fault or f'source `{one.name}`: {one.wants}')}; `wfc tools doctor` says more")


def contract_json(contract: Contract) -> dict[str, Any]:
    """A capability as a workflow meets it."""
    return {
        "name": contract.name,
        "signature": signature(contract),
        "description": contract.description,
        "input_schema": contract.input,
        "output_schema": contract.output,
        "outcomes": list(contract.outcomes),
        "outcome_schemas": dict(contract.others),
        "effects": contract.effects or "write",
    }


def _seen_json(seen: Seen) -> dict[str, Any]:
    return {
        "name": seen.name,
        "kind": seen.kind,
        "server": dict(seen.server) or None,
        "error": seen.fault or seen.wants,
        "capabilities": [contract_json(one) for one in seen.contracts.values()],
    }


def tell_lock(made: Renewed, came_to: str, as_json: bool) -> None:
    """What a new lock has otherwise, and what became of it."""
    if as_json:
        changes = [{"capability": one.capability, "what": one.what, "diff": one.diff} for one in made.changes]
        put_json({"schema": LOCK_FORMAT, "status": came_to, "changes": changes, "problems": list(made.problems)})
    else:
        for change in made.changes:
            put(f"{_SIGNS[change.what]} {change.capability}\n" + (f"{change.diff}\n" if change.diff else ""))
    for problem in made.problems:
        say(f"error: {one_line(problem)}")
    if not as_json:
        say(came_to)


def tell_proposals(proposals: Sequence[Proposal], as_json: bool) -> None:
    if as_json:
        told = [
            {"capability": one.capability, "adapt": list(one.adapt), "output": one.output, "toml": one.toml}
            for one in proposals
        ]
        put_json({"schema": PROPOSAL_FORMAT, "proposals": told})
    else:
        put("\n".join(one.toml for one in proposals))


def tell_doctor(found: Sequence[Examined], as_json: bool) -> None:
    if as_json:
        ok = all(one.ok for one in found)
        put_json({"schema": DOCTOR_FORMAT, "ok": ok, "sources": [_examined_json(one) for one in found]})
    else:
        put("".join(_examined_text(one) for one in found))


def _examined_json(one: Examined) -> dict[str, Any]:
    seen = one.seen
    return {
        "name": seen.name,
        "kind": seen.kind,
        "ok": one.ok,
        "server": dict(seen.server) or None,
        "capabilities": len(seen.contracts),
        "problems": [{"what": each.what, "do": each.do, "harmless": each.harmless} for each in one.problems],
    }


def _examined_text(one: Examined) -> str:
    seen = one.seen
    told = [] if not seen.answered else [f"{len(seen.contracts)} of {len(seen.listings)} capabilities allowed"]
    server = " ".join(seen.server[key] for key in ("name", "version") if key in seen.server)
    told += [server] if server else []
    told += [f"protocol {seen.server['protocol']}"] if "protocol" in seen.server else []
    lines = [f"{'ok  ' if one.ok else 'BAD '} {seen.name} ({seen.kind}){': ' + ', '.join(told) if told else ''}"]
    for problem in one.problems:
        lines.append(f"     {'note' if problem.harmless else 'error'}: {_indented(problem.what)}")
        lines.append(f"       do: {problem.do}")
    return "\n".join(lines) + "\n"


def _indented(text: str) -> str:
    return text.replace("\n", "\n       ")
