"""`emit` gives every form by its name."""

import pytest

from tests.ir.texts import END
from wfc.backends.emit import FORMS, emit
from wfc.ir import encode, parse_program

PROGRAM = parse_program(END)


def test_each_form_is_what_its_name_says() -> None:
    assert {form.name: emit(PROGRAM, form.name) for form in FORMS} == {"ir": encode(PROGRAM), "asm": END}


def test_another_name_is_refused() -> None:
    with pytest.raises(ValueError, match="`svg` is no form of a program; expected one of `ir`, `asm`"):
        emit(PROGRAM, "svg")
