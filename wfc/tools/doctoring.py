"""What is wrong with each source, and what to do about it, from having tried it (reference 4.1)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from wfc.diagnostics import close_match
from wfc.frontend import schema_fault
from wfc.ir import difference
from wfc.passes import credential_in
from wfc.project import ConfigFault as _ConfigFault
from wfc.project import Lock, McpSettings, Project, SourceSettings, WorkflowSettings, allowed_names, entry_of_file
from wfc.records import dataclass
from wfc.tools.looking import Seen

_SEGMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_UNSET = re.compile(r"`\$\{(\w+)\}`, which is not set")
_SHOWN = 3


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong, and what to do. `harmless`: nothing fails for it."""

    what: str
    do: str
    harmless: bool = False


@dataclass(frozen=True, slots=True)
class Examined:
    """A source with what is wrong with it."""

    seen: Seen
    problems: tuple[Problem, ...]

    @property
    def ok(self) -> bool:
        return all(problem.harmless for problem in self.problems)


def examine(project: Project, seen: Seen, lock: Lock) -> Examined:
    """Everything that is wrong with a source that was looked at."""
    settings = project.settings.sources[seen.name]
    problems = [*_written(seen.name, settings, project)]
    problems += [_silent(seen, settings)] if not seen.answered else _answered(seen, settings, lock)
    return Examined(seen, tuple(problems))


def _silent(seen: Seen, settings: SourceSettings) -> Problem:
    """Of a source that did not answer."""
    if seen.wants is not None:
        do = "give it `headers` with a `${NAME}`, `headers_from`, or `[sources.…oauth]`, and set what they refer to"
        return Problem(seen.wants, do.replace("…", f"{seen.name}."))
    fault = str(seen.fault)
    unset = _UNSET.search(fault)
    if unset is not None:
        return Problem(fault, f"set the variable `{unset[1]}` in the environment")
    if seen.config:
        return Problem(fault, "change the configuration")
    if not isinstance(settings, McpSettings):
        return Problem(fault, "import the module by hand and see what fails")
    if settings.url is not None:
        return Problem(fault, "see whether the server runs there, and whether `url` is the address that it answers at")
    if "cannot be started" in fault:
        return Problem(fault, f"install what provides `{settings.command}`, or name it by its whole path")
    if "headers_from" in fault:
        return Problem(fault, "run the command of `headers_from` by hand and see what it prints")
    if "not ready within" in fault:
        return Problem(fault, "start it once by hand, so that what it downloads is there; it has to wait for its input")
    line = " ".join([str(settings.command), *settings.args])
    return Problem(fault, f"start it by hand with the same variables and read what it says: {line}")


def _written(name: str, settings: SourceSettings, project: Project) -> Iterator[Problem]:
    """What can be said of the configuration without asking anybody."""
    if not isinstance(settings, McpSettings):
        return
    try:
        whole = settings if settings.mcp_config is None else entry_of_file(name, settings, project)
    except _ConfigFault:
        # Told as the reason why the source did not answer.
        return
    for field, table in (("env", whole.env), ("headers", whole.headers)):
        for key, value in table.items():
            found = credential_in(value)
            if found is not None:
                what = f"`{field}.{key}` holds what looks like {found}"
                yield Problem(
                    what, f"take it out and revoke it; write `${{{_variable(key)}}}` and set that variable", True
                )


def _variable(key: str) -> str:
    return re.sub(r"[^A-Z0-9]+", "_", key.upper()).strip("_") or "NAME"


def _answered(seen: Seen, settings: SourceSettings, lock: Lock) -> list[Problem]:
    listed = _workflows(seen) if isinstance(settings, WorkflowSettings) else _listing(seen)
    return [*listed, *_rules(seen, settings), *_shapes(seen, settings), *_locked(seen, lock)]


