"""Every program comes back from each of its forms as it was."""

from hypothesis import given

from tests.ir.programs import programs
from wfc.ir import Program, decode, encode, parse_program, print_program, verify


@given(programs())
def test_json_reads_back_to_the_same_program(program: Program) -> None:
    read = decode(encode(program))
    # Text tells 1 from 1.0 and from true, which `==` does not.
    assert (read, encode(read)) == (program, encode(program))


@given(programs())
def test_assembly_reads_back_to_the_same_program(program: Program) -> None:
    read = parse_program(print_program(program))
    assert (read, encode(read)) == (program, encode(program))


@given(programs())
def test_generated_programs_are_consistent(program: Program) -> None:
    verify(program)
