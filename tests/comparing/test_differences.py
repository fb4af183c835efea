"""What changed between two workflows is told by what they mean; a caller learns what breaks, and by which value."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.frontend.text.corpus import workflows
from wfc import driver
from wfc.compared import Compared, compare
from wfc.comparing import comparison_text
from wfc.frontend import canonical_text, document_of, text_of

BASE = """\
workflow review "Notes" {
 input { folder: string, limit: integer 1..100 = 20, style?: "short" | "long" }
 state { files: [string], all: [string] by append = [], seen: integer by add = 0 }
 output { files?, seen }
 outcomes ok, rejected

 def list(path: string) -> { files: [string] } outcomes ok, empty uses notes.list effects read retry 2

 list: list(path = input.folder) -> state.files = files on ok then ask
   empty -> end rejected
 ask: interrupt approval(prompt = "File?")
   yes -> count, no -> end rejected
 count: set seen = 1 then end ok
}
"""


def compared(old: str, new: str) -> Compared:
    found = compare(*(driver.loads(text, name="a.wf") for text in (old, new)))
    assert isinstance(found, Compared), [one.message for one in found.elaborated.diagnostics]
    return found


def plain(text: str, role: str) -> str:
    return text


def told(new: str, old: str = BASE) -> list[str]:
    found = compared(old, new)
    return comparison_text(found.changes, found.interface, plain).splitlines()


def changed(*pairs: tuple[str, str]) -> str:
    text = BASE
    for old, new in pairs:
        assert old in text, old
        text = text.replace(old, new)
    return text


KEPT = ["interface: kept", "  input: kept", "  output: kept", "  outcomes: kept", "  effects: kept"]


def test_what_means_the_same_has_no_difference() -> None:
    assert told(BASE) == ["no differences", *KEPT]


def test_a_step_changes() -> None:
    assert told(changed(("input.folder)", "input.style)"))) == [
        "workflow review",
        "  ~ step list: input",
        "      - list: list(path = input.folder) -> files on ok",
        "      + list: list(path = input.style) -> files on ok",
        *KEPT,
    ]


def test_a_step_has_another_name() -> None:
    new = changed((" count: set", " number: set"), ("yes -> count", "yes -> number"))
    assert told(new) == ["workflow review", "  ~ step number: was count", *KEPT]


def test_wiring_changes() -> None:
    new = changed(("yes -> count, no -> end rejected", "yes -> end ok, no -> count"))
    assert told(new)[:3] == [
        "workflow review",
        "  ~ edge ask.yes: count => end ok",
        "  ~ edge ask.no: end_rejected => count",
    ]


def test_steps_come_and_go() -> None:
    new = changed((" count: set seen = 1 then end ok\n", " rest: wait 5s then end ok\n"), ("-> count", "-> rest"))
    assert told(new)[:8] == [
        "workflow review",
        "  - step count",
        "      - count: set seen = 1",
        "  + step rest",
        "      + rest: wait 5s",
        "  ~ edge ask.yes: count => rest",
        "  - edge count.ok: end ok",
        "  + edge rest.ok: end ok",
    ]


def test_reducers_and_defaults_and_definitions() -> None:
    new = changed(("by append", "by extend"), ("= 20", "= 10"), ("retry 2", "retry 3 timeout 5s"))
    assert told(new) == [
        "workflow review",
        "  ~ field input.limit: optional integer 1..100 = 20 => optional integer 1..100 = 10",
        "  ~ reducer state.all: append => extend",
        "  ~ definition list: retry, timeout_seconds",
        "      - def list(path: string) -> { files: [string] } outcomes ok, empty uses notes.list effects read retry 2",
        "      + def list(path: string) -> { files: [string] } outcomes ok, empty uses notes.list effects read retry 3"
        " timeout 5s",
        *KEPT,
    ]


@pytest.mark.parametrize(
    ("old", "new", "aspect", "reasons"),
    [
        ("folder: string,", "folder: string, kind: string,", "input", ["`input.kind` has to be given now"]),
        ("1..100", "1..50", "input", ["`input.limit` takes less than before"]),
        ('"short" | "long"', '"short"', "input", ["`input.style` takes less than before"]),
        ("files?, seen }", "seen }", "output", ["`output.files` is not given any more"]),
        ("files?, seen }", "files?, seen? }", "output", ["`output.seen` may be missing now"]),
        ("files?, seen }", "files?, seen: number }", "output", ["`output.seen` can be something else than before"]),
        ("ok, rejected\n", "ok, rejected, late\n", "outcomes", ["`late` is a new outcome, which no caller has wired"]),
        (
            "effects read",
            "effects write",
            "effects",
            ["`notes.list` has the effect `write`; the old workflow had at most `read`"],
        ),
        ("approval(", "choice(", "effects", ["it waits for an answer to `choice` now"]),
    ],
)
def test_what_breaks_a_caller(old: str, new: str, aspect: str, reasons: list[str]) -> None:
    found = compared(BASE, changed((old, new))).interface
    assert {one.name: one.kept for one in found.aspects if one.kept is not True} == {aspect: False}
    (broken,) = [one for one in found.aspects if one.name == aspect]
    assert list(broken.reasons[: len(reasons)]) == reasons
    assert found.kept is False


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("1..100", "0..200"),
        ("folder: string,", "folder?: string,"),
        ("folder: string,", "folder: string, more?: string,"),
        ("ok, rejected\n", "rejected, ok\n"),
        ("effects read", "effects pure"),
    ],
)
def test_what_does_not_break_a_caller(old: str, new: str) -> None:
    found = compared(BASE, changed((old, new)))
    assert found.changes and found.interface.kept is True


def test_a_witness_shows_what_is_refused() -> None:
    found = compared(BASE, changed(("1..100", "2..100"))).interface
    assert '`{"folder":"","limit":1}` was taken, and is refused now' in found.aspects[0].reasons


def test_children_are_compared_as_well() -> None:
    child = "workflow child {{\n input {{ n: integer }}\n b: wait {} then end ok\n}}\n"
    parent = "workflow a {\n input { n: integer }\n s: subgraph child(input.n) then end ok\n}\n"
    found = compared(parent + child.format("5s"), parent + child.format("6s"))
    assert [(one.workflow, one.what, one.name, one.parts) for one in found.changes] == [
        ("child", "step", "b", ("seconds",))
    ]


@given(st.data())
@settings(deadline=None, max_examples=60)
def test_layout_form_and_meaningless_order_are_no_difference(data: st.DataObject) -> None:
    _file, value = data.draw(st.sampled_from(workflows()[::3]))
    given_ = driver.from_value(value)
    if given_.module is None or any(one.severity == "error" for one in given_.elaborated.diagnostics):
        return
    other = copy.deepcopy(value)
    for one in other.get("workflows", [other]):
        for key in ("nodes", "edges", "node_defs"):
            if isinstance(one.get(key), list):
                one[key] = data.draw(st.permutations(one[key]))
    forms = [
        driver.loads(text_of(value), name="a.wf"),
        driver.loads(canonical_text(document_of(other), "json", "structural"), name="a.wf.json"),
    ]
    for form in forms:
        found = compare(given_, form)
        assert isinstance(found, Compared)
        assert found.changes == ()
        # Whether a type lies in itself cannot be told of every schema; that it does not is never said.
        assert found.interface.kept is not False


@given(st.data())
@settings(deadline=None, max_examples=100)
def test_another_program_has_a_difference(data: st.DataObject) -> None:
    """Whatever changes the content hash of a program is a difference."""
    from wfc.ir import content_hash

    values: list[Any] = [value for file, value in workflows() if file in ("routing.wftest.json", "catch.wftest.json")]
    old, new = (driver.from_value(data.draw(st.sampled_from(values))) for _ in range(2))
    try:
        hashes = [content_hash(driver.compile(one)) for one in (old, new)]
    except driver.CompileError:
        return
    found = compare(old, new)
    assert isinstance(found, Compared)
    assert (found.changes == ()) == (hashes[0] == hashes[1])
