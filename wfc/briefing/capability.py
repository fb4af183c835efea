"""A capability as whoever writes workflows is told about it: a name, a contract, what a repeated call would do."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from wfc.records import dataclass, field

# What a tool gives that declares no output: its text (reference 4.2).
TEXT_OUTPUT: Mapping[str, Any] = {
    "type": "object",
    "properties": {"text": {"type": "string"}},
    "required": ["text"],
}


@dataclass(frozen=True, slots=True)
class Capability:
    """What a capability takes and gives; `name` is `source.tool`. The first outcome gives `output`, `others` maps
    further ones to their schema where they have one of their own (reference 1.3)."""

    name: str
    input: Any
    output: Any
    outcomes: tuple[str, ...] = ("ok",)
    others: Mapping[str, Any] = field(default_factory=dict)
    effects: str = "write"
    description: str | None = None

    @property
    def source(self) -> str:
        return self.name.partition(".")[0]

    @property
    def definition(self) -> dict[str, Any]:
        """The node definition that says the same."""
        made: dict[str, Any] = {
            "name": self.name,
            "input_schema": self.input,
            "output_schema": self.output,
            "outcomes": list(self.outcomes),
            "uses": self.name,
            "effects": self.effects,
        }
        return {**made, "outcome_schemas": dict(self.others)} if self.others else made


def capabilities_of_listing(listing: Mapping[str, Any]) -> tuple[Capability, ...]:
    """The tools of one MCP server as `tools/list` gives them, under the name of its key `server`.

    Raises `KeyError`, `TypeError` or `AttributeError` for a value of another shape.
    """
    return tuple(_of_tool(str(listing["server"]), tool) for tool in listing["tools"])


def _of_tool(server: str, tool: Mapping[str, Any]) -> Capability:
    hints = tool.get("annotations") or {}
    return Capability(
        name=f"{server}.{tool['name']}",
        input=tool["inputSchema"],
        output=tool.get("outputSchema") or dict(TEXT_OUTPUT),
        effects="read" if hints.get("readOnlyHint") else "idempotent" if hints.get("idempotentHint") else "write",
        description=tool.get("description"),
    )


def by_name(capabilities: Iterable[Capability]) -> dict[str, Capability]:
    return {one.name: one for one in sorted(capabilities, key=lambda one: one.name)}
