"""Lines of any length: whole in their pieces, found in to their ends, never cut without a word."""

from __future__ import annotations

import json
import time
from threading import Thread
from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.unit.logs.test_document import STAMP, log_of, logs, reference

from platui.core.errors import PatternError
from platui.logs import Log, long_line, shown_line
from platui.logs import line_search as line_search_module
from platui.logs.ansi import SpanReader
from platui.logs.cleaning import CLEAN_BYTES
from platui.logs.line_reader import MAX_LINE_BYTES
from platui.logs.long_line import MAX_CHARACTERS, PIECE
from platui.logs.markers import MARKER_LENGTH
from platui.logs.pattern import make_pattern
from platui.logs.search import TextSearch
from platui.models.values.search import SearchQuery

if TYPE_CHECKING:
    from collections.abc import Iterator

    from platui.models.values.log import Span


def found(log: Log, text: str, *, regex: bool = False, start: int = 0) -> list[int]:
    """Return the lines that a search finds that has come to its end."""
    search = TextSearch(log, make_pattern(SearchQuery(text, regex)), start=start)
    assert not search.advance(1e9, ended=True)
    return list(search.state().lines)


def pieces_of(log: Log, y: int) -> Iterator[tuple[Span, ...]]:
    """Yield the pieces of a line, asked for one after the other."""
    number = 0
    while (spans := log.piece(y, number)) is not None:
        yield spans
        number += 1


def joined(spans: Iterator[tuple[Span, ...]]) -> str:
    """Return the text of pieces."""
    return "".join(span.text for piece in spans for span in piece)


LONG_MARKER = b"section_start:2:b[a=" + b"x" * 997 + b"]\r\x1b[0K"
assert len(LONG_MARKER) == MARKER_LENGTH - 1
CUT_MARKER = LONG_MARKER[:500] + b"\n" + STAMP + b"+" + LONG_MARKER[500:]
IN_PIECES = (b"\n" + STAMP + b"+").join(
    LONG_MARKER[at : at + 20] for at in range(0, len(LONG_MARKER), 20)
)


@pytest.mark.parametrize("piece", [5, 33])
@given(data=logs, at=st.integers(0, 400))
@example(data=STAMP + b" \n\n" + STAMP + b"+" + STAMP + b"+", at=0)
@example(
    data=STAMP + b" textsection_start:2:b\r\x1b[0Ksect\n"
    + STAMP + b"+ion_start:7:cut\r\x1b[0Ksection_end:3:b\r\x1b[0K",
    at=0,
)  # fmt: skip
@example(data=STAMP + b" text" + CUT_MARKER + b"section_end:3:b\r\x1b[0K", at=0)
@example(data=STAMP + b" text\r" + CUT_MARKER + b"section_end:3:b\r\x1b[0K", at=0)
@example(data=STAMP + b" text" + IN_PIECES + b"section_end:3:b\r\x1b[0K", at=0)
@example(data=STAMP + b" text\r" + IN_PIECES + b"section_end:3:b\r\x1b[0K", at=0)
@example(data=STAMP + b" text" + IN_PIECES + b"x" * 9_000 + b"section_end:3:b\r\x1b[0K", at=0)
@example(data=STAMP + b" text\r" + IN_PIECES + b"section_end:3:b\r\x1b[0K", at=5_000)
@settings(deadline=None, max_examples=150)
def test_pieces_are_the_line_of_the_whole(piece: int, data: bytes, at: int) -> None:
    """Wherever escapes, stamps, markers and characters are cut by the end of one."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(long_line, "PIECE", piece)
        patch.setattr(long_line, "_LOOK", piece)
        patch.setattr(shown_line, "PIECE", piece)
        patch.setattr(long_line, "MAX_CHARACTERS", 9)
        log = log_of([data[:at], data[at:]])
        rows = reference(data)
        assert log.line_count == len(rows)
        for y, row in enumerate(rows):
            if log.is_section(y):
                continue
            assert joined(pieces_of(log, y)) == joined(log.whole(y)) == row.text
            shown, sign, _ = log.text(y).rpartition("…")
            assert row.text.startswith(shown) if sign else log.text(y) == row.text


def test_any_piece_can_be_asked_for_first() -> None:
    """The last of a megabyte, and one behind it, of which there is none."""
    words = " ".join(map(str, range(200_000)))
    log = log_of([b"\x1b[31mred " + words.encode() + b"\nnext\n"])
    number = (len(words) + 9) // PIECE
    last = log.piece(0, number)
    assert last is not None
    assert words.endswith("".join(span.text for span in last))
    assert last[0].style.foreground == "red"
    assert log.piece(0, number + 1) is None
    assert log.piece(0, 10**6) is None
    first = log.piece(0, 0)
    assert first is not None
    assert first[0].text.startswith("red 0 1 2")
    assert log.piece(1, 0) == log.spans(1)
    assert log.piece(1, 1) is None


@pytest.mark.parametrize("length", [PIECE, MAX_LINE_BYTES - 3, MAX_LINE_BYTES, 2 * MAX_LINE_BYTES])
@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r\r\n", b"\r\x1b[0m\n"])
def test_a_line_that_is_cut_says_so(length: int, end: bytes) -> None:
    """Also where its characters are few, being of many bytes, or hidden in escapes."""
    for word in (b"x", "日".encode(), b"\x1b[31m\x1b[0mx"):
        line = (word * length)[: length // len(word) * len(word)]
        log = log_of([line + end + b"next\n"])
        whole = joined(log.whole(0))
        assert whole == "".join(word.decode()[-1:] * (len(line) // len(word)))
        assert ("more" in log.text(0)) is (log.text(0) != whole)
        assert log.text(1) == "next"


@pytest.mark.parametrize("length", [10, PIECE - 1, PIECE, MAX_LINE_BYTES - 1, 3 * MAX_LINE_BYTES])
@pytest.mark.parametrize("turn", [b"\r", b"\r\x1b[K", b"\x1b[2K\x1b[1G", b"\x1b[G"])
def test_progress_keeps_its_last_state_however_long_that_is(length: int, turn: bytes) -> None:
    """The carriage return may stand where a piece ends, or where the line's bytes are cut."""
    last = "z" * length
    for before in (3, PIECE - 1, MAX_LINE_BYTES - 2, 5 * MAX_LINE_BYTES):
        data = b"a" * before + turn + b"b" * before + turn + last.encode() + b"\r\n"
        log = log_of([data])
        assert joined(log.whole(0)) == last
        assert log.text(0)[:MAX_CHARACTERS] == last[:MAX_CHARACTERS]


