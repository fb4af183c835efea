"""The text form of documents (reference 1.10): read, written, edited in place. Imported when a text is at hand."""

from wfc.frontend.text.document import TextDocument
from wfc.frontend.text.format import formatted, remark_count, text_of
from wfc.frontend.text.read import read_text

__all__ = ["TextDocument", "formatted", "read_text", "remark_count", "text_of"]
