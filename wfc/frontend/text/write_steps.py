"""Definitions, steps and edges as text. What a line cannot say stands behind it as JSON: `with {…}`."""

from __future__ import annotations

from typing import Any

from wfc.frontend.legacy import renewed_step
from wfc.frontend.model import STEPS
from wfc.frontend.text.layout import BREAK, Fragment, joined, literal
from wfc.frontend.text.words import ACTIONS, BEHIND_END, ENTRIES, STATEMENTS, dotted, name, text_literal
from wfc.frontend.text.write_types import reducer_name, written_fields, written_type
from wfc.frontend.text.write_values import (
    alternatives,
    condition_text,
    given_text,
    read_text,
    set_text,
    taken_text,
    written_path,
)
from wfc.ir import kind_of

Left = dict[str, Any]
_ARTIFACT = frozenset({"artifact"})
_OLD = frozenset({"in_map", "input_values", "request_map"})


def definition_text(written: Any) -> Fragment:
    """A node definition on a line."""
    if not isinstance(written, dict) or not isinstance(written.get("name"), str):
        return joined("def json ", literal(written))
    left: Left = dict(written)
    said: list[str | Fragment] = [f"def {dotted(left.pop('name'), ENTRIES)}", *_desc(left)]
    has_output = left.get("output_schema") is not None
    if left.get("input_schema") is not None:
        fields = written_fields(left["input_schema"])
        said.append(fields or joined(" of ", written_type(left["input_schema"])))
        del left["input_schema"]
    if has_output:
        said.append(joined(f"{BREAK}-> ", written_type(left.pop("output_schema"))))
    said.append(_outcomes(left, has_output))
    uses = left.get("uses")
    if isinstance(uses, dict):
        uses = reducer_name(uses)
    if isinstance(uses, str):
        said.append(f"{BREAK}uses {dotted(uses)}")
        del left["uses"]
    said += _effects(left)
    said += _attempts(left)
    return joined(*said, *rest(left))


def _desc(left: Left) -> list[str | Fragment]:
    return [f" {text_literal(left.pop('desc'))}"] if isinstance(left.get("desc"), str) else []


def rest(left: Left) -> list[str | Fragment]:
    """What has not been said, as JSON; null stands for an absent key where a key is known."""
    return [joined(" with ", literal(left))] if left else []


def _effects(left: Left) -> list[str]:
    effects = left.get("effects")
    if effects not in ("pure", "read", "idempotent", "write"):
        return []
    return [f"{BREAK}effects {left.pop('effects')}"]


def _outcomes(left: Left, has_output: bool) -> Fragment:
    """The outcomes of a definition; `ok` alone goes without saying where it is said what comes out."""
    outcomes = left.get("outcomes")
    schemas = left.get("outcome_schemas") or {}
    if outcomes is None:
        return (" outcomes *",) if has_output else ()
    known = _names(outcomes)
    if isinstance(schemas, dict) and list(schemas) == [one for one in outcomes if one in schemas] if known else False:
        left.pop("outcome_schemas", None)
    else:
        schemas = {}
    if outcomes == ["ok"] and has_output and not schemas:
        del left["outcomes"]
        return ()
    listed = _listed(left, "outcomes", schemas)
    return listed or ((" outcomes *",) if has_output else ())


def _names(outcomes: Any) -> set[str]:
    if not isinstance(outcomes, list) or not all(isinstance(one, str) for one in outcomes):
        return set()
    return set(outcomes) if len(set(outcomes)) == len(outcomes) else set()


def _listed(left: Left, key: str, schemas: dict[str, Any]) -> Fragment | None:
    outcomes = left.get(key)
    if not isinstance(outcomes, list) or not outcomes or not all(isinstance(one, str) for one in outcomes):
        return None
    del left[key]
    parts: list[str | Fragment] = [" outcomes "]
    for place, one in enumerate(outcomes):
        parts.append((", " if place else "") + name(one))
        if one in schemas:
            parts.append(joined(" -> ", written_type(schemas[one])))
    return joined(*parts)


def _attempts(left: Left) -> list[str]:
    """Retry and timeout."""
    made = []
    retry = left.get("retry")
    said = _retry({"max_attempts": retry} if kind_of(retry) == "number" else retry)
    if said is not None:
        del left["retry"]
        made.append(said)
    if kind_of(left.get("timeout_seconds")) == "number":
        made.append(f"{BREAK}timeout {_seconds(left.pop('timeout_seconds'))}")
    return made


def _retry(retry: Any) -> str | None:
    if not isinstance(retry, dict) or kind_of(retry.get("max_attempts")) != "number":
        return None
    said = f"{BREAK}retry {text_literal(retry['max_attempts'])}"
    known = {"max_attempts"}
    for key, word, mark in (
        ("delay_seconds", "delay", "s"),
        ("backoff", "backoff", ""),
        ("max_delay_seconds", "limit", "s"),
    ):
        if kind_of(retry.get(key)) == "number":
            said += f" {word} {text_literal(retry[key])}{mark}"
            known.add(key)
    codes = alternatives(retry.get("on"))
    if codes is not None:
        said += f" on {codes}"
        known.add("on")
    return said if all(key in known or value is None for key, value in retry.items()) else None


