"""What values are where in a workflow: the front door of the room. See `Values` for the questions."""

from wfc.passes.values.access import Argument, Comparison, Read, Source, Write
from wfc.passes.values.questions import Values

__all__ = ["Argument", "Comparison", "Read", "Source", "Values", "Write"]
