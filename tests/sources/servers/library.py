"""A server as the SDK makes it: typed tools, structured results, and one that asks its caller for input."""

from typing import Any

from mcp.server.mcpserver import Context, MCPServer
from mcp.types import InputRequiredResult, ToolAnnotations
from pydantic import BaseModel

server = MCPServer("library")


@server.tool(annotations=ToolAnnotations(read_only_hint=True))
def add(left: int, right: int) -> int:
    return left + right


@server.tool()
def describe(name: str, size: float | None = None) -> dict[str, Any]:
    return {"name": name, "size": size}


class Name(BaseModel):
    name: str


@server.tool()
async def ask(context: Context) -> str:
    """Asks its caller for a name, as servers did."""
    return str(await context.elicit("Who are you?", Name))


@server.tool()
async def ask_later() -> InputRequiredResult:
    """Answers that it needs more, as servers do now."""
    return InputRequiredResult(request_state="half way")


server.run("stdio")
