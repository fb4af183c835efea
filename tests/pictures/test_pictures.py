"""Pictures in every form: what they show, that they show it alike, and that nothing in them is obeyed."""

from __future__ import annotations

import re
import subprocess
import sys
from html.parser import HTMLParser
from typing import Any

import pygraphviz
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

import wfc
from tests import generated
from tests.frontend.damage import damaged
from tests.house.imports import ROOT
from tests.pictures.flows import branches, family, nasty, picture
from wfc.backends.emit.pictures import PICTURES, Picture, picture_of_program, picture_of_run
from wfc.drawing import draw_workflow

WRITE = {form.name: form.write for form in PICTURES}


@pytest.mark.parametrize("form", ["mermaid", "dot", "svg"])
@pytest.mark.parametrize("flow", [family, branches], ids=["family", "branches"])
def test_a_workflow_as_text(form: str, flow: Any, snapshot: SnapshotAssertion) -> None:
    assert WRITE[form](picture(flow())) == snapshot


def test_a_run_as_text(snapshot: SnapshotAssertion) -> None:
    flow = family()
    asked = flow.execute({}, run_id="r1")
    done = flow.resume(asked, outcome="ok")
    program = flow.compile()
    assert [WRITE["mermaid"](picture_of_run(program, run)) for run in (asked, done)] == snapshot


def shape(drawn: Picture) -> Any:
    """What is drawn, without what is said beside it, and in an order that does not depend on where it comes from."""
    names = {node.id: (node.kind, node.title) for node in drawn.nodes}
    boxes = [
        sorted((box.kind, box.title, tuple(sorted(names[one] for one in box.nodes))) for box in top.every())
        for top in drawn.boxes
    ]
    links = sorted((names[link.source], link.label, names[link.target]) for link in drawn.links)
    return sorted(boxes), links, sorted((node.kind, node.title, node.detail) for node in drawn.nodes)


@settings(max_examples=15, deadline=None)
@given(st.data())
def test_a_program_is_drawn_as_its_workflow(data: st.DataObject) -> None:
    document = generated.workflow(lambda n: data.draw(st.integers(0, n - 1)))
    assert shape(picture_of_program(wfc.compile(document, unchecked=True))) == shape(picture(document))


def test_faults_are_drawn() -> None:
    flow = wfc.WorkflowBuilder("w", start="nowhere")
    check = flow.condition("check", wfc.input_path("n") > 1)
    flow.connect(check, True, "gone")
    drawn = picture(flow)
    kinds = {node.title: node.kind for node in drawn.nodes}
    assert (kinds["gone"], kinds["nowhere"]) == ("missing", "missing")
    marked = {node.title: {one.code for one in node.remarks} for node in drawn.nodes if node.remarks}
    told = {found.code.code for found in flow.check().diagnostics}
    assert {code for codes in marked.values() for code in codes} | {one.code for one in drawn.remarks} == told
    assert "check" in marked


@settings(max_examples=60, deadline=None)
@given(damaged())
def test_whatever_can_be_read_is_drawn(document: Any) -> None:
    if not isinstance(document, dict):
        return
    drawn, report = draw_workflow(document)
    if drawn is None:
        assert report.count(wfc.diagnostics.Severity.ERROR)
        return
    for form in ("mermaid", "dot"):
        assert WRITE[form](drawn).endswith("\n")


@settings(max_examples=15, deadline=None)
@given(st.data())
def test_every_entry_of_a_trace_stands_at_its_step(data: st.DataObject) -> None:
    document = generated.workflow(lambda n: data.draw(st.integers(0, n - 1)))
    program = wfc.compile(document, unchecked=True)
    run = wfc.execute_workflow(program, {}, handlers={"work": lambda payload: {"n": 1, "ns": [1]}}, step_limit=200)
    drawn = picture_of_run(program, run)
    stands = {visit.number: node.title for node in drawn.nodes for visit in node.visits}
    assert stands == {number: entry["step"] for number, entry in enumerate(run.trace, 1)}
    if run.status != "failed":
        edges = sum(link.taken or 0 for link in drawn.links if link.label)
        assert edges == sum("next" in entry for entry in run.trace)
    waiting = [node.title for node in drawn.nodes if node.state == "waiting"]
    assert len(waiting) == (run.status == "interrupted")


