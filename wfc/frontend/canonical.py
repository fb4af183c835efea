"""A document in the canonical layout of a form, its own or the other one."""

from __future__ import annotations

from wfc.frontend.document import Document
from wfc.frontend.forms import Form
from wfc.frontend.json_layout import PathForm, json_text


def canonical_text(document: Document, form: Form, paths: PathForm = "dotted") -> str:
    """A readable document as text in a form. Comments are kept where the form is that of the document.

    Structural paths are for JSON alone: in the text form, a path has one spelling.
    """
    if form == "json":
        return json_text(document.value, paths)
    from wfc.frontend.text import TextDocument, formatted, text_of

    return formatted(document) if isinstance(document, TextDocument) else text_of(document.value)


def comment_count(document: Document) -> int:
    """How many comments a document has that no other form can hold."""
    sheet = getattr(document, "sheet", None)
    if sheet is None:
        return 0
    from wfc.frontend.text import remark_count

    return remark_count(document.source.text, sheet)
