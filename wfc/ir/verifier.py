"""The verifier of our own work: what lowering made is consistent, or wfc itself is at fault and shows the program."""

from __future__ import annotations

from wfc.diagnostics import InternalError
from wfc.ir.assembly import print_program
from wfc.ir.consistency import faults
from wfc.ir.program import Program


def verify(program: Program) -> None:
    """Raise `InternalError`, with the program as assembly, when the program is not consistent."""
    for fault in faults(program):
        raise InternalError(f"the program is not consistent: {fault}", print_program(program))
