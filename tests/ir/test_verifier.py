"""A program with one fault of ours each, and the sentence for it."""

from dataclasses import replace

import pytest

from tests.ir.texts import END, REVIEW
from wfc.diagnostics import InternalError
from wfc.ir import Compare, Condition, Decide, Every, GraphSourcePath, Program, Value, parse_program, verify
from wfc.ir.consistency import faults


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("program review", "program other", "it is named `other` and starts with the routine `review`"),
        ("start list", "start nowhere", "routine `review`: it starts at `nowhere`, which is no block"),
        ("ok -> each", "ok -> nowhere", "routine `review`: `nowhere` is no Label"),
        ("data <- state.draft as #0", "data <- state.draft as #9", "routine `review`: `9` is no SchemaIndex"),
        ("report routine #1", "report routine #2", "routine `review`: `2` is no RoutineIndex"),
        ("report routine #1", "report routine #0", "routine `review` contains itself, or one that does"),
        ("block pause", "block list", "routine `review`: the block `list` stands twice"),
        (
            "submitted -> check",
            "cancelled -> check",
            "routine `review`: block `ask`: the arm `cancelled` stands twice",
        ),
        (
            "call    summarise",
            "call    shorten",
            "routine `review`: block `one`: it calls `shorten`, which is no definition",
        ),
        (
            "definition list_files",
            "definition zip_files",
            "routine `review`: the definitions are not in the order of their names",
        ),
        (
            "outcomes ok|empty each",
            "outcomes ok|sad|empty each",
            "routine `review`: the outcomes of `list_files` after the first are not in the order of their names",
        ),
        (
            "join joined",
            "join ask",
            "routine `review`: block `both`: its fork is closed by `ask`, which is no join",
        ),
        (
            "block joined: join",
            "block joined: end",
            "routine `review`: block `joined`: it is made of `switch`; expected `finish` for a step of type `end`",
        ),
        ("schema #4 true", 'schema #4 {"type":"object"}', 'the schema `{"type":"object"}` stands twice'),
    ],
)
def test_a_program_with_one_fault(old: str, new: str, fault: str) -> None:
    assert fault in list(faults(parse_program(REVIEW.replace(old, new, 1))))


def deciding(*entries: object) -> Program:
    """The program of one condition with these entries."""
    text = END.replace("done: end", "done: condition").replace("finish  ok", "decide exists(input): ()")
    program = parse_program(text)
    (block,) = program.routines[0].blocks
    block = replace(block, end=Decide(Condition(entries), ()))  # type: ignore[arg-type]
    return replace(program, routines=(replace(program.routines[0], blocks=(block,)),))


TEST = Compare("eq", GraphSourcePath("input"), Value(1))


@pytest.mark.parametrize(
    ("entries", "fault"),
    [
        ((TEST, TEST), "its condition has 2 answers; expected one"),
        ((), "its condition has 0 answers; expected one"),
        ((TEST, TEST, Every((1, 0))), "entry 2 of its condition names the entries [1, 0]; expected [0, 1]"),
        ((TEST, Every((0, 1))), "entry 1 of its condition names the entries [0, 1]; expected [0]"),
        ((TEST, TEST, Every((1,))), "its condition has 2 answers; expected one"),
    ],
)
def test_the_entries_of_a_condition_have_one_order(entries: tuple[object, ...], fault: str) -> None:
    assert list(faults(deciding(*entries))) == [f"routine `end`: block `done`: {fault}"]


def test_what_is_refused_is_shown_too() -> None:
    with pytest.raises(InternalError) as caught:
        verify(deciding(TEST, Every((0, 1))))
    assert "decide  and(eq(input, 1), #1): ()" in caught.value.evidence


def test_an_inconsistent_program_is_our_fault_and_shows_itself() -> None:
    with pytest.raises(InternalError) as caught:
        verify(parse_program(END.replace("start done", "start gone")))
    assert str(caught.value) == "the program is not consistent: routine `end`: it starts at `gone`, which is no block"
    assert caught.value.evidence == END.replace("start done", "start gone")
