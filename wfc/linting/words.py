"""The words that name codes on a command line or in a configuration mean something."""

from __future__ import annotations

from collections.abc import Iterable

from wfc.diagnostics import close_match
from wfc.linting.asked import Task
from wfc.project import ConfigFault


def judge_words(tasks: Iterable[Task]) -> None:
    """Raise `ConfigFault` for the first word that is neither a code, nor the beginning of one, nor a rule.

    Tasks that were carried out before had good words; so this is asked only where the compiler is loaded anyway.
    """
    words = dict.fromkeys(word for task in tasks for word in task.selection.words)
    if not words:
        return
    from wfc import driver

    rules = driver.known_codes().rules
    for word in words:
        if word not in rules.values() and not any(code.startswith(word) for code in rules):
            close = close_match(word, [*rules.values(), *rules])
            nearest = f"; nearest: `{close}`" if close else ""
            raise ConfigFault(f"`{word}` is neither a code, nor the beginning of one, nor a rule{nearest}")
