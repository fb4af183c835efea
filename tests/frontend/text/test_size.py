"""Long texts are read and laid out in a time and a memory that grow as they do."""

from __future__ import annotations

import time
import tracemalloc

from wfc.frontend import canonical_text, read_document


def test_twenty_thousand_steps() -> None:
    steps = "".join(f" s{number}: set n = {number} then\n" for number in range(20_000))
    text = f"workflow w {{\n state {{ n: integer }}\n\n{steps} z: end\n}}\n"
    document = read_document("a.wf", text)
    assert document.diagnostics == ()
    assert len(document.value["nodes"]) == 20_001
    assert document.locate("/nodes/19999/id").start.line == 20_003
    assert canonical_text(document, "text") == text


def test_a_long_string_takes_little_more_memory_than_it_has() -> None:
    text = f'workflow w {{\n a "{"x" * 4_000_000}": wait 1 then end\n}}\n'
    tracemalloc.start()
    try:
        document = read_document("a.wf", text)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert len(document.value["nodes"][0]["desc"]) == 4_000_000
    assert peak < 20 * len(text)


def test_the_layout_of_many_comments_grows_as_they_do() -> None:
    few, many = (min(_layout_of_comments(count) for _ in range(3)) for count in (10_000, 40_000))
    assert many < 12 * few


def _layout_of_comments(count: int) -> float:
    comments = " # something about it\n" * count
    text = f"workflow w {{\n{comments} a: wait 1 then end\n}}\n"
    document = read_document("a.wf", text)
    begun = time.process_time()
    assert canonical_text(document, "text").count("#") == count
    return time.process_time() - begun
