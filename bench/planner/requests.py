"""The requests of the evaluation: what is asked, which tools may be used, and a workflow that does it."""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from wfc.briefing import by_name, capabilities_of_listing
from wfc.ir import Contract

FOLDER = Path(__file__).parent
CATALOGUES = FOLDER / "catalogues"


@dataclass(frozen=True)
class Request:
    """`reference` is a workflow in the text form, without the contracts of the capabilities that it calls."""

    id: str
    text: str
    servers: tuple[str, ...]
    reference: str

    @property
    def capabilities(self) -> tuple[Contract, ...]:
        return tuple(one for server in self.servers for one in server_tools(server))


@cache
def requests() -> tuple[Request, ...]:
    """All of them, always in the same order."""
    found = tomllib.loads((FOLDER / "requests.toml").read_text("utf-8"))["request"]
    return tuple(Request(one["id"], one["text"], tuple(one["servers"]), one["reference"]) for one in found)


@cache
def server_tools(server: str) -> tuple[Contract, ...]:
    """The tools of a server, as it listed them."""
    listing = json.loads((CATALOGUES / f"{server}.json").read_text("utf-8"))
    return tuple(by_name(capabilities_of_listing(listing)).values())
