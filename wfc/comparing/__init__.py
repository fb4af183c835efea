"""What changed between two workflows, by what they mean, and whether the new one keeps the old one's interface."""

from wfc.comparing.differences import Change, differences
from wfc.comparing.interface import Aspect, Interface, interface
from wfc.comparing.telling import comparison_json, comparison_text

__all__ = ["Aspect", "Change", "Interface", "comparison_json", "comparison_text", "differences", "interface"]
