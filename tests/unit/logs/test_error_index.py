"""Errors of a growing log: the same however the bytes come, and never more than are wanted."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from platui.analysis.errors.matcher import ErrorMatcher
from platui.logs import Log, error_index
from platui.logs.error_index import HintFinder, letters_of
from platui.models.values.log import ErrorMark

if TYPE_CHECKING:
    from collections.abc import Sequence

    from platui.models.values.log import LogDocument


class Marks(ErrorMatcher):
    """The errors that lines show, without the cause that is chosen at the end."""

    def unmarked_cause(self, document: LogDocument) -> None:
        """Choose none."""


RULES: Final = Marks()
STAMP: Final = b"2026-09-25T07:33:00.992977Z 00O"


def log_of(*pieces: bytes) -> Log:
    """Return a log that came in these pieces and is at its end."""
    log = Log(errors=RULES)
    for piece in pieces:
        log.append(piece)
    log.finish()
    return log


def plain(log: Log) -> list[ErrorMark]:
    """Return the errors of a log the plain way: every line is shown to the rules."""
    marks: list[ErrorMark] = []
    at = 0
    while at < log.line_count:
        block = None if log.is_section(at) else RULES.begin(log.text(at))
        first, at = at, at + 1
        if block is None:
            continue
        while at < log.line_count and not log.is_section(at) and block.take(log.text(at)):
            at += 1
        marks.append(
            ErrorMark(first, first + block.length, block.rule, block.rank, block.message_offset)
        )
    return marks


lines_of_logs = st.sampled_from(
    [
        b"rows loaded: 12", b"", b"  indented", b"ERROR: no rows", b"\x1b[31mERROR\x1b[0m: red",
        b"0 errors", b"Traceback (most recent call last):", b'  File "a.py", line 1, in x',
        b"KeyError: 'total'",
        b"During handling of the above exception, another exception occurred:",
        b"12:00:01    Database Error in model fct (m.sql)", b"  relation does not exist",
        b"section_start:1:a\r\x1b[0Kerror in a header", b"section_end:5:a\r\x1b[0K",
        b"section_end:5:a\r\x1b[0KERROR: Job failed: exit code 1", b"  1 %\r 50 %\rerror: half",
        b"err\xffor: no", b"bash: dbt: command not found",
    ]
)  # fmt: skip


@st.composite
def logs_in_pieces(draw: st.DrawFn) -> list[bytes]:
    """Draw the bytes of a log, stamped or not, cut somewhere."""
    lines = draw(st.lists(lines_of_logs, max_size=14))
    if draw(st.booleans()):
        lines = [STAMP + draw(st.sampled_from([b" ", b" ", b" ", b"+"])) + line for line in lines]
    data = b"\n".join(lines) + draw(st.sampled_from([b"", b"\n"]))
    cuts = sorted(draw(st.lists(st.integers(0, len(data)), max_size=6)))
    edges = [0, *cuts, len(data)]
    return [data[start:end] for start, end in pairwise(edges)]


@given(logs_in_pieces())
@settings(max_examples=150, deadline=None)
def test_any_split_gives_the_errors_of_the_whole(pieces: list[bytes]) -> None:
    """Those that are found when every line is looked at."""
    log = log_of(*pieces)
    assert list(log.errors) == plain(log)
    assert log.error_count == len(log.errors)


@given(logs_in_pieces(), st.lists(st.integers(0, 3), max_size=6))
@settings(max_examples=150, deadline=None)
def test_errors_that_were_put_off_are_those_of_the_whole_at_the_end(
    pieces: list[bytes], steps: Sequence[int]
) -> None:
    """However little of it is looked through between two pieces; meanwhile they are in order."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(error_index, "AT_ONCE", 160)
        patch.setattr(error_index, "NEWEST", 120)
        patch.setattr(error_index, "SCAN_BYTES", 150)
        log = lazy_log()
        for number, piece in enumerate(pieces):
            log.append(piece)
            for _ in range(steps[number] if number < len(steps) else 0):
                log.find_more_errors()
            assert list(log.errors) == sorted(set(log.errors))
            assert log.error_count == len(log.errors)
        log.find_errors()
        assert log.has_all_errors
        found = log.errors
        log.finish()
        assert list(log.errors) == plain(log)
        assert found == log.errors[: len(found)] or log.errors[: len(found) - 1] == found[:-1]


def lazy_log() -> Log:
    """Return a log of which of much that comes only the end is looked through."""
    log = Log(errors=RULES)
    log.errors_may_wait = True
    return log


ROWS: Final = b"rows loaded: 12\n" * 4096


