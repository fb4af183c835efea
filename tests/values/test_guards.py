"""What a check or a look has found is there as long as nothing takes it away."""

from __future__ import annotations

import pytest

from tests.values.studied import Json, Studied
from tests.values.telling import EQ, IF, MAY, PAIR, O, Q, check, presences, told
from tests.values.workflows import (
    both,
    choice,
    compare,
    exists,
    look,
    no,
    put,
    some,
    stand,
    workflow,
)

# Guards


def guarded(condition: Json, at: str) -> Json:
    """A workflow with the step `here` on one side of a condition."""
    sides = {"true": "end", "false": "end", at: "here"}
    return workflow(choice("c", condition, sides["true"], sides["false"]), stand("here"), **MAY)


@pytest.mark.parametrize(
    ("condition", "side", "o", "q"),
    [
        (O, "true", "always", "maybe"),
        (O, "false", "never", "maybe"),
        (no(O), "true", "never", "maybe"),
        (no(O), "false", "always", "maybe"),
        (both(O, Q), "true", "always", "always"),
        (both(O, Q), "false", "maybe", "maybe"),
        (some(O, Q), "true", "maybe", "maybe"),
        (some(O, Q), "false", "never", "never"),
        (some(no(O), no(Q)), "false", "always", "always"),
        (both(IF, O), "true", "always", "maybe"),
        (some(IF, O), "true", "maybe", "maybe"),
        (some(both(O, Q), both(Q, O)), "true", "always", "always"),
        # A comparison that has an answer has found both sides.
        (EQ, "true", "always", "maybe"),
        (EQ, "false", "always", "maybe"),
        (some(IF, EQ), "true", "maybe", "maybe"),
        (some(IF, EQ), "false", "always", "maybe"),
        (both(O, EQ), "false", "maybe", "maybe"),
    ],
)
def test_guards(condition: Json, side: str, o: str, q: str) -> None:
    assert presences(guarded(condition, side), "here input.o", "here input.q") == [o, q]


@pytest.mark.parametrize(
    ("condition", "side", "expected"),
    [
        (exists("input.d.l"), "true", ["always", "always", "always"]),
        (exists("input.d.l"), "false", ["maybe", "maybe", "never"]),
        (exists("input.d"), "true", ["always", "always", "maybe"]),
        # What an object has to have is missing only with the object.
        (exists("input.d.k"), "false", ["never", "never", "never"]),
    ],
)
def test_guards_of_nested_places(condition: Json, side: str, expected: list[str]) -> None:
    assert presences(guarded(condition, side), "here input.d", "here input.d.k", "here input.d.l") == expected


def operand_presences(condition: Json) -> list[str]:
    """The presence of each operand where it is evaluated, in the order of evaluation."""
    studied = Studied(workflow(choice("c", condition, "end", "end"), **MAY))
    return [studied.values.presence(read).value for read in studied.reads("c") if read.role == "operand"]


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        (EQ, ["maybe"]),
        (both(O, EQ), ["always"]),
        (both(EQ, O), ["maybe"]),
        (some(O, EQ), ["never"]),
        (some(no(O), EQ), ["always"]),
        (no(both(O, EQ)), ["always"]),
        (both(some(O, IF), EQ), ["always", "maybe"]),
        (both(EQ, EQ), ["maybe", "always"]),
        (both(O, no(some(compare("lt", "input.o", 1), EQ))), ["always", "always"]),
    ],
)
def test_operands_behind_their_guards(condition: Json, expected: list[str]) -> None:
    assert operand_presences(condition) == expected


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        # A guard holds until a write undoes it.
        told(
            workflow(
                put("w", "state.p", "c", {}),
                choice("c", exists("state.p.a"), "here", "end"),
                stand("here"),
                state={"p": PAIR},
            ),
            state__p__a="always",
        ),
        told(
            workflow(
                choice("c", exists("state.p.a"), "u", "end"),
                put("u", "state.p", "here", {}),
                stand("here"),
                state={"p": PAIR},
            ),
            state__p__a="never",
        ),
        told(
            workflow(
                choice("c", exists("state.p.a"), "u", "end"),
                put("u", "state.p.b", "here"),
                stand("here"),
                state={"p": PAIR},
            ),
            state__p__a="always",
        ),
        # What has been read is there afterwards.
        told(workflow(look("r", "input.o", "here"), stand("here"), **MAY), input__o="always", input__q="maybe"),
        told(
            workflow(choice("c", IF, "r", "here"), look("r", "input.o", "here"), stand("here"), **MAY),
            input__o="maybe",
        ),
    ],
)
def test_what_a_look_has_found(document: Json, expected: dict[str, str]) -> None:
    check(document, expected)
