"""Bytes as text. What is not UTF-8 is a fault, with the text that another encoding makes of it where one is likely."""

from __future__ import annotations

import re

from wfc.frontend.fault_codes import NOT_UTF8
from wfc.frontend.faults import Fault
from wfc.frontend.mends import Mend, mend
from wfc.source import Edit

_MARKS = {b"\xff\xfe\x00\x00": "UTF-32", b"\x00\x00\xfe\xff": "UTF-32", b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16"}
_STRAY = re.compile("[\udc80-\udcff]")


def decoded(data: bytes | str) -> tuple[str, list[Fault]]:
    """The text of a file without a mark in front, and what keeps it from being UTF-8."""
    if isinstance(data, str):
        return data.removeprefix("\ufeff"), []
    foreign = _foreign_encoding(data)
    if foreign is not None:
        return "", [Fault(NOT_UTF8, 0, 0, (), {"got": foreign[0]}, mends=_recoded(data, *foreign))]
    try:
        return data.decode().removeprefix("\ufeff"), []
    except UnicodeDecodeError as wrong:
        # One mark for each stray byte, so that a change of the text finds them.
        text = data.decode(errors="surrogateescape").removeprefix("\ufeff")
        got = f"the byte `0x{data[wrong.start]:02x}`"
        first = len(data[: wrong.start].decode().removeprefix("\ufeff"))
        fault = Fault(NOT_UTF8, first, first + 1, (), {"got": got}, mends=_western(text))
        return _STRAY.sub("\ufffd", text), [fault]


def _foreign_encoding(data: bytes) -> tuple[str, str] | None:
    """An encoding other than UTF-8 that a mark or zero bytes announce: its name, and how it is read."""
    for mark, name in _MARKS.items():
        if data.startswith(mark):
            return name, name
    if b"\x00" in data[:2]:
        return "UTF-16", "UTF-16-BE" if data.startswith(b"\x00") else "UTF-16-LE"
    return None


def _recoded(data: bytes, _: str, encoding: str) -> tuple[Mend, ...]:
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        return ()
    return (mend("Save it as UTF-8", 0, 0, text),)


def _western(text: str) -> tuple[Mend, ...]:
    """The stray bytes as the characters of Windows-1252, the most frequent encoding that is not UTF-8."""
    edits = []
    for found in _STRAY.finditer(text):
        try:
            meant = bytes([ord(found[0]) - 0xDC00]).decode("cp1252")
        except UnicodeDecodeError:
            return ()
        edits.append(Edit(found.start(), found.end(), meant))
    return (Mend("Read it as Windows-1252", tuple(edits), sure=False),)
