"""Texts that are no JSON documents: each fault is found with its place, and none is found where there is none."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.frontend.documents import found_in_text, small
from wfc.frontend import read_json

DEEP = 20_000


def spots(text: str | bytes) -> list[str]:
    """The findings as code, line and column of the start, and column of the end."""
    found = [(one.code.code, one.at.span) for one in read_json("a", text).diagnostics]
    return [f"{code} {span.start.line}:{span.start.column}-{span.end.column}" for code, span in found if span]


def said(text: str | bytes) -> str:
    (found,) = read_json("a", text).diagnostics
    return f"{found.message}; {found.help}"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", "WF001 1:1-1"),
        ("\ufeff", "WF001 1:1-1"),
        ('{"a": 1,}', "WF001 1:8-9"),
        ("[1,\n]", "WF001 1:3-4"),
        ("// no\n{}", "WF001 1:1-2"),
        ("{'a': 1}", "WF001 1:2-3"),
        ('{"a" 1}', "WF001 1:6-7"),
        ('{"a": 1', "WF001 1:8-8"),
        ("[1 2]", "WF001 1:4-5"),
        ('{"a": tru}', "WF001 1:7-10"),
        ('{"a": 01}', "WF001 1:7-9"),
        ("{} {}", "WF001 1:4-5"),
        ('"a\nb"', "WF001 1:1-2"),
        ('"\\x"', "WF001 1:1-2"),
        ("[-Infinity]", "WF004 1:2-11"),
        ("[1e400]", "WF004 1:2-7"),
        ("[" + "9" * 4001 + "]", "WF004 1:2-4003"),
        ('["\\ud800"]', "WF003 1:3-9"),
        ('["\\ude00\\ud83d"]', "WF003 1:3-9,WF003 1:9-15"),
        ('["\ud800"]', "WF003 1:3-4"),
        ('{"a": 1, "b": {"c": 1, "c": 2}, "a": 3}', "WF002 1:24-27,WF002 1:33-36"),
        ("[" * 201 + "]" * 201, "WF005 1:201-202"),
        ("[" * DEEP + "]" * DEEP, "WF005 1:201-202"),
        ("[" * DEEP, "WF005 1:201-202,WF001 1:20001-20001"),
        ('[NaN, {"a": 1, "a": 1}, 1e999]', "WF004 1:2-5,WF002 1:16-19,WF004 1:25-30"),
    ],
    ids=lambda text: text[:24],
)
def test_faults_stand_where_they_are(text: str, found: str) -> None:
    assert ",".join(spots(text)) == found


@pytest.mark.parametrize(
    "text",
    [
        "[" * 200 + "]" * 200,
        "[" + "9" * 4000 + "]",
        '["\\ud83d\\ude00", "\\\\ud800", "' + "1" * 5000 + '"]',
        '\ufeff{"a": "\ufeff"}',
        '{"a": {"a": {"a": 1e308}}}',
    ],
    ids=lambda text: text[:24],
)
def test_what_only_looks_like_a_fault_is_none(text: str) -> None:
    document = read_json("a", text)
    assert (document.diagnostics, document.readable) == ((), True)
    assert document.value == json.loads(text.removeprefix("\ufeff"))


def test_both_of_two_equal_keys_are_named() -> None:
    (found,) = read_json("a", '{"nodes": [],\n "nodes": []}').diagnostics
    (other,) = found.related
    assert (found.at.pointer, found.at.span and found.at.span.start.line) == ("/nodes", 2)
    assert other.at.span and other.at.span.start.line == 1


def test_keys_are_equal_by_what_they_say() -> None:
    assert spots('{"a": 1, "\\u0061": 2}') == ["WF002 1:10-18"]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_other_encodings_are_refused_by_name(encoding: str) -> None:
    assert encoding[:6].upper() in said(json.dumps(small()).encode(encoding))


def test_a_byte_that_is_no_utf8_is_found() -> None:
    text = b'{"a": "\xc3\xa9\xff"}'
    assert spots(text) == ["WF003 1:9-10"]
    assert said(text).startswith("found the byte `0xff`, expected text in UTF-8")


def test_a_document_with_a_fault_is_not_looked_at_further() -> None:
    assert found_in_text('{"name": "a", "name": "b"}') == ["WF002 /name"]


WORDS = st.sampled_from(
    [*list('{}[]:,"\\ \n'), "1", "-", ".", "e", "null", "true", "NaN", '"a"', '"\\u00e9"', "\\u", "0"]
)


def strictly(text: str) -> Any:
    def pairs(read: list[tuple[str, Any]]) -> dict[str, Any]:
        if len(dict(read)) != len(read):
            raise ValueError
        return dict(read)

    def constant(name: str) -> Any:
        raise ValueError(name)

    return json.loads(text, object_pairs_hook=pairs, parse_constant=constant)


@given(st.lists(WORDS, max_size=14).map("".join))
def test_a_text_has_a_fault_exactly_where_the_standard_parser_fails(text: str) -> None:
    try:
        value = strictly(text)
    except ValueError:
        assert read_json("a", text).diagnostics
    else:
        document = read_json("a", text)
        assert (document.value, document.diagnostics) == (value, ())


def test_fifty_megabytes_are_read_and_searched() -> None:
    row = json.dumps({"text": "x" * 80, "n": 1})
    text = f'{{"name": "a", "x-rows": [{",".join([row] * 500_000)}], "strat": "s"}}'
    assert len(text) > 50_000_000
    document = read_json("a", text)
    assert len(document.value["x-rows"]) == 500_000
    assert document.locate("/x-rows/499999/n").start.line == 1
    assert document.locate("/strat", key=True).start.column == text.index('"strat"') + 1
