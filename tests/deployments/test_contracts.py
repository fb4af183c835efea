"""A deployment binds what takes each call that its workflow makes, as far as the lock knows it."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Command
from tests.cli.test_artifacts import published, saying, write

FURTHER = """
@wfc.node(effects="write")
def told(text: str, tongue: str) -> Said:
    return {"result": text + tongue}

@wfc.node(effects="read")
def short(text: str, most: int = 3) -> Said:
    return {"result": text[:most]}
"""


def test_a_capability_that_requires_more_is_not_bound(wfc: Command, project: Path) -> None:
    (project / "voices.py").write_text((project / "voices.py").read_text() + FURTHER)
    published(wfc, project, saying())
    assert wfc("tools", "lock", "--all").code == 0
    for key, code in (("told", 1), ("short", 0), ("quiet", 0)):
        bindings = [{"node": "say", "source": "quietly", "capability_key": key}]
        file = write(
            project,
            "d.json",
            {"name": "d", "artifact": {"artifact_id": "saying", "version": 1}, "bindings": bindings},
        )
        ended = wfc("deploy", "apply", str(file))
        assert ended.code == code, ended.err
        if code:
            assert "WF713" in ended.err
            assert "`input_schema` of `say` disagrees with `quietly.told`: `tongue` required there" in ended.err
