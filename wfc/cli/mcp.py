"""`wfc mcp`: the toolchain for agents, over the Model Context Protocol."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Coroutine
from typing import Any

import click

from wfc.cli import options
from wfc.cli.exits import OK
from wfc.cli.faults import stopped
from wfc.cli.terminal import say

_TOKEN = "WFC_MCP_TOKEN"


@click.command("mcp")
@click.option(
    "--folder",
    metavar="PATH",
    type=click.Path(exists=True, file_okay=False),
    help="Serve this folder, not the current one: not every client starts a server where it is told to.",
)
@click.option("--http", "over_http", is_flag=True, help="Streamable HTTP instead of standard input and output.")
@click.option("--host", default="127.0.0.1", show_default=True, help=f"Any but the loopback needs {_TOKEN}.")
@click.option("--port", type=click.IntRange(0, 65535), default=8765, show_default=True, help="0 takes a free one.")
@click.option("--origin", "origins", multiple=True, metavar="URL", help="A web origin whose pages may call.")
@options.store
def command(
    folder: str | None, over_http: bool, host: str, port: int, origins: tuple[str, ...], store: str | None
) -> int:
    """Serve the ten tools of the toolchain: for the current folder, until the client or a signal ends it.

    Runs that go on then are stopped as Ctrl-C stops them, and can be resumed. Over HTTP every request needs the token
    of the environment variable WFC_MCP_TOKEN, where it is set.
    """
    from wfc.services import LOOPBACK, Address, Desk, serve_http, serve_stdio

    if folder is not None:
        os.chdir(folder)
    desk = Desk(store)
    if not over_http:
        asyncio.run(_until_a_signal(serve_stdio(desk)))
        return OK
    token = os.environ.get(_TOKEN) or None
    if token is None and host not in LOOPBACK:
        raise click.UsageError(f"`--host {host}` can be reached by others; set a token in {_TOKEN} first")
    address = Address(host, port, token, origins)
    try:
        asyncio.run(serve_http(desk, address, lambda url: say(f"listening at {url}")))
    except OSError as wrong:
        told = (os.strerror(wrong.errno) if wrong.errno else str(wrong)).lower()
        raise click.ClickException(f"{host}, port {port}: {told}; give another with --host and --port") from None
    # Nothing but a signal ends it, and it has ended in order by now.
    return stopped("stopped", as_json=False)


async def _until_a_signal(serving: Coroutine[Any, Any, None]) -> None:
    """End in order when the system asks for it, as when the client goes away."""
    task = asyncio.ensure_future(serving)
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    try:
        await task
    except asyncio.CancelledError:
        say("stopped")