def _seconds(value: Any) -> str:
    return f"{text_literal(value)}s"


# -- steps ------------------------------------------------------------------------------------------------------------


def step_text(written: Any, wired: list[str], branches: dict[str, str] | None) -> Fragment:
    """A step on a line, without its edges; `wired` are the outcomes of these, in order.

    `branches` are the targets of the branches of a fork, where these are said together with them.
    """
    step = renewed_step(written) if isinstance(written, dict) else None
    kind = step.get("type") if step is not None else None
    if step is None or not isinstance(kind, str) or kind not in _ACTIONS or not isinstance(step.get("id"), str):
        return joined("json ", literal(written))
    left: Left = dict(step)
    head = joined(name(left.pop("id"), STATEMENTS), *_desc(left), ": ")
    del left["type"]
    action = _fork(left, branches) if kind == "fork" else _ACTIONS[kind](left, wired)
    if action is None:
        return joined("json ", literal(written))
    for key in [key for key, value in left.items() if value is None and key in STEPS[kind].by_name]:
        del left[key]
    if kind == "interrupt" and wired and step.get("outcomes") is None:
        # Its edges would say them.
        action = joined(action, " outcomes *")
    return joined(head, action, *rest(left))


def _bindings(left: Left, given: str, taken: str, *between: str | Fragment) -> list[str | Fragment]:
    """Input and output bindings, taken out where they can be said."""
    made: list[str | Fragment] = []
    is_old = given not in left and not _OLD.isdisjoint(left)
    arguments = None if is_old else given_text(_or_none(left.get(given)))
    if arguments is not None:
        # Beside an older spelling it counts that none are said.
        mixed = given in left and not _OLD.isdisjoint(left)
        left.pop(given, None)
        made.append(arguments or (("()",) if mixed else ()))
    made += between
    written = taken_text(_or_none(left.get(taken)))
    if written is not None:
        left.pop(taken, None)
        made.append(written)
    return made


def _or_none(bindings: Any) -> Any:
    """Bindings that are not written are none."""
    return [] if bindings is None else bindings


def _node(left: Left, wired: list[str]) -> Fragment | None:
    node = left.get("node")
    if not isinstance(node, str):
        return None
    assigned = set_text(left) if node == "wf.std.record" else None
    del left["node"]
    if assigned is not None:
        del left["input"], left["output"]
        said = joined("set ", assigned)
    else:
        said = joined(dotted(node, ACTIONS), *_bindings(left, "input", "output"))
    return joined(said, *_attempts(left), *_catch(left))


def _catch(left: Left) -> list[str]:
    made = []
    caught = left.get("catch")
    if not isinstance(caught, list):
        return []
    for entry in caught:
        codes = alternatives(entry.get("codes")) if isinstance(entry, dict) else None
        if codes is None or set(entry) != {"codes", "outcome"} or not isinstance(entry["outcome"], str):
            return []
        made.append(f"{BREAK}catch {codes} as {name(entry['outcome'])}")
    del left["catch"]
    return made


def _condition(left: Left, wired: list[str]) -> Fragment | None:
    return joined("if ", condition_text(left.pop("check"))) if left.get("check") is not None else None


def _foreach(left: Left, wired: list[str]) -> Fragment | None:
    over, alias = left.get("over"), left.get("as")
    if isinstance(over, dict) and set(over) == {"value"} and kind_of(over["value"]) == "array":
        array: Fragment | None = literal(over["value"])
    else:
        path = read_text(over)
        array = None if path is None else (path,)
    if array is None or not isinstance(alias, str):
        return None
    del left["over"], left["as"]
    said: list[str | Fragment] = [f"foreach {name(alias)} in ", array]
    if left.get("mode") == "parallel":
        said.append(f"{BREAK}parallel")
    if left.get("mode") in ("parallel", "serial"):
        del left["mode"]
    if kind_of(left.get("max_concurrency")) == "number":
        said.append(f"{BREAK}max {text_literal(left.pop('max_concurrency'))}")
    if left.get("on_item_error") in ("fail", "collect", "skip"):
        errors = left.pop("on_item_error")
        said += [] if errors == "fail" else [f"{BREAK}errors {errors}"]
    said += _locals(left)
    written = taken_text(_or_none(left.get("output")))
    if written is not None:
        left.pop("output", None)
        said.append(written)
    return joined(*said)