def test_a_long_line_that_is_still_written_is_whole_at_every_moment() -> None:
    """Half a character, half an escape and half a marker at its end wait for the rest."""
    log = log_of([])
    line = b"".join(b"%d \x1b[32m\xe6\x97\xa5\x1b[0m " % number for number in range(4_000))
    for at in range(0, len(line), 7_001):
        log.append(line[at : at + 7_001])
        text = joined(log.whole(0))
        assert "\x1b" not in text
        assert "�" not in text
        assert " ".join(f"{number} 日" for number in range(4_000)).startswith(text.rstrip())


@given(
    parts=st.lists(
        st.sampled_from([b"x" * 3_000, b"y" * 90, b"\r", b"\r\x1b[K", b"section_end:1:a\r\x1b[0K"]),
        max_size=30,
    ),
    step=st.integers(500, 5_000),
)
@settings(deadline=None, max_examples=60)
def test_a_line_that_grows_has_the_state_it_would_have_at_once(
    parts: list[bytes], step: int
) -> None:
    """Though only what came since is looked through for carriage returns."""
    line = b"z" * (PIECE + 1) + b"".join(parts)
    log = log_of([])
    for at in range(0, len(line), step):
        log.append(line[at : at + step])
        log.text(0)
    log.append(b"\n")
    assert joined(log.whole(0)) == joined(log_of([line + b"\n"]).whole(0))


ROWS = [{"id": n, "name": f"größe {n}", "ok": True} for n in range(20_000)]
RECORD = json.dumps({"rows": ROWS}, ensure_ascii=False)


@pytest.mark.parametrize("stamped", [False, True])
def test_what_stands_anywhere_in_a_long_line_is_found(
    stamped: bool,  # noqa: FBT001  (parametrized)
) -> None:
    """At its end, across two pieces, in colours: by words and by expressions."""
    prefix = STAMP + b" " if stamped else b""
    long = RECORD.replace("größe 15000", "\x1b[31mneed\x1b[0mle").encode()
    lines = [b"first", long, b"x" * 30_000 + b"Needle", b"short needle", b"y" * 3_000_000, b"last"]
    log = log_of([b"".join(prefix + line + b"\n" for line in lines)])
    for start in (0, 2, 5):
        assert found(log, "needle", start=start) == [1, 2, 3]
        assert found(log, "Needle", start=start) == [2]
        assert found(log, "größe 19999", start=start) == [1]
        assert found(log, "ne+dle$", regex=True, start=start) == [2, 3]
        assert found(log, '"name": "needle".*größe 19999', regex=True, start=start) == [1]
        assert found(log, "^y+$", regex=True, start=start) == [4]
        assert found(log, "^größe|^needle", regex=True, start=start) == []


