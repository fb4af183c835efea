"""Why a look may find nothing: a way on which nothing puts there what it looks for."""

from __future__ import annotations

import pytest

from tests.values.studied import Json, Studied
from tests.values.workflows import (
    BOOLEAN,
    INTEGER,
    choice,
    compare,
    copy,
    each,
    exists,
    fork,
    join,
    look,
    put,
    record,
    stand,
    workflow,
)

FLAG = {"input_schema": record({"flag": BOOLEAN, "xs": {"type": "array"}}, {"may": INTEGER})}
IF = compare("eq", "input.flag", True)
PAIR = record(optional={"a": INTEGER, "b": INTEGER})


def why(document: Json, step: str) -> tuple[list[str], str | None, list[str]] | None:
    """The way, the step that undid it, and the steps that write it, for the first look of a step."""
    studied = Studied(document)
    found = studied.values.why_missing(studied.reads(step)[0])
    if found is None:
        return None
    undone = None if found.undone is None else found.undone.step
    return list(found.way), undone, [write.step for write in found.writes]


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        (workflow(put("w", "state.x", "r"), look("r", "state.x")), None),
        (workflow(look("r", "state.x", "w"), put("w", "state.x")), (["r"], None, ["w"])),
        (
            workflow(choice("c", IF, "w", "r"), put("w", "state.x", "r"), look("r", "state.x"), **FLAG),
            (["c:false", "r"], None, ["w"]),
        ),
        (
            workflow(each("e", "input.xs", "w", "r"), put("w", "state.x", "e"), look("r", "state.x"), **FLAG),
            (["e:done", "r"], None, ["w"]),
        ),
        (
            workflow(
                fork("k", {"p": "w", "q": "j"}, {"p": IF}),
                put("w", "state.x", "j"),
                join("j", "r"),
                look("r", "state.x"),
                **FLAG,
            ),
            (["j:ok", "r"], None, ["w"]),
        ),
        # What was there and was taken away begins with what took it.
        (
            workflow(
                put("w", "state.p.a", "u"), put("u", "state.p", "r", {}), look("r", "state.p.a"), state={"p": PAIR}
            ),
            (["w:ok", "u:ok", "r"], "u", ["w", "u"]),
        ),
        (
            workflow(
                put("w", "state.p.a", "c"),
                choice("c", IF, "u", "r"),
                put("u", "state.p", "r", {}),
                look("r", "state.p.a"),
                state={"p": PAIR},
                **FLAG,
            ),
            (["w:ok", "c:true", "u:ok", "r"], "u", ["w", "u"]),
        ),
        # A guard on the way is none on the other side.
        (
            workflow(choice("c", exists("input.may"), "end", "r"), look("r", "input.may"), **FLAG),
            (["c:false", "r"], None, []),
        ),
        # Of a long way its last part is told.
        (
            workflow(*(stand(f"s{n}", f"s{n + 1}") for n in range(20)), look("s20", "state.x")),
            (["…", *(f"s{n}:ok" for n in range(8, 20)), "s20"], None, []),
        ),
    ],
)
def test_ways(document: Json, expected: tuple[list[str], str | None, list[str]] | None) -> None:
    assert why(document, "s20" if "s20" in str(document) else "r") == expected


def test_a_place_above_may_be_what_is_missing() -> None:
    steps = (choice("c", IF, "w", "r"), put("w", "state.p", "r", {"a": 1}), copy("r", "state.p.a", "state.q"))
    studied = Studied(workflow(*steps, state={"p": PAIR}, **FLAG))
    (read,) = studied.reads("r")[:1]
    above, whole = (studied.values.why_missing(read, depth) for depth in (0, 1))
    assert above is not None and above == whole
