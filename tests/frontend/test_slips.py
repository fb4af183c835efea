"""Slips of JSON syntax: each has the change that makes JSON of it, and where nobody can tell what was meant none."""

import codecs
import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wfc import driver
from wfc.diagnostics import Applicability
from wfc.frontend import read_json
from wfc.source import edited


def mended(text: str | bytes) -> tuple[str, bool]:
    """The text after the first change that each finding offers, all made at once, and whether all of them are safe."""
    document = read_json("a", text)
    fixes = [found.fixes[0] for found in document.diagnostics]
    edits = sorted((edit for fix in fixes for edit in fix.edits), key=lambda edit: (edit.start, edit.end))
    sure = all(fix.applicability is Applicability.SAFE for fix in fixes)
    return edited(document.source.text, edits), sure


SURE = [
    ('{"a": 1,}', '{"a": 1}'),
    ("[1, 2,\n]", "[1, 2\n]"),
    ('{"a": [1,],}', '{"a": [1]}'),
    ('{"a": 1,, "b": 2}', '{"a": 1, "b": 2}'),
    ("[1,,2]", "[1,2]"),
    ('{"a": 1\n "b": 2}', '{"a": 1,\n "b": 2}'),
    ('[{"a": 1} {"a": 2}]', '[{"a": 1}, {"a": 2}]'),
    ('{"a": 1; "b": 2}', '{"a": 1, "b": 2}'),
    ('{"a": 1', '{"a": 1}'),
    ('{"a": [1, {"b": 2}}', '{"a": [1, {"b": 2}]}'),
    ('[{"a": 1, "b": {"c": 2}, {"a": 2}]', None),
    ('{"a": [{"b": 1], "c": 2}', '{"a": [{"b": 1}], "c": 2}'),
    ('{"a": [1, "b": 2}', '{"a": [1], "b": 2}'),
    ('{"a": (1)}', None),
    ("[1}", "[1]"),
    ('{"a": 1}}\n', '{"a": 1}\n'),
    ('{"a": 1};', '{"a": 1}'),
    ("```json\n[1]\n```\n", "[1]\n"),
    ("{'a': 'b'}", '{"a": "b"}'),
    ("['it\\'s', 'say \"so\"']", '["it\'s", "say \\"so\\""]'),
    ("{“a”: “b”}", '{"a": "b"}'),
    ("{a: 1, $b: 2}", '{"a": 1, "$b": 2}'),
    ('{a": 1}', '{"a": 1}'),
    ('["a", b"]', '["a", "b"]'),
    ('{"a" 1}', '{"a": 1}'),
    ('{"a" = 1, "b" => 2}', '{"a" : 1, "b" : 2}'),
    ("[True, FALSE, None, nil]", "[true, false, null, null]"),
    ("[+1, .5, 2., 007, 1_000, -.5e3]", "[1, 0.5, 2.0, 7, 1000, -0.5e3]"),
    ('["a\n\tb"]', '["a\\n\\tb"]'),
    (r'["\d+\.", "\'", "\x41"]', r'["\\d+\\.", "\'", "A"]'.replace("A", "\\u0041").replace(r"\'", "'")),
    ('{"a": 1, "a": 1, "b": 2}', '{"a": 1, "b": 2}'),
]
UNSURE = [
    ("[1, // one\n 2 /* two */]", "[1,\n 2]"),
    ("# a list\n[1]", "\n[1]"),
    ('{"a": [{"b": 1', '{"a": [{"b": 1}]}'),
    ('{"a": ok}', '{"a": "ok"}'),
    ("[undefined]", "[null]"),
    ('{"a": "b,\n "c": 1}', '{"a": "b",\n "c": 1}'),
    ('{"a": "b, "c": 1}', '{"a": "b", "c": 1}'),
    ('[{"a": "b}]', '[{"a": "b"}]'),
    ('{"a": "say "so", then", "b": 1}', '{"a": "say \\"so\\", then", "b": 1}'),
    ('{"a": [1], "b": 2, "a": [3, 4]}', '{"a": [1, 3, 4], "b": 2}'),
    ('{"a": {"b": 1}, "a": {"c": 2}}', '{"a": {"b": 1, "c": 2}}'),
    ('{"a": {"b": 1}, "a": {"b": 2}}', '{"a": {"b": 2}}'),
    ('{"a": 1, "a": 2}', '{"a": 2}'),
    ("[NaN, -Infinity, 1e400]", '[null, null, "1e400"]'),
    ('["\\ud83d"]', '["\\ufffd"]'),
]


