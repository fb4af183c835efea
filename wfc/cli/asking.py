"""The plain way to ask for the run of a compiled file, read without click.

Guarantees: what is read here means the same to click; whatever else was asked is left to it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from wfc.records import dataclass

IR_SUFFIX = ".wfir.json"


@dataclass(frozen=True, slots=True)
class Asked:
    """The file, or what else is to be run, and the options of `wfc run`."""

    file: str
    input_text: str | None = None
    settings: tuple[str, ...] = ()
    mock_file: str | None = None
    store: str | None = None
    no_store: bool = False
    run_id: str | None = None
    max_steps: int | None = None
    unchecked: bool = False
    updates_lock: bool = False
    trace_file: str | None = None
    as_json: bool = False
    no_color: bool = False


_FLAGS = {"--json": "as_json", "--no-color": "no_color", "--no-store": "no_store"}
_VALUES = {"--input": "input_text", "--store": "store", "--run-id": "run_id"}


def plainly_asked(arguments: Sequence[str]) -> Asked | None:
    """What was asked, where that is the run of one compiled file, with the commonest options as single words."""
    if not arguments or arguments[0] != "run":
        return None
    found: dict[str, Any] = {}
    words = iter(arguments[1:])
    for word in words:
        name, value = _read(word, words)
        # What stands twice is for click to read.
        if name is None or name in found:
            return None
        found[name] = value
    if "file" not in found or ("store" in found and "no_store" in found):
        return None
    return Asked(**found)


def _read(word: str, words: Iterator[str]) -> tuple[str | None, str | bool]:
    """The field that a word, with the one behind it where it takes one, says something about; none where click has to
    look at it."""
    if word in _FLAGS:
        return _FLAGS[word], True
    if word in _VALUES:
        value = next(words, "")
        return None if value[:1] in ("-", "") else _VALUES[word], value
    return "file" if word.endswith(IR_SUFFIX) and not word.startswith("-") else None, word
