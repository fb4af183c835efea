"""What to start or to speak with, from what is configured: the only place where a source comes to its credentials.

Reference 4.2. Nothing of a workflow comes here: commands, addresses and headers are those of the configuration.
"""

from __future__ import annotations

import asyncio
import json
import os
import shlex
import subprocess
from collections.abc import Mapping
from pathlib import Path

from wfc.backends.sources.hiding import Hiding
from wfc.backends.sources.http import Address, is_address
from wfc.backends.sources.oauth import OAuth
from wfc.backends.sources.process import Command
from wfc.backends.sources.tool import NotStarted
from wfc.records import dataclass, field

_HEADERS_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """A command with its arguments and variables, or an address with its headers; references stand resolved.

    `headers_from` is a command that prints further headers, as JSON or as `Name: value` lines; it gets the environment
    of this process, and runs whenever a session begins.
    """

    command: str | None = None
    args: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)
    cwd: Path | None = None
    url: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    headers_from: str | None = None
    oauth: OAuth | None = None


async def found(place: Whereabouts, hiding: Hiding) -> Command | Address:
    """What to start or to speak with now. Raises `NotStarted`."""
    if place.url is None:
        return Command(place.command or "", place.args, place.env, place.cwd)
    if not is_address(place.url):
        raise NotStarted("`url` is no address; expected one such as `https://host/mcp`")
    headers = dict(place.headers)
    if place.headers_from is not None:
        printed = await _printed(place.headers_from, place.cwd)
        for value in printed.values():
            _hide(value, hiding)
        headers |= printed
    return Address(place.url, headers, place.oauth, hiding.add)


def _hide(value: str, hiding: Hiding) -> None:
    """A header is a secret, and so is what stands behind the name of its scheme."""
    hiding.add(value)
    scheme, blank, credential = value.partition(" ")
    if blank and scheme.isalpha():
        hiding.add(credential.strip())


async def _printed(command: str, cwd: Path | None) -> dict[str, str]:
    """The headers that a command prints. What it says on its error channel is never repeated."""
    try:
        words = shlex.split(command)
        child = await asyncio.create_subprocess_exec(
            *words,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=cwd,
            env=dict(os.environ),
        )
    except (OSError, ValueError) as error:
        raise NotStarted(f"`headers_from` cannot be run: {type(error).__name__}") from None
    try:
        async with asyncio.timeout(_HEADERS_SECONDS):
            printed, _ = await child.communicate()
    except TimeoutError:
        raise NotStarted(f"`headers_from` was not done within {_HEADERS_SECONDS:g} seconds") from None
    finally:
        if child.returncode is None:
            child.kill()
            await child.wait()
    if child.returncode:
        raise NotStarted(f"`headers_from` ended with exit code {child.returncode}")
    return headers_in(printed.decode("utf-8", "replace"))


def headers_in(text: str) -> dict[str, str]:
    """Headers from a JSON object of texts, or from `Name: value` lines. Raises `NotStarted`, without repeating them."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        lines = [line.partition(":") for line in text.splitlines() if line.strip()]
        if lines and all(colon and name.strip() for name, colon, _ in lines):
            return {name.strip(): value.strip() for name, _, value in lines}
        found = None
    if isinstance(found, dict) and all(isinstance(value, str) for value in found.values()):
        return {str(name): value for name, value in found.items()}
    raise NotStarted(
        "`headers_from` prints no headers; expected a JSON object of texts, or lines such as `Name: value`"
    )
