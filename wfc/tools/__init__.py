"""What `wfc tools` does: sources looked at, called, locked, and told what is wrong with them (reference 4.1, 4.2)."""

from wfc.tools.calling import Called, Sample, call, sample_of, samples
from wfc.tools.doctoring import Examined, Problem, examine
from wfc.tools.locking import Change, Renewed, also_locked, pruned, renewed, used_by_program, used_capabilities
from wfc.tools.looking import Seen, known, look, wanted_sources
from wfc.tools.proposing import Proposal, propose
from wfc.tools.scaffolding import definition_of
from wfc.tools.signatures import signature

__all__ = [
    "Called",
    "Change",
    "Examined",
    "Problem",
    "Proposal",
    "Renewed",
    "Sample",
    "Seen",
    "also_locked",
    "call",
    "definition_of",
    "examine",
    "known",
    "look",
    "propose",
    "pruned",
    "renewed",
    "sample_of",
    "samples",
    "signature",
    "used_by_program",
    "used_capabilities",
    "wanted_sources",
]
