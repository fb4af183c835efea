"""The words of the text form, and how names, paths and literals are written in it."""

from __future__ import annotations

import json
import re
from typing import Any

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:-+[A-Za-z0-9_]+)*\Z")
DOTTED = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*\Z")
SIMPLE_TYPES = ("string", "integer", "number", "boolean", "null", "object", "array")
TYPE_WORDS = (*SIMPLE_TYPES, "any")
# What a name may not be where it begins a statement, an action, a target, or an entry that may be JSON.
STATEMENTS = frozenset(
    ("workflow", "main", "input", "state", "output", "outcomes", "def", "start", "edge", "with", "json")
)
ACTIONS = frozenset(("if", "foreach", "fork", "join", "wait", "interrupt", "subgraph", "end", "set"))
# Behind a name on the same line, any word that goes on with a construct.
CLAUSES = frozenset(
    [
        "outcomes",
        "uses",
        "effects",
        "retry",
        "timeout",
        "catch",
        "locals",
        "parallel",
        "serial",
        "max",
        "errors",
        "request",
        "then",
        "else",
        "do",
        "with",
        "on",
        "when",
        "delay",
        "backoff",
        "limit",
        "as",
        "artifact",
        "and",
        "or",
        "not",
        "exists",
        "in",
        "of",
        "by",
        "only",
        "desc",
        "where",
    ]
)
TARGETS = frozenset(("end",))
BEHIND_END = frozenset(("then", "else", "do", "with", "when"))
ENTRIES = frozenset(("json",))
NOWHERE: frozenset[str] = frozenset()
COMPARED = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}


def text_literal(value: Any) -> str:
    """A JSON value on one line."""
    return json.dumps(value, ensure_ascii=False)


def name(written: str, taken: frozenset[str] = NOWHERE) -> str:
    """A name where the words that are taken mean something else."""
    return written if NAME.match(written) and written not in taken else text_literal(written)


def dotted(written: str, taken: frozenset[str] = NOWHERE) -> str:
    """A name that may hold dots."""
    return written if DOTTED.match(written) and written not in taken else name(written, taken)
