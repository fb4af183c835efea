"""Writes that nobody sees, and objects replaced without what is read later: where codes speak, and near misses."""

import pytest

from tests.passes.workflows import Json
from tests.passes.writing import LOG, changed, fixed, found, told, writing
from wfc.passes.bindings import presence
from wfc.passes.state import clobbering, dead_writes

LINE = "a:ok->b b:ok->__end__"
CHOICE = "a:ok->c c:true->b c:false->__end__ b:ok->__end__"
LOOP = "a:ok->e e:item->b b:ok->e e:done->__end__"
FORK = "a:ok->k k:p->b k:q->d b:ok->j d:ok->j j:ok->__end__"
NAP = {"seconds": {"path": "state.m"}}
CHECK = {"op": "exists", "path": "state.m"}
INPUT = {"type": "object", "properties": {"xs": {"type": "array"}, "n": {}}, "required": ["xs"]}

DEAD: dict[str, tuple[list[str], Json]] = {
    "written again at once": (["WF404 warning a"], writing(LINE, "a:m b:m")),
    "its parent is written again": (["WF404 warning a"], writing(LINE, "a:o.k b:o")),
    "never read": (["WF404 warning a"], writing(LINE, "a:m", output=["o"])),
    "written on all ways again": (
        ["WF404 warning a"],
        writing("a:ok->c c:true->b c:false->d b:ok->__end__ d:ok->__end__", "a:m b:m d:m"),
    ),
    "read before, and never after": (
        ["WF404 warning b"],
        changed(writing(LINE, "b:m", output=[], state={"m": {"default": 1}}), "a", **NAP),
    ),
    "a log that nobody reads": (["WF404 warning a"], writing(LINE, "a:log b:log", output=["m"])),
    "local to an item, and not read in it": (
        ["WF404 warning b"],
        changed(writing(LOOP, "b:m"), "e", locals=["state.m"]),
    ),
    "local to a branch, and not read in it": (
        ["WF404 warning b"],
        changed(writing(FORK, "b:m"), "k", locals=["state.m"]),
    ),
}  # fmt: skip
SEEN = {
    "projected": writing(LINE, "a:m b:o"),
    "on one way not written again": writing(CHOICE, "a:m b:m"),
    "a loop may have no items": changed(writing(LOOP, "a:m b:m", input_schema=INPUT), "e", over="input.xs"),
    "a branch that is not always there": changed(
        writing(FORK, "a:m b:m", input_schema=INPUT),
        "k", branches=[{"outcome": "p", "when": {"op": "exists", "path": "input.n"}}, "q"],
    ),
    "read in between": changed(writing("a:ok->b b:ok->d d:ok->__end__", "a:m d:m"), "b", **NAP),
    "read by the other branch": changed(writing(FORK, "a:m b:m"), "d", **NAP),
    "read by a check": changed(writing(CHOICE, "a:m", output=[]), "c", check=CHECK),
    "read by the next item": changed(
        writing("e:item->b b:ok->d d:ok->e e:done->__end__", "d:m", output=[], state={"m": {"default": 1}}), "b", **NAP,
    ),
    "a field of what is projected": writing(LINE, "a:o.k b:o.l"),
    "a reducer keeps what was there": writing(LINE, "a:log b:log"),
    "local, and read in the item": changed(
        changed(writing("e:item->b b:ok->d d:ok->e e:done->__end__", "b:m"), "e", locals=["state.m"]), "d", **NAP,
    ),
    "what a local place begins with": changed(changed(writing(LOOP, "a:m"), "e", locals=["state.m"]), "b", **NAP),
    "what reads it is not reached": changed(writing("a:ok->__end__ d:ok->__end__", "a:m", output=[]), "d", **NAP),
    "two branches that replace it, which is an error": writing(FORK, "b:m d:m", output=[]),
    "written too late for its read": changed(writing(LINE, "b:m", output=[]), "a", **NAP),
}  # fmt: skip


@pytest.mark.parametrize(("findings", "document"), DEAD.values(), ids=DEAD.keys())
def test_what_nobody_sees(findings: list[str], document: Json) -> None:
    assert told(document, dead_writes.CODES) == findings


@pytest.mark.parametrize("document", SEEN.values(), ids=SEEN.keys())
def test_what_somebody_may_see(document: Json) -> None:
    assert told(document, dead_writes.CODES) == []


def test_a_dead_binding_is_shown_with_what_overwrites_it_and_can_go() -> None:
    document = writing(LINE, "a:m b:m")
    (one,) = found(document, dead_writes.CODES)
    assert (one.at.pointer, [each.at.pointer for each in one.related]) == (
        "/nodes/0/output/0/target",
        ["/nodes/1/output/0/target"],
    )
    assert told(fixed(document, one), dead_writes.CODES) == []


