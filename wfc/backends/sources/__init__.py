"""The front door of the sources: where capabilities come from, and who answers a call."""

from wfc.backends.sources.broker import Broker
from wfc.backends.sources.handlers import CallContext
from wfc.backends.sources.mcp import McpServer, McpSource, ToolShape
from wfc.backends.sources.mocks import MockFault, Mocks, Unanswered
from wfc.backends.sources.python import PythonSource
from wfc.backends.sources.source import Source

__all__ = [
    "Broker",
    "CallContext",
    "McpServer",
    "McpSource",
    "MockFault",
    "Mocks",
    "PythonSource",
    "Source",
    "ToolShape",
    "Unanswered",
]
