"""What the grammar's rules for names, bindings and conditions make: JSON with the place of everything in it."""

from __future__ import annotations

from typing import Any

from wfc.frontend.text.build_types import json_value
from wfc.frontend.text.lexer import Lexeme
from wfc.frontend.text.parts import Part, an_array, an_object
from wfc.frontend.text.write_values import ROOTS, set_fields
from wfc.records import dataclass

_COMPARED = {"==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}


def word(lexeme: Lexeme) -> Part:
    """A name, however it is written; `mark` tells that it stands in quotes."""
    quoted = lexeme.type == "STRING"
    text = lexeme.value if quoted else lexeme.text
    return Part(text, lexeme.start, lexeme.end, None, "quoted" if quoted else None)


def name(children: list[Any]) -> Part:
    return word(children[0])


dotted = path = local = name


def names(children: list[Any]) -> list[Part]:
    return children[::2]


def array_of(parts: list[Part]) -> Part:
    """An array of what stands side by side."""
    return an_array(parts, parts[0].start, parts[-1].end)


def duration(children: list[Any]) -> Part:
    return json_value(children[0])


# -- bindings ---------------------------------------------------------------------------------------------------------


def args(children: list[Any]) -> Part:
    return an_array([child for child in children if isinstance(child, Part)], children[0].start, children[-1].end)


def binding(children: list[Any]) -> Part:
    target, _, source = children
    made = an_object(target.start, source.end)
    made.put("target", target)
    _put_source(made, source)
    return made


def _put_source(made: Part, source: Part | Lexeme) -> None:
    if isinstance(source, Lexeme):
        made.put("value", json_value(source))
    else:
        made.put("path", read_path(source))


def read_path(path_: Part) -> Part:
    """A path that is read: a name alone is that of an item."""
    if "." in path_.value or path_.value in ROOTS:
        return path_
    return Part(f"context.{path_.value}", *path_.stretch, None, path_.mark)


def same_name(children: list[Any]) -> Part:
    found: Lexeme = children[0]
    last = found.text.rpartition(".")[2]
    made = an_object(found.start, found.end)
    made.put("target", Part(last, found.end - len(last), found.end))
    made.put("path", Part(found.text, found.start, found.end))
    return made


def raw(children: list[Any]) -> Part:
    return json_value(children[1])


raw_binding = raw_branch = raw_condition = raw


def write(children: list[Any]) -> Part:
    if isinstance(children[0], Lexeme):
        return raw(children)
    written, _, source, _, on = children
    target = in_state(written)
    if source is None:
        last = target.value.rpartition(".")[2]
        source = Part(last, target.end - len(last), target.end)
    end = on[-1].end if on else max(source.end, target.end)
    made = an_object(target.start, end)
    made.put("source", source)
    made.put("target", target)
    if on:
        made.put("on", array_of(on))
    return made


def in_state(path_: Part) -> Part:
    """A path that is written: of state, whether that is said or not."""
    root = path_.value.partition(".")[0]
    if root in ROOTS:
        return path_
    return Part(f"state.{path_.value}", *path_.stretch, None, path_.mark)


def writes(children: list[Any]) -> Part:
    return array_of([child for child in children if isinstance(child, Part)])


def assignment(children: list[Any]) -> tuple[Part, Part | Lexeme]:
    return in_state(children[0]), children[2]


def assigned(pairs: list[tuple[Part, Part | Lexeme]]) -> tuple[Part, Part]:
    """Input and output bindings of the record that carries assignments."""
    fields = set_fields([target.value for target, _ in pairs])
    given, taken = [], []
    for (target, source), name_ in zip(pairs, fields, strict=True):
        carrier = Part(name_, *target.stretch)
        into = an_object(target.start, source.end)
        into.put("target", carrier)
        _put_source(into, source)
        given.append(into)
        out = an_object(*target.stretch)
        out.put("source", Part(name_, *target.stretch))
        out.put("target", target)
        taken.append(out)
    return array_of(given), array_of(taken)


# -- ways -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Target:
    """Where an edge leads: a step, or an end of the workflow with this outcome."""

    name: Part
    is_end: bool
    start: int
    end: int
    is_next: bool = False


def to_end(children: list[Any]) -> Target:
    word, outcome = children
    named = outcome or Part("ok", word.start, word.end)
    return Target(named, True, word.start, named.end)


def to_next(end: int) -> Target:
    """The step below; `end` is where the line ends."""
    return Target(Part("", end, end), False, end, end, is_next=True)


def to_step(children: list[Any]) -> Target:
    return Target(children[0], False, *children[0].stretch)


# -- conditions -------------------------------------------------------------------------------------------------------


def any_of(children: list[Any]) -> Part:
    return _several("or", children)


def all_of(children: list[Any]) -> Part:
    return _several("and", children)


def _several(op: str, children: list[Any]) -> Part:
    if len(children) == 1:
        return children[0]  # type: ignore[no-any-return]
    parts, sign = children[::2], children[1]
    made = an_object(parts[0].start, parts[-1].end)
    made.put("op", Part(op, sign.start, sign.end))
    made.put("args", array_of(parts))
    return made


def _one(op: str, children: list[Any]) -> Part:
    sign, _, inner, closer = children
    made = an_object(sign.start, closer.end)
    made.put("op", Part(op, sign.start, sign.end))
    made.put("args", array_of([inner]))
    return made


def all_of_one(children: list[Any]) -> Part:
    return _one("and", children)


def any_of_one(children: list[Any]) -> Part:
    return _one("or", children)


def negated(children: list[Any]) -> Part:
    sign, inner = children
    made = an_object(sign.start, inner.end)
    made.put("op", Part("not", sign.start, sign.end))
    made.put("arg", inner)
    return made


def compared(children: list[Any]) -> Part:
    left, sign, right = children
    made = an_object(left.start, right.end)
    made.put("op", Part(_COMPARED[sign.text], sign.start, sign.end))
    made.put("left", left)
    made.put("right", right)
    return made


def operand(children: list[Any]) -> Part:
    found = children[0]
    made = an_object(found.start, found.end)
    _put_source(made, found)
    return made


def exists(children: list[Any]) -> Part:
    sign, found = children
    made = an_object(sign.start, found.end)
    made.put("op", Part("exists", sign.start, sign.end))
    made.put("path", read_path(found))
    return made


def bracketed_condition(children: list[Any]) -> Part:
    return children[1]  # type: ignore[no-any-return]
