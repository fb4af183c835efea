"""The exit codes of every command (reference 4), each in one place."""

OK = 0
FINDINGS = 1
REFUSED = 2
OTHER_OUTCOME = 3
INTERRUPTED = 4
FAILED = 5
INTERNAL = 70
STOPPED = 130

# How a run ended; completed runs look at the outcome as well.
OF_STATUS = {"interrupted": INTERRUPTED, "failed": FAILED, "cancelled": FAILED}


def of_run(status: str, outcome: str | None) -> int:
    """The exit code for a run that rests."""
    if status == "completed":
        return OK if outcome == "ok" else OTHER_OUTCOME
    return OF_STATUS.get(status, OK)
