"""Workflows given as JSON values, studied: their flows, what is known of their values, and the program they mean."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from wfc.frontend import document_of, elaborate
from wfc.ir import Module, Program
from wfc.passes.facts import Facts
from wfc.passes.graph.flow import Flow
from wfc.passes.lowering import lower
from wfc.passes.pipeline import Checked
from wfc.passes.values import Read, Values

Json = dict[str, Any]


class Studied:
    """A document and everything that is asked of it in tests."""

    def __init__(self, document: Json) -> None:
        found = elaborate(document_of(document, "test"), lambda document, name: ())
        assert found.module is not None and not found.diagnostics, found.diagnostics
        self.module: Module = found.module
        self.facts = Facts(self.module)
        self.values = Values(self.facts.flows)

    @property
    def flows(self) -> tuple[Flow, ...]:
        return self.facts.flows

    @cached_property
    def flow(self) -> Flow:
        assert self.module.main is not None
        return self.flows[self.module.main]

    def program(self) -> Program:
        """The program, whatever is wrong with the workflow."""
        return lower(Checked(self.module, self.facts))

    def reads(self, step: str) -> list[Read]:
        return list(self.values.solver(self.flow).accesses[step].reads)
