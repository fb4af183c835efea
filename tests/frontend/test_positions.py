"""Every value of a document, and every key, is found where it stands; what is not there is found around it."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from wfc.frontend import Document, document_of, read_json
from wfc.source import Position, Span, pointer

TEXTS = st.text(st.characters(codec="utf-8"), max_size=8)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4), max_leaves=20
)
LAYOUTS = st.sampled_from([{}, {"indent": 2}, {"separators": (" ,\n", "\t:\r\n ")}, {"ensure_ascii": False}])


def cut(document: Document, span: Span) -> str:
    """The text of a span, by its lines and columns alone."""
    lines = document.source.text.split("\n")
    first, last = span.start.line - 1, span.end.line - 1
    kept = [*lines[first:last], lines[last][: span.end.column - 1]]
    return "\n".join([kept[0][span.start.column - 1 :], *kept[1:]])


def places(value: Any) -> list[tuple[str, Any, str | None]]:
    """Every pointer of a value, what it leads to, and the key that stands before it."""
    found: list[tuple[str, Any, str | None]] = []
    waiting: list[tuple[tuple[str | int, ...], Any, str | None]] = [((), value, None)]
    while waiting:
        parts, item, key = waiting.pop()
        found.append((pointer(*parts), item, key))
        if isinstance(item, dict):
            waiting += (((*parts, name), inner, name) for name, inner in item.items())
        elif isinstance(item, list):
            waiting += (((*parts, index), inner, None) for index, inner in enumerate(item))
    return found


@given(VALUES, LAYOUTS)
def test_every_value_and_key_is_found_where_it_stands(value: Any, layout: dict[str, Any]) -> None:
    document = read_json("a", "\n " + json.dumps(value, **layout) + "\n")
    assert document.value == value
    for at, item, key in places(value):
        assert json.loads(cut(document, document.locate(at))) == item
        if key is not None:
            assert json.loads(cut(document, document.locate(at, key=True))) == key


@given(VALUES)
def test_a_value_from_python_has_a_text_of_its_own(value: Any) -> None:
    document = document_of(value)
    assert json.loads(document.source.text) == value
    for at, item, _ in places(value):
        assert json.loads(cut(document, document.locate(at))) == item


def test_what_is_not_there_is_found_around_it() -> None:
    document = read_json("a", '{"a": [1, {"b": 2}]}')
    assert document.existing("/a/1/c/d") == "/a/1"
    assert document.locate("/a/1/c/d") == document.locate("/a/1") == document.locate("/a/1/c", key=True)
    assert document.existing("/a/01") == "/a"


def test_columns_count_code_points_and_a_mark_at_the_start_counts_nothing() -> None:
    document = read_json("a", b'\xef\xbb\xbf{"\xf0\x9f\x98\x80": 1}')
    assert document.locate("/\N{GRINNING FACE}") == Span(Position(1, 7), Position(1, 8))


def test_a_long_document_is_looked_through_once() -> None:
    document = read_json("a", json.dumps({"xs": [{"n": n} for n in range(20_000)]}))
    assert {document.locate(f"/xs/{n}/n").start.line for n in range(20_000)} == {1}
