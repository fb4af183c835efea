"""Every node of `wf.std`: what it gives, outcome by outcome, and what it refuses."""

import pytest

from wfc.backends.sources.std import MAX_CHARACTERS, MAX_ELEMENTS, NODES
from wfc.ir import NodeFailed
from wfc.ir.std import BUILTINS

BIG = 7615917337495251231
LONGEST = 10**4000 - 1


def test_every_built_in_has_its_function_and_gives_only_its_outcomes():
    assert list(NODES) == [builtin.key for builtin in BUILTINS]


GIVEN = [
    ("identity", {"value": None}, "ok", {"value": None}),
    ("identity", {"value": {"k": [BIG]}}, "ok", {"value": {"k": [BIG]}}),
    ("index", {"array": ["a", "b"], "position": 1}, "ok", {"value": "b"}),
    ("index", {"array": ["a", "b"], "position": 1.0}, "ok", {"value": "b"}),
    ("index", {"array": ["a", "b"], "position": 2}, "out_of_range", {}),
    ("index", {"array": ["a", "b"], "position": -1}, "out_of_range", {}),
    ("index", {"array": [], "position": 10**30}, "out_of_range", {}),
    ("count", {"array": [1, None, [2]]}, "ok", {"count": 3}),
    ("pluck", {"array": [{"a": 1}, {"a": None}], "field": "a"}, "ok", {"values": [1, None]}),
    ("pluck", {"array": [{"a": 1}, {}], "field": "a"}, "missing_field", {}),
    ("pluck", {"array": [{"a": 1}, 5], "field": "a"}, "missing_field", {}),
    ("pluck", {"array": [], "field": "a"}, "ok", {"values": []}),
    ("concat", {"arrays": [[1, [2]], [], [3]]}, "ok", {"array": [1, [2], 3]}),
    ("concat", {"arrays": []}, "ok", {"array": []}),
    ("record", {"a": 1, "b": None}, "ok", {"a": 1, "b": None}),
    ("record", {}, "ok", {}),
    ("slice", {"array": [1, 2, 3, 4], "start": 1, "end": 3}, "ok", {"array": [2, 3]}),
    ("slice", {"array": [1, 2, 3], "start": 1}, "ok", {"array": [2, 3]}),
    ("slice", {"array": [1, 2, 3], "start": 2, "end": 99}, "ok", {"array": [3]}),
    ("slice", {"array": [1, 2, 3], "start": 99}, "ok", {"array": []}),
    ("slice", {"array": [1, 2, 3], "start": 2, "end": 1}, "ok", {"array": []}),
    ("range", {"count": 3}, "ok", {"array": [0, 1, 2]}),
    ("range", {"count": 2.0}, "ok", {"array": [0, 1]}),
    ("range", {"count": 0}, "ok", {"array": []}),
    (
        "unique",
        {"array": [1, 1.0, True, "1", {"a": 1, "b": 2}, {"b": 2.0, "a": 1}, None, [1], [True]]},
        "ok",
        {"array": [1, True, "1", {"a": 1, "b": 2}, None, [1], [True]]},
    ),
    ("join_text", {"array": ["a", "b"], "separator": ", "}, "ok", {"text": "a, b"}),
    ("join_text", {"array": [], "separator": ", "}, "ok", {"text": ""}),
    ("template", {"text": "Hi {name}, {n} {x y}", "values": {"name": "Al", "n": 3}}, "ok", {"text": "Hi Al, 3 {x y}"}),
    ("template", {"text": "{{a}} {{{a}}}", "values": {"a": "{b}"}}, "ok", {"text": "{a} {{b}}"}),
    ("template", {"text": "{a}{b}", "values": {"a": "x"}}, "missing_value", {}),
    (
        "template",
        {"text": "{a} {b} {c} {d}", "values": {"a": {"z": 1, "y": ["é", None]}, "b": True, "c": 1.0, "d": BIG}},
        "ok",
        {"text": f'{{"y":["é",null],"z":1}} true 1.0 {BIG}'},
    ),
    ("pick", {"object": {"a": 1, "b": 2}, "fields": ["b", "c"]}, "ok", {"object": {"b": 2}}),
    ("merge", {"objects": [{"a": {"x": 1}, "b": 1}, {"a": {"y": 2}}]}, "ok", {"object": {"a": {"y": 2}, "b": 1}}),
    ("merge", {"objects": []}, "ok", {"object": {}}),
    ("sum", {"array": [1, 2, 3.5]}, "ok", {"sum": 6.5}),
    ("sum", {"array": []}, "ok", {"sum": 0}),
    ("sum", {"array": [BIG, 1]}, "ok", {"sum": BIG + 1}),
    ("sum", {"array": [1e16, 1.0, 1.0]}, "ok", {"sum": 1e16}),
    (
        "filter_equal",
        {"array": [{"k": 1, "n": "a"}, {"k": True}, {}, 5, {"k": 1.0}], "field": "k", "value": 1},
        "ok",
        {"array": [{"k": 1, "n": "a"}, {"k": 1.0}]},
    ),
    (
        "filter_equal",
        {"array": [{"k": None}, {}], "field": "k", "value": None},
        "ok",
        {"array": [{"k": None}]},
    ),
    (
        "sort_by",
        {"array": [{"k": 2, "n": "a"}, {"k": 1.5}, {"k": 2, "n": "c"}], "field": "k"},
        "ok",
        {"array": [{"k": 1.5}, {"k": 2, "n": "a"}, {"k": 2, "n": "c"}]},
    ),
    (
        "sort_by",
        {"array": [{"k": 1, "n": "a"}, {"k": 2}, {"k": 1, "n": "b"}], "field": "k", "descending": True},
        "ok",
        {"array": [{"k": 2}, {"k": 1, "n": "a"}, {"k": 1, "n": "b"}]},
    ),
    ("sort_by", {"array": [{"k": "b"}, {"k": "Z"}], "field": "k"}, "ok", {"array": [{"k": "Z"}, {"k": "b"}]}),
    ("sort_by", {"array": [{"k": "b"}, {"k": 1}], "field": "k"}, "not_comparable", {}),
    ("sort_by", {"array": [{"k": True}, {"k": False}], "field": "k"}, "not_comparable", {}),
    ("sort_by", {"array": [{"k": 1}, {}], "field": "k"}, "not_comparable", {}),
    ("sort_by", {"array": [{"k": 1}, 1], "field": "k"}, "not_comparable", {}),
    ("sort_by", {"array": [], "field": "k"}, "ok", {"array": []}),
    ("parse_json", {"text": '{"a": [1, null]}'}, "ok", {"value": {"a": [1, None]}}),
    ("parse_json", {"text": f" {BIG} "}, "ok", {"value": BIG}),
    ("parse_json", {"text": "\ufefftrue"}, "ok", {"value": True}),
    ("parse_json", {"text": "[" * 200 + "]" * 200}, "ok", {"value": eval("[" * 200 + "]" * 200)}),
    ("to_json", {"value": {"b": [1, None], "a": "é"}}, "ok", {"text": '{"a":"é","b":[1,null]}'}),
    ("to_json", {"value": 2**64 + 1}, "ok", {"text": "18446744073709551617"}),
]


