"""Searching: what is found is what a plain search over all lines finds, however the log came."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.logs.test_document import STAMP, log_of, logs

from platui.core.errors import PatternError
from platui.logs import Log
from platui.logs import search as search_module
from platui.logs.cleaning import CLEAN_BYTES, clean_lines
from platui.logs.line_search import search_line
from platui.logs.long_line import MAX_CHARACTERS
from platui.logs.pattern import make_pattern
from platui.logs.search import TextSearch
from platui.logs.search_runs import MOST_BYTES
from platui.models.values.search import SearchQuery

if TYPE_CHECKING:
    from collections.abc import Iterator

    from platui.logs.pattern import LinePattern
    from platui.models.values.log import LogDocument
    from platui.models.values.search import SearchState

FOREVER = 1e9


def searched(
    document: LogDocument, text: str, *, regex: bool = False, start: int = 0
) -> SearchState:
    """Return a search that has come to its end."""
    search = TextSearch(document, make_pattern(SearchQuery(text, regex)), start=start)
    search.glance()
    assert not search.advance(FOREVER, ended=True)
    return search.state()


def naive(document: LogDocument, text: str, *, regex: bool = False) -> list[int]:
    """Return the lines whose clean text has it, one after the other, each looked at whole."""
    pattern = make_pattern(SearchQuery(text, regex))
    return [y for y in range(document.line_count) if pattern.found_in(whole(document, y))]


def whole(document: LogDocument, y: int) -> str:
    """Return all of a line."""
    return "".join(span.text for spans in document.whole(y) for span in spans)


needles = st.sampled_from(
    [
        "text", "t", "T", "xt", "  ", "é", "É", "\N{REPLACEMENT CHARACTER}", "caf", "b.c-d", "a",
        "section_", "2026", "00O", "31", "[", "m", "tab", "texttext", "Z 00O text", "nowhere",
    ]
)  # fmt: skip
expressions = st.sampled_from(
    ["t.xt", "^text", "text$", "^$", "t{2}", r"\s+tab", "[^t]x", "T", "(?i)TEXT", r"\w", r"(t)\1",
     "^.{9,}$", "", "a|é", r"\bt", "(?<!t)e", "^[a-z]"]
)  # fmt: skip


@given(data=logs, needle=needles, start=st.integers(0, 9))
@settings(deadline=None, max_examples=100)
def test_plain_words_are_found_where_a_reader_sees_them(
    data: bytes, needle: str, start: int
) -> None:
    """Not in stamps, markers and escapes, but across colours, continuations and tabs."""
    log = log_of([data])
    state = searched(log, needle, start=start)
    assert list(state.lines) == naive(log, needle)
    assert state.first is None or state.first in state.lines


@given(
    data=logs,
    typed=st.sampled_from(
        ["t", "te", "tex", "text", "textt", "x", "xt", "T", "Te", "é", " ", "b."]
    ),
    more=st.sampled_from(["", "e", "x", "t", "xt", "X", "é", " ", "."]),
    start=st.integers(0, 9),
    steps=st.integers(0, 4),
    kept=st.sampled_from([0, 20, 60, MOST_BYTES]),
)
@settings(deadline=None, max_examples=200)
def test_what_was_found_for_fewer_letters_is_enough_for_more(
    data: bytes, typed: str, more: str, start: int, steps: int, kept: int
) -> None:
    """However far the search of before has come, and however the log has grown since.

    A third search goes on from the second, and texts are kept of all lines, some or none.
    """
    half = len(data) // 2
    log = Log(data[:half])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("platui.logs.search_runs.MOST_BYTES", kept)
        search = TextSearch(log, make_pattern(SearchQuery(typed)), start=start)
        for _ in range(steps):
            search.advance(0.0, ended=False)
        log.append(data[half:])
        log.finish()
        for text in (typed + more, typed + more + more):
            pattern = make_pattern(SearchQuery(text))
            search = TextSearch(log, pattern, start=start, before=search)
            search.glance()
            first = search.state().first
            assert not search.advance(FOREVER, ended=True)
            expected = naive(log, text)
            assert list(search.state().lines) == expected
            assert first is None or first in expected


def test_lines_found_are_tried_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """No byte is read again for a word that goes on, and the next hit comes first."""
    log = log_of([b"".join(b"row %d\n" % row for row in range(50_000))])
    before = TextSearch(log, make_pattern(SearchQuery("4998")), start=100)
    assert not before.advance(FOREVER, ended=True)
    read: list[int] = []
    whole_read = Log.read

    def reading(self: Log, begin: int, end: int) -> bytes:
        read.append(end - begin)
        return whole_read(self, begin, end)

    monkeypatch.setattr(Log, "read", reading)
    after = TextSearch(log, make_pattern(SearchQuery("49982")), start=100, before=before)
    after.glance()
    assert after.state().first == 49_982
    assert not after.advance(FOREVER, ended=True)
    assert list(after.state().lines) == [49_982]
    assert sum(read) < 500


@given(data=logs, expression=expressions.filter(bool), start=st.integers(0, 9))
@settings(deadline=None, max_examples=100)
def test_expressions_are_tried_on_clean_lines(data: bytes, expression: str, start: int) -> None:
    """`^` and `$` are the ends of what is seen."""
    log = log_of([data])
    state = searched(log, expression, regex=True, start=start)
    assert list(state.lines) == naive(log, expression, regex=True)


lines_of_logs = st.sampled_from(
    [
        b"plain", b"\x1b[0;31mcol\x1b[0mour\x1b[K", b"two\xc3\x1b[0m\xa9halves",
        b"n\xc2\xa0b\xc2\xadsp", b"\xe2\x80\xae bidi \xf0\x9f\x91\x8d\xf0\x9f\x8f\xbd",
        b"a\xef\xb8\x8fb", b"\ttab\t\xe6\x97\xa5\tx", b"10%\r20%", b"10%\r20%\r\r", b"\x9b31mC1",
        b"\xc2\x9b31mC1", b"\xc2\x90a\rb\xc2\x9c", b"\x1b]0;title\x07t", b"\x1b[2Kgone",
        b"x\x1b[Gy", b"x\r\x1b[K", b"y\x1b[K\r", b"\x1b\x1b[0m[31mz", b"section_start:1:a\r\x1b[0K",
        b"section_end:1:a\r\x1b[0K", b"section_ is no marker", b"\x00\x07", b"", b"x" * 3000,
        b"y" * (MAX_CHARACTERS + 9), b"\t" * 2600, b"\tx\r\ty",
    ]
)  # fmt: skip


@given(lines=st.lists(lines_of_logs, max_size=12), stamped=st.booleans())
@settings(deadline=None, max_examples=100)
def test_lines_cleaned_together_are_those_cleaned_one_by_one(
    lines: list[bytes],
    stamped: bool,  # noqa: FBT001  (hypothesis hands it over)
) -> None:
    """All that makes a line differ from its bytes, side by side with lines that are easy."""
    prefix = STAMP + b" " if stamped else b""
    data = b"".join(prefix + line + b"\n" for line in [b"first", *lines])
    log = log_of([data])
    block = clean_lines(data, stamped=stamped)
    shown = block.data.decode("utf-8", "replace").split("\n")
    assert block.line_count == len(shown) == log.line_count
    assert [line[32 * stamped :] for line in shown] == [
        whole(log, y) for y in range(block.line_count)
    ]


@pytest.mark.parametrize("data", [b"caf\xc3\xa9", b"caf\xff\n", b"one\ncaf\xc3\xa9\n"])
def test_a_block_that_ends_outside_ascii_is_left_again(data: bytes) -> None:
    """Its last character is the last one looked at, not one that is looked at for ever."""
    log = log_of([data])
    for needle in ("\u00e9", "\u00c9", "\u00fc"):
        assert list(searched(log, needle).lines) == naive(log, needle)


def test_a_hit_is_found_over_many_slices() -> None:
    """Also in a line longer than a slice, between such lines, and right after one."""
    long = b"w" * (CLEAN_BYTES * 2)
    pieces = [
        b"first needle\n",
        long + b"\n",
        b"needle after\n",
        b"y\n" * CLEAN_BYTES,
        b"nee\x1b[0mdle\n",
    ]
    log = log_of(
        [
            *pieces,
            b"10%\r" * CLEAN_BYTES + b"the needle\n",
            b"needle\n",
            b"no needles\n",
            b"last needle",
        ]
    )
    expected = naive(log, "needle")
    assert len(expected) == 7
    for start in (0, 2, CLEAN_BYTES // 2, log.line_count - 1):
        assert list(searched(log, "needle", start=start).lines) == expected
        assert list(searched(log, "n[e]+dle", regex=True, start=start).lines) == expected
        before = TextSearch(log, make_pattern(SearchQuery("needle")), start=start)
        assert not before.advance(FOREVER, ended=True)
        after = TextSearch(log, make_pattern(SearchQuery("needles")), start=start, before=before)
        assert not after.advance(FOREVER, ended=True)
        assert list(after.state().lines) == [expected[-2]]


def test_the_next_hit_in_reading_order_is_known_first() -> None:
    """Before anything else was looked through; at the end it goes on from the top."""
    log = log_of([b"".join(b"needle\n" if n in {10, 500} else b"line\n" for n in range(1000))])
    for start, first in ((0, 10), (11, 500), (501, 10)):
        search = TextSearch(log, make_pattern(SearchQuery("needle")), start=start)
        search.glance()
        state = search.state()
        assert (state.first, state.progress, len(state.lines)) == (first, 0.0, 0)


def test_a_glance_does_not_take_a_stamp_for_a_hit() -> None:
    """However many there are it comes to an end, and the search itself finds the line."""
    stamped = b"".join(STAMP + b" line %d\n" % number for number in range(1000))
    log = log_of([stamped + STAMP + b" in 2026\n"])
    search = TextSearch(log, make_pattern(SearchQuery("2026")))
    search.glance()
    assert search.state().first is None
    assert list(searched(log, "2026").lines) == [1000]


def test_a_search_grows_with_its_log() -> None:
    """Lines are looked through once they have ended, the last one when the log has."""
    log = Log(b"needle\nno\nneed")
    search = TextSearch(log, make_pattern(SearchQuery("needle")))
    assert not search.advance(FOREVER, ended=False)
    lines = search.state().lines
    assert list(lines) == [0]
    log.append(b"le\nneedle")
    assert not search.advance(FOREVER, ended=False)
    assert list(lines) == [0, 2]
    assert search.state().is_whole
    log.finish()
    for _ in range(2):
        assert not search.advance(FOREVER, ended=True)
        assert list(lines) == [0, 2, 3]
    log.append(b" and\nneedle\n")  # a job that writes on after it has ended
    assert not search.advance(FOREVER, ended=True)
    assert list(lines) == [0, 2, 3, 4]


def test_a_last_line_that_went_on_is_looked_at_again() -> None:
    """What was not in it may be by now."""
    log = Log(b"no\nneed")
    log.finish()
    search = TextSearch(log, make_pattern(SearchQuery("needle")))
    assert not search.advance(FOREVER, ended=True)
    log.append(b"le\nneedle\n")
    assert not search.advance(FOREVER, ended=True)
    assert list(search.state().lines) == [1, 2]


def test_it_pauses_and_can_be_given_up() -> None:
    """A step ends after its time, and at once when it was cancelled."""
    log = log_of([b"needle\n" * CLEAN_BYTES])
    search = TextSearch(log, make_pattern(SearchQuery("needle")), start=5)
    assert search.advance(0.0, ended=True)
    state = search.state()
    assert 0 < state.progress < 1
    assert state.known[0] == (0, 0)
    assert state.known[1][0] == 5
    assert len(state.lines) == state.known[1][1] - 5
    search.cancelled = True
    assert not search.advance(FOREVER, ended=True)
    assert len(search.state().lines) == len(state.lines)
    assert not search.state().is_whole


def test_hits_are_so_many_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    """And no more; it says so."""
    monkeypatch.setattr("platui.logs.search.MOST_HITS", 100)
    state = searched(log_of([b"x\n" * CLEAN_BYTES]), "x")
    assert state.is_full
    assert state.is_whole
    assert 100 <= len(state.lines) <= CLEAN_BYTES


def test_hits_are_one_sequence() -> None:
    """Those before the line where it began come first."""
    log = log_of([b"needle\n" * 9])
    lines = searched(log, "needle", start=4).lines
    assert list(lines) == list(range(9))
    assert lines[-1] == 8
    assert lines[2:6] == [2, 3, 4, 5]
    for wrong in (9, -10):
        with pytest.raises(IndexError):
            lines[wrong]


def test_nothing_is_found_in_nothing() -> None:
    """An empty log is whole at once."""
    state = searched(log_of([]), "x")
    assert state.is_whole
    assert not state.lines


@pytest.mark.parametrize("text", ["(a|aa)+$", "(a|b|ab)*$"])
def test_a_pattern_that_never_ends_does(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a sentence, and in the time that is given it."""
    monkeypatch.setattr("platui.logs.pattern.PATIENCE", 0.02)
    log = log_of([b"fine\n" + b"ab" * 2000 + b"!\n" + b"a" * 2000 + b"!\n"])
    with pytest.raises(PatternError, match="takes too long"):
        searched(log, text, regex=True)
    pattern = make_pattern(SearchQuery(text, is_regex=True))
    assert pattern.ranges("a" * 2000 + "!") == ()
    assert pattern.ranges("ac") == ()


def test_a_long_line_is_looked_through_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the words of an expression are in it thousands of times, and it does not match."""
    log = log_of([b"one\n" + b'"status": "ok", ' * 100_000 + b'\n"status":"failed"\n'])
    tried: list[int] = []

    def search(document: LogDocument, line: int, pattern: LinePattern) -> Iterator[bool | None]:
        tried.append(line)
        return search_line(document, line, pattern)

    monkeypatch.setattr(search_module, "search_line", search)
    search_of_it = TextSearch(log, make_pattern(SearchQuery('"status": ?"failed"', True)))
    search_of_it.glance()
    assert search_of_it.state().first == 2
    assert tried == [1, 2]
