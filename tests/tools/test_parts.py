"""The parts of `wfc tools` that ask nobody: signatures, definitions, proposals; and what hides secrets."""

import tomllib

import pytest

from wfc.backends.sources import compile_chain
from wfc.backends.sources.hiding import Hiding, is_credential_name
from wfc.backends.sources.tool import Said
from wfc.ir import Contract
from wfc.project.parse import parse_settings
from wfc.tools import Sample, definition_of, propose, signature
from wfc.tools.proposing import schema_of

TEXT, INTEGER = {"type": "string"}, {"type": "integer"}


def record(**fields):
    return {"type": "object", "properties": fields}


@pytest.mark.parametrize(
    ("taken", "given", "line"),
    [
        ({"type": "object"}, True, "s.t() -> any | write"),
        (
            {**record(a=TEXT, b=INTEGER), "required": ["a"]},
            record(c=TEXT),
            "s.t(a: string, b?: integer) -> { c?: string } | write",
        ),
        (record(a={"enum": [1, "x"]}), {"const": None}, 's.t(a?: 1 | "x") -> null | write'),
        (record(a={"enum": list(range(9))}), True, "s.t(a?: 0 | 1 | 2 | 3 | 4 | 5 | …) -> any | write"),
        (record(a={"anyOf": [TEXT, {"type": "null"}]}), True, "s.t(a?: string | null) -> any | write"),
        ({}, {"type": ["array", "null"]}, "s.t() -> [any] | null | write"),
        (record(**{"If-Match": TEXT}), True, 's.t("If-Match"?: string) -> any | write'),
        (record(a={"$ref": "#/$defs/x"}) | {"$defs": {"x": TEXT}}, False, "s.t(a?: string) -> never | write"),
        (record(a={"$ref": "#"}), True, "s.t(a?: { a?: { a?: object } }) -> any | write"),
        (True, True, "s.t() -> any | write"),
    ],
)  # fmt: skip
def test_a_capability_in_a_line(taken, given, line):
    assert signature(Contract("s.t", taken, given)) == line


def test_several_outcomes_in_a_line():
    contract = Contract("s.t", {}, record(a=TEXT), ("ok", "none"), {"none": {"type": "object"}}, "read")
    assert signature(contract) == "s.t() -> { a?: string } or none object | read"


def test_a_definition_of_a_capability_with_several_outcomes():
    contract = Contract(
        "s.t", {"type": "object"}, record(a=TEXT), ("ok", "none"), {"none": record()}, "read", "Does\n it."
    )
    assert definition_of(contract) == {
        "name": "t",
        "desc": "Does it.",
        "uses": "s.t",
        "input_schema": {"type": "object"},
        "output_schema": record(a=TEXT),
        "outcomes": ["ok", "none"],
        "outcome_schemas": {"none": record()},
        "effects": "read",
    }


@pytest.mark.parametrize(
    ("key", "name", "uses"),
    [
        ("get-env", "get-env", "s.get-env"),
        ("2d plot", "tool_2d_plot", {"source": "s", "capability_key": "2d plot"}),
        ("__x", "tool_x", "s.__x"),
        ("ä", "_", {"source": "s", "capability_key": "ä"}),
    ],
)
def test_a_name_that_a_definition_may_have(key, name, uses):
    made = definition_of(Contract(f"s.{key}", True, True))
    assert (made["name"], made["uses"]) == (name, uses)


def test_two_capabilities_of_one_name():
    assert definition_of(Contract("s.t", True, True), {"t"})["name"] == "s.t"


# -- proposals --------------------------------------------------------------------------------------------------------

PATTERN = r"Commit:[ \t]*(?P<commit>.*)\nAuthor:[ \t]*(?P<author>.*)\nMessage:[ \t]*(?P<message>.*)"
LOG = "Commits:\nCommit: 1a\nAuthor: A <a@b>\nMessage: x: y\n\nCommit: 2b\nAuthor: B\nMessage: z\n\n"


@pytest.mark.parametrize(
    ("text", "structured", "adapt", "value"),
    [
        ('{"a": [1, null]}', None, ("json",), {"a": [1, None]}),
        ("{'a': (1, None)}", None, ("python-literal",), {"a": [1, None]}),
        ("", {"result": '[{"a": 1}]'}, ({"unwrap": "result"}, "json"), [{"a": 1}]),
        ("", {"result": [1]}, ({"unwrap": "result"},), [1]),
        (
            LOG,
            None,
            ({"regex": PATTERN, "all": True},),
            {"matches": [
                {"commit": "1a", "author": "A <a@b>", "message": "x: y"},
                {"commit": "2b", "author": "B", "message": "z"},
            ]},
        ),
        (
            "File name: a.txt\nSize (bytes): 3\nSize: 4\n",
            None,
            ("lines",),
            {"lines": ["File name: a.txt", "Size (bytes): 3", "Size: 4"]},
        ),
        ("one\ntwo\n", None, ("lines",), {"lines": ["one", "two"]}),
    ],
)  # fmt: skip
def test_what_is_proposed_makes_that_of_the_sample_when_it_is_configured(text, structured, adapt, value):
    made = propose(Sample("s.t", text, structured))
    assert (made.adapt, made.value) == (adapt, value)
    table = tomllib.loads('[sources.s]\nkind = "mcp"\ncommand = "x"\n' + made.toml)
    shape = parse_settings(table, "wfc.toml").sources["s"].tools["t"]
    assert shape.adapt == adapt
    assert shape.output == made.output
    assert compile_chain(shape.adapt).output(Said(text, structured)) == value


@pytest.mark.parametrize("sample", [Sample("s.t", "just a sentence"), Sample("s.t", "", {"a": 1, "b": 2})])
def test_where_nothing_can_be_made_nothing_is_proposed(sample):
    assert propose(sample) is None


def test_a_schema_of_values():
    assert schema_of([{"a": 1, "b": "x"}, {"a": 1.5}]) == {
        "type": "object",
        "properties": {"a": {"type": "number"}, "b": TEXT},
        "required": ["a"],
    }
    assert schema_of([None, "x"]) == {"type": ["null", "string"]}
    assert schema_of([[1], []]) == {"type": "array", "items": INTEGER}


# -- secrets ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["GITHUB_TOKEN", "apiKey", "DB_PASSWORD", "CLIENT_SECRET", "AUTH", "SENTRY_DSN"])
def test_a_variable_that_is_called_like_a_credential(name):
    assert is_credential_name(name)


@pytest.mark.parametrize("name", ["HOME", "NOTES_FOLDER", "PORT", "LANG"])
def test_a_variable_that_is_not(name):
    assert not is_credential_name(name)


def test_a_credential_is_hidden_wherever_it_is_and_a_folder_stays():
    hiding = Hiding(("s3cret-one", "s3cret-one-and-more"), ("the-folder",))
    value = {"a s3cret-one": ["s3cret-one-and-more!", {"b": ("the-folder", 1, None)}]}
    assert hiding.data(value) == {"a …": ["…!", {"b": ["the-folder", 1, None]}]}
    assert value == {"a s3cret-one": ["s3cret-one-and-more!", {"b": ("the-folder", 1, None)}]}
    assert hiding.message("s3cret-one in the-folder") == "… in …"
    hiding.add("another-token")
    assert hiding.data("another-token") == "…"


def test_a_value_as_deep_as_json_may_be():
    deep = "s3cret-one"
    for _ in range(10_000):
        deep = [deep]
    found = Hiding(("s3cret-one",)).data(deep)
    while isinstance(found, list):
        found = found[0]
    assert found == "…"
