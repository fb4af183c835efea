"""The one door to the MCP SDK and to what it is built on. Whoever needs one of its names has it from here.

Importing it takes a quarter of a second, so it is imported when a server is started, never before.
"""

import logging

import anyio
import httpx2
import mcp_types as types
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.client.auth import OAuthFlowError
from mcp.client.auth.extensions.client_credentials import ClientCredentialsOAuthProvider
from mcp.client.client import Client
from mcp.client.stdio import get_default_environment
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import OAuthClientInformationFull, OAuthToken
from mcp.shared.exceptions import MCPError
from mcp.shared.message import SessionMessage
from pydantic import TypeAdapter, ValidationError

# Without a handler of its own, what the SDK logs about an untidy server would be printed on our error channel.
logging.getLogger("mcp").addHandler(logging.NullHandler())
# What these log repeats answers and addresses as they are, and secrets in them; it must not reach anybody's log.
for _logger in ("client", "mcp.client", "httpx2", "httpcore2"):
    logging.getLogger(_logger).setLevel(logging.CRITICAL + 1)

__all__ = [
    "Client",
    "ClientCredentialsOAuthProvider",
    "MCPError",
    "MemoryObjectReceiveStream",
    "MemoryObjectSendStream",
    "OAuthClientInformationFull",
    "OAuthFlowError",
    "OAuthToken",
    "SessionMessage",
    "TypeAdapter",
    "ValidationError",
    "anyio",
    "get_default_environment",
    "httpx2",
    "streamable_http_client",
    "types",
]
