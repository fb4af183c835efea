"""Which documents a workflow name can mean: those beside the referring file, then those in library folders."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import pytest

from wfc.project import Seen, Shelf, reach


@dataclass(frozen=True)
class Read:
    name: str
    workflow_names: tuple[str, ...]
    readable: bool = True


def read(name: str, data: bytes) -> Read:
    try:
        return Read(name, tuple(json.loads(data)))
    except ValueError:
        return Read(name, ())


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for folder, name, names in (
        ("flows", "root", ["root"]),
        ("flows", "child", ["child", "other"]),
        ("flows", "broken", "{"),
        ("library", "shared", ["shared", "other"]),
    ):
        Path(folder).mkdir(exist_ok=True)
        Path(folder, f"{name}.wf.json").write_text(names if isinstance(names, str) else json.dumps(names))


ROOT = Read("flows/root.wf.json", ("root",))


def test_a_name_is_found_beside_the_document_and_in_libraries() -> None:
    find = reach(ROOT, ["library"], Shelf(read), Seen())
    assert [found.name for found in find(ROOT, "child")] == ["flows/child.wf.json"]
    assert [found.name for found in find(ROOT, "shared")] == ["library/shared.wf.json"]
    assert [found.name for found in find(ROOT, "other")] == ["flows/child.wf.json", "library/shared.wf.json"]
    assert find(ROOT, "nobody") == ()


def test_the_folder_is_that_of_the_referring_document() -> None:
    find = reach(ROOT, ["library"], Shelf(read), Seen())
    (shared,) = find(ROOT, "shared")
    assert find(shared, "child") == ()


def test_the_first_document_is_not_read_again_and_the_others_once() -> None:
    reads: list[str] = []

    def counting(name: str, data: bytes) -> Read:
        reads.append(name)
        return read(name, data)

    find = reach(ROOT, ["flows", "library"], Shelf(counting), Seen())
    assert find(ROOT, "root") == (ROOT,)
    assert find(ROOT, "child") == find(ROOT, "child")
    assert sorted(reads) == ["flows/broken.wf.json", "flows/child.wf.json", "library/shared.wf.json"]


def test_what_shares_a_shelf_reads_each_file_once_and_keeps_its_own_first_document() -> None:
    reads: list[str] = []

    def counting(name: str, data: bytes) -> Read:
        reads.append(name)
        return read(name, data)

    shelf = Shelf(counting)
    other = Read("flows/child.wf.json", ("changed",))
    first, second = (reach(root, ["library"], shelf, Seen()) for root in (ROOT, other))
    assert [found.name for found in first(ROOT, "child")] == ["flows/child.wf.json"]
    assert second(other, "changed") == (other,)
    assert second(other, "root") == (Read("flows/root.wf.json", ("root",)),)
    assert len(reads) == len(set(reads))


def test_what_was_looked_at_holds_until_it_changes() -> None:
    seen = Seen()
    reach(ROOT, ["library"], Shelf(read), seen)(ROOT, "child")
    assert set(seen.folders) == {"flows", "library"}
    assert set(seen.files) == {"flows/broken.wf.json", "flows/child.wf.json", "library/shared.wf.json"}
    assert seen.holds(Shelf(read))
    Path("library/shared.wf.json").write_text(json.dumps(["other"]))
    assert not seen.holds(Shelf(read))
    Path("library/shared.wf.json").write_text(json.dumps(["shared", "other"]))
    assert seen.holds(Shelf(read))
    Path("flows/new.wf.json").write_text("[]")
    assert not seen.holds(Shelf(read))
