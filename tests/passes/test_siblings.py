"""Writes of lineages that run side by side: where each code speaks, and near misses in which it has to stay silent."""

import pytest

from tests.passes.workflows import Json, flow
from tests.passes.writing import LOG, changed, fixed, found, told, writing
from wfc.passes.lineages import independence, merges, siblings

FORK = "k:p->a k:q->b a:ok->j b:ok->j j:ok->__end__"
BOTH = writing(FORK, "a:m b:m")
CHOICE = "k:p->c k:q->b c:true->a c:false->j a:ok->j b:ok->j j:ok->__end__"
CASES = "k:p->c k:q->c1 c:true->a c:false->j a:ok->j c1:true->b c1:false->j b:ok->j j:ok->__end__"
LOOP = "e:item->a a:ok->e e:done->__end__"
CHECK = {"op": "eq", "left": {"path": "input.n"}, "right": {"value": 1}}
INPUT = {"type": "object", "properties": {"n": {"type": "integer"}, "xs": {"type": "array"}}, "required": ["n", "xs"]}

ONE = {"default": 1}
FEW = {"type": "object", "properties": {"xs": {"type": "array", "maxItems": 1}}, "required": ["xs"]}


def loop(writes: str, over: object = None, arrows: str = LOOP, **fields: object) -> Json:
    """A parallel loop over the input, or over a list."""
    made = writing(arrows, writes, input_schema=INPUT, **fields)
    return changed(made, "e", mode="parallel", over="input.xs" if over is None else {"value": over})


def guarded(*whens: Json) -> Json:
    branches = [{"outcome": name, "when": when} for name, when in zip("pq", whens, strict=True)]
    return changed(writing(FORK, "a:m b:m", input_schema=INPUT), "k", branches=branches)


