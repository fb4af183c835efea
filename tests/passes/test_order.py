"""The order in which a document lists things that have no order changes neither what is found nor the program."""

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.passes.workflows import Json, checked, examined
from wfc.ir import content_hash
from wfc.passes import lower

TESTS = Path(__file__).parents[1]
# Which of two equal things is the second one, only their order says.
BY_ORDER = {"WF103", "WF104", "WF107", "WF113"}


def held(*names: str) -> Iterator[Any]:
    for name in names:
        for test in json.loads((TESTS / "conformance" / f"{name}.wftest.json").read_text("utf-8"))["tests"]:
            yield pytest.param(test, id=f"{name}: {test['name']}")


def real() -> Iterator[Any]:
    for path in sorted((TESTS / "corpora" / "real").glob("*.wftest.json")):
        yield pytest.param(json.loads(path.read_text("utf-8")), id=path.name.partition(".")[0])


def shuffled(document: Json, random: Random) -> Json:
    """The same workflows, with everything that has no order in another one."""
    document = json.loads(json.dumps(document))
    if "workflows" in document:
        document["main"] = document.get("main", document["workflows"][0]["name"])
        random.shuffle(document["workflows"])
    for workflow in document.get("workflows", [document]):
        for name in ("nodes", "edges", "node_defs"):
            random.shuffle(workflow.get(name, []))
        for definition in workflow.get("node_defs", []):
            first, *others = definition.get("outcomes", [None])
            definition["outcomes"] = [first, *random.sample(others, len(others))]
            if first is None:
                del definition["outcomes"]
    reordered: Json = keys_shuffled(document, random)
    return reordered


def keys_shuffled(value: Any, random: Random) -> Any:
    if isinstance(value, list):
        return [keys_shuffled(item, random) for item in value]
    if not isinstance(value, dict):
        return value
    return {key: keys_shuffled(value[key], random) for key in random.sample(list(value), len(value))}


def said(document: Json) -> list[str]:
    """Findings without their places."""
    found = examined(document).diagnostics
    return sorted(json.dumps([one.code.code, one.message, one.help, dict(one.facts), one.hides]) for one in found)


REFUSED = [
    case
    for case in held("invalid-workflows")
    if (case.values[0]["expect"].get("x-code") or "").startswith(("WF1", "WF2"))
]


@pytest.mark.parametrize("case", REFUSED)
def test_findings(case: Json) -> None:
    if case["expect"]["x-code"] not in BY_ORDER:
        for seed in range(3):
            assert said(shuffled(case["workflow"], Random(seed))) == said(case["workflow"])


@pytest.mark.parametrize("case", [*held("subgraphs", "fork-join", "catch", "interrupts-nested", "std-nodes"), *real()])
def test_programs(case: Json) -> None:
    unchecked = bool(case.get("unchecked"))
    program = lower(checked(case["workflow"], unchecked=unchecked))
    for seed in range(2):
        other = lower(checked(shuffled(case["workflow"], Random(seed)), unchecked=unchecked))
        assert other == program
        assert content_hash(other) == content_hash(program)
