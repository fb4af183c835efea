"""The front door of the sources: where capabilities come from, and who answers a call.

A name's file is imported when the name is first asked for: most runs need no server and no mocks.
"""

from typing import TYPE_CHECKING

from wfc.doors import lazily

if TYPE_CHECKING:
    from wfc.backends.sources.broker import Broker
    from wfc.backends.sources.handlers import CallContext
    from wfc.backends.sources.mcp import McpServer, McpSource, ToolShape
    from wfc.backends.sources.mocks import MockFault, Mocks, Unanswered
    from wfc.backends.sources.python import NodeContract, PythonSource, contract_of, node
    from wfc.backends.sources.source import Source

__all__ = [
    "Broker",
    "CallContext",
    "McpServer",
    "McpSource",
    "MockFault",
    "Mocks",
    "NodeContract",
    "PythonSource",
    "Source",
    "ToolShape",
    "Unanswered",
    "contract_of",
    "node",
]

__getattr__ = lazily(
    "wfc.backends.sources",
    {
        "broker": ("Broker",),
        "handlers": ("CallContext",),
        "mcp": ("McpServer", "McpSource", "ToolShape"),
        "mocks": ("MockFault", "Mocks", "Unanswered"),
        "python": ("NodeContract", "PythonSource", "contract_of", "node"),
        "source": ("Source",),
    },
)
