"""What is meant: workflows with names resolved and defaults filled, children linked. Made by elaboration only."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wfc.diagnostics import Place
from wfc.ir.capabilities import NOTHING_KNOWN, Catalogue
from wfc.ir.schemas import Schema
from wfc.ir.steps import Edge, NodeDef, Step
from wfc.records import dataclass, field


@dataclass(frozen=True, slots=True)
class Workflow:
    """One workflow. `start` is none where it could not be read; `holes` tells that parts of it could not be.

    `loose` tells that this is so of a schema, which admits more without them than its author meant.
    """

    name: str
    at: Place = field(compare=False)
    input_schema: Schema
    state_schema: Schema
    output_schema: Schema
    outcomes: tuple[str, ...]
    defs: tuple[NodeDef, ...]
    start: str | None
    steps: tuple[Step, ...]
    edges: tuple[Edge, ...]
    desc: str | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)
    holes: bool = False
    loose: bool = False


@dataclass(frozen=True, slots=True)
class Module:
    """Everything that is linked together: `workflows[main]` and what it contains, directly or not.

    Workflows of the root document come first, in their order; children from other files follow in order of first
    reference. `main` is none where the document names a workflow that it does not have: `unknown_main`. `catalogue` is
    what was known of the capabilities that it calls.
    """

    workflows: tuple[Workflow, ...]
    main: int | None = 0
    at: Place = field(default=Place("", ""), compare=False)
    unknown_main: str | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)
    catalogue: Catalogue = field(default=NOTHING_KNOWN, compare=False, repr=False)
