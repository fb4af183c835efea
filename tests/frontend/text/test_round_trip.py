"""Every JSON document has a text that means it, and every text that is laid out comes back from JSON as it is."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.frontend.text.corpus import workflows
from tests.frontend.text.mutated import mutated
from tests.generated import workflow
from wfc.frontend import Document, Elaborated, document_of, elaborate, read_document, text_of

ROOT = Path(__file__).parents[3]


def meant(value: Any) -> Elaborated:
    return elaborate(document_of(value), lambda document, name: ())


def codes(found: Elaborated) -> list[str]:
    """What is wrong with a document; that a spelling is old is not."""
    return sorted(one.code.code for one in found.diagnostics if one.code.code != "WF014")


def read(text: str) -> Document:
    document = read_document("a.wf", text)
    assert document.diagnostics == (), [(one.message, one.at.span) for one in document.diagnostics]
    return document


@pytest.mark.parametrize(("file", "value"), workflows(), ids=[f"{n}-{file}" for n, (file, _) in enumerate(workflows())])
def test_every_workflow_comes_back(file: str, value: Any) -> None:
    text = text_of(value)
    back = read(text).value
    assert codes(meant(back)) == codes(meant(value))
    assert meant(back).module == meant(value).module or codes(meant(value)) != []
    assert text_of(back) == text


@given(st.data())
@settings(deadline=None, max_examples=60)
def test_generated_workflows_of_all_features_come_back(data: st.DataObject) -> None:
    value = workflow(lambda n: data.draw(st.integers(0, n - 1)))
    text = text_of(value)
    back = read(text).value
    assert meant(back).module == meant(value).module
    assert text_of(back) == text


@given(st.data())
@settings(deadline=None, max_examples=150)
def test_whatever_json_says_has_a_text(data: st.DataObject) -> None:
    """Also with faults: these are JSON within the text, and what has none means the same."""

    def choose(n: int) -> int:
        return data.draw(st.integers(0, n - 1))

    file, value = workflows()[choose(len(workflows()))]
    changed = mutated(value, choose) if "limits" not in file else value
    text = text_of(changed)
    back = read(text).value
    assert text_of(back) == text
    if not codes(meant(changed)):
        assert meant(back).module == meant(changed).module
        assert codes(meant(back)) == []
    else:
        assert codes(meant(back)) != [] or "WF014" in [one.code.code for one in meant(changed).diagnostics]


@pytest.mark.parametrize("value", [[], {}, 3, None, "a", {"workflows": []}, {"workflows": [1]}, {"main": "a"}])
def test_what_is_no_workflow_has_a_text_as_well(value: Any) -> None:
    assert read(text_of(value)).value == value


def test_a_module_keeps_its_keys() -> None:
    end = {"id": "e", "type": "end", "outcome": "ok"}
    flows = [{"name": name, "start": "e", "nodes": [end]} for name in ("a", "b")]
    value = {"x-owner": "us", "main": "b", "workflows": flows}
    text = text_of(value)
    assert read(text).value == value
    assert text.startswith('with {"x-owner": "us"}\n') and "\nmain workflow b {\n" in text


def test_suppressions_are_comments() -> None:
    allowed = [{"code": "WF203", "reason": "polls"}, {"code": "WF401"}]
    step = {"id": "e", "type": "end", "outcome": "ok", "x-wfc-allow": allowed}
    value = {"name": "a", "start": "e", "nodes": [step], "x-wfc-allow": allowed[:1]}
    text = text_of(value)
    assert read(text).value == value
    assert "\n # wfc: allow WF203 because polls\n # wfc: allow WF401\n e: end\n" in text


def test_the_grammar_is_lalr_without_a_conflict(caplog: pytest.LogCaptureFixture) -> None:
    import lark

    logger = lark.logger
    before, logger.propagate = logger.level, True
    logger.setLevel(logging.DEBUG)
    try:
        grammar = (ROOT / "grammar/workflow.lark").read_text("utf-8")
        lark.Lark(grammar, parser="lalr", lexer="basic", start=["line", "file"], debug=True)
    finally:
        logger.setLevel(before)
    assert [one for one in caplog.messages if "onflict" in one] == []


def test_the_grammar_of_whole_files_takes_what_is_read() -> None:
    import lark

    from wfc.frontend.text.parser import words_of

    grammar = (ROOT / "grammar/workflow.lark").read_text("utf-8")
    whole = lark.Lark(grammar, parser="lalr", lexer="basic", start="file")
    for _, value in workflows()[::7]:
        walk = whole.parse_interactive(start="file")
        for word in words_of(text_of(value)):
            walk.feed_token(word)  # type: ignore[arg-type]
        assert walk.feed_eof() is not None


def test_deep_documents_come_back() -> None:
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(60):
        schema = {"type": "object", "properties": {"a": {"type": "array", "items": schema}}, "required": ["a"]}
    end = {"id": "e", "type": "end", "outcome": "ok"}
    value = {"name": "deep", "input_schema": schema, "start": "e", "nodes": [end]}
    assert read(text_of(value)).value == json.loads(json.dumps(value))


def test_texts_nested_too_deeply_are_refused() -> None:
    text = "workflow a {\n input {a: " + "[" * 5000 + "string" + "]" * 5000 + "}\n e: end ok\n}\n"
    (found,) = read_document("a.wf", text).diagnostics
    assert found.code.code == "WF005"
