"""The evaluation: every request to a planner, with and without what the compiler finds, and what came of it.

Guarantees: what is reported is what the loop did; a request whose planner failed is counted as such and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from bench.planner.requests import Request
from wfc.briefing import by_name
from wfc.planner import Options, Plan, Planner, plan
from wfc.planner.judging import judged


@dataclass(frozen=True)
class Outcome:
    """One request: how it ended, whether its first workflow was clean, and what it cost."""

    id: str
    status: str
    reason: str
    first_clean: bool
    clean: bool
    answers: int
    first_codes: tuple[str, ...]
    last_codes: tuple[str, ...]
    calls_missed: tuple[str, ...]
    tokens: tuple[int, int]


def evaluated(
    requests: Sequence[Request],
    planner: Callable[[Request], Planner],
    options: Options,
    keep: Callable[[Request, Plan], None] = lambda request, so_far: None,
) -> Iterator[Outcome]:
    """Each request in order; `planner` makes one for it."""
    for request in requests:

        def kept(so_far: Plan, request: Request = request) -> None:
            keep(request, so_far)

        made = plan(
            request.text,
            planner(request),
            capabilities=request.capabilities,
            options=options,
            id=request.id,
            keep=kept,
        )
        yield _outcome(request, made)


def _outcome(request: Request, made: Plan) -> Outcome:
    workflows = [one for one in made.rounds if one.kind in ("workflow", "patch")]
    first = workflows[0] if workflows else None
    return Outcome(
        request.id,
        str(made.status),
        made.reason,
        first_clean=first is not None and not first.findings and not first.further and not first.applied,
        clean=made.is_clean,
        answers=len(made.rounds),
        first_codes=tuple(one["code"] for one in first.findings) if first is not None else (),
        last_codes=tuple(one["code"] for one in workflows[-1].findings) if workflows else (),
        calls_missed=tuple(sorted(calls(reference_of(request)) - calls(made.workflow))),
        tokens=made.tokens,
    )


def reference_of(request: Request) -> Any:
    """The reference workflow, complete."""
    return judged(request.reference, by_name(request.capabilities), auto_fix=False).whole


def calls(workflow: Any) -> set[str]:
    """The capabilities that the steps of a workflow call, the built-in ones aside."""
    if not isinstance(workflow, dict):
        return set()
    workflows = workflow.get("workflows") or [workflow]
    uses = {one["name"]: one.get("uses", one["name"]) for each in workflows for one in each.get("node_defs") or ()}
    used = {uses[one["node"]] for each in workflows for one in each.get("nodes", ()) if one.get("node") in uses}
    return {one for one in used if isinstance(one, str) and not one.startswith("wf.std.")}


def report(outcomes: Sequence[Outcome]) -> str:
    """First tries beside what repair made of them, as Markdown."""
    asked = [one for one in outcomes if one.status != "planner_failed"]
    lines = [
        "| | requests | share |",
        "| --- | --- | --- |",
        f"| clean at the first try | {_share(sum(one.first_clean for one in asked), len(asked))}",
        f"| clean after repair | {_share(sum(one.clean for one in asked), len(asked))}",
        f"| clean, and calls all that the reference calls | {_share(_complete(asked), len(asked))}",
        "",
        f"{len(outcomes)} requests, {len(outcomes) - len(asked)} without an answer;"
        f" {sum(one.answers for one in asked) / max(1, len(asked)):.2f} answers each;"
        f" {sum(one.tokens[0] for one in asked)} tokens in, {sum(one.tokens[1] for one in asked)} out",
        "",
        "| request | status | first | last | calls missed | answers |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    return "\n".join([*lines, *map(_row, outcomes)]) + "\n"


def _complete(asked: Sequence[Outcome]) -> int:
    return sum(one.clean and not one.calls_missed for one in asked)


def _share(part: int, whole: int) -> str:
    return f"{part} of {whole} | {100 * part / whole if whole else 0:.0f} % |"


def _row(one: Outcome) -> str:
    first, last = (" ".join(dict.fromkeys(codes)) or "–" for codes in (one.first_codes, one.last_codes))
    return f"| {one.id} | {one.status} | {first} | {last} | {', '.join(one.calls_missed) or '–'} | {one.answers} |"


def as_json(outcomes: Sequence[Outcome]) -> list[dict[str, Any]]:
    return [asdict(one) for one in outcomes]
