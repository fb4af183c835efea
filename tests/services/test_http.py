"""Who may talk to the server over HTTP: this machine; others with a token; no page of another origin."""

from __future__ import annotations

import asyncio
import socket
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tests.services.serving import call, http_client, http_server
from wfc.cli import run

HEADERS = {"content-type": "application/json", "accept": "application/json, text/event-stream"}
PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}


def posted(url: str, **headers: str) -> int:
    return httpx2.post(url, json=PING, headers={**HEADERS, **headers}).status_code


def test_pages_of_other_origins_and_names_of_other_hosts_are_refused(tmp_path: Path) -> None:
    with http_server(tmp_path, "--origin", "https://app.example") as url:
        assert posted(url, origin="https://evil.example") == 403
        assert posted(url, origin="http://127.0.0.1.evil.example") == 403
        assert posted(url, origin="null") == 403
        assert posted(url, host="evil.example") == 421
        assert (
            posted(url, origin="https://app.example")
            == posted(url, origin="http://localhost:3000")
            == posted(url)
            < 403
        )


def test_a_token_is_demanded_of_everybody_once_it_is_set(tmp_path: Path) -> None:
    async def asked(url: str) -> Any:
        async with http_client(url, token="open sesame") as client:
            return await call(client, "language_help", topic="nodes")

    with http_server(tmp_path, "--host", "0.0.0.0", token="open sesame") as url:
        local = url.replace("0.0.0.0", "127.0.0.1")
        assert posted(local) == 401
        assert posted(local, authorization="Bearer open") == 401
        assert asyncio.run(asked(local))["topic"] == "nodes"


def test_an_address_that_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert run(["mcp", "--http", "--port", str(port)]) == 2
    told = f"error: 127.0.0.1, port {port}: address already in use; give another with --host and --port\n"
    assert capsys.readouterr().err == told


def test_bound_wider_it_wants_a_token(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("WFC_MCP_TOKEN", raising=False)
    assert run(["mcp", "--http", "--host", "0.0.0.0"]) == 2
    assert "set a token in WFC_MCP_TOKEN first" in capsys.readouterr().err
