"""Every program comes back from each of its forms as it was."""

from dataclasses import replace

from hypothesis import given, settings
from syrupy.assertion import SnapshotAssertion

from tests.ir.programs import programs
from tests.ir.texts import REVIEW
from wfc.ir import Program, canonical, content_hash, decode, encode, parse_program, print_program, verify

some = settings(max_examples=60)


@some
@given(programs())
def test_json_reads_back_to_the_same_program(program: Program) -> None:
    read = decode(encode(program))
    # Text tells 1 from 1.0 and from true, which `==` does not.
    assert (read, encode(read)) == (program, encode(program))


@some
@given(programs())
def test_assembly_reads_back_to_the_same_program(program: Program) -> None:
    read = parse_program(print_program(program))
    assert (read, encode(read)) == (program, encode(program))


@some
@given(programs())
def test_generated_programs_are_consistent(program: Program) -> None:
    verify(program)


def test_assembly_is_printed_as_it_was_written() -> None:
    assert print_program(parse_program(REVIEW)) == REVIEW


def test_json_of_a_whole_program(snapshot: SnapshotAssertion) -> None:
    assert encode(parse_program(REVIEW)) == snapshot


def test_values_at_the_limits_of_the_language() -> None:
    deep: object = 10**3999
    for _ in range(199):
        deep = {"in": deep}
    program = replace(parse_program(REVIEW), extra={"x-deep": deep})
    assert decode(encode(program)) == program
    assert parse_program(print_program(program)) == program


def test_numbers_and_letters_of_the_canonical_text() -> None:
    value = {"b": [1, 1.0, -0.0, 1e22, 1e-7, 10**30], "a": "é\u2028😀", "B": None}
    assert canonical(value) == (
        '{"B":null,"a":"\\u00e9\\u2028\\ud83d\\ude00","b":[1,1.0,-0.0,1e+22,1e-07,1000000000000000000000000000000]}'
    )


def test_the_order_of_mappings_is_not_in_the_hash() -> None:
    program = parse_program(REVIEW)
    ways = [{"x-a": 1, "x-b": {"c": 2, "d": 3}}, {"x-b": {"d": 3, "c": 2}, "x-a": 1}]
    assert len({content_hash(replace(program, extra=extra)) for extra in ways}) == 1


def test_the_order_of_writes_is_in_the_hash() -> None:
    one = REVIEW.replace("path <- input.folder, limit <- 20", "limit <- 20, path <- input.folder")
    assert content_hash(parse_program(one)) != content_hash(parse_program(REVIEW))