@pytest.mark.parametrize(("text", "meant"), [(text, meant) for text, meant in SURE if meant])
def test_what_was_surely_meant(text: str, meant: str) -> None:
    assert mended(text) == (meant, True)
    assert read_json("a", meant).readable


@pytest.mark.parametrize(("text", "meant"), UNSURE)
def test_what_was_most_likely_meant(text: str, meant: str) -> None:
    # Behind what is not sure nothing is guessed: one change after the other.
    for _ in range(4):
        changed, sure = mended(text)
        if changed == meant:
            break
        text = changed
    assert (changed, sure) == (meant, False)
    assert read_json("a", meant).readable


@pytest.mark.parametrize("text", ["", '{"a": }', '{"a"}', '{"a", "b"}', '{"a": 1} {"b": 2}', "[1 ? 2]", "['a\\qb']"])
def test_what_nobody_can_tell(text: str) -> None:
    (found,) = read_json("a", text).diagnostics
    assert found.fixes == ()


def test_every_slip_of_a_text_is_found() -> None:
    text = '{"name": \'a\', start: "s",\n "nodes": [{"id": "s", "type": "end", "outcome": "ok",},]}\n'
    repaired = driver.repair(driver.loads(text))
    assert repaired.report.diagnostics == ()
    assert len(repaired.report.fixed) == 4
    assert repaired.given.root.source.text == text.replace("'", '"').replace("start:", '"start":').replace(",},]", "}]")


def test_a_fix_that_is_not_sure_waits_to_be_asked_for() -> None:
    text = '{"name": "a", "start": "s", // first\n "nodes": [{"id": "s", "type": "end", "outcome": "ok"}]}\n'
    assert driver.repair(driver.loads(text)).given.root.source.text == text
    unsafe = driver.repair(driver.loads(text), unsafe=True)
    assert unsafe.given.root.source.text == text.replace(" // first", "")


def test_what_stands_behind_a_comment_or_a_bare_word_is_found_as_well() -> None:
    text = '{"name": a, /* first */ "start": "s",\n "nodes": [{"id": "s", "type": "end", "outcome": "ok",}]}\n'
    repaired = driver.repair(driver.loads(text), unsafe=True)
    assert repaired.report.diagnostics == ()
    assert repaired.given.root.source.text == text.replace(" a,", ' "a",').replace(" /* first */", "").replace(
        ",}", "}"
    )


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_another_encoding_that_is_announced_is_read_by_it(encoding: str) -> None:
    text = '{"name": "a", "desc": "größer"}'
    mark = codecs.BOM_UTF32_BE if encoding == "utf-32" else b""
    data = mark + text.encode("utf-32-be" if mark else encoding)
    assert mended(data) == (text, True)


def test_stray_bytes_are_read_as_windows_1252() -> None:
    assert mended('{"a": "größer – so"}'.encode("cp1252")) == ('{"a": "größer – so"}', False)
    (found,) = read_json("a", b'{"a": "\x81"}').diagnostics
    assert found.fixes == ()


PLAIN = st.text(st.characters(codec="ascii", exclude_characters="\"'\\", min_codepoint=32), max_size=6)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | PLAIN,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(PLAIN, inner, max_size=3),
    max_leaves=12,
)
HOLDERS = st.lists(VALUES, min_size=1, max_size=3) | st.dictionaries(PLAIN, VALUES, min_size=1, max_size=3)
# A slip: what it is made of, and what it makes of that.
SLIPS = [
    (r",\n", "\n"),
    (r",\n", ",,\n"),
    (r"\n( *[]}])", r",\n\1"),
    (r'"(\w*)": ', r"'\1': "),
    (r'"(\w+)": ', r'"\1" '),
]


@given(HOLDERS, st.sampled_from(SLIPS), st.integers(min_value=0))
def test_one_slip_anywhere_is_undone(value: Any, slip: tuple[str, str], which: int) -> None:
    text = json.dumps(value, indent=1)
    places = list(re.finditer(slip[0], text))
    if places:
        found = places[which % len(places)]
        text = text[: found.start()] + found.expand(slip[1]) + text[found.end() :]
    # An empty container takes no comma.
    if not re.search(r"[\[{],", text):
        assert json.loads(mended(text)[0]) == value
