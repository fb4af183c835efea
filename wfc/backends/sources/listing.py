"""The tools of a server, page after page. One that is listed wrongly costs itself, never the list."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from wfc.backends.sources.sdk import Client, MCPError, ValidationError, types
from wfc.backends.sources.tool import Tool


class Sieve:
    """What stands between a server's listing and the SDK, which would refuse all of a listing for one wrong tool."""

    def __init__(self) -> None:
        self._last: list[Any] = []
        self._left_out: set[str] = set()
        self.unusable: dict[str, str] = {}

    def passed(self, message: Any) -> None:
        """Take out of a message what was found wrong before."""
        if isinstance(message, types.JSONRPCResponse) and isinstance(message.result.get("tools"), list):
            self._last = [tool for tool in message.result["tools"] if text_of(tool) not in self._left_out]
            message.result["tools"] = self._last

    def leave_out(self, error: ValidationError) -> bool:
        """Hide the tools of the last listing that the SDK found wrong; whether there were any."""
        wrong = {found["loc"][1]: found for found in error.errors(include_url=False) if found["loc"][:1] == ("tools",)}
        for number, found in wrong.items():
            tool = self._last[int(number)]
            self._left_out.add(text_of(tool))
            name = tool.get("name") if isinstance(tool, dict) else None
            self.unusable[str(name)] = f"{found['msg']} at `{'.'.join(map(str, found['loc'][2:]))}`"
        return bool(wrong)


async def listed(client: Client, sieve: Sieve) -> Mapping[str, Tool]:
    """All tools by name. Raises what the SDK raises."""
    tools: dict[str, Tool] = {}
    seen: set[str | None] = {None}
    cursor: str | None = None
    while True:
        try:
            page = await client.list_tools(cursor=cursor)
        except ValidationError as error:
            if not sieve.leave_out(error):
                raise
            continue
        except MCPError as error:
            if error.code == types.METHOD_NOT_FOUND:
                return tools
            raise
        tools.update((tool.name, _tool(tool)) for tool in page.tools)
        cursor = page.next_cursor
        if cursor in seen:
            return tools
        seen.add(cursor)


def _tool(tool: types.Tool) -> Tool:
    hints = tool.annotations.model_dump(by_alias=True, exclude_none=True) if tool.annotations else {}
    return Tool(tool.name, tool.description, tool.input_schema, tool.output_schema, hints)


def text_of(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))
