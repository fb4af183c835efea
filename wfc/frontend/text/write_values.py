"""Paths, bindings and conditions as text; none where only JSON can say what is written there."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from wfc.frontend.text.layout import BREAK, Fragment, Group, joined, literal, separated
from wfc.frontend.text.words import CLAUSES, COMPARED, ENTRIES, NAME, name, text_literal
from wfc.frontend.unrolled import Walk, unrolled
from wfc.ir import kind_of
from wfc.paths import GraphSourcePath, LocalPath, PathError, StatePath

# What a path begins with that says where it leads; any other is a field of the state where state is written.
ROOTS = frozenset(("state", "input", "context"))
# Words that mean something else where a path is read.
_NO_ITEMS = ROOTS | CLAUSES | ENTRIES | {"true", "false", "null", "end"}
Kind = type[GraphSourcePath] | type[StatePath] | type[LocalPath]


def path_text(kind: Kind, written: Any) -> str | None:
    """A path in its string form."""
    try:
        return str(kind.parse(written))
    except PathError:
        return None


def written_path(written: Any) -> str | None:
    """A path of state where it is written, without its root where that goes without saying."""
    path = path_text(StatePath, written)
    if path is None:
        return None
    short = path.removeprefix("state.")
    return path if short.partition(".")[0] in ROOTS or short in ENTRIES else short


def read_text(written: Any) -> str | None:
    """A path that is read; an item is known by its name."""
    path = path_text(GraphSourcePath, written)
    if path is None:
        return None
    root, _, item = path.partition(".")
    alone = root == "context" and item and "." not in item and item not in _NO_ITEMS
    return item if alone else path


def _local(written: Any) -> str | None:
    path = path_text(LocalPath, written)
    return text_literal(path) if path in ENTRIES else path


def alternatives(names: Any) -> str | None:
    """Names with bars between them."""
    if not isinstance(names, list) or not names or not all(isinstance(one, str) for one in names):
        return None
    return " | ".join(map(name, names))


# -- bindings ---------------------------------------------------------------------------------------------------------


def _each(written: Any, one: Callable[[dict[str, Any]], Fragment | None]) -> list[Fragment] | None:
    """Every entry of a list as text; what has no text of its own is JSON. None for what is no list."""
    if not isinstance(written, list):
        return None
    made = [one(entry) if isinstance(entry, dict) else None for entry in written]
    return [("json ", *literal(raw)) if text is None else text for text, raw in zip(made, written, strict=True)]


def given_text(written: Any) -> Fragment | None:
    """Input bindings in parentheses; nothing where there are none."""
    entries = _each(written, _input_binding)
    if not entries:
        return None if entries is None else ()
    return (Group("(", ")", tuple(entries)),)


def _input_binding(written: dict[str, Any]) -> Fragment | None:
    target = _local(written.get("target"))
    if target is None:
        return None
    if set(written) == {"target", "value"}:
        return joined(f"{target} = ", literal(written["value"]))
    path = path_text(GraphSourcePath, written.get("path"))
    if path is None or not _is_only(written, {"target", "path"}):
        return None
    _, dot, last = path.rpartition(".")
    return (path if dot and last == target else f"{target} = {read_text(path)}",)


def _is_only(written: dict[str, Any], keys: set[str]) -> bool:
    """Whether an object has these keys and no other one that says something."""
    return (
        keys <= set(written)
        and all(key in keys or (value is None and key == "value") for key, value in written.items())
        and ("value" not in written)
    )


def taken_text(written: Any) -> Fragment | None:
    """Output bindings behind an arrow; nothing where there are none."""
    entries = _each(written, _output_binding)
    if entries is None:
        return None
    return joined(f"{BREAK}-> ", separated(entries, ", ")) if entries else ()


def _output_binding(written: dict[str, Any]) -> Fragment | None:
    source, target = _local(written.get("source")), written_path(written.get("target"))
    if source is None or target is None or not set(written) <= {"source", "target", "on"}:
        return None
    said = target if source == target.rpartition(".")[2] else f"{target} = {source}"
    if written.get("on") is None:
        return (said,)
    outcomes = alternatives(written["on"])
    return None if outcomes is None else (f"{said} on {outcomes}",)


def set_text(step: dict[str, Any]) -> Fragment | None:
    """The assignments of a step that only sets state paths; none where it does more, or names fields otherwise."""
    given, taken = step.get("input"), step.get("output")
    if not isinstance(given, list) or not isinstance(taken, list) or len(given) != len(taken) or not given:
        return None
    pairs = list(zip(given, taken, strict=True))
    if not all(isinstance(one, dict) for pair in pairs for one in pair):
        return None
    targets = [written_path(into.get("target")) if set(into) == {"source", "target"} else None for _, into in pairs]
    if None in targets:
        return None
    fields = set_fields([str(target) for target in targets])
    entries = []
    for (binding, into), target, field in zip(pairs, targets, fields, strict=True):
        if binding.get("target") != field or path_text(LocalPath, into["source"]) != field:
            return None
        if set(binding) == {"target", "value"}:
            entries.append(joined(f"{target} = ", literal(binding["value"])))
        elif set(binding) == {"target", "path"} and (path := read_text(binding["path"])) is not None:
            entries.append((f"{target} = {path}",))
        else:
            return None
    return separated(entries, ", ")


def set_fields(targets: Iterable[str]) -> list[str]:
    """The fields of a record that carry what state paths are set to: their last segments, where these differ."""
    paths = [target.removeprefix("state.").split(".") for target in targets]
    last = [path[-1] for path in paths]
    return last if len(set(last)) == len(last) else ["_".join(path) for path in paths]


# -- conditions -------------------------------------------------------------------------------------------------------

_OR, _AND, _NOT, _ATOM = range(4)


def condition_text(written: Any) -> Fragment:
    """A condition; a part that is none is JSON."""
    made: tuple[Fragment, int] = unrolled(_condition(written))
    return made[0]


def _condition(written: Any) -> Walk:
    """The text of a condition and how tightly it binds."""
    op = written.get("op") if isinstance(written, dict) else None
    if op in ("and", "or") and set(written) == {"op", "args"} and isinstance(written["args"], list) and written["args"]:
        return (yield from _several(op, written["args"]))
    if op == "not" and set(written) == {"op", "arg"}:
        inner, tight = yield _condition(written["arg"])
        return joined("not ", _within(inner, tight, _NOT)), _NOT
    if op == "exists" and set(written) == {"op", "path"}:
        path = read_text(written["path"])
        if path is not None:
            return (f"exists {path}",), _ATOM
    if isinstance(op, str) and op in COMPARED and set(written) == {"op", "left", "right"}:
        left, right = _operand(written["left"]), _operand(written["right"])
        if left is not None and right is not None:
            return joined(left, f" {COMPARED[op]} ", right), _ATOM
    return joined("json ", literal(written)), _ATOM


def _several(op: str, args: list[Any]) -> Walk:
    level = _AND if op == "and" else _OR
    parts = []
    for arg in args:
        inner, tight = yield _condition(arg)
        parts.append(_within(inner, tight, level + 1))
    if len(parts) == 1:
        return joined(f"{op} (", parts[0], ")"), _ATOM
    return separated(parts, f"{BREAK}{op} "), level


def _within(inner: Fragment, tight: int, wanted: int) -> Fragment:
    return inner if tight >= wanted else joined("(", inner, ")")


def _operand(written: Any) -> Fragment | None:
    if isinstance(written, dict):
        if set(written) == {"value"}:
            return literal(written["value"])
        path = read_text(written.get("path")) if set(written) == {"path"} else None
        return None if path is None else (path,)
    return literal(written) if kind_of(written) in ("number", "boolean", "null") else None


def is_name(written: Any) -> bool:
    return isinstance(written, str) and NAME.match(written) is not None
