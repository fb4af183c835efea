"""Questions about a module: what is wrong with it, what is known of it, and the program that it means.

From the ground up: `types`, `graph` (control flow), `values` (data flow) and `facts` answer, `repairs` offers patches,
`control`, `bindings`, `state`, `lineages` and `outside` are the passes by family, `pipeline` names all of them in their
order, and `lowering` makes the program.
"""

from wfc.passes.around import regions_around
from wfc.passes.lowering import lower
from wfc.passes.outside.capabilities import NEED_SOURCES
from wfc.passes.outside.secrets import credential_in
from wfc.passes.pipeline import CODES, PENDING, PIPELINE, Checked, Examined, Pass, accept, blocks, examine
from wfc.passes.types.coverage import Coverage, covers

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
