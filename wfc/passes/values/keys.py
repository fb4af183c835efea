"""The names of what is worked out of a workflow: what a root is somewhere, and what a step gives."""

from __future__ import annotations

from typing import NamedTuple

from wfc.passes.values.reaching import Seen
from wfc.passes.values.roots import Root


class Known(NamedTuple):
    """What is known of a root after a change or meeting, or at the beginning: a `Cell`."""

    root: Root
    seen: Seen


class Given(NamedTuple):
    """What the output bindings of a step read when it takes an outcome: a `Type`."""

    step: str
    outcome: str
