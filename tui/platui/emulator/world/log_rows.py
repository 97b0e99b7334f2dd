"""Reads back out of a log which models and tests ran: what is reported is what the log says."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

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
    """Where its statement stands, where it failed."""


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
