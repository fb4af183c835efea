"""The example of a built workflow in the documentation is true."""

from __future__ import annotations

import re
from typing import Any

from tests.house.imports import ROOT

BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)


def test_it_runs_and_nothing_is_wrong_with_it() -> None:
    (code,) = (one for one in BLOCK.findall((ROOT / "docs" / "python.md").read_text("utf-8")) if "WorkflowBuilder" in one)
    names: dict[str, Any] = {"__name__": "review"}
    exec(compile(code, "review.py", "exec", dont_inherit=True), names)
    run, flow = names["run"], names["flow"]
    assert (run.status, run.output) == ("completed", {"summary": {"text": "a b", "words": 2}})
    assert flow.check(strict=True).clean is not False
    long = flow.execute({"notes": ["a"] * 101})
    assert long.status == "interrupted"
    assert flow.resume(long, outcome="ok", payload={"approved": True}).state["approved"] is True
