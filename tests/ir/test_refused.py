"""A text that is no program is refused with one sentence: what was found, and what was expected."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.ir.texts import END
from wfc.ir import canonical, decode, encode, parse_program
from wfc.ir.codec import IrFault, _digest

TEXT = encode(parse_program(END))


def refusal(text: str | bytes) -> str:
    with pytest.raises(IrFault) as caught:
        decode(text)
    return str(caught.value)


def changed(change: Callable[[dict[str, Any]], Any]) -> str:
    """A file that was changed by someone who knows how the hash is made."""
    file = json.loads(TEXT)
    del file["hash"]
    change(file)
    return canonical({**file, "hash": _digest(file)})


def test_a_newer_version_is_named() -> None:
    text = changed(lambda file: file.update(schema="wfc.ir/2"))
    assert refusal(text) == "the compiled program has the format `wfc.ir/2`; this wfc reads `wfc.ir/1`"


def test_a_changed_file_does_not_have_its_hash() -> None:
    message = re.sub(r"sha256:\w{64}", "sha256", refusal(TEXT.replace('"done"', '"gone"')))
    assert message == "the compiled program was changed: its content has the hash `sha256`, it states `sha256`"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the file is empty; expected a compiled program"),
        (" \n", "the file is empty; expected a compiled program"),
        (TEXT[:100], "the compiled program is cut off after 100 characters"),
        (TEXT.replace(":", ";", 1), "the compiled program is damaged: line 1, column 8 is no JSON"),
        (
            TEXT.encode().replace(b"done", b"d\xffne"),
            "the compiled program is damaged: it holds bytes that are not UTF-8",
        ),
        ("[]", "the file is no compiled program; expected one whose `schema` is `wfc.ir/1`"),
        ("NaN", "the file is no compiled program; expected one whose `schema` is `wfc.ir/1`"),
        ("{}", "the file is no compiled program; expected one whose `schema` is `wfc.ir/1`"),
        ('{"name": "x", "nodes": []}', "the file is no compiled program; expected one whose `schema` is `wfc.ir/1`"),
        ('{"a": 1, "a": 1}', "the compiled program is damaged: one of its objects has the same key twice"),
    ],
)
def test_what_is_no_compiled_program(text: str | bytes, message: str) -> None:
    assert refusal(text) == message


@pytest.mark.parametrize("value", ["[" * 100_000 + "]" * 100_000, "9" * 5_000, "1e999", "NaN"])
def test_what_no_workflow_can_hold(value: str) -> None:
    message = "the compiled program is damaged: it holds a value that no workflow can hold"
    assert refusal(TEXT.replace('"end"', value, 1)) == message


def _routine(file: dict[str, Any]) -> Any:
    return file["routines"][0]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda file: file.pop("name"), "`/` of the compiled program lacks the key `name`"),
        (lambda file: file.update(more=1), "`/` of the compiled program has the key `more`, which is not known there"),
        (lambda file: file.update(routines={}), "`/routines` of the compiled program is `{}`; expected an array"),
        (
            lambda file: _routine(file).update(start=7),
            "`/routines/0/start` of the compiled program is `7`; expected a string",
        ),
        (
            lambda file: _routine(file).update(input_schema=True),
            "`/routines/0/input_schema` of the compiled program is `true`; expected an integer",
        ),
        (
            lambda file: _routine(file).update(desc=None),
            "`/routines/0/desc` of the compiled program is `null`; expected a string",
        ),
        (
            lambda file: _routine(file)["blocks"][0]["end"].update(op="bind"),
            '`/routines/0/blocks/0/end/op` of the compiled program is `"bind"`; '
            "expected one of `switch`, `decide`, `fork`, `finish`",
        ),
        (
            lambda file: _routine(file).update(start="elsewhere"),
            "the compiled program is not consistent: routine `end`: it starts at `elsewhere`, which is no block",
        ),
    ],
)
def test_what_is_ill_typed(change: Callable[[dict[str, Any]], Any], message: str) -> None:
    assert refusal(changed(change)) == message


def test_a_file_cut_off_anywhere_is_refused() -> None:
    for length in range(len(TEXT)):
        refusal(TEXT[:length])


def test_a_file_with_any_letter_changed_is_refused() -> None:
    for at in range(len(TEXT)):
        refusal(TEXT[:at] + ("0" if TEXT[at] != "0" else "1") + TEXT[at + 1 :])
