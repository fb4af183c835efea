"""Changes that make JSON of a text, and a text in which some are made, whose places are known in the author's text."""

from __future__ import annotations

from functools import cached_property

from wfc.records import dataclass
from wfc.source import Edit, edited


@dataclass(frozen=True, slots=True)
class Mend:
    """A change of a text, by edits in order.

    It is `sure` where nothing else can have been meant, and `safe` where nothing of the author's is lost or added.
    """

    title: str
    edits: tuple[Edit, ...]
    sure: bool = True
    safe: bool = True


def mend(title: str, start: int, end: int, text: str, *, sure: bool = True, safe: bool = True) -> Mend:
    """The change that puts `text` in the place of one stretch."""
    return Mend(title, (Edit(start, end, text),), sure, safe)


@dataclass(frozen=True)
class Mended:
    """A text by its author, and the edits that were made in it, in order."""

    author: str
    made: tuple[Edit, ...] = ()

    @cached_property
    def text(self) -> str:
        return edited(self.author, self.made) if self.made else self.author

    def place(self, at: int) -> int:
        """Where a place of the text stands in that of the author; of what came in, where it came in."""
        shift = 0
        for edit in self.made:
            if at < edit.start + shift:
                break
            if at < edit.start + shift + len(edit.text):
                return edit.start
            shift += len(edit.text) - (edit.end - edit.start)
        return at - shift

    def own(self, mend: Mend) -> Mend | None:
        """A change of this text as one of the author's; none where it would change what came in."""
        edits = tuple(Edit(self.place(one.start), self.place(one.end), one.text) for one in mend.edits)
        clash = any(one.start < other.end and other.start < one.end for one in edits for other in self.made)
        kept = all(
            self.text[here.start : here.end] == self.author[one.start : one.end]
            for here, one in zip(mend.edits, edits, strict=True)
        )
        return Mend(mend.title, edits, mend.sure, mend.safe) if kept and not clash else None

    def after(self, mend: Mend) -> Mended:
        """The text with a change of the author's as well; what comes in at one place stays in the order of making."""
        return Mended(self.author, tuple(sorted((*self.made, *mend.edits), key=lambda one: (one.start, one.end))))
