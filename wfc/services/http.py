"""Streamable HTTP: on the loopback by default; bound wider only behind a token; pages of other origins are refused.

The one door to the HTTP server. Whoever is refused here has reached nothing of the protocol.
"""

from __future__ import annotations

import hmac
import signal
import socket
import threading
from collections.abc import Awaitable, Callable, Iterator, MutableMapping, Sequence
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

import uvicorn

from wfc.records import dataclass
from wfc.services.desk import Desk
from wfc.services.server import http_app

LOOPBACK = ("127.0.0.1", "localhost", "::1")
_GRACE_SECONDS = 5

Scope = MutableMapping[str, Any]
Application = Callable[[Scope, Any, Any], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Address:
    """Where to listen. `token` is demanded of every request if it is there; `origins` are further web origins."""

    host: str = "127.0.0.1"
    port: int = 8765
    token: str | None = None
    origins: tuple[str, ...] = ()

    @property
    def is_local(self) -> bool:
        return self.host in LOOPBACK


class _Server(uvicorn.Server):
    """One that a signal ends in order and that is all: raised again, as by default, it would end the process without a
    word, or with a traceback of what was being served."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {number: signal.signal(number, self.handle_exit) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


async def serve_http(desk: Desk, address: Address, listening: Callable[[str], None]) -> None:
    """Serve until a signal ends it; `listening` is told the address. Raises `OSError` for one that is taken."""
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    with socket.create_server((address.host, address.port), family=family) as bound:
        app = guarded(http_app(desk, address.origins if address.is_local else None), address)
        config = uvicorn.Config(
            app, log_level="warning", access_log=False, timeout_graceful_shutdown=_GRACE_SECONDS, lifespan="on"
        )
        shown = f"[{address.host}]" if family == socket.AF_INET6 else address.host
        server = _Server(config)
        try:
            # From before anybody is told that it is there: who is told may stop it at once.
            with server.capture_signals():
                listening(f"http://{shown}:{bound.getsockname()[1]}/mcp")
                await server.serve(sockets=[bound])
        finally:
            await desk.runs.close()


def guarded(app: Application, address: Address) -> Application:
    """The application behind the checks of origin and token."""

    async def guard(scope: Scope, receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            headers = {name.lower(): value for name, value in scope["headers"]}
            if not _is_known(headers.get(b"origin"), address.origins):
                return await _refuse(send, 403, b"this origin is not allowed; see wfc mcp --origin")
            if address.token is not None and not _has_token(headers.get(b"authorization"), address.token):
                return await _refuse(send, 401, b"expected the header Authorization: Bearer TOKEN")
        await app(scope, receive, send)
        return None

    return guard


def _is_known(origin: bytes | None, allowed: Sequence[str]) -> bool:
    """Whether a page may call: programs send no origin, pages of this machine are its user's."""
    if origin is None:
        return True
    text = origin.decode("latin-1")
    try:
        return text in allowed or urlsplit(text).hostname in LOOPBACK
    except ValueError:
        return False


def _has_token(header: bytes | None, token: str) -> bool:
    return header is not None and hmac.compare_digest(header, f"Bearer {token}".encode())


async def _refuse(send: Any, status: int, why: bytes) -> None:
    headers = [(b"content-type", b"text/plain"), (b"content-length", str(len(why)).encode())]
    if status == 401:
        headers.append((b"www-authenticate", b"Bearer"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": why})
