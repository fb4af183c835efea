"""The front door of the sources: where capabilities come from, and who answers a call.

A name's file is imported when the name is first asked for: most runs need no server and no mocks.
"""

from typing import TYPE_CHECKING

from wfc.doors import lazily

if TYPE_CHECKING:
    from wfc.backends.sources.adapters import AdapterSpec, compile_chain
    from wfc.backends.sources.broker import Broker
    from wfc.backends.sources.handlers import CallContext
    from wfc.backends.sources.hiding import is_credential_name
    from wfc.backends.sources.mcp import McpServer, McpSource
    from wfc.backends.sources.mocks import MockFault, Mocks, Unanswered
    from wfc.backends.sources.oauth import OAuth
    from wfc.backends.sources.python import PythonSource
    from wfc.backends.sources.shaping import ToolShape
    from wfc.backends.sources.source import LONGEST_SECONDS, Circumstances, Drifted, Source
    from wfc.backends.sources.tool import Progress, Said, Tool, ToolFault

__all__ = [
    "LONGEST_SECONDS",
    "AdapterSpec",
    "Broker",
    "CallContext",
    "Circumstances",
    "Drifted",
    "McpServer",
    "McpSource",
    "MockFault",
    "Mocks",
    "OAuth",
    "Progress",
    "PythonSource",
    "Said",
    "Source",
    "Tool",
    "ToolFault",
    "ToolShape",
    "Unanswered",
    "compile_chain",
    "is_credential_name",
]

__getattr__ = lazily(
    "wfc.backends.sources",
    {
        "adapters": ("AdapterSpec", "compile_chain"),
        "broker": ("Broker",),
        "handlers": ("CallContext",),
        "hiding": ("is_credential_name",),
        "mcp": ("McpServer", "McpSource"),
        "mocks": ("MockFault", "Mocks", "Unanswered"),
        "oauth": ("OAuth",),
        "python": ("PythonSource",),
        "shaping": ("ToolShape",),
        "source": ("LONGEST_SECONDS", "Circumstances", "Drifted", "Source"),
        "tool": ("Progress", "Said", "Tool", "ToolFault"),
    },
)
