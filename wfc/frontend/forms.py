"""Which form a content has, and reading it by that form.

Guarantees: never raises for what an author wrote. A name that ends in `.wf` is text, one that ends in `.json` is JSON;
where the name does not tell, the beginning of the content does.
"""

from __future__ import annotations

import re
from typing import Any, Literal

from wfc.frontend.document import Document, read_json

Form = Literal["json", "text"]
FORMS: tuple[Form, ...] = ("json", "text")
TEXT_SUFFIX = ".wf"
_BEGINS_TEXT = re.compile(rb"(?:\xef\xbb\xbf)?(?:\s+|#[^\n]*\n)*(?:#|(?:main|workflow|with|json)\b)")


def form_of(name: str, data: bytes | str) -> Form:
    """The form of a content."""
    if name.endswith(TEXT_SUFFIX):
        return "text"
    if name.endswith(".json"):
        return "json"
    start = data[:4000].encode(errors="replace") if isinstance(data, str) else data[:4000]
    return "text" if _BEGINS_TEXT.match(start) else "json"


def read_document(name: str, data: bytes | str, form: Form | None = None) -> Document:
    """Read a document from the content of a file, in the form that it has, or in the given one."""
    if (form or form_of(name, data)) == "json":
        return read_json(name, data)
    from wfc.frontend.text import read_text

    return read_text(name, data)


def text_of(value: Any) -> str:
    """The text of a JSON document in canonical layout; every document has one."""
    from wfc.frontend.text import text_of

    return text_of(value)
