"""Files are put in the place of others as a whole, and what is no file stays what it is."""

from __future__ import annotations

import os
import resource
import stat
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from wfc.replacing import require_writable, write_over, write_whole


def test_a_link_goes_on_pointing_and_permissions_stay(tmp_path: Path) -> None:
    real, link = tmp_path / "real", tmp_path / "link"
    real.write_bytes(b"old")
    real.chmod(0o640)
    link.symlink_to("real")
    write_whole(link, b"new")
    assert link.is_symlink()
    assert (real.read_bytes(), stat.S_IMODE(real.stat().st_mode)) == (b"new", 0o640)
    assert sorted(os.listdir(tmp_path)) == ["link", "real"]


def test_a_pipe_is_written_to_and_stays_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    heard: list[bytes] = []
    reader = threading.Thread(target=lambda: heard.append(pipe.read_bytes()), daemon=True)
    reader.start()
    write_whole(pipe, b"said")
    reader.join(120)
    assert (heard, stat.S_ISFIFO(pipe.stat().st_mode)) == ([b"said"], True)


def test_a_name_may_be_as_long_as_names_can_be(tmp_path: Path) -> None:
    write_whole(tmp_path / ("a" * 255), b"x")
    assert os.listdir(tmp_path) == ["a" * 255]


def test_a_folder_in_its_place_is_told_by_its_name(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError) as raised:
        write_whole(tmp_path, b"x")
    assert raised.value.filename is not None
    assert os.listdir(tmp_path) == []


def test_what_cannot_be_written_is_told_as_it_was_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    outside = str(tmp_path.parent / "gone" / "x")
    for target, named in ((outside, outside), ("gone/x", "gone/x"), (tmp_path / "gone" / "x", "gone/x")):
        with pytest.raises(FileNotFoundError) as raised:
            write_whole(target, b"")
        assert raised.value.filename == named


def test_what_does_not_fit_leaves_the_old_content_and_no_part(tmp_path: Path) -> None:
    """A limit on the size of files stands for a full disk."""
    file = tmp_path / "kept"
    file.write_bytes(b"old")

    def small() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))

    program = (
        "import signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "from wfc.replacing import write_whole\n"
        "try: write_whole(sys.argv[1], b'x' * 5000)\n"
        "except OSError as wrong: print(wrong.filename)"
    )
    command = [sys.executable, "-c", program, str(file)]
    ended = subprocess.run(command, capture_output=True, text=True, check=True, preexec_fn=small, timeout=60)
    assert ended.stdout.strip().endswith("kept")
    assert (file.read_bytes(), os.listdir(tmp_path)) == (b"old", ["kept"])


def test_what_somebody_else_wrote_meanwhile_stays(tmp_path: Path) -> None:
    file = tmp_path / "kept"
    file.write_bytes(b"read")
    write_over(file, b"read", b"mine")
    assert file.read_bytes() == b"mine"
    file.write_bytes(b"theirs")
    with pytest.raises(OSError, match="changed since it was read; nothing was written"):
        write_over(file, b"read", b"mine")
    assert file.read_bytes() == b"theirs"
    write_over(file, b"read", b"theirs")
    file.unlink()
    with pytest.raises(FileNotFoundError):
        write_over(file, b"read", b"mine")


def test_a_file_that_may_not_be_written_to_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "kept"
    file.write_bytes(b"old")
    file.chmod(0o444)
    # As anybody but root is answered.
    monkeypatch.setattr(os, "access", lambda path, wanted: bool(os.stat(path).st_mode & 0o222))
    with pytest.raises(PermissionError) as raised:
        write_whole(file, b"new")
    assert str(raised.value.filename).endswith("kept")
    assert (file.read_bytes(), os.listdir(tmp_path)) == (b"old", ["kept"])


@pytest.mark.parametrize("is_allowed", [True, False])
def test_the_owner_of_a_file_stays_where_that_is_allowed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_allowed: bool
) -> None:
    file = tmp_path / "kept"
    file.write_bytes(b"old")
    given: list[tuple[int, int]] = []
    stat_of = os.stat

    def of_another(path: Any, **how: Any) -> os.stat_result:
        found = stat_of(path, **how)
        return os.stat_result((*found[:4], 4242, 4343, *found[6:])) if str(path) == str(file) else found

    def give(path: str, user: int, group: int) -> None:
        given.append((user, group))
        if not is_allowed:
            raise PermissionError(1, "Operation not permitted", path)

    monkeypatch.setattr(os, "stat", of_another)
    monkeypatch.setattr(os, "chown", give)
    write_whole(file, b"new")
    assert (given, file.read_bytes()) == ([(4242, 4343)], b"new")


def test_what_cannot_be_written_is_known_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "kept").touch()
    for fine in (tmp_path / "new", tmp_path / "kept", Path("/dev/null")):
        require_writable(fine)
    (tmp_path / "kept").chmod(0o444)
    monkeypatch.setattr(os, "access", lambda path, wanted: bool(os.stat(path).st_mode & 0o222))
    with pytest.raises(PermissionError):
        require_writable(tmp_path / "kept")
    monkeypatch.setattr(os, "access", lambda path, wanted: not os.path.isdir(path))
    with pytest.raises(PermissionError):
        require_writable(tmp_path / "new")