@pytest.mark.parametrize("at", [-1, 0, 1, 5])
def test_what_lies_across_two_stretches_of_a_line_is_found(at: int) -> None:
    """A line of megabytes is looked through in stretches that share their ends."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(line_search_module, "STRETCH", 16 * PIECE)
        for place in (16 * PIECE, 32 * PIECE, 15 * PIECE):
            start = place + at - 3
            data = b"." * start + b"needle" + b"." * (40 * PIECE)
            assert found(log_of([data + b"\n"]), "needle") == [0]
            assert found(log_of([data + b"\n"]), "ne{2}dle", regex=True) == [0]


def test_the_last_line_is_looked_through_once_it_has_ended() -> None:
    """It may be a long one, without an end."""
    log = log_of([b"one\n" + b"x" * (CLEAN_BYTES * 3) + b"needle"])
    assert found(log, "needle") == [1]
    search = TextSearch(log, make_pattern(SearchQuery("needle")))
    assert not search.advance(1e9, ended=False)
    assert list(search.state().lines) == []
    log.append(b" and on\nneedle\n")
    assert not search.advance(1e9, ended=False)
    assert list(search.state().lines) == [1, 2]


def test_an_expression_that_takes_long_on_a_long_line_is_tried_in_stretches() -> None:
    """From every name to the end is too much for a megabyte, and nothing for a part of it."""
    log = log_of([RECORD.encode() + b'"the": needle\n'])
    assert found(log, "name.*the.*needle", regex=True) == [0]
    assert found(log, "name.*the.*noodle", regex=True) == []


def test_an_expression_that_never_ends_ends() -> None:
    """On a long line, too; and a thread that looks can be told to stop."""
    log = log_of([b"a" * 200_000 + b"\n"])
    with pytest.raises(PatternError):
        found(log, r"(a+)+\1b", regex=True)
    many = log_of([b"x" * 30_000_000 + b"\n"])
    search = TextSearch(many, make_pattern(SearchQuery("needle")))
    thread = Thread(target=search.advance, args=(1e9,), kwargs={"ended": True})
    thread.start()
    search.cancelled = True
    thread.join(10)
    assert not thread.is_alive()


def test_a_piece_at_the_end_of_a_long_line_costs_what_one_at_its_beginning_does() -> None:
    """Once the line was read that far: no more bytes are read than it has."""
    read: list[int] = []

    def counted(start: int, end: int) -> bytes:
        read.append(end - start)
        return data[start:end]

    data = RECORD.encode()
    line = long_line.LongLine(counted, 0, len(data), begin=0, stamped=False)
    last = len(data) // PIECE
    assert line.piece(last)
    assert line.piece(last - 5)
    read.clear()
    assert line.piece(last - 3)
    assert line.piece(last)
    assert sum(read) <= 2 * PIECE


@pytest.mark.parametrize(
    "word", [b"section_start:1:a\r\x1b[0K", b"section_end:1:a\r", b"\r", b"a\r", b"\x1b[1G\r"]
)
def test_a_line_of_returns_only_is_located_at_once(word: bytes) -> None:
    """A job may print a megabyte of them without a line break: it held the dashboard for 8 s."""
    data = word * (1_000_000 // len(word))
    began = time.process_time()
    long_line.last_state(lambda start, end: data[start:end], 0, len(data))
    assert time.process_time() - began < 0.5


def test_the_beginning_of_a_growing_line_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """It took 40 ms of a line of colours, for each question about it and each few bytes of it."""
    data = "\x1b[31mü\x1b[m".encode() * 30_000
    log, read = Log(), list[str]()
    reader_take = SpanReader.take

    def counted(reader: SpanReader, text: str) -> None:
        read.append(text)
        reader_take(reader, text)

    for at in range(0, len(data), 9_000):
        log.append(data[at : at + 9_000])
        with monkeypatch.context() as patch:
            patch.setattr(SpanReader, "take", counted)
            shown = log.text(0)
        assert shown == log_of([data[: at + 9_000]]).text(0)
        assert log.text(0) == shown
    assert len(read) < 2 * sum(range(1, 9))
    assert "… " in shown


def test_the_first_look_at_a_long_line_reads_little_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where its last state begins was found while it was taken in, in a thread of its own."""
    log = Log()
    log.append(b"\x1b[31mx\x1b[m" * 1_000_000)
    read: list[int] = []
    spool_read = log.spool.read

    def counted(start: int, end: int) -> bytes:
        read.append(end - start)
        return spool_read(start, end)

    monkeypatch.setattr(log.spool, "read", counted)
    assert log.line_count == 1
    assert log.piece(0, 3)
    log.finish()
    assert log.line_count == 1
    assert log.text(0).startswith("xxx")
    assert sum(read) < 1_000_000, sum(read)
