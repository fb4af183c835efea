"""jsonschema-rs, imported in a third of its time.

To say when it was built it has the standard library parse one date, by `email.utils`, which brings `socket`, `calendar`
and a dozen more: twice what the engine itself costs, and a tenth of a whole `wfc run`. While it is imported, and only
where no other thread could look, that one function is ours. Rooms keep doors of their own to what they ask it.
"""

from __future__ import annotations

# The engine needs it in any case. Imported by the engine itself it would be, where Ctrl-C happens then, a panic.
import decimal as decimal
import sys
from types import ModuleType

_PARSER = "email.utils"


def _may_stand_in() -> bool:
    threading = sys.modules.get("threading")
    return _PARSER not in sys.modules and (threading is None or threading.active_count() == 1)


def _stand_in() -> ModuleType:
    """A module that leaves a date as it is written."""
    made = ModuleType(_PARSER)
    made.parsedate_to_datetime = str  # type: ignore[attr-defined]
    return made


if "jsonschema_rs" in sys.modules or not _may_stand_in():
    import jsonschema_rs as jsonschema_rs
else:
    _made = sys.modules[_PARSER] = _stand_in()
    try:
        import jsonschema_rs as jsonschema_rs
    finally:
        if sys.modules.get(_PARSER) is _made:
            del sys.modules[_PARSER]
