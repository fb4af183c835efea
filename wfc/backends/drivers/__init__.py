"""The front door of the drivers: what performs the effects that a machine asks for."""

from wfc.backends.drivers.clock import BlockingClock, Clock, InstantClock, LoopClock
from wfc.backends.drivers.loop import drive, run_without_loop

__all__ = ["BlockingClock", "Clock", "InstantClock", "LoopClock", "drive", "run_without_loop"]
