"""A patch of a JSON value as changes of its text, so that what it does not touch stays as its author wrote it.

Guarantees: the changed text reads as the patched value; the changes stand in order and do not overlap; a line on which
nothing changes stays, but for the comma that an entry behind it needs. A value that is moved keeps its layout.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from itertools import zip_longest
from typing import Any

from wfc.edits import Change, changes
from wfc.frontend.json_places import Entry, Stretch
from wfc.frontend.json_style import Style, indentation, key_text, reindented, style_of, value_text
from wfc.ir import equal
from wfc.records import dataclass, field
from wfc.source import Edit, edited, lookup

# Where a container begins → its entries, by key or index.
Inside = Callable[[int], Mapping[str, Entry]]


def json_edits(
    text: str, value: Any, patch: Iterable[Mapping[str, Any]], whole: Stretch, inside: Inside
) -> tuple[Edit, ...]:
    """The changes of `text`, which holds `value` at `whole`, that a patch asks for. Raises `PatchFault`."""
    paper = _Paper(text, inside, _Part(None, whole))
    for change in changes(value, patch):
        _make(paper, change)
    return tuple(sorted(_edits(paper, paper.root), key=_order))


@dataclass(slots=True, eq=False)
class _Part:
    """A value on the paper: as it stands at `stretch`, with changes inside of `box`; or, where `fresh`, written anew.

    `written` is how the author wrote a fresh value elsewhere, and at which indentation.
    """

    key: str | None
    stretch: Stretch | None
    fresh: bool = False
    value: Any = None
    written: tuple[str, str] | None = None
    box: _Box | None = None

    def renew(self, value: Any) -> None:
        self.fresh, self.value, self.written, self.box = True, value, None, None


@dataclass(slots=True, eq=False)
class _Box:
    """A container on the paper that was not empty at first.

    `order` names the entries that stood in it at first by their first keys, between parts that came; `touched` are
    those of them at which something changes.
    """

    keyed: bool
    stretch: Stretch
    inside: Mapping[str, Entry]
    order: list[str | _Part]
    touched: dict[str, _Part] = field(default_factory=dict)

    def part(self, item: str | _Part) -> _Part:
        if isinstance(item, _Part):
            return item
        if item not in self.touched:
            self.touched[item] = _Part(item if self.keyed else None, self.inside[item][1])
        return self.touched[item]

    def find(self, name: str) -> int | None:
        """Where in `order` the entry of a key or index stands."""
        if not self.keyed:
            return int(name)
        return next((place for place, item in enumerate(self.order) if self._key(item) == name), None)

    def _key(self, item: str | _Part) -> str | None:
        if isinstance(item, str):
            return self.touched[item].key if item in self.touched else item
        return item.key

    def start(self, name: str) -> int:
        key, value = self.inside[name]
        return (key or value)[0]

    def end(self, name: str) -> int:
        return self.inside[name][1][1]


@dataclass(slots=True, eq=False)
class _Carried:
    """What a move has taken out: where it stood, and how its author wrote it."""

    box: _Box
    place: int
    item: str | _Part
    written: tuple[str, str] | None


@dataclass(eq=False)
class _Paper:
    """A text in the making; owned by one call of `json_edits`."""

    text: str
    inside: Inside
    root: _Part
    carried: _Carried | None = None

    @cached_property
    def style(self) -> Style:
        return style_of(self.text)


# -- making changes ---------------------------------------------------------------------------------------------------


def _make(paper: _Paper, change: Change) -> None:
    if not change.path:
        _settle(paper, paper.root, change.old, change.value)
        return
    box, name = _holder(paper, change), change.path[-1]
    if box is None:
        paper.carried = None
    elif change.act == "taken":
        _take(paper, box, name, change)
    elif change.act == "set":
        _settle(paper, box.part(box.order[_there(box, name)]), change.old, change.value)
    else:
        _put(paper, box, name, change)


def _holder(paper: _Paper, change: Change) -> _Box | None:
    """The container in which something changes; none inside of what is written anew, which then is as it is now."""
    part, way = paper.root, change.path[:-1]
    for depth in range(len(way) + 1):
        box = None if part.fresh else _open(paper, part)
        if box is None:
            part.renew(lookup(change.whole, way[:depth])[0])
            return None
        if depth < len(way):
            part = box.part(box.order[_there(box, way[depth])])
    return box


def _there(box: _Box, name: str) -> int:
    place = box.find(name)
    assert place is not None, "the patch applies to the value"
    return place


def _open(paper: _Paper, part: _Part) -> _Box | None:
    """The container that a part is; none for an empty one, which is written anew as soon as something comes into it."""
    if part.box is None:
        assert part.stretch is not None
        inside = paper.inside(part.stretch[0])
        if not inside:
            return None
        part.box = _Box(paper.text[part.stretch[0]] == "{", part.stretch, inside, list(inside))
    return part.box


def _take(paper: _Paper, box: _Box, name: str, change: Change) -> None:
    place = _there(box, name)
    item = box.order.pop(place)
    paper.carried = _Carried(box, place, item, _as_written(paper, box, item)) if change.carried else None


def _put(paper: _Paper, box: _Box, name: str, change: Change) -> None:
    carried = paper.carried if change.carried else None
    there = box.find(name) if box.keyed else None
    if there is not None:
        _settle(paper, box.part(box.order[there]), change.old, change.value)
    elif carried is not None and carried.box is box and box.keyed:
        # Another key for the same value stays where the old one stood.
        box.part(carried.item).key = name
        box.order.insert(carried.place, carried.item)
    else:
        part = _Part(name if box.keyed else None, None)
        part.renew(change.value)
        part.written = carried.written if carried else None
        box.order.insert(len(box.order) if box.keyed or name == "-" else int(name), part)


def _settle(paper: _Paper, part: _Part, old: Any, new: Any) -> None:
    """Let a part hold another value; what both have in common stays as it is written."""
    todo = [(part, old, new)]
    while todo:
        part, old, new = todo.pop()
        box = None
        if not part.fresh and isinstance(old, (dict, list)) and type(old) is type(new) and new:
            box = _open(paper, part)
        if box is None:
            if part.fresh or not equal(old, new):
                part.renew(new)
        else:
            todo += _settle_object(box, old, new) if box.keyed else _settle_array(box, old, new)


def _settle_object(box: _Box, old: dict[str, Any], new: dict[str, Any]) -> Iterator[tuple[_Part, Any, Any]]:
    parts = {part.key: part for part in map(box.part, box.order)}
    box.order = [item for item in box.order if box.part(item).key in new]
    for key, value in new.items():
        if key not in old:
            box.order.append(_Part(key, None, True, value))
        elif not equal(old[key], value):
            yield parts[key], old[key], value


def _settle_array(box: _Box, old: list[Any], new: list[Any]) -> Iterator[tuple[_Part, Any, Any]]:
    shared, head, tail = min(len(old), len(new)), 0, 0
    while head < shared and equal(old[head], new[head]):
        head += 1
    while tail < shared - head and equal(old[-1 - tail], new[-1 - tail]):
        tail += 1
    for place in range(head, shared - tail):
        yield box.part(box.order[place]), old[place], new[place]
    behind, end = shared - tail, len(new) - tail
    box.order[behind : len(old) - tail] = [_Part(None, None, True, value) for value in new[behind:end]]


# -- writing them down ------------------------------------------------------------------------------------------------


def _edits(paper: _Paper, part: _Part) -> Iterator[Edit]:
    """The changes at and inside of a value that stands where it stood."""
    todo = [(part, False)]
    while todo:
        part, one_line = todo.pop()
        assert part.stretch is not None
        if part.fresh:
            indent = indentation(paper.text, part.stretch[0])
            yield Edit(*part.stretch, _value(paper, part, indent, one_line or None))
        elif part.box is not None:
            box, one_line = part.box, _on_one_line(paper, part.stretch)
            yield from _order_edits(paper, box)
            stays = set(filter(lambda item: isinstance(item, str), box.order))
            for name, each in box.touched.items():
                if name in stays:
                    yield from _key_edits(paper, box, name, each)
                    todo.append((each, one_line))


def _on_one_line(paper: _Paper, stretch: Stretch) -> bool:
    return paper.text.find("\n", *stretch) < 0


def _key_edits(paper: _Paper, box: _Box, name: str, part: _Part) -> Iterator[Edit]:
    where = box.inside[name][0]
    if where is not None and part.key is not None and part.key != name:
        yield Edit(*where, key_text(paper.style, part.key))


def _order_edits(paper: _Paper, box: _Box) -> Iterator[Edit]:
    """What comes into a container, what goes, and what comes in the place of something."""
    if not box.order:
        yield Edit(box.stretch[0] + 1, box.stretch[1] - 1, "")
        return
    before: str | None = None
    gone: list[str] = []
    for name, item in _slots(box):
        if item is None and name is not None:
            gone.append(name)
        elif isinstance(item, _Part) and name is None:
            yield _insertion(paper, box, before, item)
        elif name is not None:
            if gone:
                yield Edit(box.start(gone[0]), box.start(name), "")
                gone = []
            if isinstance(item, _Part):
                yield from _key_edits(paper, box, name, item)
                yield Edit(*box.inside[name][1], _value_beside(paper, box, name, item))
            before = name
    if gone and before is not None:
        yield Edit(box.end(before), box.end(gone[-1]), "")


def _slots(box: _Box) -> Iterator[tuple[str | None, str | _Part | None]]:
    """Each entry that stood in a container with what stands there now; none where it is gone, or was not there."""
    if box.order == list(box.inside):
        return
    stays = {item for item in box.order if isinstance(item, str)}
    items = iter(box.order)
    gone: list[str] = []
    for name in (*box.inside, None):
        if name is not None and name not in stays:
            gone.append(name)
            continue
        come = []
        for item in items:
            if item == name:
                break
            come.append(item)
        yield from zip_longest(gone, come)
        gone = []
        if name is not None:
            yield name, name


def _insertion(paper: _Paper, box: _Box, before: str | None, part: _Part) -> Edit:
    """A new entry behind another one, or else in front of all."""
    names = list(box.inside)
    gap = _gap(paper, box, names, before)
    beside = names[0] if before is None else before
    text = _value_beside(paper, box, beside, part, gap)
    if part.key is not None:
        key, value = box.inside[beside]
        colon = paper.text[key[1] : value[0]] if key else paper.style.colon
        text = key_text(paper.style, part.key) + colon + text
    if before is None:
        return Edit(box.start(beside), box.start(beside), text + gap)
    return Edit(box.end(before), box.end(before), gap + text)


def _gap(paper: _Paper, box: _Box, names: list[str], before: str | None) -> str:
    """What stands between two entries of a container, next to where one comes in."""
    if len(names) == 1:
        lead = paper.text[box.stretch[0] + 1 : box.start(names[0])]
        return "," + lead if "\n" in lead else paper.style.comma
    place = 0 if before is None else min(names.index(before), len(names) - 2)
    return paper.text[box.end(names[place]) : box.start(names[place + 1])]


def _value_beside(paper: _Paper, box: _Box, beside: str, part: _Part, gap: str = "") -> str:
    """A new value, written like the entry `beside` which it comes."""
    text, (start, end) = paper.text, box.inside[beside][1]
    indent = indentation(gap, len(gap)) if "\n" in gap else indentation(text, box.start(beside))
    one_line: bool | None = None
    if _on_one_line(paper, box.stretch):
        one_line = True
    elif end - start > 2 and isinstance(part.value, {"{": dict, "[": list}.get(text[start], ())):
        one_line = _on_one_line(paper, (start, end))
    return _value(paper, part, indent, one_line)


def _value(paper: _Paper, part: _Part, indent: str, one_line: bool | None) -> str:
    if part.written is not None:
        return reindented(*part.written, indent)
    return value_text(paper.style, part.value, indent, one_line)


def _as_written(paper: _Paper, box: _Box, item: str | _Part) -> tuple[str, str] | None:
    """How the author wrote an entry, with the changes inside of it, and at which indentation; none for a fresh one."""
    if isinstance(item, _Part):
        return item.written
    part = box.part(item)
    if part.fresh:
        return None
    start, end = box.inside[item][1]
    inner = sorted(_edits(paper, part), key=_order)
    moved = [Edit(edit.start - start, edit.end - start, edit.text) for edit in inner]
    return edited(paper.text[start:end], moved), indentation(paper.text, start)


def _order(edit: Edit) -> tuple[int, int]:
    return edit.start, edit.end
