"""What values are where in a workflow: the front door of the room. See `Values` for the questions."""

from wfc.passes.values.access import Argument, Comparison, Read, Source, Write
from wfc.passes.values.questions import Held, Values
from wfc.passes.values.witnesses import Missing

__all__ = [
    "Argument",
    "Comparison",
    "Held",
    "Missing",
    "Read",
    "Source",
    "Values",
    "Write",
]