def _workflows(seen: Seen) -> Iterator[Problem]:
    for key, why in seen.unusable.items():
        yield Problem(
            f"`{key}` cannot be run: {why}", f"publish, deploy or configure what it needs, or take `{key}` out"
        )
    for key, listing in seen.listings.items():
        asked = listing.annotations.get("asks")
        if asked:
            kinds = ", ".join(f"`{one}`" for one in asked)
            what = f"`{key}` asks a person ({kinds}), and a call that asks fails"
            yield Problem(what, "run it by a `subgraph` step where it may ask", True)


def _listing(seen: Seen) -> Iterator[Problem]:
    if not seen.listings:
        yield Problem(
            "it has no capabilities", "see whether it is the server that was meant, and what it needs to know"
        )
    for key, why in seen.unusable.items():
        yield Problem(
            f"`{key}` is listed in a way that cannot be used: {why}", "tell its maintainers; it is left out", True
        )
    for line in seen.strays:
        yield Problem(f"it prints to its standard output: {line}", "let it print to its error channel instead", True)
    for key, listing in seen.listings.items():
        for schema in (listing.input_schema, listing.output_schema):
            fault = None if schema is None else schema_fault(schema)
            if fault is not None:
                do = "write the schemas into the definition, or tell its maintainers"
                yield Problem(f"a schema of `{key}` cannot be used: {fault}", do, True)


def _rules(seen: Seen, settings: SourceSettings) -> Iterator[Problem]:
    names = tuple(seen.listings)
    if names and not allowed_names(settings, names):
        yield Problem(
            "`allow` and `deny` let nothing through", "change the patterns, which are over names of capabilities"
        )
    tables: list[tuple[str, Mapping[str, Any]]] = [("effects", settings.effects)]
    if isinstance(settings, McpSettings):
        tables.append(("tools", settings.tools))
    for field, table in tables:
        for key in table:
            if key not in names and not set(key) & set("*?["):
                near = close_match(key, names)
                do = f"write `{near}`" if near else f"take it out, or see `wfc tools list {seen.name}`"
                yield Problem(f"`{field}.{key}` is about no capability of it", do)


def _shapes(seen: Seen, settings: SourceSettings) -> Iterator[Problem]:
    """Parameters that no path can name, and new names for parameters that are not there."""
    if not isinstance(settings, McpSettings):
        return
    strange = []
    for key in seen.contracts:
        rename = settings.tools[key].rename if key in settings.tools else {}
        properties = _properties(seen.listings[key].input_schema)
        for parameter in rename:
            if parameter not in properties:
                near = close_match(parameter, list(properties))
                yield Problem(
                    f"`{key}` has no parameter `{parameter}` to rename", f"write `{near}`" if near else "take it out"
                )
        strange += [(key, one) for one in properties if not _SEGMENT.fullmatch(one) and one not in rename]
    for key, parameter in strange[:_SHOWN]:
        new = re.sub(r"[^A-Za-z0-9]+", "_", parameter).strip("_").lower()
        table = f'[sources.{seen.name}.tools.{key}] rename = {{ "{parameter}" = "{new}" }}'
        yield Problem(
            f"no path can name the parameter `{parameter}` of `{key}`", f"where it is needed, write {table}", True
        )


def _properties(schema: Any) -> Mapping[str, Any]:
    found = schema.get("properties") if isinstance(schema, dict) else None
    return found if isinstance(found, dict) else {}


def _locked(seen: Seen, lock: Lock) -> Iterator[Problem]:
    locked = lock.sources.get(seen.name)
    if locked is None:
        yield Problem("nothing of it is locked", "run `wfc tools lock`", True)
        return
    for key, listing in locked.capabilities.items():
        now = seen.listings.get(key)
        if now is None:
            yield Problem(f"`{key}` is locked and no longer there", "change the workflows that use it, then lock again")
        elif now.hash != listing.hash:
            diff = difference(listing, now, old_name=f"{seen.name}.{key} (locked)", new_name="now")
            yield Problem(f"`{key}` is not what was locked\n{diff}", "accept it with `wfc tools lock`")
