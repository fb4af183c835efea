"""Adapters: from what a tool said to an output, and what cannot be adapted."""

import pytest

from wfc.backends.sources.adapters import compile_chain
from wfc.backends.sources.tool import Said, ToolFault

LOG = "Commit: a1\nMessage: one\n\nCommit: b2\nMessage: two\n"
STRUCTURED = Said("text", {"result": [1, 2], "text": '{"a": 1}'})

ADAPTED = [
    ([], Said("hello"), {"text": "hello"}),
    ([], Said(""), {"text": ""}),
    ([], STRUCTURED, STRUCTURED.structured),
    (["text"], STRUCTURED, {"text": "text"}),
    (["json"], Said('[1, {"a": null}]'), [1, {"a": None}]),
    (["python-literal"], Said(" {'a': (1, None), 'b': True}\n"), {"a": [1, None], "b": True}),
    (["lines"], Said("a\r\n\nb\n"), {"lines": ["a", "", "b"]}),
    (["lines"], Said("a\nb"), {"lines": ["a", "b"]}),
    (["lines"], Said(""), {"lines": []}),
    ([{"regex": r"Commit: (?P<id>\w+)(?P<none>!)?"}], Said(LOG), {"id": "a1", "none": None}),
    (
        [{"regex": r"Commit: (?P<id>\w+)\nMessage: (?P<title>.*)", "all": True}],
        Said(LOG),
        {"matches": [{"id": "a1", "title": "one"}, {"id": "b2", "title": "two"}]},
    ),
    ([{"regex": "(?P<x>x)", "all": True}], Said("none"), {"matches": []}),
    ([{"regex": "(?P<x>x)", "all": False}], Said("x"), {"x": "x"}),
    ([{"unwrap": "result"}], STRUCTURED, [1, 2]),
    ([{"unwrap": "text"}, "json", {"unwrap": "a"}], STRUCTURED, 1),
    (["json", {"unwrap": "a"}], Said('{"a": 5}'), 5),
    ([{"error-when": "^Error:"}], Said("fine"), {"text": "fine"}),
    ([{"error-when": "^Error:"}], STRUCTURED, STRUCTURED.structured),
    ([{"error-when": "^Error:", "type": "E"}, "lines"], Said("a"), {"lines": ["a"]}),
]


@pytest.mark.parametrize(("specs", "said", "output"), ADAPTED)
def test_what_a_chain_gives(specs, said, output):
    assert compile_chain(specs).output(said) == output


REFUSED = [
    (["json"], Said("{"), "node_output_invalid", None, "adapter `json`: Expecting property name"),
    (["json"], Said('{"a": 1, "a": 2}'), "node_output_invalid", None, "adapter `json`: the key `a` stands twice"),
    (["python-literal"], Said("open('x')"), "node_output_invalid", None, "adapter `python-literal`: the text is no"),
    (["python-literal"], Said("{1, 2}"), "node_output_invalid", None, "a value of type `set` is no JSON at `.`"),
    (["python-literal"], Said("(" * 10_000), "node_output_invalid", None, "adapter `python-literal`: the text is no"),
    (["lines", "json"], Said("a"), "node_output_invalid", None, "adapter `json`: the value before it is object;"),
    ([{"regex": "(?P<x>x)"}], Said("y"), "node_output_invalid", None, "adapter `regex`: `(?P<x>x)` is not found"),
    ([{"unwrap": "a"}], Said("y"), "node_output_invalid", None, "adapter `unwrap`: there is no structured content;"),
    ([{"unwrap": "a"}], Said("", [1]), "node_output_invalid", None, "adapter `unwrap`: array without it; expected an"),
    ([{"error-when": "^Error"}], Said("Error: gone"), "node_failed", None, "Error: gone"),
    ([{"error-when": "gone", "type": "NotFound"}], Said("it is gone"), "node_failed", "NotFound", "it is gone"),
    (["json", {"error-when": "x", "type": "X"}], Said("x"), "node_output_invalid", None, "adapter `json`: Expecting"),
]


@pytest.mark.parametrize(("specs", "said", "code", "type", "message"), REFUSED)
def test_what_a_chain_refuses(specs, said, code, type, message):
    with pytest.raises(ToolFault) as fault:
        compile_chain(specs).output(said)
    assert (fault.value.code, fault.value.type) == (code, type)
    assert message in str(fault.value)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("jsn", "`jsn` is no adapter; expected one of `text`, `json`, `python-literal`, `lines`, `regex`, `unwrap`,"),
        ({"regex": 5}, "`{'regex': 5}` is no adapter; expected one of"),
        ({"regex": "("}, "`(` is no regular expression: missing ), unterminated subpattern at position 0"),
    ],
)
def test_what_is_no_adapter(spec, message):
    with pytest.raises(ValueError, match=r".") as fault:
        compile_chain([spec])
    assert message in str(fault.value)
