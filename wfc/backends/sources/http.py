"""An MCP server behind an address: streamable HTTP by the SDK, with every failure of the network as an answer.

The SDK ends a whole session for one connection that breaks. Here a request that cannot be sent, loses its connection,
is refused for want of authorisation or answers too much gets an error of its own, and the calls beside it go on. The
address is the configured one: redirects that leave it are not followed.
"""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any

from wfc.backends.sources.listing import Sieve
from wfc.backends.sources.oauth import OAuth
from wfc.backends.sources.process import MAX_LINE_BYTES
from wfc.backends.sources.sdk import (
    ClientCredentialsOAuthProvider,
    OAuthClientInformationFull,
    OAuthFlowError,
    OAuthToken,
    SessionMessage,
    anyio,
    httpx2,
    streamable_http_client,
    types,
)
from wfc.backends.sources.tool import NotAuthorised, NotStarted, ToolFault
from wfc.records import dataclass, field

_CONNECT_SECONDS = 30.0
_SHOWN = 200
# What may be answered to a request without an answer of the protocol, and is told to the SDK as it is.
_PROTOCOL_STATUSES = (404, 405)
_UNREACHABLE, _LOST, _AUTH = "unreachable", "lost", "auth"
_PARAMETER = re.compile(r'(\w+)="([^"]*)"')


@dataclass(frozen=True, slots=True)
class Address:
    """Where a server is and what it is told about who calls. `on_secret` is told of each token that comes."""

    url: str
    headers: Mapping[str, str] = field(default_factory=dict)
    oauth: OAuth | None = None
    on_secret: Callable[[str], None] = lambda secret: None


def is_address(url: str) -> bool:
    """Whether a text can be asked for at all; whether somebody answers there is another question."""
    try:
        httpx2.URL(url)
    except httpx2.InvalidURL:
        return False
    return True


class HttpLine:
    """Messages to and from an address: what the SDK calls a transport."""

    def __init__(self, address: Address) -> None:
        self._address = address
        self._seal = secrets.token_hex(8)
        self._client = _Client(self._seal, headers=dict(address.headers), auth=_auth(address))
        self.sieve = Sieve()
        self.ended = False

    @asynccontextmanager
    async def streams(self) -> AsyncIterator[tuple[Any, Any]]:
        address = self._address
        client = self._client
        try:
            async with (
                client,
                streamable_http_client(address.url, http_client=client, max_sse_event_size=MAX_LINE_BYTES) as streams,
            ):
                yield _Inbox(streams[0], self.sieve), streams[1]
        finally:
            self.ended = True

    def greeted(self) -> None:
        """The handshake is over; from now on each request has its own luck."""
        self._client.greeting = False

    # -- what a session asks ------------------------------------------------------------------------------------------

    @property
    def quoted(self) -> str:
        """Nothing is said outside the protocol."""
        return ""

    async def epitaph(self) -> str:
        return "ended the session"

    def take_strays(self) -> list[str]:
        return []

    def fault_of(self, error: Any) -> Exception | None:
        """What an error that was made here means."""
        if error.code == types.INVALID_REQUEST and error.message == "Session terminated":
            self.ended = True
            return NotStarted("the server does not know the session any more; the next call begins another one")
        told = error.data if isinstance(error.data, dict) else {}
        if told.get("seal") != self._seal:
            return None
        if told["kind"] == _UNREACHABLE:
            return NotStarted(error.message)
        if told["kind"] == _AUTH:
            return NotAuthorised(error.message, told.get("url"))
        return ToolFault("node_failed", error.message)


class _Inbox:
    """What arrives, sifted."""

    def __init__(self, stream: Any, sieve: Sieve) -> None:
        self._stream = stream
        self._sieve = sieve

    @property
    def last_context(self) -> Any:
        return getattr(self._stream, "last_context", None)

    async def receive(self) -> SessionMessage | Exception:
        item: SessionMessage | Exception = await self._stream.receive()
        if isinstance(item, SessionMessage):
            self._sieve.passed(item.message)
        return item

    async def aclose(self) -> None:
        await self._stream.aclose()

    def __aiter__(self) -> _Inbox:
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None

    async def __aenter__(self) -> _Inbox:
        return self

    async def __aexit__(self, *about: object) -> None:
        await self.aclose()


# -- requests ---------------------------------------------------------------------------------------------------------


