"""The pipeline names every code once, with a pass or as pending, and errors stop what they have to stop."""

import pytest

from tests.passes.workflows import check, examined, flow
from wfc.passes import CODES, PENDING, PIPELINE, accept, blocks

SOUND = flow("a:ok->__end__")
UNWIRED = flow("c:true->__end__")
UNUSED = flow("a:ok->__end__", node_defs=[{"name": "say", "outcomes": ["ok"]}])
LOST = flow("a:ok->nowhere") | {"nodes": SOUND["nodes"]}


def test_every_code_is_one_value_whichever_passes_report_it() -> None:
    codes = {code for each in PIPELINE for code in each.codes}
    assert len({code.code for code in codes}) == len(codes)
    assert [code.code for code in CODES] == sorted(code.code for code in codes)
    assert set(CODES) == codes


def test_no_code_is_both_there_and_pending() -> None:
    pending = [code for code, _ in PENDING]
    assert pending == sorted(set(pending))
    assert not {code.code for code in CODES} & set(pending)


@pytest.mark.parametrize(
    ("code", "blocking"),
    [
        ("WF001", True), ("WF014", False), ("WF021", True), ("WF100", True), ("WF107", True), ("WF108", False),
        ("WF109", True), ("WF111", False), ("WF112", False), ("WF113", True), ("WF200", False), ("WF202", False),
        ("WF205", True), ("WF208", True), ("WF209", False), ("WF301", False), ("WF303", True), ("WF304", True),
        ("WF308", True), ("WF310", False), ("WF312", True), ("WF400", False), ("WF409", True), ("WF412", True),
        ("WF413", False), ("WF500", False), ("WF503", True), ("WF700", True), ("WF704", True), ("WF713", True),
        ("WF800", False),
    ],
)  # fmt: skip
def test_what_can_never_be_lowered(code: str, blocking: bool) -> None:
    assert blocks(code) is blocking


@pytest.mark.parametrize(
    ("document", "as_checked", "as_unchecked"),
    [(SOUND, True, True), (UNUSED, True, True), (UNWIRED, False, True), (LOST, False, False)],
)
def test_errors_stop_a_compile(document: dict[str, object], as_checked: bool, as_unchecked: bool) -> None:
    found = examined(document)
    assert (accept(found, found.diagnostics, unchecked=False) is not None) is as_checked
    assert (accept(found, found.diagnostics, unchecked=True) is not None) is as_unchecked


def test_what_is_suppressed_does_not_stop() -> None:
    assert accept(examined(UNWIRED), (), unchecked=False) is not None


def test_a_module_without_main_is_never_accepted() -> None:
    document = {"main": "other", "workflows": [SOUND]}
    assert check(document) == ["WF100 /main"]
    assert accept(examined(document), (), unchecked=True) is None
