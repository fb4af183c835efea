"""Findings, told: as text with the author's lines, for programs, for CI.

A name's file is imported when the name is first asked for: a check needs one format of many.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wfc.report.as_json import *
    from wfc.report.change import *
    from wfc.report.excerpt import *
    from wfc.report.explain import *
    from wfc.report.formats import *
    from wfc.report.paint import *
    from wfc.report.schema import *
    from wfc.report.text import *
else:
    from importlib import import_module

    # The names that are asked for most come first.
    _FILES = ("formats", "paint", "excerpt", "change", "text", "as_json", "explain", "schema")

    def __getattr__(name):
        if name.startswith("_"):
            raise AttributeError(name)
        for file in _FILES:
            found = vars(import_module(f"wfc.report.{file}"))
            if name in found:
                return found[name]
        raise AttributeError(f"`wfc.report` has no `{name}`")
