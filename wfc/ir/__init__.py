"""The front door of the nouns: `from wfc.ir import Program`. What a file of this room names, is had from here.

A name's file is imported when the name is first asked for, because making the classes of all of them costs more than
running a small compiled program, which needs a third. The contracts of `wf.std` have a door of their own, `wfc.ir.std`.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wfc.ir.assembly import *
    from wfc.ir.calls import *
    from wfc.ir.capabilities import *
    from wfc.ir.codec import *
    from wfc.ir.conditions import *
    from wfc.ir.journal import *
    from wfc.ir.json_text import *
    from wfc.ir.module import *
    from wfc.ir.program import *
    from wfc.ir.published import *
    from wfc.ir.reducers import *
    from wfc.ir.results import *
    from wfc.ir.runstate import *
    from wfc.ir.runstate_schema import *
    from wfc.ir.schemas import *
    from wfc.ir.steps import *
    from wfc.ir.values import *
    from wfc.ir.verifier import *
else:
    from importlib import import_module

    # What everybody needs comes first, then what a run needs, and a file behind those that it imports.
    _RUN = (
        "values",
        "schemas",
        "conditions",
        "reducers",
        "calls",
        "results",
        "runstate",
        "program",
        "codec",
        "journal",
    )
    _COMPILE = ("capabilities", "steps", "module", "verifier", "assembly", "runstate_schema", "published")
    # A check asks for these and needs no file of a run.
    _CHECKED = {
        "capabilities": (
            "Catalogue",
            "Contract",
            "KnownSource",
            "Listing",
            "NOTHING_KNOWN",
            "catalogue_from_json",
            "catalogue_json",
            "effects_by_pattern",
            "is_allowed",
            "listing_json",
            "stronger",
        ),
        "json_text": ("STRICT", "SUSPECT", "is_shallow", "plain_json", "strict_value"),
        "module": ("Module", "Workflow"),
        "steps": (
            "Ambiguous",
            "Branch",
            "Catch",
            "ConditionStep",
            "Edge",
            "EndStep",
            "ForeachStep",
            "ForkStep",
            "HoleStep",
            "InputBinding",
            "InterruptStep",
            "JoinStep",
            "Link",
            "Linked",
            "NodeDef",
            "NodeStep",
            "OutputBinding",
            "STEP_TYPES",
            "Step",
            "SubgraphStep",
            "Unknown",
            "Unresolved",
            "WaitStep",
            "WorkflowRef",
            "outputs_of",
        ),
    }
    _OF_CHECKS = {name: file for file, names in _CHECKED.items() for name in names}

    def __getattr__(name):
        if name.startswith("_") or name == "std":
            raise AttributeError(name)
        for file in (_OF_CHECKS[name],) if name in _OF_CHECKS else (*_RUN, *_COMPILE):
            found = vars(import_module(f"wfc.ir.{file}"))
            if name in found:
                globals()[name] = found[name]
                return found[name]
        raise AttributeError(f"`wfc.ir` has no `{name}`")
