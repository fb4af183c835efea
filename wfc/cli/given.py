"""What a user hands to a command: files and JSON, read by the rules of the language, with a place for every fault.

The reader is imported when there is something to read, and click when something is wrong: a run of a compiled program
may need none of them.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from wfc.project import files_under

if TYPE_CHECKING:
    from wfc.frontend import Document

STANDARD_INPUT = "-"


def read_bytes(path: str) -> bytes:
    """The content of a file, or of standard input for `-`. Raises `OSError` with the file's name."""
    if path == STANDARD_INPUT:
        return sys.stdin.buffer.read()
    with open(path, "rb") as file:
        return file.read()


def given_files(paths: tuple[str, ...], suffixes: tuple[str, ...]) -> Iterator[str]:
    """The files that are meant, each once; a folder in which there are none ends the command."""
    for path in paths:
        if os.path.isdir(path) and not any(files_under([path], suffixes)):
            from click import ClickException

            raise ClickException(f"{path} holds no {' or '.join(f'*{suffix}' for suffix in suffixes)} file")
    return files_under(paths, suffixes)


def _as_text(argument: str) -> str:
    """An argument as the text in UTF-8 that it is, whatever encoding the environment has; as it is where it is none."""
    try:
        return argument.encode("utf-8", "surrogateescape").decode("utf-8")
    except UnicodeError:
        return argument


def json_argument(option: str, text: str) -> Any:
    """The value of an option that takes JSON, `@file`, or `-` for standard input."""
    if text == STANDARD_INPUT:
        return _value(read(f"{option} -", read_bytes(STANDARD_INPUT)))
    if text.startswith("@"):
        return json_file(text[1:])
    text = _as_text(text)
    from wfc.ir import plain_json

    plain = plain_json(text)
    return plain[0] if plain is not None else _value(read(option, text))


def json_file(path: str) -> Any:
    return _value(read(path, read_bytes(path)))


def read(name: str, data: bytes | str) -> Document:
    from wfc.frontend import read_json

    return read_json(name, data)


def _value(document: Document) -> Any:
    """The value of a document; the first place at which it is no JSON ends the command."""
    for found in document.diagnostics:
        from click import ClickException

        start = (found.at.span or document.locate(found.at.pointer)).start
        raise ClickException(f"{document.name}:{start.line}:{start.column}: {found.message}")
    return document.value


def set_values(settings: tuple[str, ...], schema: Any) -> dict[str, Any]:
    """The keys given by `--set key=value`; `schema` is that of the input as far as it is known."""
    properties = schema.get("properties", {}) if isinstance(schema, dict) else {}
    made: dict[str, Any] = {}
    for setting in settings:
        key, equals, text = _as_text(setting).partition("=")
        if not equals or not key:
            from click import UsageError

            raise UsageError(f"`--set {setting}` has no `key=value`")
        made[key] = _set_value(text, properties.get(key))
    return made


def _set_value(text: str, schema: Any) -> Any:
    """JSON, unless the schema wants a string there or it does not parse (reference 4.1)."""
    if isinstance(schema, dict) and schema.get("type") == "string":
        return text
    document = read("--set", text)
    return document.value if document.readable else text