SPOKEN: dict[str, tuple[list[str], Json]] = {
    "both branches always": (["WF500 error b"], BOTH),
    "a reducer is that of one path only": (
        ["WF500 error b"],
        writing(FORK, "a:o.k b:o.k", state={"o": {"type": "object", "reducer": "wf.std.merge_object"}}),
    ),
    "one of them on one of its ways": (
        ["WF501 warning b"],
        writing(CHOICE, "a:m b:m"),
    ),
    "each way of a branch writes": (
        ["WF500 error b"],
        writing(CHOICE.replace("c:false->j", "c:false->d d:ok->j"), "a:m d:m b:m"),
    ),
    "a branch that need not be activated": (
        ["WF501 warning b"],
        changed(BOTH | {"input_schema": INPUT}, "k", branches=["p", {"outcome": "q", "when": CHECK}]),
    ),
    "items over an array of any length": (["WF501 warning a"], loop("a:m")),
    "items over two": (["WF500 error a"], loop("a:m", [1, 2])),
    "items over two, on one way": (
        ["WF501 warning a"],
        loop("a:m", [1, 2], "e:item->c c:true->a c:false->e a:ok->e e:done->__end__"),
    ),
    "an object and a field of it": (["WF502 error b"], writing(FORK, "a:o b:o.k", state={"o": {}})),
    "an object and a field of it, perhaps": (["WF502 warning b"], writing(CHOICE, "a:o b:o.k", state={"o": {}})),
    "three branches": (
        ["WF500 error b"],
        writing("k:p->a k:q->b k:r->d a:ok->j b:ok->j d:ok->j j:ok->__end__", "a:m b:m d:m"),
    ),
    "an inner fork always hands on": (
        ["WF500 error b"],
        writing("k:p->k1 k:q->b k1:r->a k1:s->d a:ok->j1 d:ok->j1 j1:ok->j b:ok->j j:ok->__end__", "a:m b:m"),
    ),
    "an inner loop may have no items": (
        ["WF501 warning b"],
        changed(
            writing("k:p->e k:q->b e:item->a a:ok->e e:done->j b:ok->j j:ok->__end__", "a:m b:m", input_schema=INPUT),
            "e", over="input.xs",
        ),
    ),
    "a clash is told at the innermost barrier only": (
        ["WF500 error b"],
        loop("a:m b:m", [1, 2], "e:item->k k:p->a k:q->b a:ok->j b:ok->j j:ok->e e:done->__end__"),
    ),
    "inner items clash through the outer loop": (
        ["WF500 error a"],
        loop("a:m", [1, 2], "e:item->e1 e1:item->a a:ok->e1 e1:done->e e:done->__end__"),
    ),
    "checks that do not exclude one another": (
        ["WF501 warning b"],
        guarded(CHECK, CHECK | {"op": "ge"}),
    ),
    "checks of what a branch changes": (
        ["WF501 warning b"],
        changed(
            changed(
                writing(CASES.replace("k:p->c ", "k:p->d d:ok->c "), "d:n b:m a:m", state={"m": {}, "n": ONE}),
                "c", check=CHECK | {"left": {"path": "state.n"}},
            ),
            "c1", check=CHECK | {"op": "ne", "left": {"path": "state.n"}},
        ),
    ),
}  # fmt: skip
SILENT = {
    "branches that write different places": writing(FORK, "a:m b:o"),
    "branches that write different fields": writing(FORK, "a:o.k b:o.l"),
    "places that do not exist, so that neither write succeeds": writing(
        FORK, "a:o.z b:o.z", state={"o": {"type": "object", "properties": {}, "additionalProperties": False}}
    ),
    "values of which none is taken": writing(FORK, "a:m b:m", state={"m": {"type": "string"}}),
    "a reducer that merges": writing(FORK, "a:log b:log"),
    "a local place": changed(BOTH, "k", locals=["state.m"]),
    "a place below a local one": changed(writing(FORK, "a:o.k b:o"), "k", locals=["state.o"]),
    "two ways of one branch": writing(CHOICE.replace("c:false->j", "c:false->d d:ok->j"), "a:m d:m"),
    "exclusive branches of a condition": writing("c:true->a c:false->b a:ok->__end__ b:ok->__end__", "a:m b:m"),
    "two writes of one lineage": writing("k:p->a k:q->j a:ok->b b:ok->j j:ok->__end__", "a:m b:m"),
    "a serial loop": changed(loop("a:m"), "e", mode="serial"),
    "one item": loop("a:m", [1]),
    "no more than one item": loop("a:m") | {"input_schema": FEW},
    "a loop that writes when it is done": changed(loop(""), "e", output=[{"source": "count", "target": "state.m"}]),
    "branches of which only one is activated": guarded(CHECK, CHECK | {"op": "ne"}),
    "opposite checks of the input": guarded(CHECK, {"op": "not", "arg": CHECK}),
    "checks inside that exclude one another": changed(
        changed(writing(CASES, "a:m b:m", input_schema=INPUT), "c", check=CHECK),
        "c1", check=CHECK | {"right": {"value": 2}},
    ),
    "one writer": writing(FORK, "a:m"),
    "what stays local to inner items": changed(
        loop("a:m", [1, 2], "e:item->e1 e1:item->a a:ok->e1 e1:done->e e:done->__end__"), "e1", locals=["state.m"],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("findings", "document"), SPOKEN.values(), ids=SPOKEN.keys())
def test_it_speaks(findings: list[str], document: Json) -> None:
    assert told(document, siblings.CODES) == findings


@pytest.mark.parametrize("document", SILENT.values(), ids=SILENT.keys())
def test_it_stays_silent(document: Json) -> None:
    assert told(document, siblings.CODES) == []


def test_a_conflict_shows_both_writes_and_what_runs_them() -> None:
    (one,) = found(BOTH, siblings.CODES)
    assert [(each.role, each.at.pointer) for each in one.related] == [
        ("conflicts", "/nodes/1/output/0/target"),
        ("on the path", "/nodes/0"),
        ("declared", "/state_schema/properties/m"),
    ]
    assert one.facts["writers"] == ["a", "b"]
    assert one.facts["path"] == ["k:q", "b"]
    assert one.message.startswith("`a` and `b` write `state.m` side by side")


def test_what_nobody_reads_can_be_local() -> None:
    document = writing(FORK, "a:m b:m", output=[])
    (one,) = found(document, siblings.CODES)
    assert [fix.title for fix in one.fixes] == ["Make `state.m` local to each"]
    assert told(fixed(document, one), siblings.CODES) == []


def test_what_an_item_hands_on_to_the_next_one_asks_for_a_serial_loop() -> None:
    document = loop("a:m a:o.k", output=[], state={"m": {"default": 1}, "o": {"type": "object"}})
    document = changed(document, "a", input=[{"target": "x", "path": "state.m"}])
    findings = found(document, siblings.CODES)
    assert [fix.title for one in findings for fix in one.fixes] == ["Run the items of `e` one after the other"] * 2
    (loop_,) = [step for step in fixed(document, findings[0])["nodes"] if step["id"] == "e"]
    assert "mode" not in loop_
    assert told(fixed(document, findings[0]), siblings.CODES) == []


def test_what_an_item_reads_after_it_has_written_it_is_handed_on_to_nobody() -> None:
    document = loop("a:m b:o.k", output=[], arrows="e:item->a a:ok->b b:ok->e e:done->__end__")
    document = changed(document, "b", input=[{"target": "x", "path": "state.m"}])
    (first, _) = found(document, siblings.CODES)
    assert [fix.title for fix in first.fixes] == ["Make `state.m` local to each"]


def test_elements_of_a_list_are_appended() -> None:
    document = loop("a:m", state={"m": {"type": "array", "default": []}})
    document = changed(document, "a", input=[{"target": "x", "value": [1]}])
    (one,) = found(document, siblings.CODES)
    assert [fix.title for fix in one.fixes] == ["Let `state.m` merge by `wf.std.append`"]
    assert told(fixed(document, one), siblings.CODES) == []


# What is put together


def test_a_limit_that_no_item_breaks_alone_may_be_broken_by_all() -> None:
    few = LOG | {"items": {"type": "integer"}, "maxItems": 2}
    assert told(loop("a:m", state={"m": few}), merges.CODES) == ["WF590 note a"]


@pytest.mark.parametrize(
    "rule",
    [{"maxProperties": 1}, {"dependentRequired": {"k": ["l"]}}, {"oneOf": [{"required": ["k"]}, {"required": ["l"]}]}],
)
def test_fields_of_one_object_may_be_wrong_together(rule: Json) -> None:
    state = {"o": {"type": "object", "properties": {"k": {}, "l": {}}, **rule}}
    assert told(writing(FORK, "a:o.k b:o.l", state=state), merges.CODES) == ["WF590 note b"]


ALONE = {
    "any number of elements": loop("a:m", state={"m": LOG | {"items": {"type": "integer"}}}),
    "one item": loop("a:m", [1], state={"m": LOG | {"items": {"type": "integer"}, "maxItems": 2}}),
    "fields that do not depend on one another": writing(FORK, "a:o.k b:o.l"),
    "a sum without a limit": loop("a:m", state={"m": {"type": "integer", "reducer": "wf.std.add", "default": 0}}),
    "the largest of values that are all right": loop(
        "a:m", state={"m": {"type": "integer", "maximum": 9, "reducer": "wf.std.max", "default": 0}}
    ),
    "one lineage": writing(FORK, "a:o.k a:o.l", state={"o": {"type": "object", "maxProperties": 2}}),
    "a rule about another object": writing(FORK, "a:m b:log", state={"m": {"maxProperties": 1}, "log": LOG}),
}


@pytest.mark.parametrize("document", ALONE.values(), ids=ALONE.keys())
def test_what_fits_alone_fits_together(document: Json) -> None:
    assert told(document, merges.CODES) == []


# Loops whose items could run side by side

ANSWER = {"type": "object", "properties": {"y": {}}, "required": ["y"]}
ASK = {"name": "ask", "outcomes": ["ok"], "effects": "read", "output_schema": ANSWER}

UNKNOWN = {"name": "ask", "outcomes": ["ok"], "output_schema": ANSWER}


def asking(target: str, arrows: str = LOOP, **fields: object) -> Json:
    """A serial loop whose body calls something that only reads."""
    made = writing(arrows, "", input_schema=INPUT, node_defs=[ASK | fields])
    step = {"id": "a", "type": "node", "node": "ask", "output": [{"source": "y", "target": target}]}
    nodes = [step if each["id"] == "a" else each for each in made["nodes"]]
    return changed(made | {"nodes": nodes}, "e", over="input.xs")


def test_items_that_need_nothing_of_one_another() -> None:
    (one,) = found(asking("state.log"), independence.CODES)
    assert (one.at.pointer, one.severity) == ("/nodes/0", "note")
    assert told(fixed(asking("state.log"), one), independence.CODES) == []


NEEDED = {
    "the last one wins": asking("state.m"),
    "a call that changes the world": asking("state.log", effects="write"),
    "a call that may change the world": asking("state.log") | {"node_defs": [UNKNOWN]},
    "an item reads what was written": changed(asking("state.log"), "a", input=[{"target": "z", "path": "state.log"}]),
    "parallel already": changed(asking("state.log"), "e", mode="parallel"),
    "one item": changed(asking("state.log"), "e", over={"value": [1]}),
    "nothing that takes time": changed(loop("a:log"), "e", mode="serial"),
    "a person is asked": asking("state.log", "e:item->a a:ok->h h:x->e e:done->__end__"),
}  # fmt: skip


@pytest.mark.parametrize("document", NEEDED.values(), ids=NEEDED.keys())
def test_items_that_have_to_wait(document: Json) -> None:
    assert told(document, independence.CODES) == []


def test_what_is_local_to_an_item_is_no_dependence() -> None:
    document = changed(asking("state.m"), "e", locals=["state.m"])
    assert told(document, independence.CODES) == ["WF506 note e"]


def test_many_branches_and_deep_nests_are_ordinary() -> None:
    wide = writing(
        " ".join(f"k:b{n}->a{n} a{n}:ok->j" for n in range(2_000)) + " j:ok->__end__",
        " ".join(f"a{n}:m" for n in range(2_000)),
    )
    (one,) = found(wide, siblings.CODES)
    assert one.hides == 1_998
    deep = [f"e{n}:item->e{n + 1}" for n in range(500)] + [f"e{n + 1}:done->e{n}" for n in range(500)]
    assert (
        told(flow(" ".join([*deep, "e500:item->a", "a:ok->e500", "e0:done->__end__"]), start="e0"), siblings.CODES)
        == []
    )