def test_a_place_that_nothing_reads_is_one_finding() -> None:
    (one,) = found(writing(LINE, "a:log b:log", output=["m"]), dead_writes.CODES)
    assert (one.hides, one.facts["reason"]) == (1, "nothing reads it")


# Objects that are replaced

CARD = {"o": {"type": "object", "properties": {"k": {"type": "integer"}, "l": {"type": "integer"}}}}
THEN = "a:ok->b b:ok->c c:true->__end__ c:false->__end__"
REPLACING = {"input": [{"target": "x.l", "value": 2}], "output": [{"source": "x", "target": "state.o"}]}
READING = {"seconds": {"path": "state.o.k"}}
ASKING = {"check": {"op": "exists", "path": "state.o.k"}}


def replacing(arrows: str = THEN, writes: str = "a:o.k b:o", state: Json = CARD) -> Json:
    """`a` writes a field, `b` replaces the object by one without it, `c` asks for the field."""
    return changed(changed(writing(arrows, writes, state=state), "b", **REPLACING), "c", **ASKING)


def test_a_replace_drops_what_is_asked_for_later() -> None:
    (one,) = found(replacing(), clobbering.CODES)
    assert (one.at.pointer, one.facts["field"], one.confidence) == ("/nodes/1/output/0/target", "state.o.k", "proved")
    assert [(each.role, each.at.pointer) for each in one.related] == [
        ("written", "/nodes/0/output/0/target"),
        ("read", "/nodes/2/check/path"),
    ]


KEPT = {
    "the field is put in as well": changed(replacing(), "b", input=[{"target": "x.k", "value": 2}]),
    "only a field is written": changed(replacing(), "b", output=[{"source": "x.l", "target": "state.o.l"}]),
    "a reducer merges": replacing(state={"o": CARD["o"] | {"reducer": "wf.std.merge_object"}}),
    "the field is written again": changed(
        replacing("a:ok->b b:ok->f f:ok->c c:true->__end__ c:false->__end__", "a:o.k b:o f:o.k"),
        "f",
        input=[{"target": "x", "value": 3}],
    ),
    "the field is never written by itself": replacing(writes="b:o"),
    "nobody asks for the field": changed(replacing(), "c", check={"op": "exists", "path": "state.o.l"}),
    "the field is asked for before": replacing("a:ok->c c:true->b c:false->b b:ok->__end__"),
    "on another way": replacing("a:ok->c1 c1:true->b c1:false->c b:ok->__end__ c:true->__end__ c:false->__end__"),
}  # fmt: skip


@pytest.mark.parametrize("document", KEPT.values(), ids=KEPT.keys())
def test_a_replace_that_drops_nothing(document: Json) -> None:
    assert told(document, clobbering.CODES) == []


@pytest.mark.parametrize(
    ("arrows", "code"),
    [
        ("a:ok->b b:ok->d d:ok->__end__", "WF400"),
        ("a:ok->c1 c1:true->b c1:false->d b:ok->d d:ok->__end__", "WF401"),
    ],
)
def test_a_look_that_fails_for_what_was_dropped_is_the_one_finding(arrows: str, code: str) -> None:
    document = writing(arrows, "a:o.k b:o", state=CARD)
    document = changed(changed(document, "b", **REPLACING), "d", **READING)
    (one,) = found(document, (*clobbering.CODES, *presence.CODES))
    at = next(index for index, step in enumerate(document["nodes"]) if step["id"] == "b")
    assert (one.code.code, one.hides) == (code, 1)
    assert (one.related[0].role, one.related[0].at.pointer) == ("on the path", f"/nodes/{at}/output/0/target")
    assert one.fixes[0].title == "Let `state.o` merge by `wf.std.merge_object`"
    kept = changed(document, "b", output=[{"source": "x.l", "target": "state.o.l"}])
    assert told(kept, (*clobbering.CODES, *presence.CODES)) == []


def test_what_is_dropped_is_not_told_as_dead_as_well() -> None:
    assert told(replacing(), dead_writes.CODES) == []


def test_many_places_and_long_ways_are_ordinary() -> None:
    names = [f"m{n}" for n in range(2_000)]
    steps = " ".join(f"a{n}:ok->{f'a{n + 1}' if n + 1 < len(names) else '__end__'}" for n in range(len(names)))
    writes = " ".join(f"a{n}:{name}" for n, name in enumerate(names))
    assert told(writing(steps, writes, state={name: {} for name in names}), dead_writes.CODES) == []
    assert len(told(writing(steps, writes, state=dict.fromkeys(names, LOG), output=[]), dead_writes.CODES)) == 2_000
