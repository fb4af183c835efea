"""What whoever writes workflows has to be told: the language on a page, what may be called, what was found."""

from wfc.briefing.card import RULES, builtin_lines, interrupt_lines, language_card, model_lines
from wfc.briefing.catalogue import Catalogue, fitted, line, ranked, search
from wfc.briefing.compact import MOST_FINDINGS, best_fix, compact, patch_of
from wfc.briefing.filling import bare, definition_of, filled, used_capability
from wfc.briefing.listing import Known, asked, by_name, capabilities_of_listing, catalogue_of, listed
from wfc.briefing.text_card import TEXT_RULES, text_card
from wfc.briefing.tokens import tokens

__all__ = [
    "MOST_FINDINGS",
    "RULES",
    "TEXT_RULES",
    "Catalogue",
    "Known",
    "asked",
    "bare",
    "best_fix",
    "builtin_lines",
    "by_name",
    "capabilities_of_listing",
    "catalogue_of",
    "compact",
    "definition_of",
    "filled",
    "fitted",
    "interrupt_lines",
    "language_card",
    "line",
    "listed",
    "model_lines",
    "patch_of",
    "ranked",
    "search",
    "text_card",
    "tokens",
    "used_capability",
]
