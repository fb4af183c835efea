"""Assembly says in which line something else was found than expected, and names its place in no other way."""

import pytest

from tests.ir.texts import END, REVIEW
from wfc.ir import parse_program
from wfc.ir.codec import IrFault


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("program end\n", "", "line 2: found `routine`, expected one of `program`"),
        ("start done", "", "line 3: found the end of the line, expected `start`"),
        ("state #0", "state 0", "line 3: found `0`, expected an index such as `#3`"),
        ("finish  ok", "", "line 8: found `schema`, expected one of `switch`, `decide`, `fork`, `finish`"),
        ("finish  ok", "finish  ok ok", "line 6: found `ok`, expected the end of the line"),
        ("finish  ok", "finish  ->", "line 6: found `->`, expected a name"),
        ("schema #0", "schema #1", "line 8: found `#`, expected `#0`"),
        ('{"type":"object"}', "{", "line 8: found `{`, expected a JSON value"),
        ("schema", "scheme", "line 8: found `scheme`, expected the end of the text"),
    ],
)
def test_a_line_that_is_not_as_expected(old: str, new: str, message: str) -> None:
    with pytest.raises(IrFault) as caught:
        parse_program(END.replace(old, new, 1))
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "not(eq(",
            "nor(eq(",
            "found `nor`, expected one of `exists`, `eq`, `ne`, `lt`, `le`, `gt`, `ge`, `not`, `and`, `or`",
        ),
        ("state.failed, [])", "state.failed)", "found `)`, expected `,`"),
        ("parallel max", "sideways max", "found `sideways`, expected one of `serial`, `parallel`"),
        ("limit <- 20", "limit <- limit", "`limit` begins with no graph root; expected a graph source path such as "),
        ("retry 5", "retry 5.0", "found `5.0`, expected an integer"),
    ],
)
def test_a_phrase_that_is_not_as_expected(old: str, new: str, message: str) -> None:
    with pytest.raises(IrFault) as caught:
        parse_program(REVIEW.replace(old, new, 1))
    assert message in str(caught.value)


def test_a_text_that_ends_too_early() -> None:
    with pytest.raises(IrFault, match="the text ends where one of `switch`, `decide`, `fork`, `finish` was expected"):
        parse_program(END[: END.index("    finish")])


def test_indentation_and_empty_lines_have_no_meaning() -> None:
    flat = "\n\n".join(line.strip() for line in REVIEW.splitlines())
    assert parse_program(flat) == parse_program(REVIEW)
