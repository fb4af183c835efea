"""Who owns a run: a process, named so that others on its machine can see whether it is still there (reference 4.3)."""

from __future__ import annotations

import os

_BOOT = "/proc/sys/kernel/random/boot_id"
_NAMESPACE = "/proc/self/ns/pid"


def this_process() -> str:
    """The name of this process: the same while it lives, and never that of another."""
    pid = os.getpid()
    return f"{_machine()}/{pid}/{_started(pid)}"


def is_gone(owner: str) -> bool:
    """Whether an owner was a process of this machine that has ended; false where nobody here can know."""
    machine, _, rest = owner.rpartition("/")[0].rpartition("/")
    started = owner.rpartition("/")[2]
    if machine != _machine() or not rest.isdigit():
        return False
    pid = int(rest)
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        return False
    return _started(pid) != started


def _machine() -> str:
    """This machine since it was started, and the processes that can see one another on it."""
    return f"{os.uname().nodename}/{_line(_BOOT)}/{_link(_NAMESPACE)}"


def _started(pid: int) -> str:
    """When a process began, in ticks since the machine did; a number is given to another process one day."""
    # The name of the program stands in parentheses and may hold anything; what follows are numbers.
    fields = _line(f"/proc/{pid}/stat").rpartition(")")[2].split()
    # A process that nobody has waited for yet has ended all the same.
    return fields[19] if len(fields) > 19 and fields[0] != "Z" else ""


def _line(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.readline().strip()
    except OSError:
        return ""


def _link(path: str) -> str:
    try:
        return os.readlink(path)
    except OSError:
        return ""