# -- the same bytes ---------------------------------------------------------------------------------------------------

CODE = """\
import hashlib
from tests.pictures.flows import branches, family, picture
from wfc.backends.emit.pictures import PICTURES
for flow in (family(), branches()):
    for form in PICTURES:
        print(hashlib.sha256(form.write(picture(flow)).encode()).hexdigest())
"""


def test_the_same_workflow_has_the_same_bytes() -> None:
    def once(seed: str) -> str:
        done = subprocess.run(
            [sys.executable, "-c", CODE], cwd=ROOT, env={"PYTHONHASHSEED": seed}, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert once("1") == once("2")


# -- nothing is obeyed ------------------------------------------------------------------------------------------------


class Elements(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, tuple[str, ...]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, tuple(sorted(name for name, _ in attrs))))


def elements(text: str) -> Elements:
    parser = Elements()
    parser.feed(text)
    parser.close()
    return parser


@pytest.mark.parametrize("form", ["svg", "html"])
def test_no_text_becomes_markup(form: str) -> None:
    found = elements(WRITE[form](picture(nasty()))).found
    plain = elements(WRITE[form](picture(branches()))).found
    assert {tag for tag, _ in found} <= {tag for tag, _ in plain} | {"polygon", "circle", "path"}
    assert not [name for _, names in found for name in names if name.startswith("on")]
    assert sum(tag == "script" for tag, _ in found) == (2 if form == "html" else 0)


def test_no_text_ends_a_label_of_mermaid() -> None:
    drawn = picture(nasty())
    rows = WRITE["mermaid"](drawn).splitlines()
    label = re.compile(r'"[^"`{}<>&\\\[\]]*(<br/>[^"`{}<>&\\\[\]]*)*"')
    for row in rows:
        bare = label.sub("", row).split("fill:")[0].split("stroke:")[0]
        assert re.fullmatch(r"[\w \-.=>|\[\](){}/\\,:]*", bare), row
    assert sum(row.strip().startswith("subgraph ") for row in rows) == 1
    assert sum(row.strip() == "end" for row in rows) == 1


def test_no_text_ends_a_label_of_dot() -> None:
    drawn = picture(nasty())
    read = pygraphviz.AGraph(string=WRITE["dot"](drawn))
    assert sorted(read.nodes()) == sorted(node.id for node in drawn.nodes)
    assert len(read.edges()) == len(drawn.links)
    assert len(read.subgraphs()) == 1
    quoted = str(read.get_node(drawn.nodes[1].id).attr["label"])
    assert "no such" not in quoted
    assert "<\\/script>" not in quoted


def test_control_characters_are_shown_as_such() -> None:
    for form in ("svg", "html", "mermaid", "dot"):
        text = WRITE[form](picture(nasty()))
        assert not set(text) & set("\x00\x1b\x7f\u202e\u2028")


def test_a_child_that_failed_is_drawn_where_it_ran() -> None:
    child, other = wfc.WorkflowBuilder("child"), wfc.WorkflowBuilder("other")
    for flow, last in ((other, "wf.std.identity"), (child, "wf.std.fail")):
        flow.connect(flow.node("wf.std.identity", "first", value=1), "ok", "last")
        field = {"message" if flow is child else "value": "no"}
        flow.connect(flow.node(last, "last", **field), "ok", wfc.END)
    parent = wfc.WorkflowBuilder("parent")
    fork, join = parent.fork("fork", ["left", "right"]), parent.join("join")
    for name, inner in (("left", other), ("right", child)):
        parent.prepare_subgraph(inner)
        step = parent.subgraph(name, inner)
        parent.connect(fork, name, step)
        parent.connect(step, "ok", join)
    parent.connect(join, "ok", wfc.END)
    drawn = picture_of_run(parent.compile(), parent.execute({}))
    states = [[node.state for node in drawn.nodes if node.id.startswith(f"w{number}n")] for number in range(3)]
    titles = [[node.title for node in drawn.nodes if node.id.startswith(f"w{number}n")] for number in range(3)]
    told = {name: dict(zip(*pair, strict=True)) for name, *pair in zip("pqr", titles, states, strict=True)}
    fates = sorted((told[name]["first"], told[name]["last"]) for name in "qr")
    assert fates == [("visited", "failed"), ("visited", "visited")]
    assert told["p"]["join"] == "untouched"
