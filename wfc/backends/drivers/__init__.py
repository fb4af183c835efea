"""The front door of the drivers: what performs the effects that a machine asks for.

`crew` needs asyncio and is imported when a run needs an event loop.
"""

from typing import TYPE_CHECKING, Any

from wfc.backends.drivers.clock import BlockingClock, Clock, InstantClock, LoopClock
from wfc.backends.drivers.loop import Journal, drive, run_without_loop
from wfc.backends.drivers.replay import reach, replay, settle
from wfc.backends.drivers.stop import ASKED, CANCELLED, GRACE_SECONDS, LOST, Stop, Stopped

if TYPE_CHECKING:
    from wfc.backends.drivers.crew import Crowd, World, drive_together

_OF_CREW = ("Crowd", "World", "drive_together")

__all__ = [
    "ASKED",
    "CANCELLED",
    "GRACE_SECONDS",
    "LOST",
    "BlockingClock",
    "Clock",
    "Crowd",
    "InstantClock",
    "Journal",
    "LoopClock",
    "Stop",
    "Stopped",
    "World",
    "drive",
    "drive_together",
    "reach",
    "replay",
    "run_without_loop",
    "settle",
]


def __getattr__(name: str) -> Any:
    if name not in _OF_CREW:
        raise AttributeError(f"`wfc.backends.drivers` has no `{name}`")
    from wfc.backends.drivers import crew

    return getattr(crew, name)
