"""What values are where in a workflow: the front door of the room. See `Values` for the questions."""

from wfc.passes.values.access import Argument, Comparison, Read, Source, Write
from wfc.passes.values.liveness import Dropped
from wfc.passes.values.questions import Seen, Values
from wfc.passes.values.siblings import Clash, Handed, Lineage, Siblings
from wfc.passes.values.witnesses import Missing

__all__ = [
    "Argument",
    "Clash",
    "Comparison",
    "Dropped",
    "Handed",
    "Lineage",
    "Missing",
    "Read",
    "Seen",
    "Siblings",
    "Source",
    "Values",
    "Write",
]
