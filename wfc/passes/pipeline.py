"""All passes in their order, what they find in a module, and when that keeps a workflow from being compiled.

A pass asks the facts and yields diagnostics; it changes nothing and knows no other pass. Adding one is its file, in the
room of its family, and its line in `PIPELINE`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from wfc.diagnostics import Code, Diagnostic, InternalError, Severity, Strict
from wfc.ir import Module
from wfc.passes.bindings import (
    arguments,
    comparisons,
    context_keys,
    fitting,
    overlaps,
    overs,
    presence,
    projections,
    rooted_locals,
    sources,
)
from wfc.passes.control import (
    branches,
    definitions,
    duplicates,
    ends,
    escapes,
    outcomes,
    progress,
    reachability,
    references,
)
from wfc.passes.facts import Facts
from wfc.passes.lineages import collected, independence, local_paths, merges, siblings
from wfc.passes.outside import (
    artifacts,
    capabilities,
    children,
    idle_catches,
    known_contracts,
    questions,
    retries,
    secrets,
)
from wfc.passes.state import (
    clobbering,
    commits,
    dead_writes,
    default_values,
    outputs,
    reducer_types,
    reducers,
    seeds,
    state_root,
    undeclared,
    unused_fields,
)
from wfc.records import dataclass

# Errors that leave a run without meaning (reference 3.2); of the ranges, those that are never errors are no question.
_RANGES = ("WF0", "WF1", "WF7")
_BLOCKING = frozenset(
    [
        "WF205",
        "WF206",
        "WF207",
        "WF208",
        "WF303",
        "WF304",
        "WF308",
        "WF312",
        "WF409",
        "WF410",
        "WF411",
        "WF412",
        "WF503",
    ],
)
_LOWERED = frozenset({"WF014", "WF108", "WF111", "WF112", "WF705", "WF706"})


@dataclass(frozen=True, slots=True)
class Pass:
    """One question to the facts of a module: a name, the codes that it may report, and what reports them."""

    name: str
    codes: tuple[Code, ...]
    run: Callable[[Facts], Iterator[Diagnostic]]


PIPELINE: tuple[Pass, ...] = (
    Pass("references", references.CODES, references.check),
    Pass("duplicates", duplicates.CODES, duplicates.check),
    Pass("definitions", definitions.CODES, definitions.check),
    Pass("outcomes", outcomes.CODES, outcomes.check),
    Pass("ends", ends.CODES, ends.check),
    Pass("reachability", reachability.CODES, reachability.check),
    Pass("escapes", escapes.CODES, escapes.check),
    Pass("branches", branches.CODES, branches.check),
    Pass("children", children.CODES, children.check),
    Pass("sources", sources.CODES, sources.check),
    Pass("presence", presence.CODES, presence.check),
    Pass("arguments", arguments.CODES, arguments.check),
    Pass("fitting", fitting.CODES, fitting.check),
    Pass("outputs", outputs.CODES, outputs.check),
    Pass("commits", commits.CODES, commits.check),
    Pass("projections", projections.CODES, projections.check),
    Pass("comparisons", comparisons.CODES, comparisons.check),
    Pass("overs", overs.CODES, overs.check),
    Pass("dead_writes", dead_writes.CODES, dead_writes.check),
    Pass("clobbering", clobbering.CODES, clobbering.check),
    Pass("siblings", siblings.CODES, siblings.check),
    Pass("merges", merges.CODES, merges.check),
    Pass("independence", independence.CODES, independence.check),
    Pass("overlaps", overlaps.CODES, overlaps.check),
    Pass("undeclared", undeclared.CODES, undeclared.check),
    Pass("local_paths", local_paths.CODES, local_paths.check),
    Pass("context_keys", context_keys.CODES, context_keys.check),
    Pass("rooted_locals", rooted_locals.CODES, rooted_locals.check),
    Pass("seeds", seeds.CODES, seeds.check),
    Pass("unused_fields", unused_fields.CODES, unused_fields.check),
    Pass("default_values", default_values.CODES, default_values.check),
    Pass("state_root", state_root.CODES, state_root.check),
    Pass("reducers", reducers.CODES, reducers.check),
    Pass("reducer_types", reducer_types.CODES, reducer_types.check),
    Pass("collected", collected.CODES, collected.check),
    Pass("retries", retries.CODES, retries.check),
    Pass("questions", questions.CODES, questions.check),
    Pass("idle_catches", idle_catches.CODES, idle_catches.check),
    Pass("progress", progress.CODES, progress.check),
    Pass("artifacts", artifacts.CODES, artifacts.check),
    Pass("capabilities", capabilities.CODES, capabilities.check),
    Pass("known_contracts", known_contracts.CODES, known_contracts.check),
    Pass("secrets", secrets.CODES, secrets.check),
)
# Some codes are reported by several passes, at places of different kinds.
CODES: tuple[Code, ...] = tuple(sorted({code for each in PIPELINE for code in each.codes}, key=lambda code: code.code))

# Codes of the reference that no pass reports yet, each with its rule.
PENDING: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Examined:
    """What the passes found in a module, in the order of the pipeline, and what they learnt about it."""

    module: Module
    facts: Facts
    diagnostics: tuple[Diagnostic, ...]


@dataclass(frozen=True, slots=True)
class Checked:
    """A module that may be lowered, with its facts. Made by `accept` only."""

    module: Module
    facts: Facts


def examine(module: Module) -> Examined:
    """Ask every question of the pipeline; a pure function of the module."""
    facts = Facts(module)
    found: list[Diagnostic] = []
    # What a schema without its faulty parts lets through is no news of what its author meant.
    loose = any(workflow.loose for workflow in module.workflows)
    for each in PIPELINE:
        for diagnostic in each.run(facts):
            if diagnostic.code not in each.codes:
                raise InternalError(
                    f"the pass `{each.name}` reported {diagnostic.code.code}, which is none of its codes"
                )
            if not loose or diagnostic.strict is not Strict.ONLY:
                found.append(diagnostic)
    return Examined(module, facts, tuple(found))


def blocks(code: str) -> bool:
    """Whether errors of a code leave a run without meaning, so that nothing suppresses or lowers them (3.2)."""
    return code in _BLOCKING or (code.startswith(_RANGES) and code not in _LOWERED)


def accept(examined: Examined, diagnostics: Iterable[Diagnostic], *, unchecked: bool) -> Checked | None:
    """The module for lowering; none when one of the errors among `diagnostics` stops it.

    `diagnostics` are all that was found in its documents and was not suppressed. `unchecked` lets errors pass that
    may be lowered: the machine checks everything itself.
    """
    for found in diagnostics:
        if found.severity is Severity.ERROR and (not unchecked or blocks(found.code.code)):
            return None
    return None if examined.module.main is None else Checked(examined.module, examined.facts)
