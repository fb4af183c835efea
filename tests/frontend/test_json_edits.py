"""A patch as changes of the text: what is read afterwards is the patched value, and all else stays as written."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wfc.edits import PatchFault, apply_patch
from wfc.frontend import document_of, read_json
from wfc.ir import equal
from wfc.source import edited, lookup, pointer

KEYS = st.sampled_from(["a", "b", "id", "k/~", "ä", ""])
SCALARS = st.none() | st.booleans() | st.integers(-5, 5) | st.just(1.5) | st.sampled_from(["", "x, [", 'a"{', "ü\n"])
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4), max_leaves=12
)
BLANKS = st.sampled_from(["", "", " ", "  ", "\n", "\n  ", "\r\n\t", "\n\n    "])


@st.composite
def texts(draw: st.DrawFn, value: Any) -> str:
    """A value in some layout, blanks before and behind every token."""

    def blank() -> str:
        return draw(BLANKS)

    def written(item: Any) -> str:
        if isinstance(item, dict):
            rows = [f"{blank()}{json.dumps(key)}{blank()}:{written(inner)}" for key, inner in item.items()]
        elif isinstance(item, list):
            rows = [written(inner) for inner in item]
        else:
            return blank() + json.dumps(item, ensure_ascii=draw(st.booleans())) + blank()
        opener, closer = "{}" if isinstance(item, dict) else "[]"
        return blank() + opener + blank() + ",".join(rows) + blank() + closer + blank()

    if draw(st.booleans()):
        return json.dumps(
            value, **draw(st.sampled_from([{}, {"indent": 2}, {"indent": 4}, {"separators": (",", ":")}]))
        )
    return written(value)


def places(value: Any) -> list[tuple[str, ...]]:
    found: list[tuple[str, ...]] = [()]
    for path in found:
        item = lookup(value, path)[0]
        inner = item if isinstance(item, dict) else range(len(item)) if isinstance(item, list) else ()
        found += [(*path, str(part)) for part in inner]
    return found


@st.composite
def targets(draw: st.DrawFn, value: Any) -> str:
    """A place at which something can be added."""
    holders = [path for path in places(value) if isinstance(lookup(value, path)[0], (dict, list))]
    if not holders:
        return ""
    path = draw(st.sampled_from(holders))
    holder = lookup(value, path)[0]
    if isinstance(holder, dict):
        return pointer(*path, draw(KEYS))
    return pointer(*path, draw(st.sampled_from(["-", *map(str, range(len(holder) + 1))])))


@st.composite
def patches(draw: st.DrawFn, value: Any) -> list[dict[str, Any]]:
    """Operations that apply one after the other."""
    patch: list[dict[str, Any]] = []
    for _ in range(draw(st.integers(1, 5))):
        act = draw(st.sampled_from(["add", "replace", "remove", "move", "test"]))
        path = pointer(*draw(st.sampled_from(places(value))))
        operation: dict[str, Any] = {"op": act, "path": path}
        if act == "add":
            operation = {"op": act, "path": draw(targets(value)), "value": draw(VALUES)}
        elif act == "replace":
            operation["value"] = draw(VALUES)
        elif act == "test":
            operation["value"] = lookup(value, draw(st.just(tuple(_parts(path)))))[0]
        elif path == "":
            continue
        elif act == "move":
            rest = apply_patch(value, [{"op": "remove", "path": path}])
            operation = {"op": act, "from": path, "path": draw(targets(rest))}
        value = apply_patch(value, [operation])
        patch.append(operation)
    return patch


def _parts(path: str) -> list[str]:
    return [part.replace("~1", "/").replace("~0", "~") for part in path.split("/")[1:]]


def patched(text: str, patch: list[dict[str, Any]]) -> str:
    return edited(text, read_json("a", text).edits(patch))


@given(st.data())
def test_the_changed_text_reads_as_the_patched_value(data: st.DataObject) -> None:
    value = data.draw(VALUES)
    text = data.draw(texts(value))
    patch = data.draw(patches(value))
    edits = read_json("a", text).edits(patch)
    changed = edited(text, edits)
    assert equal(json.loads(changed), apply_patch(value, patch)), (text, changed)
    assert all(first.end <= second.start for first, second in pairwise(edits))


@given(VALUES, st.data())
def test_a_value_from_python_is_changed_in_its_pretty_print(value: Any, data: st.DataObject) -> None:
    patch = data.draw(patches(value))
    document = document_of(value)
    assert equal(json.loads(edited(document.source.text, document.edits(patch))), apply_patch(value, patch))


@given(VALUES, st.data())
def test_in_a_document_with_a_line_for_each_entry_only_lines_that_change_are_touched(
    value: Any, data: st.DataObject
) -> None:
    """One line an entry, two blanks a level: a change at a leaf is a change of its line."""
    text = json.dumps(value, indent=2, ensure_ascii=False)
    leaves = [path for path in places(value) if not isinstance(lookup(value, path)[0], (dict, list))]
    if not leaves:
        return
    path = data.draw(st.sampled_from(leaves))
    changed = patched(text, [{"op": "replace", "path": pointer(*path), "value": "new"}])
    before, after = text.split("\n"), changed.split("\n")
    assert len(before) == len(after)
    assert sum(old != new for old, new in zip(before, after, strict=True)) == 1


FLOW = """\
{
  "name": "review",
  "outcomes": ["ok"],
  "nodes": [
    {"id": "fetch", "type": "join"},
    {
      "id": "ask",
      "type": "interrupt",
      "request": []
    }
  ],
  "edges": []
}
"""


@pytest.mark.parametrize(
    ("patch", "removed", "added"),
    [
        (
            [{"op": "add", "path": "/outcomes/-", "value": "late"}],
            ['  "outcomes": ["ok"],'],
            ['  "outcomes": ["ok", "late"],'],
        ),
        (
            [{"op": "add", "path": "/edges/-", "value": {"from": "a", "to": "b"}}],
            ['  "edges": []'],
            ['  "edges": [{"from": "a", "to": "b"}]'],
        ),
        (
            [{"op": "add", "path": "/nodes/1", "value": {"id": "x", "type": "join"}}],
            [],
            ['    {"id": "x", "type": "join"},'],
        ),
        (
            [{"op": "add", "path": "/nodes/-", "value": {"id": "x"}}],
            ["    }"],
            ["    },", "    {", '      "id": "x"', "    }"],
        ),
        ([{"op": "add", "path": "/start", "value": "ask"}], ['  "edges": []'], ['  "edges": [],', '  "start": "ask"']),
        ([{"op": "remove", "path": "/nodes/0"}], ['    {"id": "fetch", "type": "join"},'], []),
        ([{"op": "remove", "path": "/edges"}], ["  ],", '  "edges": []'], ["  ]"]),
        (
            [{"op": "move", "from": "/nodes/1/request", "path": "/nodes/1/resume"}],
            ['      "request": []'],
            ['      "resume": []'],
        ),
        (
            [{"op": "replace", "path": "/nodes/0", "value": {"id": "fetch", "type": "wait", "seconds": 1}}],
            ['    {"id": "fetch", "type": "join"},'],
            ['    {"id": "fetch", "type": "wait", "seconds": 1},'],
        ),
        (
            [
                {"op": "move", "from": "/nodes/1", "path": "/edges/-"},
                {"op": "test", "path": "/name", "value": "review"},
            ],
            [
                '    {"id": "fetch", "type": "join"},',
                "    {",
                '      "id": "ask",',
                '      "type": "interrupt",',
                '      "request": []',
                "    }",
                '  "edges": []',
            ],
            [
                '    {"id": "fetch", "type": "join"}',
                '  "edges": [{"id": "ask", "type": "interrupt", "request": []}]',
            ],
        ),
    ],
)
def test_new_text_looks_like_what_stands_beside_it(
    patch: list[dict[str, Any]], removed: list[str], added: list[str]
) -> None:
    before, after = FLOW.splitlines(), patched(FLOW, patch).splitlines()
    assert [line for line in before if line not in after] == [line for line in removed if line not in after]
    assert [line for line in after if line not in before] == [line for line in added if line not in before]
    assert len(after) - len(before) == len(added) - len(removed)


@pytest.mark.parametrize(
    ("text", "patch", "changed"),
    [
        ('{"a":1}', [{"op": "add", "path": "/b", "value": {"c": [1]}}], '{"a":1,"b":{"c":[1]}}'),
        ('{ "a": 1 }', [{"op": "add", "path": "/b", "value": {"c": 1}}], '{ "a": 1, "b": { "c": 1 } }'),
        ("[1 ,2]", [{"op": "add", "path": "/-", "value": 3}], "[1 ,2 ,3]"),
        ("[1, 2, 3]", [{"op": "add", "path": "/0", "value": 0}], "[0, 1, 2, 3]"),
        ("[1, 2, 3]", [{"op": "remove", "path": "/0"}, {"op": "remove", "path": "/1"}], "[2]"),
        ("[ 1 ]", [{"op": "remove", "path": "/0"}], "[]"),
        ("[\n]", [{"op": "add", "path": "/-", "value": 1}], "[\n  1\n]"),
        ("{}", [{"op": "add", "path": "/a", "value": "é"}], '{"a": "é"}'),
        ('{"a": "\\u00e9"}', [{"op": "replace", "path": "/a", "value": "ü"}], '{"a": "\\u00fc"}'),
        ('{"a": 1.0}', [{"op": "replace", "path": "/a", "value": 1}], '{"a": 1.0}'),
        ('{\r\n\t"a": 1\r\n}', [{"op": "add", "path": "/b", "value": 2}], '{\r\n\t"a": 1,\r\n\t"b": 2\r\n}'),
        (
            '{\n  "a": [\n    1\n  ]\n}',
            [{"op": "add", "path": "/b", "value": [{"c": []}]}],
            '{\n  "a": [\n    1\n  ],\n  "b": [\n    {\n      "c": []\n    }\n  ]\n}',
        ),
        (
            '{\n  "a": {\n    "deep": {\n      "x": 1\n    }\n  },\n  "b": {\n    "y": 2\n  }\n}',
            [{"op": "move", "from": "/a/deep", "path": "/b/deep"}, {"op": "remove", "path": "/a"}],
            '{\n  "b": {\n    "y": 2,\n    "deep": {\n      "x": 1\n    }\n  }\n}',
        ),
    ],
)
def test_the_habits_of_the_author_are_kept(text: str, patch: list[dict[str, Any]], changed: str) -> None:
    assert patched(text, patch) == changed


def test_a_mark_at_the_start_is_no_part_of_the_text() -> None:
    document = read_json("a", '\ufeff{"a": 1}'.encode())
    assert edited(document.source.text, document.edits([{"op": "replace", "path": "/a", "value": 2}])) == '{"a": 2}'


@pytest.mark.parametrize(
    ("operation", "sentence"),
    [
        ({"op": "test", "path": "/a", "value": 2}, "`/a` holds another value than the patch expects"),
        ({"op": "remove", "path": "/b"}, "`/b` is not there"),
        ({"op": "remove", "path": ""}, "the whole document cannot be taken out"),
        ({"op": "replace", "path": "/b/c", "value": 1}, "`/b/c` is not there"),
        ({"op": "add", "path": "/l/4", "value": 1}, "nothing can be added at `/l/4`"),
        ({"op": "add", "path": "/l/01", "value": 1}, "nothing can be added at `/l/01`"),
        ({"op": "add", "path": "/l/²", "value": 1}, "nothing can be added at `/l/²`"),
        ({"op": "add", "path": "/a/b", "value": 1}, "nothing can be added at `/a/b`"),
        ({"op": "add", "path": "/x/b", "value": 1}, "`/x` is not there"),
        ({"op": "add", "path": "/x"}, "`add` has no `value`"),
        ({"op": "copy", "path": "/x"}, "`copy` is no operation of a fix"),
        ({"op": "add", "path": "x", "value": 1}, "an operation has no JSON pointer in its `path`"),
        ({"op": "move", "path": "/x"}, "an operation has no JSON pointer in its `from`"),
        ({"op": "move", "from": "/l", "path": "/l/0"}, "`/l` is not there"),
    ],
)
def test_what_does_not_apply_is_refused_as_a_whole(operation: dict[str, Any], sentence: str) -> None:
    value = {"a": 1, "l": [1]}
    with pytest.raises(PatchFault) as refused:
        read_json("a", json.dumps(value)).edits([{"op": "add", "path": "/l/0", "value": 0}, operation])
    assert str(refused.value) == sentence
    assert value == {"a": 1, "l": [1]}


def test_a_text_that_cannot_be_read_is_not_patched() -> None:
    with pytest.raises(PatchFault, match="`a` could not be read"):
        read_json("a", "{").edits([])


def test_many_changes_of_a_long_document_are_made_in_one_go() -> None:
    text = json.dumps({"xs": [{"n": n} for n in range(20_000)]}, indent=1)
    removals = [{"op": "remove", "path": f"/xs/{n}"} for n in range(19_999, -1, -2)]
    assert json.loads(patched(text, removals)) == {"xs": [{"n": n} for n in range(0, 20_000, 2)]}
