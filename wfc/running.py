"""The verbs that run a program: one execution, behind a synchronous and an asynchronous door (reference 4.8).

An execution is a machine, the broker that answers its calls, and a clock. `go` is the only thing that moves it.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from wfc.ir import Program, Refused, RunState

if TYPE_CHECKING:
    from wfc.backends.drivers import Clock
    from wfc.backends.sources import Broker, Mocks, Source
    from wfc.ir import Reducer
    from wfc.vm import Linked, Machine

Handlers = Mapping[str, Callable[..., Any]]
_STOPPED = ("completed", "failed", "cancelled")
_LINKS_KEPT = 8
_links: dict[int, tuple[Program, tuple[Any, ...], Linked]] = {}


def linked(program: Program, reducers: Iterable[Reducer] = ()) -> Linked:
    """The program made ready to run; the last few are kept, because stepping and resuming come back to the same one."""
    from wfc.vm import link

    further = tuple(reducers)
    kept = _links.get(id(program))
    if kept is None or kept[0] is not program or kept[1] != further:
        kept = (program, further, link(program, further))
        while len(_links) >= _LINKS_KEPT:
            del _links[next(iter(_links))]
        _links[id(program)] = kept
    return kept[2]
