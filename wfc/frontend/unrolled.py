"""Recursion without a call stack: what is nested as deep as a document may be is walked by generators.

A function that would call itself yields the call instead and is sent its result.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

Walk = Generator[Any, Any, Any]


def unrolled(first: Walk) -> Any:
    """What a walk returns; each walk that it yields is run in its place."""
    waiting = [first]
    result: Any = None
    while waiting:
        try:
            waiting.append(waiting[-1].send(result))
            result = None
        except StopIteration as done:
            waiting.pop()
            result = done.value
    return result
