"""Who calls, for a server that asks for tokens: a noun of its own, so that naming it imports no network."""

from __future__ import annotations

from typing import Literal

from wfc.records import dataclass


@dataclass(frozen=True, slots=True)
class OAuth:
    """A client that gets its tokens with credentials of its own, from the one server that may see them."""

    client_id: str
    client_secret: str
    issuer: str
    scope: str | None = None
    method: Literal["client_secret_basic", "client_secret_post"] = "client_secret_basic"
