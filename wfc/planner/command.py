"""A planner that is a program: it reads the whole prompt and prints its answer, once for every question."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence

from wfc.planner.planners import Message, PlannerFault, Reply
from wfc.records import dataclass

_TIMEOUT_SECONDS = 600.0
_HEADINGS = {"system": "", "user": "# Request\n", "assistant": "# Your workflow so far\n"}


@dataclass(frozen=True, slots=True)
class Command:
    """A command line, given as its words; nothing of it goes through a shell."""

    words: tuple[str, ...]

    def answer(self, messages: Sequence[Message]) -> Reply:
        prompt = "\n".join(f"{_HEADINGS[one.role]}{one.text}" for one in messages) + "\n"
        try:
            done = subprocess.run(
                self.words, input=prompt.encode(), capture_output=True, timeout=_TIMEOUT_SECONDS, check=False
            )
        except subprocess.TimeoutExpired:
            told = f"`{self.words[0]}` gave no answer within {_TIMEOUT_SECONDS:g} seconds"
            raise PlannerFault("timeout", told) from None
        except (OSError, ValueError) as wrong:
            # A null character is no fault of the system's: no word of a command may hold one.
            why = str(wrong.strerror).lower() if isinstance(wrong, OSError) else str(wrong)
            told = f"`{self.words[0]}` cannot be started: {why}"
            raise PlannerFault("command", told) from None
        if done.returncode != 0:
            said = " ".join(done.stderr.decode("utf-8", "replace").split())[-200:]
            told = f"`{self.words[0]}` ended with exit code {done.returncode}" + (f": {said}" if said else "")
            raise PlannerFault("command", told)
        return Reply(done.stdout.decode("utf-8", "replace"))
