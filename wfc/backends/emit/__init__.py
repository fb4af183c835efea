"""What a program can be written as, and what a workflow can be drawn as.

A new form is its function and one line in `FORMS`; a new kind of picture one in `PICTURES`.
"""

from __future__ import annotations

from collections.abc import Callable

from wfc.ir import Program, encode, print_program
from wfc.records import dataclass


@dataclass(frozen=True, slots=True)
class Form:
    """One form: the name that a user says, what it is, and the function that writes it."""

    name: str
    what: str
    write: Callable[[Program], str]


FORMS: tuple[Form, ...] = (
    Form("ir", "the canonical JSON that `wfc run` takes", encode),
    Form("asm", "readable assembly, one line an instruction", print_program),
)


def emit(program: Program, form: str) -> str:
    """The text of a program in one of `FORMS`, by name. Raises `ValueError` for a name that is none of them."""
    for known in FORMS:
        if known.name == form:
            return known.write(program)
    raise ValueError(f"`{form}` is no form of a program; expected one of " + ", ".join(f"`{f.name}`" for f in FORMS))