def test_of_a_flood_the_newest_errors_are_known_at_once() -> None:
    """Those before them are found later, and those that were seen stay in between."""
    log = lazy_log()
    log.append(b"ERROR: first\n")
    assert [mark.first for mark in log.errors] == [0]
    assert log.has_all_errors
    log.spool.append(b"ERROR: second\n" + ROWS * 40 + b"ERROR: third\n")
    log.take_in()
    last = 2 + 40 * 4096
    assert not log.has_all_errors
    assert [mark.first for mark in log.errors] == [0, last]
    assert log.error_count == 2
    log.spool.append(ROWS * 40)
    log.take_in()
    assert [mark.first for mark in log.errors] == [0, last], "what was seen is not lost"
    log.find_more_errors()
    assert [mark.first for mark in log.errors] == [0, 1, last]
    assert not log.has_all_errors
    log.find_errors()
    assert log.has_all_errors
    assert [mark.first for mark in log.errors] == [0, 1, last]
    log.append(b"ERROR: last\n")
    assert log.has_all_errors, "few lines are looked through as they come"
    assert log.error_count == 4


def test_an_error_that_a_glimpse_cut_is_whole_in_the_end() -> None:
    """What stands in the middle of a traceback is no error of its own."""
    log = lazy_log()
    frames = b'  File "a.py", line 1, in x\n' * 4_000
    log.spool.append(ROWS * 40 + b"Traceback (most recent call last):\n" + frames * 3)
    log.spool.append(b"KeyError: 'total'\n")
    log.take_in()
    log.finish()
    assert log.has_all_errors
    assert list(log.errors) == plain_from(log, 40 * 4096)


def plain_from(log: Log, first: int) -> list[ErrorMark]:
    """Return the errors of a log of which so many first lines are none."""
    return [mark for mark in log_of(log.read(0, log.size)).errors if mark.first >= first]


def test_an_error_that_the_end_cuts_goes_on_when_more_comes() -> None:
    """Meanwhile it is listed as far as it is known."""
    log = Log(b'Traceback (most recent call last):\n  File "a.py", line 1\n', errors=RULES)
    assert log.errors == (ErrorMark(0, 2, "python", 80, 0),)
    log.append(b"KeyError: 'total'\n")
    assert log.errors == (ErrorMark(0, 3, "python", 80, 2),)
    log.append(b"ended\nERROR: Job failed: exit code 1\n")
    assert [(mark.first, mark.end, mark.rule) for mark in log.errors] == [
        (0, 3, "python"), (4, 5, "job"),
    ]  # fmt: skip


def test_a_last_line_without_end_counts_only_when_nothing_more_comes() -> None:
    """Half an error line may become something else."""
    log = Log(b"ERROR: no", errors=RULES)
    assert log.error_count == 0
    log.finish()
    assert [mark.first for mark in log.errors] == [0]
    log.append(b"\nmore\n")
    assert [mark.first for mark in log.errors] == [0]


@pytest.mark.parametrize("lazy", [False, True])
def test_a_complete_last_line_counts_before_the_next_one_comes(*, lazy: bool) -> None:
    """Only a stamp may continue it."""
    log = lazy_log() if lazy else Log(errors=RULES)
    found = []
    for piece in b" rows: 12\n", b" ERROR: no rows\n", b"+ in a.py\n", b" ERROR: Job failed\n":
        log.append(STAMP + piece)
        found.append([mark.first for mark in log.errors])
    assert found == [[], [1], [1], [1, 2]]


def test_of_very_many_errors_the_first_and_the_last_are_listed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """All are counted."""
    monkeypatch.setattr(error_index, "LISTED", 1_005)
    log = log_of(b"".join(b"ERROR: number %d\n" % number for number in range(1_200)))
    assert log.error_count == 1_200
    listed = [mark.first for mark in log.errors]
    assert listed == [*range(5), *range(200, 1_200)]


def test_an_error_that_never_ends_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    """A log that is one traceback does not hold everything up."""
    monkeypatch.setattr(error_index, "LONGEST", 10)
    log = log_of(b"Traceback (most recent call last):\n" + b'  File "a.py", line 1\n' * 30)
    assert log.errors[0].end == 10


def test_the_glass_finds_words_whatever_stands_between_their_letters() -> None:
    """Each line once; what another line holds does not count."""
    glass = HintFinder(["no such file", "Fail"])
    data = b"fine\nNo_such-file, failed\nfa\nil\nit FAILED\nnosuch\nfile"
    assert glass.lines(data) == [1, 4]
    assert letters_of("No_such-file 12") == "nosuchfile"


def test_a_log_without_rules_has_no_errors() -> None:
    """Nobody asked for them."""
    log = Log(b"ERROR: no\n")
    assert (log.errors, log.error_count) == ((), 0)
