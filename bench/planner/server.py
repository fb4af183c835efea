"""An endpoint on the loopback that plays a script: recorded answers and faults, as chat completions or as messages.

Guarantees: what was asked is kept as it came; nothing but the script decides what is answered.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Line:
    """One answer of a script: a text with the reason why it ends, or a fault: a status with headers, a body that is no
    JSON, a connection that is closed."""

    text: str = ""
    finish: str = "stop"
    refusal: str | None = None
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    raw: bytes | None = None
    hangs_up: bool = False


@dataclass
class Endpoint:
    """A server that plays a script; `asked` are the bodies of the requests, `keys` what they were allowed by."""

    url: str
    asked: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str | None] = field(default_factory=list)


@contextmanager
def playing(script: Sequence[Line]) -> Iterator[Endpoint]:
    """Play a script on a free port; behind its end every request is a fault of the server."""
    lines = list(script)
    endpoint = Endpoint("")

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            endpoint.asked.append(body)
            endpoint.keys.append(self.headers.get("authorization") or self.headers.get("x-api-key"))
            line = lines.pop(0) if lines else Line(status=500, raw=b"the script is over")
            if line.hangs_up:
                self.close_connection = True
                return
            payload = line.raw if line.raw is not None else json.dumps(_answer(self.path, line)).encode()
            self.send_response(line.status)
            for name, value in (*line.headers, ("content-length", str(len(payload)))):
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(payload)

        def log_message(self, *_: Any) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    endpoint.url = f"http://127.0.0.1:{server.server_port}/v1"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield endpoint
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _answer(path: str, line: Line) -> dict[str, Any]:
    if path.endswith("/messages"):
        stop = {"stop": "end_turn", "length": "max_tokens", "content_filter": "refusal"}[line.finish]
        usage = {"input_tokens": 11, "output_tokens": 7}
        return {"content": [{"type": "text", "text": line.text}], "stop_reason": stop, "usage": usage}
    message: dict[str, Any] = {"role": "assistant", "content": line.text}
    if line.refusal is not None:
        message |= {"content": None, "refusal": line.refusal}
    usage = {"prompt_tokens": 11, "completion_tokens": 7}
    return {"choices": [{"message": message, "finish_reason": line.finish}], "usage": usage}
