"""Questions about a module: what is wrong with it, what is known of it, and the program that it means."""

from wfc.passes.coverage import Coverage, covers
from wfc.passes.lowering import lower
from wfc.passes.pipeline import CODES, PENDING, PIPELINE, Checked, Examined, Pass, accept, blocks, examine

__all__ = [
    "CODES",
    "PENDING",
    "PIPELINE",
    "Checked",
    "Coverage",
    "Examined",
    "Pass",
    "accept",
    "blocks",
    "covers",
    "examine",
    "lower",
]
