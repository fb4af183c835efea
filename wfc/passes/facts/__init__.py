"""What is known of a module, computed once and shared by all passes: the front door of the room. See `Facts`.

Guarantees: a fact is exact or says of itself that it is not; it reports nothing, and asks no pass.
"""

from wfc.passes.facts.facts import Facts, Recursion

__all__ = ["Facts", "Recursion"]
