"""The machine: program × run state × answer → run state, effects. No I/O, no clock, no randomness, no threads."""

from wfc.vm.link import Keeper, Linked, link
from wfc.vm.machine import DEFAULT_STEP_LIMIT, Machine

__all__ = ["DEFAULT_STEP_LIMIT", "Keeper", "Linked", "Machine", "link"]
