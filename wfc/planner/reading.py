"""What a planner's answer is: a workflow, a patch, a search, a refusal, something cut off, or nothing of use.

Guarantees: never raises for an answer; fences, prose around code and several blocks are taken for what they are.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Literal

from wfc.planner.lines import is_change_of_lines
from wfc.planner.planners import Reply
from wfc.records import dataclass

Kind = Literal["workflow", "patch", "search", "impossible", "refusal", "truncated", "nothing"]

_FENCE = re.compile(r"```[^\n`]*\n(.*?)(?:```|\Z)", re.DOTALL)
# How a workflow in the text form begins.
_TEXT = re.compile(r"(?:#[^\n]*\n\s*)*(?:main[ \t]+)?workflow[ \t]+[\w\"-]+[^\n]*\{")
_REFUSES = re.compile(
    r"\b(I|we)(?:['’]m| am| are)? (?:can ?not|can['’]t|won['’]t|will not|unable|not able)\b|\b(?:sorry|apologi[sz]e)\b",
    re.IGNORECASE,
)
# What no answer needs: a document that opens more often than this is no workflow.
_MOST_OPEN = 10_000


@dataclass(frozen=True, slots=True)
class Read:
    """An answer that was understood: `text` is a workflow's source, a reason, or words; `patch` the operations, and
    where there are none `text` is a change of lines."""

    kind: Kind
    text: str = ""
    patch: tuple[dict[str, Any], ...] = ()


def read_answer(reply: Reply) -> Read:
    """What an answer is. The last block that is something wins: planners correct themselves downwards."""
    if reply.stop == "refused":
        return Read("refusal", reply.text.strip())
    cut: Read | None = None
    for text in _candidates(reply.text):
        found = _read(text)
        if found is None:
            continue
        if found.kind != "truncated":
            return found
        cut = cut or found
    if cut is not None or reply.stop == "length":
        return cut or Read("truncated", reply.text)
    if _REFUSES.search(reply.text):
        return Read("refusal", reply.text.strip())
    return Read("nothing", reply.text.strip())


def _candidates(text: str) -> Iterator[str]:
    """Stretches that may be the document: the whole, fenced blocks from the last, what stands between braces."""
    yield text.strip("\n")
    yield from (block.strip("\n") for block in reversed(_FENCE.findall(text)))
    starts = [at for at in (text.find("{"), text.find("[{")) if at >= 0]
    if starts:
        start = min(starts)
        end = _end(text, start)
        yield text[start:end] if end is not None else text[start:].strip()


def _read(text: str) -> Read | None:
    """A stretch as what it is; none where it is prose."""
    written, text = text, text.strip()
    if _TEXT.match(text):
        return Read("workflow" if _end(text, text.index("{")) is not None else "truncated", text)
    if not text.startswith(("{", "[")):
        return Read("patch", written) if is_change_of_lines(written) else None
    try:
        value = json.loads(text)
    except RecursionError:
        return Read("workflow", text)
    except ValueError:
        if _end(text, 0) is None:
            return Read("truncated", text)
        # Whole to the eye and yet no JSON: the reader of workflows says where and why.
        return Read("workflow", text) if text.startswith("{") else None
    return _meant(value, text)


def _meant(value: Any, text: str) -> Read | None:
    if isinstance(value, list):
        return _patch(value)
    if isinstance(value.get("patch"), list):
        return _patch(value["patch"])
    for kind in ("search", "impossible"):
        if set(value) == {kind} and isinstance(value[kind], str):
            return Read(kind, value[kind])
    return Read("workflow", text)


def _patch(operations: list[Any]) -> Read | None:
    if operations and all(isinstance(one, dict) and "op" in one for one in operations):
        return Read("patch", patch=tuple(operations))
    return None


def _end(text: str, start: int) -> int | None:
    """Where the bracket at `start` is closed; none where the text ends before, or within a string."""
    depth, within, at = 0, False, start
    while at < len(text):
        sign = text[at]
        if within:
            at += sign == "\\"
            within = sign != '"'
        elif sign == '"':
            within = True
        elif sign in "{[":
            depth += 1
        elif sign in "}]":
            depth -= 1
            if depth == 0:
                return at + 1
        if depth > _MOST_OPEN:
            return None
        at += 1
    return None