@pytest.mark.parametrize(("key", "payload", "outcome", "output"), GIVEN)
def test_what_it_gives(key, payload, outcome, output):
    assert NODES[key](payload) == (outcome, output)


UNDEFINED = ("undefined", None)
CALCULATED = [
    ("+", 1, 2, ("ok", 3)),
    ("+", BIG, 1, ("ok", BIG + 1)),
    ("+", 0.1, 0.2, ("ok", 0.30000000000000004)),
    ("+", 1, 1.0, ("ok", 2.0)),
    ("-", 3, 5, ("ok", -2)),
    ("*", BIG, BIG, ("ok", BIG * BIG)),
    ("*", LONGEST, 10, UNDEFINED),
    ("+", LONGEST, 1, UNDEFINED),
    ("*", 1e308, 10, UNDEFINED),
    ("+", LONGEST, 0.5, UNDEFINED),
    ("/", 6, 2, ("ok", 3.0)),
    ("/", 1, 0, UNDEFINED),
    ("/", 1, 0.0, UNDEFINED),
    ("/", LONGEST, 1, UNDEFINED),
    ("/", LONGEST, LONGEST, ("ok", 1.0)),
    ("//", 7, 2, ("ok", 3)),
    ("//", -7, 2, ("ok", -4)),
    ("//", -7.5, 2, ("ok", -4.0)),
    ("//", 7, 0, UNDEFINED),
    ("//", 1e308, 1e-10, UNDEFINED),
    ("%", 7, 3, ("ok", 1)),
    ("%", -7, 3, ("ok", 2)),
    ("%", 7, -3, ("ok", -2)),
    ("%", -7.5, 2, ("ok", 0.5)),
    ("%", 1, 0, UNDEFINED),
]


