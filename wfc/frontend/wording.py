"""Parts of a document in the words of the text form, on one line each, for whoever tells about them."""

from __future__ import annotations

from typing import Any

from wfc.frontend.document import Document
from wfc.source import lookup, pointer_parts


def words_at(document: Document, pointer: str) -> str:
    """The step or definition at a pointer."""
    from wfc.frontend.text.layout import flat
    from wfc.frontend.text.write_steps import definition_text, step_text

    parts = pointer_parts(pointer)
    written = lookup(document.value, parts)[0]
    if parts[-2:-1] == ("node_defs",):
        return flat(definition_text(written))
    outcomes = written.get("outcomes") if isinstance(written, dict) else None
    return flat(step_text(written, outcomes if isinstance(outcomes, list) else [], None))


def type_words(schema: Any) -> str:
    """A schema as a type."""
    from wfc.frontend.text.layout import flat
    from wfc.frontend.text.write_types import written_type

    return flat(written_type(schema))


def reducer_words(written: Any) -> str:
    """A reducer as a field names it."""
    from wfc.frontend.text.layout import flat
    from wfc.frontend.text.write_types import written_reducer

    words = written_reducer(written)
    return "json" if words is None else flat(words).strip().removeprefix("by ")
