"""What a job's tests came to: one suite a job, read from its log."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple
from xml.sax.saxutils import escape

from platui_emulator.records import CaseReport, SuiteReport

if TYPE_CHECKING:
    from platui_emulator.world.plans import Run


_COLOUR: Final = re.compile(r"\x1b\[[0-9;]*[mK]")
_STAMP: Final = re.compile(r"(?m)^\d{4}-\d\d-\d\dT[0-9:.]{15}Z [0-9a-f]{2}[EO][ +]")
_TEST: Final = re.compile(
    r"\d+ of \d+ (PASS|FAIL (\d+)) (\S+) \.* \[(?:PASS|FAIL \d+) in ([\d.]+)s\]"
)
_MODEL: Final = re.compile(r"\d+ of \d+ OK created sql \w+ model (\S+) \.* \[(.+?) in ([\d.]+)s\]")
_COMPILED: Final = re.compile(r"compiled code at (target/compiled/\S+/(\S+)\.sql)")
_PYTEST: Final = re.compile(r"(?m)^(tests/\S+\.py) (\.+) +\d+%$")
_PYTEST_FAILED: Final = re.compile(r"(?m)^FAILED (tests/\S+\.py)::(\S+) - (\w+): (.*)$")


class TestRow(NamedTuple):
    """A data test that ended."""

    name: str
    seconds: float
    rows: int
    """How many rows it found that should not be; 0 where it passed."""
    compiled: str


class ModelRow(NamedTuple):
    """A model that was built."""

    name: str
    seconds: float
    message: str


class FileRow(NamedTuple):
    """A file of unit tests."""

    path: str
    passed: int


class BrokenTest(NamedTuple):
    """A unit test that failed."""

    path: str
    name: str
    error: str
    message: str


def plain_text(log: bytes) -> str:
    """Return a log without colours, stamps and carriage returns."""
    text = _COLOUR.sub("", log.decode("utf-8", "replace"))
    return _STAMP.sub("", text).replace("\r", "")


def data_tests(text: str) -> Iterator[TestRow]:
    """Yield the data tests that ended, in the order in which they did."""
    compiled = {found[2]: found[1] for found in _COMPILED.finditer(text)}
    for found in _TEST.finditer(text):
        rows = int(found[2] or 0)
        yield TestRow(found[3], float(found[4]), rows, compiled.get(found[3], ""))


def models(text: str) -> Iterator[ModelRow]:
    """Yield the models that were built, in the order in which they were."""
    for found in _MODEL.finditer(text):
        yield ModelRow(found[1], float(found[3]), found[2])


def test_files(text: str) -> Iterator[FileRow]:
    """Yield the files of unit tests that ran."""
    for found in _PYTEST.finditer(text):
        yield FileRow(found[1], len(found[2]))


def broken_tests(text: str) -> Iterator[BrokenTest]:
    """Yield the unit tests that failed."""
    for found in _PYTEST_FAILED.finditer(text):
        yield BrokenTest(found[1], found[2], found[3], found[4])


TESTING: Final = frozenset({"dbt_test", "unit_tests"})
"""The kinds of work that leave a report of tests."""

_SOME: Final = 40

_SPECIAL: Final = re.compile(r'[<>&"]')


def suite_of(run: Run, job_id: int, name: str, text: str) -> SuiteReport | None:
    """Return the suite of a job that ended, from its log as plain text; None for no tests."""
    cases = [*_of_dbt(run, text), *_of_pytest(text)]
    return SuiteReport(name, job_id, tuple(cases)) if cases else None


def junit_of(suite: SuiteReport) -> bytes:
    """Return a suite as the file that the job uploads."""
    failures = suite.count("failed")
    lines = ['<?xml version="1.0" encoding="utf-8"?>', "<testsuites>"]
    lines.append(
        f'<testsuite name="{_attribute(suite.name)}" tests="{len(suite.cases)}" '
        f'failures="{failures}" time="{suite.seconds:.3f}">'
    )
    for case in suite.cases:
        head = (
            f'<testcase classname="{_attribute(case.classname)}" '
            f'name="{_attribute(case.name)}" time="{case.seconds:.3f}"'
        )
        lines.append(f"{head}/>" if case.output is None else f"{head}>{_failure(case)}</testcase>")
    return "\n".join([*lines, "</testsuite>", "</testsuites>", ""]).encode()


def _attribute(text: str) -> str:
    return escape(text, {'"': "&quot;"}) if _SPECIAL.search(text) else text


def _failure(case: CaseReport) -> str:
    if isinstance(case.output, dict):
        said = " ".join(f'{key}="{_attribute(text)}"' for key, text in case.output.items())
        return f"<failure {said}>{escape(case.trace or '')}</failure>"
    return f"<failure>{escape(case.output or '')}</failure>"


def _of_dbt(run: Run, text: str) -> Iterator[CaseReport]:
    for row in data_tests(text):
        yield CaseReport(
            name=row.name,
            classname=f"{run.blueprint.package}.{_kind(row.name)}",
            file="models/marts/_models.yml" if row.rows else None,
            status="failed" if row.rows else "success",
            seconds=row.seconds,
            output=_finding(row) if row.rows else None,
        )


def _kind(name: str) -> str:
    kinds = ("not_null", "unique", "accepted_values", "relationships", "dbt_utils_recency")
    return next((kind for kind in kinds if name.startswith(kind)), "test")


def _finding(row: TestRow) -> str:
    words = f"Got {row.rows} results, configured to fail if != 0"
    return f"{words}\n\n  compiled code at {row.compiled}" if row.compiled else words


@lru_cache(maxsize=256)
def _passed(path: str, classname: str, count: int) -> tuple[CaseReport, ...]:
    """Return the tests of a file that passed: the first of them are the same in each run."""
    return tuple(
        CaseReport(
            name=f"test_case_{number}",
            classname=classname,
            file=path,
            status="success",
            seconds=round(0.002 + (number * 7 + len(path)) % 40 / 1000, 3),
        )
        for number in range(count)
    )


def _of_pytest(text: str) -> Iterator[CaseReport]:
    broken = list(broken_tests(text))
    for row in test_files(text):
        classname = row.path.removesuffix(".py").replace("/", ".")
        some = -(-row.passed // _SOME) * _SOME
        yield from _passed(row.path, classname, some)[: row.passed]
        for one in broken:
            if one.path == row.path:
                yield CaseReport(
                    name=one.name,
                    classname=classname,
                    file=one.path,
                    status="failed",
                    seconds=0.031,
                    output={"message": f"{one.error}: {one.message}", "type": one.error},
                    trace=f"{one.path}: in {one.name}\nE   {one.error}: {one.message}",
                )
