"""Text in: documents are read, their workflows elaborated and linked. Never raises for what an author wrote."""

from wfc.frontend import fault_codes, legacy, reader_codes, schema_codes
from wfc.frontend.canonical import canonical_text, comment_count
from wfc.frontend.document import Document, document_of, read_json
from wfc.frontend.elaborate import Elaborated, elaborate
from wfc.frontend.forms import FORMS, TEXT_SUFFIX, Form, form_of, read_document, text_of
from wfc.frontend.json_layout import PATH_FORMS, PathForm
from wfc.frontend.json_schema import workflow_schema
from wfc.frontend.linking import Stored
from wfc.frontend.schema_check import schema_fault
from wfc.frontend.wording import reducer_words, type_words, words_at

CODES = (*fault_codes.CODES, *reader_codes.CODES, *legacy.CODES, *schema_codes.CODES)

__all__ = [
    "CODES",
    "FORMS",
    "PATH_FORMS",
    "TEXT_SUFFIX",
    "Document",
    "Elaborated",
    "Form",
    "PathForm",
    "Stored",
    "canonical_text",
    "comment_count",
    "document_of",
    "elaborate",
    "form_of",
    "read_document",
    "read_json",
    "reducer_words",
    "schema_fault",
    "text_of",
    "type_words",
    "words_at",
    "workflow_schema",
]