class _Client(httpx2.AsyncClient):
    """A client whose requests always have a response.

    While it is greeting, what could not be reached once is not asked again: to be silent is not to refuse the newest
    protocol, and a server that comes up between two questions would be spoken to in an old one.
    """

    def __init__(self, seal: str, **options: Any) -> None:
        super().__init__(timeout=httpx2.Timeout(_CONNECT_SECONDS, read=None), **options)
        self._seal_of_ours = seal
        self._unreached: str | None = None
        self.greeting = True

    async def send(self, request: httpx2.Request, **options: Any) -> httpx2.Response:
        if self.greeting and self._unreached is not None:
            return self._unreachable(request, self._unreached)
        try:
            response = await super().send(request, **options)
            return await self._judged(request, response)
        except (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout, httpx2.UnsupportedProtocol) as error:
            return self._unreachable(request, f"the server cannot be reached: {_told(error)}")
        except (httpx2.TransportError, httpx2.DecodingError) as error:
            return self._answer(request, _LOST, f"the connection to the server is lost: {_told(error)}")
        except OAuthFlowError as error:
            return self._answer(request, _AUTH, f"no token is to be had: {_told(error)}")
        except (ValueError, httpx2.InvalidURL) as error:
            return self._unreachable(request, f"the server cannot be asked: {_told(error)}")

    async def _judged(self, request: httpx2.Request, response: httpx2.Response) -> httpx2.Response:
        """The response itself, or what has to be said in its place."""
        challenge = response.headers.get("www-authenticate", "")
        if response.status_code == 401 or (response.status_code == 403 and challenge):
            body = await _body(response)
            reason, url = _wanted(response.status_code, challenge, body or b"")
            return self._answer(request, _AUTH, reason, url)
        if response.is_redirect:
            # Followed or not by the SDK, which looks at more than the status.
            return response
        is_json = response.headers.get("content-type", "").lower().startswith("application/json")
        failed = response.status_code >= 400 and response.status_code not in _PROTOCOL_STATUSES
        if not is_json and not failed:
            return response
        body = await _body(response)
        if body is None:
            return self._answer(request, _LOST, f"the answer is longer than {MAX_LINE_BYTES >> 20} MiB")
        said = body[: _SHOWN * 4].decode("utf-8", "replace").strip()[:_SHOWN]
        if is_json and (not body or _is_json(body)):
            return _made(request, response.status_code, body, response.headers)
        if not failed:
            return self._answer(request, _LOST, f"the server answers what cannot be read: {said}")
        told = f"the server answers with status {response.status_code}{f': {said}' if said else ''}"
        return self._answer(request, _LOST, told)

    def _unreachable(self, request: httpx2.Request, message: str) -> httpx2.Response:
        self._unreached = message
        return self._answer(request, _UNREACHABLE, message)

    def _answer(self, request: httpx2.Request, kind: str, message: str, url: str | None = None) -> httpx2.Response:
        data = {"seal": self._seal_of_ours, "kind": kind, **({} if url is None else {"url": url})}
        error = {"code": types.INTERNAL_ERROR, "message": message, "data": data}
        body = json.dumps({"jsonrpc": "2.0", "id": None, "error": error}).encode()
        return _made(request, 503, body, {"content-type": "application/json"})


def _made(request: httpx2.Request, status: int, body: bytes, headers: Mapping[str, str]) -> httpx2.Response:
    kept = {key: value for key, value in headers.items() if key.lower() not in ("content-encoding", "content-length")}
    return httpx2.Response(status, headers=kept, content=body, request=request)


async def _body(response: httpx2.Response) -> bytes | None:
    """The whole of a response; none where it is too long."""
    whole = bytearray()
    try:
        async for part in response.aiter_bytes():
            whole += part
            if len(whole) > MAX_LINE_BYTES:
                return None
    finally:
        await response.aclose()
    return bytes(whole)


def _is_json(body: bytes) -> bool:
    try:
        json.loads(body)
    except (ValueError, RecursionError):
        return False
    return True


def _told(error: Exception) -> str:
    return str(error).split("\n")[0] or type(error).__name__


# -- authorisation ----------------------------------------------------------------------------------------------------


def _wanted(status: int, challenge: str, body: bytes) -> tuple[str, str | None]:
    """What a refused request was told, in one sentence, and where a person can see to it."""
    parameters = dict(_PARAMETER.findall(challenge))
    said = parameters.get("error_description") or parameters.get("error") or _error_in(body)
    reason = f"the server asks for authorisation (status {status}{f': {said}' if said else ''})"
    return reason, parameters.get("authorization_uri") or parameters.get("resource_metadata")


def _error_in(body: bytes) -> str:
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        return ""
    error = found.get("error_description") or found.get("error") if isinstance(found, dict) else None
    if isinstance(error, dict):
        error = error.get("message")
    return str(error)[:_SHOWN] if error else ""


class _Tokens:
    """The tokens of one session, which are kept nowhere else."""

    def __init__(self, on_secret: Callable[[str], None]) -> None:
        self._on_secret = on_secret
        self._tokens: OAuthToken | None = None
        self._client: OAuthClientInformationFull | None = None

    async def get_tokens(self) -> OAuthToken | None:
        return self._tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self._on_secret(tokens.access_token)
        if tokens.refresh_token:
            self._on_secret(tokens.refresh_token)
        self._tokens = tokens

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return self._client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self._client = client_info


def _auth(address: Address) -> httpx2.Auth | None:
    oauth = address.oauth
    if oauth is None:
        return None
    return ClientCredentialsOAuthProvider(
        server_url=address.url,
        storage=_Tokens(address.on_secret),
        client_id=oauth.client_id,
        client_secret=oauth.client_secret,
        token_endpoint_auth_method=oauth.method,
        scope=oauth.scope,
        issuer=oauth.issuer,
    )
