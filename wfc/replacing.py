"""Files put in the place of others, as a whole or not at all.

Guarantees: whoever reads the file meanwhile, or after the writer was killed or the disk was full, finds the old content
or the new one. A link goes on pointing where it points. A device or a pipe is written to and stays what it is.
"""

from __future__ import annotations

import os
import stat


def write_whole(target: str | os.PathLike[str], data: bytes) -> None:
    """Write a file so that nobody ever sees a part of it; it keeps its permissions. Raises `OSError`, with its name."""
    file = os.path.realpath(target)
    try:
        before = os.stat(target)
    except FileNotFoundError:
        _replace(file, data, None, target)
        return
    if stat.S_ISREG(before.st_mode):
        _replace(file, data, stat.S_IMODE(before.st_mode), target)
        return
    try:
        with open(target, "wb") as opened:
            opened.write(data)
    except OSError as wrong:
        raise _about(wrong, target) from None


def write_over(target: str | os.PathLike[str], before: bytes, data: bytes) -> None:
    """Write a file of which `before` was read, as a whole. Raises `OSError`, also when it holds something else by now:
    what somebody wrote meanwhile stays, unless it is the same."""
    # What is no file, a pipe say, cannot be read twice.
    if stat.S_ISREG(os.stat(target).st_mode):
        with open(target, "rb") as file:
            now = file.read()
        if now == data:
            return
        if now != before:
            raise OSError(0, "changed since it was read; nothing was written", os.fspath(target))
    write_whole(target, data)


def _replace(file: str, data: bytes, mode: int | None, target: str | os.PathLike[str]) -> None:
    # By chance, not by the process: in a container every process has the same number, and one that was killed leaves
    # its part behind. Short, because the name of the file may be as long as names can be.
    part = os.path.join(os.path.dirname(file), f".{os.urandom(6).hex()}.part")
    try:
        with open(part, "xb") as opened:
            opened.write(data)
        if mode is not None:
            os.chmod(part, mode)
        os.replace(part, file)
    except BaseException as wrong:
        if os.path.exists(part):
            os.unlink(part)
        if isinstance(wrong, OSError):
            raise _about(wrong, target) from None
        raise


def _about(wrong: OSError, file: str | os.PathLike[str]) -> OSError:
    """The same fault, told of the file that the user knows: a full disk names none, and nobody knows the part."""
    named = os.fspath(file)
    inside = os.path.relpath(named) if os.path.isabs(named) else named
    return OSError(wrong.errno, wrong.strerror, named if inside.startswith("..") else inside)
