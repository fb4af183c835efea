"""What a call is, to those who check it and to those who make it: which capability, and how often it is tried."""

from wfc.records import dataclass

END = "__end__"

CATCHABLE = ("node_failed", "node_timeout", "node_output_invalid", "undeclared_outcome", "capability_unavailable")
RETRIED_BY_DEFAULT = tuple(code for code in CATCHABLE if code != "undeclared_outcome")


@dataclass(frozen=True, slots=True)
class Retry:
    """How often and how fast a failing call is made again (reference 1.3)."""

    max_attempts: int
    delay_seconds: int | float = 0
    backoff: int | float = 1
    max_delay_seconds: int | float | None = None
    on: tuple[str, ...] = RETRIED_BY_DEFAULT


@dataclass(frozen=True, slots=True)
class CapabilityRef:
    """What implements a definition: a source and a key in it. No source means a handler of that name (1.3)."""

    source: str | None
    capability_key: str

    def __str__(self) -> str:
        return self.capability_key if self.source is None else f"{self.source}.{self.capability_key}"
