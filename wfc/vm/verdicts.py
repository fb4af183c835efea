"""Every verdict on a value is that of jsonschema-rs, compiled once per schema; jsonschema only words a refusal.

Reference 1.2: `format` and `content*` are annotations, nothing is ever fetched. This is the one door of the machine to
both libraries.
"""

from __future__ import annotations

import json
from typing import Any, Protocol

from wfc.engine import jsonschema_rs
from wfc.ir import IrFault, canonical, draft_of
from wfc.vm.fault import Fault

_ROOT = "urn:wfc:schema"
_WORDS_LIMIT = 500


class Verdict(Protocol):
    def is_valid(self, instance: Any) -> bool: ...


class Judge:
    """The compiled form of one schema and of the places inside it. Raises `IrFault` for what is none: no compiler wrote
    that into a program."""

    def __init__(self, schema: Any) -> None:
        self.schema = schema
        try:
            self.whole: Verdict = jsonschema_rs.validator_for(schema, validate_formats=False, offline=True)
        except ValueError as wrong:
            first = str(wrong).split("\n")[0]
            raise IrFault(f"the compiled program is damaged: one of its schemas is none: {first}") from None
        self.is_valid = self.whole.is_valid
        self._inside: jsonschema_rs.ValidatorMap | None = None

    def accepts(self, value: Any) -> bool:
        return self.is_valid(value)

    def inside(self, at: str) -> Verdict:
        """The verdict of the subschema at a JSON pointer; its references are those of the whole schema."""
        if not at:
            return self.whole
        if self._inside is None:
            self._inside = jsonschema_rs.validator_map_for(self.schema, validate_formats=False, offline=True)
        found: Verdict | None = self._inside.get("#" + at)
        return found or self._elsewhere(at)

    def _elsewhere(self, at: str) -> Verdict:
        """For a place that no keyword leads to, such as the target of a reference into free-form keys."""
        registry = jsonschema_rs.Registry([(_ROOT, self.schema)])
        reference = {"$schema": draft_of(self.schema), "$ref": f"{_ROOT}#{at}"}
        made: Verdict = jsonschema_rs.validator_for(reference, registry=registry, validate_formats=False, offline=True)
        return made

    def require(self, value: Any, code: str, what: str, at: str = "", path: str | None = None) -> None:
        """Raise a `Fault` with `code` when the value is refused; `what` names it in the message."""
        if not self.inside(at).is_valid(value):
            raise refusal(self, at, value, code, what, path)


def refusal(judge: Judge, at: str, value: Any, code: str, what: str, path: str | None) -> Fault:
    """The fault for a value that was refused, in jsonschema's words."""
    where, words = _words(judge, at, value)
    place = f" at `{where}`" if where else ""
    return Fault(code, f"{what} is refused{place}: {words}", path=path)


def _words(judge: Judge, at: str, value: Any) -> tuple[str, str]:
    """Where inside the value, and why, jsonschema finds the fault that jsonschema-rs has found. Objects are shown as
    they are kept, so that a run that was taken up again says the same."""
    import jsonschema
    from referencing.exceptions import Unresolvable

    judging = jsonschema.validators.validator_for({"$schema": draft_of(judge.schema)})(judge.schema)
    inside = judging.evolve(schema={"$ref": f"#{at}"}) if at else judging
    try:
        first = next(inside.iter_errors(json.loads(canonical(value))), None)
    except (RecursionError, Unresolvable):
        first = None
    if first is None:
        return "", "it does not match its schema"
    return ".".join(map(str, first.absolute_path)), first.message[:_WORDS_LIMIT]
