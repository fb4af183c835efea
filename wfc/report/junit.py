"""Findings as test results in JUnit's XML: a suite for each file, in which every finding is a failure.

A file in which nothing is found has one case, which passes. What does not make the check fail is told in passing cases.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from wfc.diagnostics import Diagnostic, Report
from wfc.report.formats import Sources
from wfc.report.paint import Paint

# What XML 1.0 cannot hold, not even as a reference, and what has a meaning in it.
_UNSAYABLE = [code for code in (*range(0x20), *range(0xD800, 0xE000), 0xFFFE, 0xFFFF) if code not in (9, 10, 13)]
_SIGNS = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\n": "&#10;", "\r": "&#13;", "\t": "&#9;"}
_ESCAPES = dict.fromkeys(_UNSAYABLE, "\ufffd") | {ord(sign): escape for sign, escape in _SIGNS.items()}


def render(report: Report, sources: Sources, paint: Paint) -> str:
    suites: dict[str, list[Diagnostic]] = {file: [] for file in _files(report)}
    for one in report.diagnostics:
        suites[one.at.file].append(one)
    rows = [row for file, found in suites.items() for row in _suite(report, file, found)]
    tests, failures = sum(max(1, len(found)) for found in suites.values()), _failures(report, report.diagnostics)
    head = f'<testsuites name="wfc check" tests="{tests}" failures="{failures}">'
    return "\n".join(['<?xml version="1.0" encoding="UTF-8"?>', head, *rows, "</testsuites>"]) + "\n"


def _files(report: Report) -> list[str]:
    return sorted({*report.files, *(found.at.file for found in report.diagnostics)})


def _failures(report: Report, found: Iterable[Diagnostic]) -> int:
    return sum(map(report.fails, found))


def _suite(report: Report, file: str, found: list[Diagnostic]) -> Iterator[str]:
    name, tests = _quoted(file), max(1, len(found))
    yield f'  <testsuite name={name} tests="{tests}" failures="{_failures(report, found)}">'
    if not found:
        yield f'    <testcase name="wfc check" classname={name}/>'
    for one in found:
        yield from _case(one, report.fails(one))
    yield "  </testsuite>"


def _case(found: Diagnostic, fails: bool) -> Iterator[str]:
    start = found.at.span.start if found.at.span else None
    where = f"{found.at.file}:{start.line}:{start.column}" if start else found.at.file
    line = f' line="{start.line}"' if start else ""
    yield f"    <testcase name={_quoted(f'{found.code.code} {where}')} classname={_quoted(found.at.file)}{line}>"
    told = _escaped(f"{where}: {found.code.code} {found.code.rule}: {found.message}\n{found.help}".rstrip())
    if fails:
        kind = _quoted(f"{found.severity.value} {found.code.rule}")
        yield f"      <failure type={kind} message={_quoted(found.message)}>{told}</failure>"
    else:
        yield f"      <system-out>{told}</system-out>"
    yield "    </testcase>"


def _escaped(text: str) -> str:
    return text.translate(_ESCAPES)


def _quoted(text: str) -> str:
    return f'"{_escaped(text)}"'