@pytest.mark.parametrize(("operator", "left", "right", "expected"), CALCULATED)
def test_calculate(operator, left, right, expected):
    outcome, output = NODES["calculate"]({"operator": operator, "left": left, "right": right})
    value = output.get("value")
    assert (outcome, value, type(value)) == (*expected, type(expected[1]))


NO_JSON = [
    ("{a: 1}", "Expecting property name"),
    ("", "Expecting value"),
    ("1 2", "Extra data"),
    ("[1,]", "Expecting value"),
    ('{"a": 1, "b": 2, "a": 3}', "the key `a` stands twice"),
    ("NaN", "`NaN` is no JSON number"),
    ("[-Infinity]", "`-Infinity` is no JSON number"),
    ("1e400", "`1e400` is too large for a double"),
    ("9" * 4001, "an integer of more than 4000 digits"),
    ('"\\ud800"', "a lone surrogate"),
    ("[" * 201 + "]" * 201, "nesting deeper than 200"),
    ("[" * 100_000, "nesting deeper than 200"),
    ('"a\nb"', "Invalid control character"),
]


@pytest.mark.parametrize(("text", "message"), NO_JSON)
def test_parse_json_obeys_the_rules_of_the_language(text, message):
    outcome, output = NODES["parse_json"]({"text": text})
    assert outcome == "invalid"
    assert list(output) == ["message"]
    assert message in output["message"]


REFUSED = [
    ("fail", {"message": "stop here"}, "stop here"),
    ("range", {"count": 10**12}, f"`count` asks for too many elements; expected at most {MAX_ELEMENTS}"),
    ("range", {"count": 10**30}, f"`count` asks for too many elements; expected at most {MAX_ELEMENTS}"),
    (
        "template",
        {"text": "{a}" * 20_000, "values": {"a": "x" * 20_000}},
        f"the text would have 400060000 characters; expected at most {MAX_CHARACTERS}",
    ),
    (
        "join_text",
        {"array": ["a"] * 20_001, "separator": "x" * 20_000},
        f"the text would have 400020001 characters; expected at most {MAX_CHARACTERS}",
    ),
    ("sum", {"array": [1e308, 1e308]}, "the sum is not finite, or has more than 4000 digits"),
    ("sum", {"array": [10**4000 - 1, 0.5]}, "the sum is not finite, or has more than 4000 digits"),
    ("sum", {"array": [1, True]}, "an element of `array` is boolean; expected a number"),
    ("join_text", {"array": ["a", 1], "separator": ""}, "an element is number; expected a string"),
    ("count", {}, "`array` is missing"),
    ("count", {"array": "abc"}, "`array` is string; expected an array"),
    ("index", {"array": [], "position": 1.5}, "`position` is 1.5; expected an integer"),
    ("slice", {"array": [], "start": -1}, "`start` is -1; expected 0 or more"),
    ("calculate", {"operator": "**", "left": 1, "right": 2}, "`operator` is `**`; expected one of + - * / // %"),
    ("calculate", {"operator": "+", "left": True, "right": 2}, "`left` is boolean; expected a number"),
    ("sort_by", {"array": [], "field": "a", "descending": 1}, "`descending` is number; expected a boolean"),
]


@pytest.mark.parametrize(("key", "payload", "message"), REFUSED)
def test_what_it_refuses(key, payload, message):
    with pytest.raises(NodeFailed) as failed:
        NODES[key](payload)
    assert (str(failed.value), failed.value.type) == (message, None)
