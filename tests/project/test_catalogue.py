"""Locks as texts, what is drift and what is not, and what the documentation says of a configuration."""

import re
import tomllib
from pathlib import Path

import pytest

from wfc.ir import Listing, difference, listing_json
from wfc.project import (
    ConfigFault,
    Lock,
    LockedSource,
    catalogue_of,
    lock_of,
    lock_text,
    referenced,
    resolve_references,
)
from wfc.project.parse import parse_settings

PAGE = Path(__file__).parents[2] / "docs" / "tools.md"


def test_every_configuration_of_the_documentation_can_be_read():
    blocks = re.findall(r"^```toml\n(.*?)^```", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    assert len(blocks) > 1
    for block in blocks:
        table = tomllib.loads(block)
        for source in table.get("sources", {}).values():
            if "kind" not in source:
                source.update(kind="mcp", command="any")
        assert parse_settings(table, "wfc.toml").sources


def listing(schema, **more):
    return Listing(schema, **more)


TITLED = {"type": "string", "examples": ["a"]}
NAMED = {"type": "object", "properties": {"description": {"type": "string"}, "title": {"type": "string"}}}


@pytest.mark.parametrize(
    ("other", "same"),
    [
        (listing({**NAMED, "description": "now told otherwise", "title": "x"}), True),
        (listing(NAMED, description="another"), True),
        (
            listing({**NAMED, "properties": {**NAMED["properties"], "title": {"type": "string", "examples": ["a"]}}}),
            True,
        ),
        (listing({**NAMED, "properties": {"title": {"type": "string"}}}), False),
        (listing({**NAMED, "default": {"title": "a"}}), False),
        (listing({**NAMED, "enum": [{"description": "data, not a remark"}]}), False),
        (listing(NAMED, annotations={"title": "for people"}), False),
        (listing(NAMED, annotations={"readOnlyHint": True}), False),
        (listing(NAMED, effects="read"), False),
        (listing(NAMED, outcomes=("ok", "no")), False),
        (listing(NAMED, output_schema={"type": "object"}), False),
    ],
)
def test_what_a_call_depends_on_has_a_name(other, same):
    assert (listing(NAMED).hash == other.hash) is same
    assert (difference(listing(NAMED), other, old_name="a", new_name="b") == "") is same


def test_a_schema_as_deep_as_json_may_be():
    deep = {}
    for _ in range(90):
        deep = {"properties": {"a": deep}, "description": "x"}
    lock = Lock({"s": LockedSource("mcp", ("t",), {"t": listing(deep)}, {"t": listing(deep).hash})})
    assert lock_of(lock_text(lock).encode(), "lock") == lock


def test_a_lock_has_one_text():
    first = listing({"b": 1, "a": 2}, output_schema={"type": "object"}, effects="read", description="Öffnet")
    lock = Lock({"s": LockedSource("mcp", ("u", "t"), {"t": first})})
    text = lock_text(lock)
    assert text.isascii()
    assert lock_text(lock_of(text.encode(), "lock")) == text
    assert lock_of(text.encode(), "lock").listing("s", "t") == first
    assert listing_json(first)["output_schema"] == {"type": "object"}


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"{", "lock is no JSON that can be used"),
        (b"\xff", "lock is no JSON that can be used"),
        (b"[" * 100_000, "lock is no JSON that can be used"),
        (b"[]", "lock has the schema `None`; expected `wfc.lock/1`"),
        (b'{"schema": "wfc.lock/2"}', "lock has the schema `wfc.lock/2`; expected `wfc.lock/1`"),
        (b'{"schema": "wfc.lock/1"}', "lock lacks what a lock has: KeyError: 'sources'"),
        (b'{"schema": "wfc.lock/1", "sources": {"a": 1}}', "lock lacks what a lock has: TypeError"),
    ],
)
def test_a_lock_that_is_none_says_what_to_do(content, why):
    with pytest.raises(ConfigFault) as found:
        lock_of(content, "lock")
    assert str(found.value).startswith(why)
    assert str(found.value).endswith("; write it again with `wfc tools lock`")


def test_a_source_of_another_kind_than_was_locked_has_drifted():
    lock = Lock({"s": LockedSource("python", ("t",), {"t": listing({})}, {"t": listing({}).hash})})
    table = {"sources": {"s": {"kind": "mcp", "command": "x"}}}
    known = catalogue_of(parse_settings(table, "wfc.toml"), lock).sources["s"]
    assert known.drift == {"t": "a source of kind `python` was locked, and one of kind `mcp` is configured"}


def test_references():
    environ = {"A": "one", "B": "two"}
    assert resolve_references("${A}-${env:B}-${C:-three}-$A", environ) == "one-two-three-$A"
    assert referenced("${A}-${env:B}-${C:-three}") == ("A", "B", "C")
    with pytest.raises(ConfigFault, match="refers to `\\$\\{C\\}`, which is not set"):
        resolve_references("${C}", environ)
