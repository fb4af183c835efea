"""A server as the SDK makes it: typed tools, structured results, and one that asks its caller for input."""

from typing import Any

from mcp.server.mcpserver import MCPServer
from mcp.types import ToolAnnotations

server = MCPServer("library")


@server.tool(annotations=ToolAnnotations(read_only_hint=True))
def add(left: int, right: int) -> int:
    return left + right


@server.tool()
def describe(name: str, size: float | None = None) -> dict[str, Any]:
    return {"name": name, "size": size}


server.run("stdio")
