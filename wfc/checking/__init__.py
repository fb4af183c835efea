"""What is told of the findings of a module, and which of their fixes can be trusted (reference 3.1, 3.2)."""

from wfc.checking import suppression
from wfc.checking.fixing import Attempt, applicable, joined, together, verified
from wfc.checking.joining import shared
from wfc.checking.suppression import Known, Told, suppress

CODES = suppression.CODES

__all__ = ["CODES", "Attempt", "Known", "Told", "applicable", "joined", "shared", "suppress", "together", "verified"]
