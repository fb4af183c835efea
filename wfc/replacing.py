"""Files put in the place of others, as a whole or not at all.

Guarantees: whoever reads the file meanwhile, or after the writer was killed or the disk was full, finds the old content
or the new one. A link goes on pointing where it points. A device or a pipe is written to and stays what it is.
"""

from __future__ import annotations

import errno
import os
import stat
from contextlib import suppress


def write_whole(target: str | os.PathLike[str], data: bytes) -> None:
    """Write a file so that nobody ever sees a part of it. It keeps its permissions, and its owner if that is allowed.

    Raises `OSError`, with its name, also for one that may not be written to.
    """
    # Who may write to the folder could replace a file that may not be written to.
    require_writable(target)
    file = os.path.realpath(target)
    try:
        before = os.stat(target)
    except FileNotFoundError:
        _replace(file, data, None, target)
        return
    if stat.S_ISREG(before.st_mode):
        _replace(file, data, before, target)
        return
    try:
        with open(target, "wb") as opened:
            opened.write(data)
    except OSError as wrong:
        raise _about(wrong, target) from None


def require_writable(target: str | os.PathLike[str]) -> None:
    """Raises the `OSError` that writing there would meet, so that nothing begins whose outcome could not be kept."""
    file = os.path.realpath(target)
    folder, is_there = os.path.dirname(file), os.path.exists(file)
    needed = ([file] if is_there else []) + ([folder] if os.path.isfile(file) or not is_there else [])
    if os.path.isdir(file):
        number = errno.EISDIR
    elif not os.path.isdir(folder):
        number = errno.ENOENT
    elif not all(os.access(one, os.W_OK) for one in needed):
        number = errno.EACCES
    else:
        return
    raise _about(OSError(number, os.strerror(number)), target)


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


def _replace(file: str, data: bytes, before: os.stat_result | None, target: str | os.PathLike[str]) -> None:
    # By chance, not by the process: in a container every process has the same number, and one that was killed leaves
    # its part behind. Short, because the name of the file may be as long as names can be.
    part = os.path.join(os.path.dirname(file), f".{os.urandom(6).hex()}.part")
    try:
        with open(part, "xb") as opened:
            opened.write(data)
        if before is not None:
            _make_like(part, before)
        os.replace(part, file)
    except BaseException as wrong:
        if os.path.exists(part):
            os.unlink(part)
        if isinstance(wrong, OSError):
            raise _about(wrong, target) from None
        raise


def _make_like(part: str, before: os.stat_result) -> None:
    """The permissions and the owner of what was there: root, who lays out a file of a user, does not take it away."""
    made = os.stat(part)
    if (made.st_uid, made.st_gid) != (before.st_uid, before.st_gid):
        with suppress(PermissionError):
            os.chown(part, before.st_uid, before.st_gid)
    os.chmod(part, stat.S_IMODE(before.st_mode))


def _about(wrong: OSError, file: str | os.PathLike[str]) -> OSError:
    """The same fault, told of the file that the user knows: a full disk names none, and nobody knows the part."""
    named = os.fspath(file)
    inside = os.path.relpath(named) if os.path.isabs(named) else named
    return OSError(wrong.errno, wrong.strerror, named if inside.startswith("..") else inside)
