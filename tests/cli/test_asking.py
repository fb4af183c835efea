"""What is read without click is what click reads; everything else is left to it."""

from __future__ import annotations

import importlib

import pytest

import wfc.cli
from wfc.cli.asking import plainly_asked
from wfc.cli.commands import COMMANDS
from wfc.cli.execute import command
from wfc.records import asdict

FILE = "a.wfir.json"


@pytest.mark.parametrize(
    "words",
    [
        [FILE],
        ["--json", FILE, "--no-color"],
        ["--input", '{"a": 1}', FILE, "--store", "s.db", "--run-id", "r"],
        [FILE, "--no-store", "--input", "@input.json"],
    ],
)
def test_what_is_plain_means_what_it_means_to_click(words: list[str]) -> None:
    asked = plainly_asked(["run", *words])
    assert asked is not None
    assert asdict(asked) == command.make_context("run", list(words)).params


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["check", FILE],
        ["run"],
        ["run", "a.wf.json"],
        ["run", FILE, FILE],
        ["run", "--input", "-", FILE],
        ["run", "--input"],
        ["run", FILE, "--store", "--json"],
        ["run", FILE, "--store=s.db"],
        ["run", FILE, "--store", ""],
        ["run", FILE, "--json", "--json"],
        ["run", FILE, "--store", "s.db", "--no-store"],
        ["run", FILE, "--set", "a=1"],
        ["run", "--help"],
        ["run", "--", FILE],
    ],
)
def test_everything_else_is_left_to_click(words: list[str]) -> None:
    assert plainly_asked(words) is None


def test_no_command_takes_the_name_of_the_door() -> None:
    """A module of the room that is called like a function of its front door takes its place when it is imported."""
    for _, module, _ in COMMANDS:
        importlib.import_module(module)
    assert callable(wfc.cli.run) and callable(wfc.cli.main)
