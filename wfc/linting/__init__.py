"""`wfc check` over files: configuration, cache, processes, baseline, fixes, watching (reference 4.1, 4.2).

A name's file is imported when the name is first asked for: a check of what is known already needs few of them.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wfc.linting.asked import *
    from wfc.linting.repairing import *
    from wfc.linting.session import *
    from wfc.linting.updating import *
    from wfc.linting.watching import *
else:
    from importlib import import_module

    # The names that are asked for most come first.
    _FILES = ("asked", "session", "repairing", "updating", "watching")

    def __getattr__(name):
        if name.startswith("_"):
            raise AttributeError(name)
        for file in _FILES:
            found = vars(import_module(f"wfc.linting.{file}"))
            if name in found:
                return found[name]
        raise AttributeError(f"`wfc.linting` has no `{name}`")
