"""Functions marked as nodes, and the source of a module that holds them."""

import asyncio

import pytest

from tests.sources.calling import ON_LOOP, invoke
from wfc.backends.sources import PythonSource
from wfc.ir import Completed, NodeResult
from wfc.nodes import NodeContract, contract_of, node

MODULE = """
import time
import wfc_nodes_of_others
from wfc.nodes import node

@node(name="notes.add", outcomes=["added", "full"], effects="write")
def add(payload):
    return "added", {"n": payload["n"] + 1}

@node(effects="read")
async def look(payload, context):
    return {"call": context.call_id}

@node()
def sleep(payload):
    time.sleep(payload["seconds"])
    return "slept"

again = add

def plain(payload):
    pass
"""


@pytest.fixture
def source(tmp_path, monkeypatch):
    (tmp_path / "wfc_nodes.py").write_text(MODULE)
    (tmp_path / "wfc_nodes_of_others.py").write_text("")
    monkeypatch.setattr("sys.path", __import__("sys").path[:])
    monkeypatch.delitem(__import__("sys").modules, "wfc_nodes", raising=False)
    return PythonSource("local", "wfc_nodes", folder=tmp_path, effects={"look": "pure"})


def test_a_marked_function_stays_itself():
    @node(outcomes=("ok", "none"), outcome_schemas={"none": {"type": "null"}}, input_schema=True, effects="pure")
    def half(payload):
        return payload / 2

    assert half(4) == 2
    assert contract_of(half) == NodeContract(
        "half", ("ok", "none"), True, {"type": "object"}, {"none": {"type": "null"}}, "pure"
    )
    assert contract_of(len) is None


@pytest.mark.parametrize(
    ("contract", "message"),
    [
        ({"name": "no name"}, "`no name` is no name for a node; expected letters, digits, `_`, `-`, `.` and `/`"),
        ({"outcomes": []}, "the outcomes of `f` are []; expected one or more, each once"),
        ({"outcomes": ["a", "a"]}, "the outcomes of `f` are ['a', 'a']; expected one or more, each once"),
        ({"outcomes": ["a b"]}, "`a b` of `f` is no name for an outcome"),
        ({"outcome_schemas": {"no": {}}}, "`outcome_schemas` of `f` has `no`, which is none of its outcomes"),
        ({"effects": "none"}, "the effects of `f` are `none`; expected one of pure, read, idempotent, write"),
    ],
)
def test_a_contract_that_cannot_be(contract, message):
    def f(payload):
        pass

    with pytest.raises(ValueError, match=r".") as fault:
        node(**contract)(f)
    assert str(fault.value) == message


def test_a_module_is_a_source(source):
    assert list(source.contracts()) == ["notes.add", "look", "sleep"]
    assert [source.needs_loop(key) for key in ("notes.add", "look", "plain")] == [False, True, False]
    assert [source.effects(key) for key in ("notes.add", "look", "plain")] == ["write", "pure", None]
    assert source.missing("look") is None
    assert source.missing("loook") == "source `local` has no `loook`; nearest: `look`"
    assert source.missing("plain") == "source `local` has no `plain`; expected a function marked with `@wfc.node`"


def test_what_the_configuration_says_of_it(source, tmp_path):
    limited = PythonSource("local", "wfc_nodes", folder=tmp_path, deny=("notes.*",), timeout_seconds=0.05)
    denied = "the configuration of source `local` does not allow `notes.add`"
    assert [limited.missing("notes.add"), limited.missing("look")] == [denied, None]
    slow = asyncio.run(limited.perform("sleep", invoke({"seconds": 600}), ON_LOOP))
    patient = asyncio.run(limited.perform("sleep", invoke({"seconds": 0.1}, timeout=300), ON_LOOP))
    assert (slow.code, patient) == ("node_timeout", Completed("call-1", NodeResult(None, "slept")))


def test_its_functions_are_called_like_handlers(source):
    async def both():
        return [await source.perform(key, invoke({"n": 1}), ON_LOOP) for key in ("notes.add", "look")]

    assert asyncio.run(both()) == [
        Completed("call-1", NodeResult("added", {"n": 2})),
        Completed("call-1", NodeResult(None, {"call": "call-1"})),
    ]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("raise ValueError('at once')", "ValueError: at once"),
        ("import sys; sys.exit(3)", "SystemExit: 3"),
        ("def f(:", "SyntaxError: invalid syntax (wfc_broken.py, line 1)"),
        (
            "from wfc.nodes import node\n@node(name='a')\ndef f(p): ...\n@node(name='a')\ndef g(p): ...\n",
            "ValueError: two functions are marked with the name `a`",
        ),
    ],
)
def test_a_module_that_cannot_be_used(tmp_path, monkeypatch, text, why):
    (tmp_path / "wfc_broken.py").write_text(text)
    monkeypatch.setattr("sys.path", __import__("sys").path[:])
    monkeypatch.delitem(__import__("sys").modules, "wfc_broken", raising=False)
    source = PythonSource("local", "wfc_broken", folder=tmp_path)
    assert source.missing("a") == f"source `local`: the module `wfc_broken` cannot be used: {why}"
    assert not source.needs_loop("a")


def test_a_module_that_is_not_there():
    source = PythonSource("local", "wfc_nowhere")
    assert source.missing("a") == (
        "source `local`: the module `wfc_nowhere` cannot be used: ModuleNotFoundError: No module named 'wfc_nowhere'"
    )
