"""A server behind HTTP, written by hand, for everything that a good library would never do; on the loopback only.

It speaks the old handshake. `requests` are what arrived: method, headers, message. What a tool does wrong is told by
its name. With `token`, only who has it gets in; with `oauth`, the token is to be had for a client's own secret.
"""

from __future__ import annotations

import base64
import json
import socket
import threading
import urllib.parse
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

TOOLS = (
    *("echo", "drop", "hang", "fail", "teapot", "big", "slow"),
    *("garble", "forget", "html", "away", "need_login", "progress"),
)
CLIENT, SECRET, TOKEN = "wfc-tests", "s3cr3t-of-the-client", "t0ken-that-nobody-may-see"


class Web(ThreadingHTTPServer):
    # Calls that come together are not to wait for one another at the door.
    request_queue_size = 128
    daemon_threads = True

    def __init__(self, token: str | None, oauth: bool) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.token = token
        self.oauth = oauth
        self.requests: list[tuple[str, dict[str, str], Any]] = []
        self.sessions = 0
        self.known: set[str] = set()
        self.released = threading.Event()
        self.connections: list[socket.socket] = []

    @property
    def root(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    @property
    def url(self) -> str:
        return f"{self.root}/mcp"

    def calls(self, tool: str) -> int:
        """How often a tool was called."""
        messages = [message for _, _, message in self.requests if isinstance(message, dict)]
        return sum(one.get("method") == "tools/call" and one["params"]["name"] == tool for one in messages)


@contextmanager
def web(token=None, *, oauth=False):
    server = Web(token, oauth)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield server
    finally:
        server.released.set()
        server.shutdown()
        thread.join()
        for connection in server.connections:
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        server.server_close()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Web

    def setup(self) -> None:
        super().setup()
        self.server.connections.append(self.connection)

    def log_message(self, *about: Any) -> None:
        """Says nothing."""

    def give(self, status: int, value: Any = None, **headers: str) -> None:
        body = b"" if value is None else value if isinstance(value, bytes) else json.dumps(value).encode()
        self.send_response(status)
        for name, text in {"content_type": "application/json", **headers}.items():
            self.send_header(name.replace("_", "-"), text)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self) -> None:
        self.server.requests.append(("GET", dict(self.headers), self.path))
        root = self.server.root
        if self.server.oauth and self.path == "/.well-known/oauth-protected-resource/mcp":
            return self.give(200, {"resource": self.server.url, "authorization_servers": [root]})
        if self.server.oauth and self.path == "/.well-known/oauth-authorization-server":
            points = {name: f"{root}/{name}" for name in ("authorize", "token")}
            answers = {f"{name}_endpoint".replace("authorize_", "authorization_"): one for name, one in points.items()}
            return self.give(200, {"issuer": root, **answers, "response_types_supported": ["code"]})
        return self.give(405 if self.path == "/mcp" else 404)

    def do_DELETE(self) -> None:
        self.server.requests.append(("DELETE", dict(self.headers), None))
        self.give(200)

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        if self.path == "/token":
            return self.give_token(urllib.parse.parse_qs(body.decode()))
        message = json.loads(body)
        self.server.requests.append(("POST", dict(self.headers), message))
        wanted = self.server.token
        if wanted is not None and self.headers.get("authorization") != f"Bearer {wanted}":
            challenge = 'Bearer error="invalid_token", error_description="log in first"'
            if self.server.oauth:
                challenge += f', resource_metadata="{self.server.root}/.well-known/oauth-protected-resource/mcp"'
            return self.give(401, {"error": "invalid_token"}, www_authenticate=challenge)
        return self.answer(message)

    def give_token(self, form: dict[str, list[str]]) -> None:
        self.server.requests.append(("TOKEN", dict(self.headers), form))
        basic = base64.b64encode(f"{CLIENT}:{SECRET}".encode()).decode()
        given = self.headers.get("authorization", "")
        if given != f"Basic {basic}":
            plain = base64.b64decode(given.removeprefix("Basic ")).decode()
            return self.give(401, {"error": "invalid_client", "error_description": f"neither {given} nor {plain}"})
        return self.give(200, {"access_token": self.server.token, "token_type": "Bearer", "expires_in": 3600})

    def answer(self, message: Any) -> None:
        method = message["method"]
        if method == "initialize":
            self.server.sessions += 1
            self.server.known.add(f"session-{self.server.sessions}")
            info = {"name": "web", "version": "1"}
            version = message["params"]["protocolVersion"]
            result = {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": info}
            said = {"jsonrpc": "2.0", "id": message["id"], "result": result}
            return self.give(200, said, mcp_session_id=f"session-{self.server.sessions}")
        if "id" not in message:
            return self.give(202)
        if self.headers.get("mcp-session-id") not in self.server.known:
            return self.give(404 if "mcp-session-id" in self.headers else 400)
        if method == "tools/list":
            listed = [{"name": name, "inputSchema": {"type": "object"}} for name in TOOLS]
            return self.give(200, {"jsonrpc": "2.0", "id": message["id"], "result": {"tools": listed}})
        return getattr(self, message["params"]["name"])(message["id"], message["params"]["arguments"])

    def said(self, number: int, text: str) -> dict[str, Any]:
        return {"jsonrpc": "2.0", "id": number, "result": {"content": [{"type": "text", "text": text}]}}

    def stream(self, *messages: Any) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        for message in messages:
            self.wfile.write(b"event: message\ndata: " + json.dumps(message).encode() + b"\n\n")
            self.wfile.flush()
        self.close_connection = True

    # -- tools --------------------------------------------------------------------------------------------------------

    def echo(self, number: int, arguments: Any) -> None:
        self.give(200, self.said(number, arguments.get("text", "")))

    def drop(self, number: int, arguments: Any) -> None:
        """Ends the connection in the middle of an answer."""
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", "1000")
        self.end_headers()
        self.wfile.write(b'{"jsonrpc": "2.0"')
        self.close_connection = True

    def hang(self, number: int, arguments: Any) -> None:
        self.server.released.wait(600)
        self.close_connection = True

    def fail(self, number: int, arguments: Any) -> None:
        self.give(500, b"out of cheese", content_type="text/plain")

    def teapot(self, number: int, arguments: Any) -> None:
        error = {"code": -32602, "message": "no tea", "data": {"seal": "guessed", "kind": "unreachable"}}
        self.give(400, {"jsonrpc": "2.0", "id": number, "error": error})

    def big(self, number: int, arguments: Any) -> None:
        said = self.said(number, "x" * arguments["size"])
        self.stream(said) if arguments.get("stream") else self.give(200, said)

    def slow(self, number: int, arguments: Any) -> None:
        """Answers when all of a number of calls are there at once."""
        deadline = 6000
        while self.server.calls("slow") < arguments["together"] and deadline:
            threading.Event().wait(0.05)
            deadline -= 1
        self.give(200, self.said(number, f"{self.server.calls('slow')} at once"))

    def garble(self, number: int, arguments: Any) -> None:
        self.give(200, b"{")

    def forget(self, number: int, arguments: Any) -> None:
        self.server.known.clear()
        self.echo(number, {"text": "who are you?"})

    def away(self, number: int, arguments: Any) -> None:
        """Wants to be asked somewhere else."""
        self.give(307, location="http://localhost:1/mcp")

    def html(self, number: int, arguments: Any) -> None:
        self.give(200, b"<html>", content_type="text/html")

    def need_login(self, number: int, arguments: Any) -> None:
        asked = [{"mode": "url", "message": "log in", "url": "http://127.0.0.1/login", "elicitationId": "1"}]
        error = {"code": -32042, "message": "log in", "data": {"elicitations": asked}}
        self.give(200, {"jsonrpc": "2.0", "id": number, "error": error})

    def progress(self, number: int, arguments: Any) -> None:
        token = self.server.requests[-1][2]["params"]["_meta"].get("progressToken")
        steps = [{"progressToken": token, "progress": one, "total": 2, "message": f"step {one}"} for one in (1, 2)]
        told = [{"jsonrpc": "2.0", "method": "notifications/progress", "params": step} for step in steps]
        self.stream(*told, self.said(number, "done"))
