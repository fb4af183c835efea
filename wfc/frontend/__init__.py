"""Text in: documents are read, their workflows elaborated and linked. Never raises for what an author wrote."""

from wfc.frontend import fault_codes, legacy, reader_codes, schema_codes
from wfc.frontend.document import Document, document_of, read_json
from wfc.frontend.elaborate import Elaborated, elaborate
from wfc.frontend.json_schema import workflow_schema
from wfc.frontend.schema_check import schema_fault

CODES = (*fault_codes.CODES, *reader_codes.CODES, *legacy.CODES, *schema_codes.CODES)

__all__ = [
    "CODES",
    "Document",
    "Elaborated",
    "document_of",
    "elaborate",
    "read_json",
    "schema_fault",
    "workflow_schema",
]
