"""A document that was written as text: its value is the JSON document that the text means."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

from wfc.edits import PatchFault
from wfc.frontend.document import Document
from wfc.frontend.text.build_steps import Statement
from wfc.frontend.text.parts import Part, Stretch
from wfc.records import dataclass, field, replace
from wfc.source import Edit, Span, lookup, pointer, pointer_parts


@dataclass(frozen=True)
class Sheet:
    """How a text says its document: the parts of the value, the statements with what each stands for, the comments."""

    root: Part
    statements: tuple[Statement, ...]
    pointers: Mapping[int, tuple[str, ...]]
    comments: tuple[Stretch, ...]


@dataclass(frozen=True)
class TextDocument(Document):
    """A document in the text form; `sheet` is none where it cannot be read."""

    sheet: Sheet | None = field(default=None, repr=False)

    def existing(self, written: str) -> str:
        return pointer(*lookup(self.value, pointer_parts(written))[1]) if self.readable else ""

    def locate(self, written: str, *, key: bool = False) -> Span:
        if self.sheet is None:
            return self.source.span(0, 0)
        parts = pointer_parts(written)
        part, depth = self.sheet.root, 0
        while depth < len(parts):
            inner = _inner(part, parts[depth])
            if inner is None:
                break
            part, depth = inner, depth + 1
        if depth < len(parts) and part.inside is None:
            return self._in_json(part, parts[depth:], key=key)
        at = part.key if key and part.key is not None and depth == len(parts) else part.stretch
        return self.source.span(*at)

    def _in_json(self, part: Part, parts: tuple[str, ...], *, key: bool) -> Span:
        """A place inside of a value that is written as JSON."""
        stretch: Stretch = part.stretch
        name: Stretch | None = part.key
        for part_name in parts:
            inside = self._entries(stretch[0])
            if part_name not in inside:
                return self.source.span(*stretch)
            name, stretch = inside[part_name]
        return self.source.span(*(name if key and name is not None else stretch))

    @cached_property
    def layout(self) -> tuple[Any, ...]:
        """How the author writes, the canonical blocks, where they stand, and the lines that they were made of."""
        from wfc.frontend.text.blocks import author_outlines, canonical_outlines, habits_of
        from wfc.frontend.text.write import Known

        assert self.sheet is not None
        habits, known = habits_of(self.sheet), Known()
        blocks = canonical_outlines(self.value, habits, known)
        # From here on other documents ask, whose objects do not live on.
        return habits, blocks, author_outlines(self.sheet, self.source.text), replace(known, grows=False)

    def edits(self, patch: Iterable[Mapping[str, Any]]) -> tuple[Edit, ...]:
        from wfc.frontend.text.edits import text_edits

        if self.sheet is None:
            raise PatchFault(f"`{self.name}` could not be read")
        return text_edits(self, patch)

    def again(self, text: str) -> Document:
        from wfc.frontend.text.read import read_text

        return read_text(self.name, text)


def _inner(part: Part, name: str) -> Part | None:
    """What stands in a part under a key or index, as far as it has a place of its own."""
    inside = part.inside
    if isinstance(inside, dict):
        return inside.get(name)
    if isinstance(inside, list) and name.isdigit() and int(name) < len(inside):
        return inside[int(name)]  # type: ignore[no-any-return]
    return None
