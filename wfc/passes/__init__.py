"""Questions about a module: what is wrong with it, what is known of it, and the program that it means."""

from wfc.passes.around import regions_around
from wfc.passes.capabilities import NEED_SOURCES
from wfc.passes.coverage import Coverage, covers
from wfc.passes.lowering import lower
from wfc.passes.pipeline import CODES, PENDING, PIPELINE, Checked, Examined, Pass, accept, blocks, examine
from wfc.passes.secrets import credential_in

__all__ = [
    "CODES",
    "NEED_SOURCES",
    "PENDING",
    "PIPELINE",
    "Checked",
    "Coverage",
    "Examined",
    "Pass",
    "accept",
    "blocks",
    "covers",
    "credential_in",
    "examine",
    "lower",
    "regions_around",
]
