"""The toolchain for other programs: the MCP server (reference 4.7). The SDK is imported when a server is started."""

from typing import TYPE_CHECKING, Any

from wfc.services.tools import TOOLS, ToolText

if TYPE_CHECKING:
    from wfc.services.desk import Desk
    from wfc.services.http import LOOPBACK, Address, serve_http
    from wfc.services.server import build, serve_stdio

_HOMES = {
    "Desk": "desk",
    "LOOPBACK": "http",
    "Address": "http",
    "serve_http": "http",
    "build": "server",
    "serve_stdio": "server",
}
__all__ = ["LOOPBACK", "TOOLS", "Address", "Desk", "ToolText", "build", "serve_http", "serve_stdio"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"`wfc.services` has no `{name}`")
    from importlib import import_module

    return getattr(import_module(f"wfc.services.{_HOMES[name]}"), name)