def _locals(left: Left) -> list[str]:
    written = left.get("locals")
    paths = [written_path(one) for one in written] if isinstance(written, list) else []
    if None in paths or not isinstance(written, list):
        return []
    del left["locals"]
    return [f"{BREAK}locals {', '.join(map(str, paths))}"] if paths else []


def _fork(left: Left, targets: dict[str, str] | None) -> Fragment | None:
    branches = left.get("branches")
    if not isinstance(branches, list) or not branches:
        return None
    said: list[str | Fragment] = []
    for place, branch in enumerate(branches):
        fresh = {"outcome": branch} if isinstance(branch, str) else branch
        if (
            not isinstance(fresh, dict)
            or not set(fresh) <= {"outcome", "when"}
            or not isinstance(fresh.get("outcome"), str)
        ):
            said.append(joined(", " if place else "", "json ", literal(branch)))
            continue
        one = fresh["outcome"]
        said.append((", " if place else "") + name(one, ENTRIES))
        if targets is not None:
            said.append(f" -> {targets[one]}")
        if fresh.get("when") is not None:
            said.append(joined(" when ", condition_text(fresh["when"])))
    del left["branches"]
    return joined("fork ", *said, *_locals(left))


def _join(left: Left, wired: list[str]) -> Fragment | None:
    return ("join",)


def _wait(left: Left, wired: list[str]) -> Fragment | None:
    seconds = left.get("seconds")
    if kind_of(seconds) == "number":
        del left["seconds"]
        return (f"wait {_seconds(seconds)}",)
    path = read_text(seconds.get("path")) if isinstance(seconds, dict) and set(seconds) == {"path"} else None
    if path is None:
        return None
    del left["seconds"]
    return (f"wait {path}",)


def _interrupt(left: Left, wired: list[str]) -> Fragment | None:
    if not isinstance(left.get("kind"), str):
        return None
    asked: list[str | Fragment] = []
    if left.get("request_schema") is not None:
        asked.append(joined(f"{BREAK}request ", written_type(left.pop("request_schema"))))
    outcomes, schemas = left.get("outcomes"), left.get("resume_schemas")
    known: dict[str, Any] = {}
    if isinstance(outcomes, list) and _names(outcomes) and (schemas is None or isinstance(schemas, dict)):
        first = outcomes[0]
        later = [one for one in outcomes if schemas and one in schemas]
        if first not in (schemas or {}) and later == list(schemas or {}):
            left.pop("resume_schemas", None)
            known = dict(schemas or {})
            if left.get("resume_schema") is not None:
                known[first] = left.pop("resume_schema")
    said = joined(f"interrupt {name(left.pop('kind'))}", *_bindings(left, "request", "resume", *asked))
    return joined(said, _wired_outcomes(left, wired, known))


def _wired_outcomes(left: Left, wired: list[str], schemas: dict[str, Any]) -> Fragment:
    """The outcomes of a step that has those of its edges where it names none."""
    if not schemas and left.get("outcomes") == wired and wired:
        del left["outcomes"]
        return ()
    return _listed(left, "outcomes", schemas) or ()


def _subgraph(left: Left, wired: list[str]) -> Fragment | None:
    ref = left.get("workflow")
    ref = {"name": ref} if isinstance(ref, str) else ref
    ref = {key: value for key, value in ref.items() if value is not None} if isinstance(ref, dict) else {}
    if set(ref) == {"name"} and isinstance(ref["name"], str):
        said = f"subgraph {name(ref['name'], _ARTIFACT)}"
    elif (
        set(ref) == {"artifact_id", "version"}
        and isinstance(ref["artifact_id"], str)
        and kind_of(ref["version"]) == "number"
    ):
        said = f"subgraph artifact {name(ref['artifact_id'])} {text_literal(ref['version'])}"
    else:
        return None
    del left["workflow"]
    bound = joined(said, *_bindings(left, "input", "output"))
    outcomes = left.get("outcomes")
    if outcomes is None:
        left["outcomes"] = ["ok"]
    entries = left.get("catch")
    caught = [one.get("outcome") for one in entries if isinstance(one, dict)] if isinstance(entries, list) else []
    own = [one for one in wired if one not in caught]
    if not own and left["outcomes"] == ["ok"]:
        del left["outcomes"]
        listed: Fragment = ()
    else:
        listed = _wired_outcomes(left, own, {})
    return joined(bound, listed, *_catch(left))


def _end(left: Left, wired: list[str]) -> Fragment | None:
    outcome = left.get("outcome")
    if outcome == "ok":
        del left["outcome"]
        return ("end",)
    return (f"end {name(left.pop('outcome'), BEHIND_END)}",) if isinstance(outcome, str) else None


_ACTIONS: dict[Any, Any] = {
    "node": _node,
    "condition": _condition,
    "foreach": _foreach,
    "fork": _fork,
    "join": _join,
    "wait": _wait,
    "interrupt": _interrupt,
    "subgraph": _subgraph,
    "end": _end,
}
