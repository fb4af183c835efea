"""The author's lines: marks stand under their places, whatever the lines hold and however long they are."""

from __future__ import annotations

import pytest

from wfc.report.change import change_rows, changes, unified
from wfc.report.excerpt import visible
from wfc.report.paint import plain
from wfc.report.snippet import Gutter, Mark, snippet
from wfc.source import Edit, Source

GUTTER = Gutter(1, plain)


def drawn(text: str, *places: tuple[int, int] | tuple[int, int, str]) -> list[str]:
    """The snippet for marks from one offset to another; the first is the finding's own."""
    source = Source("a", text)
    marks = [
        Mark(source.span(start, end), "-" if place else "^", "faint", *label)
        for place, (start, end, *label) in enumerate(places)
    ]
    return list(snippet(source, marks, GUTTER))


@pytest.mark.parametrize(
    ("text", "start", "end", "line", "marks"),
    [
        ('{"a": 1}', 6, 7, '{"a": 1}', "      ^"),
        ('{"a": }', 7, 7, '{"a": }', "       ^"),
        ('\t{"日本": 1}', 8, 9, '    {"日本": 1}', "             ^"),
        ('{"e\u0301": 1}', 6, 7, '{"e\u0301": 1}', "     ^"),
        ('"\x1b[31m\u202e"', 0, 2, '"�[31m�"', "^^"),
        ('"a\u2028b"', 2, 4, '"a�b"', "  ^^"),
    ],
)
def test_the_mark_stands_under_the_place(text: str, start: int, end: int, line: str, marks: str) -> None:
    assert drawn(text, (start, end)) == [f"1 | {line}", f"  | {marks}"]


def test_an_empty_text_has_a_place_too() -> None:
    assert drawn("", (0, 0)) == ["1 |", "  | ^"]


def test_of_a_long_line_the_part_around_the_place_is_shown() -> None:
    text = "a" * 5000 + "WRONG" + "b" * 5000
    line, marks = drawn(text, (5000, 5005))
    assert line == "1 | …" + "a" * 40 + "WRONG" + "b" * 55 + "…"
    assert marks == "  | " + " " * 41 + "^^^^^"
    line, marks = drawn("a" * 5000, (0, 5000))
    assert (line, marks) == ("1 | " + "a" * 100 + "…", "  | " + "^" * 100)


def test_places_that_are_far_apart_in_one_line_are_shown_one_after_the_other() -> None:
    text = "a" * 300 + "ONE" + "b" * 300 + "TWO" + "c" * 300
    lines = drawn(text, (300, 303), (603, 606, "declared"))
    assert [line[-30:].strip() for line in lines[1::2]] == ["^^^", "--- declared"]
    assert ["ONE" in lines[0], "TWO" in lines[2]] == [True, True]


def test_several_places_stand_in_the_order_of_their_lines() -> None:
    text = "zero\none\ntwo\nthree\nfour\nfive\nsix"
    assert drawn(text, (19, 23), (0, 4, "declared: here"), (9, 12, "read")) == [
        "1 | zero",
        "  | ---- declared: here",
        "2 | one",
        "3 | two",
        "  | --- read",
        "4 | three",
        "5 | four",
        "  | ^^^^",
    ]


def test_lines_between_places_that_are_far_apart_are_left_out() -> None:
    text = "one\ntwo\nthree\nfour"
    assert drawn(text, (14, 18), (0, 3, "read")) == ["1 | one", "  | --- read", "...", "4 | four", "  | ^^^^"]


NESTED = """\
[
  {
    "a": 1,
    "b": 2
  },
  {"c": [
    1,
    2,
    3,
    4,
    5
  ]}
]"""


def test_a_place_of_several_lines_is_drawn_beside_them() -> None:
    start = NESTED.index("{")
    assert drawn(NESTED, (start, NESTED.index("}") + 1)) == [
        "2 | /   {",
        '3 | |     "a": 1,',
        '4 | |     "b": 2',
        "5 | |   },",
        "  | |___^",
    ]


def test_one_that_begins_within_a_line_says_where_and_of_a_long_one_the_middle_is_left_out() -> None:
    start = NESTED.index("[", 1)
    assert drawn(NESTED, (start, NESTED.index("]") + 1)) == [
        '6 |     {"c": [',
        "  |  _________^",
        "7 | |     1,",
        "8 | |     2,",
        "... |",
        "12 | |   ]}",
        "  | |___^",
    ]


def test_another_place_of_several_lines_is_shown_by_its_first() -> None:
    start, end = NESTED.index("{"), NESTED.index("}") + 1
    assert drawn(NESTED, (NESTED.index("1"), NESTED.index("1") + 1), (start, end, "declared")) == [
        "2 |   {",
        "  |   - declared (to line 5)",
        '3 |     "a": 1,',
        "  |          ^",
    ]


def rows(text: str, *edits: Edit) -> list[str]:
    return list(change_rows(changes(Source("a", text), edits), GUTTER))


def test_a_change_is_shown_in_whole_lines_with_their_numbers() -> None:
    assert rows("one\ntwo\nthree\n", Edit(4, 7, "TWO")) == ["2 - two", "2 + TWO"]
    assert rows("one\ntwo\nthree\n", Edit(4, 8, "")) == ["2 - two"]
    assert rows("one\ntwo\nthree\n", Edit(3, 3, "\nnew")) == ["2 + new"]


def test_changes_far_apart_are_numbered_in_the_new_text() -> None:
    text = "".join(f"{n}\n" for n in range(1, 10))
    assert rows(text, Edit(0, 2, ""), Edit(12, 13, "seven")) == ["1 - 1", "...", "7 - 7", "6 + seven"]


def test_a_long_change_is_cut() -> None:
    made = rows("x", Edit(0, 1, "\n".join(map(str, range(20)))))
    assert (len(made), made[-1]) == (13, "... 9 more lines")


def test_a_changed_long_line_is_shown_around_the_change() -> None:
    old, new = rows("a" * 500 + "WRONG" + "b" * 500, Edit(500, 505, "RIGHT"))
    assert ("WRONG" in old, "RIGHT" in new, len(old) < 110) == (True, True, True)


def test_a_unified_diff_applies_also_where_the_last_line_does_not_end() -> None:
    assert unified("f", "a\nb", "a\nc\n", plain) == (
        "--- f\n+++ f\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+c\n"
    )
    assert unified("f", "a", "a", plain) == ""


def test_nothing_that_a_terminal_obeys_is_left() -> None:
    assert visible("a\x1b[2J\u202e\r\nb") == "a�[2J�� b"
