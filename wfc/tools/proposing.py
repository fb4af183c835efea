"""An adapter for a tool that answers prose, proposed from what it once said, and tried on it before it is shown.

Reference 4.2. A proposal is for a person to read: one answer does not tell what others look like.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from wfc.ir import equality_key, kind_of
from wfc.records import dataclass
from wfc.tools.calling import Sample

# Below this a schema of a proposal says nothing: who wants to know more writes it.
_DEPTH = 6
_FIELD = re.compile(r"([A-Za-z][A-Za-z0-9 _-]{0,40}):[ \t]*(.*)")
_LONGEST_LINE = 200


@dataclass(frozen=True, slots=True)
class Proposal:
    """`adapt` as a configuration holds it, the schema of what comes of it, and what came of the sample."""

    capability: str
    adapt: tuple[Any, ...]
    output: Any
    value: Any

    @property
    def toml(self) -> str:
        """The table for `wfc.toml`."""
        source, _, tool = self.capability.partition(".")
        adapt = _toml(self.adapt[0]) if len(self.adapt) == 1 else _toml(list(self.adapt))
        head = f"[sources.{_key(source)}.tools.{_key(tool)}]"
        return f"{head}\nadapt = {adapt}\noutput = {_toml(self.output)}\n"


def propose(sample: Sample) -> Proposal | None:
    """The first adapter that makes more of a sample than its text; none where nothing does."""
    from wfc.backends.sources import Said, ToolFault, compile_chain

    said = Said(sample.text, sample.structured)
    for adapt in _candidates(sample):
        try:
            value = compile_chain(adapt).output(said)
        except ToolFault:
            continue
        if value not in ({"matches": []}, None):
            return Proposal(sample.capability, tuple(adapt), schema_of([value]), value)
    return None


def _candidates(sample: Sample) -> Iterator[Sequence[Any]]:
    structured, text = sample.structured, sample.text.strip()
    if isinstance(structured, dict) and len(structured) == 1:
        field, inner = next(iter(structured.items()))
        if isinstance(inner, str) and inner.lstrip()[:1] in ("{", "["):
            yield [{"unwrap": field}, "json"]
        if not isinstance(inner, str):
            yield [{"unwrap": field}]
    if structured is not None:
        return
    if text[:1] in ("{", "["):
        yield ["json"]
        yield ["python-literal"]
    record = _record(text)
    if record is not None:
        yield [record]
    lines = text.split("\n")
    if len(lines) > 1 and all(len(line) <= _LONGEST_LINE for line in lines):
        yield ["lines"]


def _record(text: str) -> dict[str, Any] | None:
    """A pattern for lines such as `Author: somebody` that come in the same order again and again."""
    runs = [run for run in _runs(text.split("\n")) if len(run) > 1]
    if not runs:
        return None
    names, times = Counter(runs).most_common(1)[0]
    fields = [re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_") for name in names]
    if len(set(fields)) < len(fields) or not all(fields):
        return None
    parts = [f"{_escaped(name)}:[ \\t]*(?P<{field}>.*)" for name, field in zip(names, fields, strict=True)]
    pattern = "\\n".join(parts)
    return {"regex": pattern, "all": True} if times > 1 else {"regex": pattern}


def _escaped(name: str) -> str:
    return re.escape(name).replace("\\ ", " ").replace("\\-", "-")


def _runs(lines: list[str]) -> Iterator[tuple[str, ...]]:
    """The names of fields on lines that follow one another; a name that comes again begins another run."""
    run: list[str] = []
    for line in [*lines, ""]:
        found = _FIELD.fullmatch(line.rstrip("\r"))
        if found is not None and not run and not found[2]:
            # A heading.
            continue
        if found is not None and found[1] not in run:
            run.append(found[1])
            continue
        if run:
            yield tuple(run)
        run = [found[1]] if found is not None else []


# -- schemas from values ----------------------------------------------------------------------------------------------


def schema_of(values: Sequence[Any], depth: int = _DEPTH) -> Any:
    """A schema that the values satisfy: fields that all of them have are required."""
    if depth == 0 or not values:
        return {}
    kinds = list(dict.fromkeys(_kind(value) for value in values))
    if "number" in kinds:
        kinds = [kind for kind in kinds if kind != "integer"]
    made: dict[str, Any] = {"type": kinds[0] if len(kinds) == 1 else kinds}
    objects = [value for value in values if isinstance(value, dict)]
    if objects:
        names = list(dict.fromkeys(name for one in objects for name in one))
        made["properties"] = {name: _field(objects, name, depth) for name in names}
        required = [name for name in names if all(name in one for one in objects)]
        if required:
            made["required"] = required
    items = [item for value in values if isinstance(value, list) for item in value]
    if items:
        made["items"] = schema_of(list({equality_key(item): item for item in items}.values()), depth - 1)
    return made


def _kind(value: Any) -> str:
    return "integer" if isinstance(value, int) and not isinstance(value, bool) else kind_of(value)


def _field(objects: Sequence[dict[str, Any]], name: str, depth: int) -> Any:
    return schema_of([one[name] for one in objects if name in one], depth - 1)


# -- TOML -------------------------------------------------------------------------------------------------------------


def _toml(value: Any) -> str:
    """A value of a proposal as TOML; no deeper than a schema is told."""
    if isinstance(value, str):
        return _literal(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return (
            "{ " + ", ".join(f"{_key(key)} = {_toml(inner)}" for key, inner in value.items()) + " }" if value else "{}"
        )
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return json.dumps(value)


def _literal(text: str) -> str:
    """A pattern reads best as it is, where that is possible."""
    return (
        f"'{text}'" if "\\" in text and "'" not in text and text.isprintable() else json.dumps(text, ensure_ascii=False)
    )


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else json.dumps(name, ensure_ascii=False)
