"""Which lines of a growing log are printed, and when."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from platui.cli.output.log import ErrorLines, LinePrinter, Lines, print_feed
from platui.core.errors import CommandError
from platui.logs import Log
from platui.models.values.log import ErrorMark, LogDocument, LogState, LogUpdate
from platui.present.logs.text import plain_line

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

_NESTED = (
    b"before\n"
    b"section_start:1:build\r\x1b[0KBuilding\none\n"
    b"section_start:2:build\r\x1b[0KInside\ntwo\n"
    b"section_end:3:build\r\x1b[0Kthree\n"
    b"section_end:4:build\r\x1b[0Kafter\n"
    b"section_start:5:test\r\x1b[0KTesting\nfour\nsection_end:6:test\r\x1b[0K\n"
    b"section_start:7:build\r\x1b[0KAgain\nfive\n"
)


class _Marked(Log):
    """A log of so many lines, whose errors are said."""

    def __init__(self, lines: int, *errors: tuple[int, int]) -> None:
        super().__init__(b"".join(b"line %d\n" % n for n in range(lines)))
        self.say(*errors)

    def say(self, *errors: tuple[int, int]) -> None:
        """List other errors from now on."""
        self._said = tuple(ErrorMark(first, end, "said") for first, end in errors)

    @property
    def errors(self) -> tuple[ErrorMark, ...]:
        """Return what was said."""
        return self._said


def told(lines: Lines | ErrorLines, document: LogDocument, *stops: int) -> list[int]:
    """Return the lines handed out when the log grows by these steps, and ends."""
    found = [y for stop in stops for some in lines.ready(document, stop, ended=False) for y in some]
    end = lines.ready(document, document.line_count, ended=True)
    return found + [y for some in end for y in some]


@given(st.lists(st.integers(0, 13), max_size=5))
@settings(max_examples=30)
def test_each_line_is_told_once_however_the_log_grows(stops: list[int]) -> None:
    """All of them, and those of a section that is nested in one of its name."""
    log = Log(_NESTED)
    log.finish()
    stops = sorted(min(stop, log.line_count) for stop in stops)
    assert told(Lines(), log, *stops) == list(range(log.line_count))
    lines = told(Lines("build"), log, *stops)
    assert [log.text(y) for y in lines] == [
        "Building", "one", "Inside", "two", "three", "Again", "five",
    ]  # fmt: skip


def test_a_section_that_is_not_there_is_said_with_those_that_are() -> None:
    """Only at the end can that be known."""
    log = Log(_NESTED)
    log.finish()
    lines = Lines("deploy")
    assert told(lines, log) == []
    with pytest.raises(CommandError) as missing:
        lines.check(log)
    assert missing.value.hint == "Sections: build, test."


def test_errors_come_with_two_lines_around_them_once() -> None:
    """Also where two are so near that they share those."""
    log = _Marked(30, (5, 7), (8, 9), (20, 21), (29, 30))
    lines = ErrorLines()
    assert told(lines, log) == [3, 4, 5, 6, 7, 8, 9, 10, 18, 19, 20, 21, 22, 27, 28, 29]
    assert lines.is_error(29)
    assert not lines.is_error(28)


def test_an_error_is_told_when_what_follows_it_is_there() -> None:
    """And not before: its lines may still become more."""
    log = _Marked(30, (5, 7))
    lines = ErrorLines()
    assert list(lines.ready(log, 9, ended=False)) == []
    assert list(lines.ready(log, 10, ended=False)) == [range(3, 9)]
    assert list(lines.ready(log, 30, ended=True)) == []


def test_errors_are_told_on_when_earlier_ones_are_not_listed_any_more() -> None:
    """Of very many the last ones move up in the list, which does not grow."""
    log = _Marked(60, (5, 6), (20, 21))
    lines = ErrorLines()
    assert [*lines.ready(log, 30, ended=False)] == [range(3, 8), range(18, 23)]
    log.say((5, 6), (40, 41))
    assert [*lines.ready(log, 50, ended=False)] == [range(38, 43)]
    log.say((5, 6), (55, 56))
    assert [*lines.ready(log, 60, ended=True)] == [range(53, 58)]
    assert lines.count == 4


def test_a_line_is_printed_once_it_cannot_change() -> None:
    """A job that waits for somebody says so in its last line; one that grows is waited for."""
    log, printer = (
        Log(b"one\nwaits for approval\n"),
        LinePrinter(Lines(), plain_line, "utf-8", stamps=False),
    )
    assert b"".join(printer.pieces(log, ended=False)) == b"one\nwaits for approval\n"
    log.append(b"half")
    assert b"".join(printer.pieces(log, ended=False)) == b""
    log.append(b" a line\n")
    assert b"".join(printer.pieces(log, ended=False)) == b"half a line\n"


def test_an_error_that_may_go_on_after_two_empty_lines_is_waited_for() -> None:
    """A second traceback belongs to the first one."""
    marked = _Marked(9, (1, 5))
    assert told(ErrorLines(), marked, 7)[:1] == [0]
    lines = ErrorLines()
    assert not [*lines.ready(marked, 7, ended=False)]
    marked.say((1, 8))
    assert [y for some in lines.ready(marked, 9, ended=True) for y in some] == [*range(9)]


async def test_a_log_that_was_replaced_by_a_long_one_is_printed_from_its_start(
    capfdbinary: pytest.CaptureFixture[bytes],
) -> None:
    """Its end comes first, and is not printed: what says that it is another one counts."""

    class Feed:
        async def __aiter__(self) -> AsyncIterator[LogUpdate]:
            yield LogUpdate(Log(b"one\ntwo\n"), LogState.FOLLOWING, "")
            yield LogUpdate(Log(b"end\n"), LogState.OPENING, "", reset=True, is_tail=True)
            yield LogUpdate(Log(b"another\nlong\nend\n"), LogState.ENDED, "success")

    feed: Any = Feed()

    def printer() -> LinePrinter:
        return LinePrinter(Lines(), plain_line, "utf-8", stamps=False)

    assert await print_feed(feed, printer, follow=True) == "success"
    said = capfdbinary.readouterr()
    assert said.out == b"one\ntwo\nanother\nlong\nend\n"
    assert b"printing it from the start" in said.err
