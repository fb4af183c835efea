"""A server as the SDK makes it: typed tools, structured results, and one that asks its caller for input."""

import asyncio
import socket
import sys
from pathlib import Path
from typing import Any

import uvicorn
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


@server.tool()
async def wait(file: str, context: Context) -> str:
    """Tells how far it is, waits for ever, and notes in a file when nobody waits for it any more."""
    await context.report_progress(1, 2, "half way")
    try:
        await asyncio.sleep(600)
    except asyncio.CancelledError:
        Path(file).write_text("cancelled")
        raise
    return "never"


if __name__ == "__main__":
    if "http" in sys.argv:
        # Bound before it is told, and kept: a number that was free a moment ago may be another's now.
        with socket.create_server(("127.0.0.1", 0)) as bound:
            sys.stdout.write(f"{bound.getsockname()[1]}\n")
            sys.stdout.flush()
            app = server.streamable_http_app(host="127.0.0.1")
            uvicorn.Server(uvicorn.Config(app, log_level="warning")).run(sockets=[bound])
    else:
        server.run("stdio")
