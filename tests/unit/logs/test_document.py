"""The log as a document: clean lines, the same however the bytes come, cheap at any size."""

from __future__ import annotations

import os
import re
import time
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from threading import Thread
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.spools import in_memory

from platui.core.open_file import OpenFile
from platui.core.text import clean
from platui.logs import Log
from platui.logs import document as document_module
from platui.logs import line_index as index_module
from platui.logs.line_reader import MAX_LINE_BYTES
from platui.logs.long_line import MAX_CHARACTERS
from platui.logs.spool import LogSpool
from platui.models.values.log import Span, SpanStyle

STAMP = b"2026-09-25T07:33:00.992977Z 00O"
STAMP_RE = rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z [0-9a-f]{2}[OE]"
MARKER_RE = (
    rb"section_(start|end):(\d{1,18}):([\w.-]{1,256})(?:\[\w+=\w+(?:, ?\w+=\w+)*\])?"
    rb"(?:\r\x1b\[0?K|\r?(?=\n|\Z))"
)


def log_of(pieces: list[bytes]) -> Log:
    """Return a log that came in these pieces and is at its end."""
    log = Log()
    for piece in pieces:
        log.append(piece)
    log.finish()
    return log


def texts(log: Log) -> list[str]:
    """Return every line."""
    return [log.text(y) for y in range(log.line_count)]


class Row(NamedTuple):
    """One line as it is to be shown."""

    text: str
    stamp: bytes | None


JOINT = b"\xff<joined>\xff"
"""Where a line went on: what stands there now begins no line, though it may look like a stamp."""


def reference(data: bytes) -> list[Row]:
    """Return the lines of a whole log, the plain way: one regex after the other.

    A last line without an end is there as soon as there was text in any of its states.
    """
    stamped = re.match(STAMP_RE + rb"[ +]", data)
    if stamped:
        data = re.sub(rb"\n" + STAMP_RE + rb"\+", JOINT, data)
    rows: list[Row] = []
    pieces = data.split(b"\n")
    for number, piece in enumerate(pieces):
        stamp = re.match(rb"(" + STAMP_RE + rb")[ +]", piece) if stamped else None
        line = (piece[32:] if stamp else piece).replace(JOINT, b"").removesuffix(b"\r")
        opened: list[bytes] = []
        markers = re.findall(MARKER_RE, line)
        for kind, _, name in markers:
            if kind == b"start":
                opened.append(name)
            elif name in opened:
                del opened[len(opened) - 1 - opened[::-1].index(name) :]
        text = re.sub(MARKER_RE, b"", line).decode("utf-8", "replace")
        left = re.sub(r"(?s).*\r\x1b\[0?K", "", text)
        text, left = (re.sub(r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]", "", t) for t in (text, left))
        state = next((state for state in reversed(left.split("\r")) if state), "")
        seen = clean(state.expandtabs(8))
        when = stamp[1] if stamp else None
        if opened:
            rows.append(Row(seen.strip() or opened[-1].decode(), when))
        elif text.strip() or (not markers and number < len(pieces) - 1):
            rows.append(Row(seen, when))
    return rows


def sections_of(data: bytes) -> list[tuple[str, int | None]]:
    """Return names and ends of the sections of a whole log, the plain way."""
    if re.match(STAMP_RE + rb"[ +]", data):
        data = re.sub(rb"\n" + STAMP_RE + rb"\+", JOINT, data)
        data = re.sub(rb"(?m)^" + STAMP_RE + rb"[ +]", b"", data).replace(JOINT, b"")
    found: list[tuple[str, int | None]] = []
    opened: list[int] = []
    for kind, time_, name in re.findall(rb"(?m)" + MARKER_RE, data):
        known = [at for at in opened if found[at][0] == name.decode()]
        if kind == b"start":
            opened.append(len(found))
            found.append((name.decode(), None))
        elif known:
            found[known[-1]] = (name.decode(), int(time_))
            del opened[opened.index(known[-1]) :]
    return found


pieces_of_logs = st.sampled_from(
    [
        b"\n", b"\n", b"\n", b"\r\n", b"\r", b"text", b"caf\xc3\xa9 \xff", b"\ttab", b" ",
        b"\x1b[31;1m", b"\x1b[0;m", b"\x1b[?25l", b"\x1b[2J", b"\x07", b"section_", b"section_sta",
        b"section_start:1:a\r\x1b[0K", b"section_end:5:a\r\x1b[0K",
        b"section_start:2:b.c-d\r\x1b[0K",
        b"section_end:3:b.c-d\r\x1b[0K", b"section_end:3:never\r\x1b[0K",
        b"section_start:2:c[collapsed=true]\r\x1b[0K", b"\n" + STAMP + b" ", b"\n" + STAMP + b" ",
        b"\n" + STAMP + b"+", b"\r\n" + STAMP + b"+", STAMP,
        b"section_start:7:a\r\x1b[0Ksection_end:8:a\r\x1b[0Ksection_start:9:a\r\x1b[0K", b"\0",
        b"sect\n" + STAMP + b"+ion_start:7:cut\r\x1b[0K", b"section_end:3:a\n", b"+", b"\xc2\x9b1m",
    ]
)  # fmt: skip
logs = st.tuples(st.sampled_from([b"", STAMP + b" "]), st.lists(pieces_of_logs, max_size=40)).map(
    lambda parts: parts[0] + b"".join(parts[1])
)


@pytest.mark.parametrize(("block", "slice_"), [(65_536, 1_048_576), (7, 21)])
@given(data=logs, at=st.lists(st.integers(0, 400), max_size=15))
@settings(deadline=None, max_examples=50)
def test_any_split_gives_the_lines_of_the_whole(
    block: int, slice_: int, data: bytes, at: list[int]
) -> None:
    """Whole, in odd pieces and byte by byte, lines and sections are those of the reference."""
    edges = sorted({0, len(data), *(position for position in at if position < len(data))})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(index_module, "BLOCK", block)
        patch.setattr(index_module, "SCAN_BYTES", slice_)
        patch.setattr(document_module, "SCAN_BYTES", slice_)
        whole = log_of([data])
        cut = log_of([data[start:end] for start, end in pairwise(edges)])
        bytewise = log_of([data[at : at + 1] for at in range(len(data))])
        rows = reference(data)
        expected = [row.text for row in rows]
        assert texts(whole) == texts(cut) == texts(bytewise) == expected
        assert [(s.name, s.ended) for s in whole.sections] == sections_of(data)
        assert cut.sections == bytewise.sections == whole.sections
        for y, row in enumerate(rows):
            when = None if row.stamp is None else datetime.fromisoformat(row.stamp[:27].decode())
            assert whole.stamp(y) == (None if when is None else pytest.approx(when.timestamp()))
            start, end = whole.span_of(y)
            assert whole.line_at(start) == whole.line_at(end) == y
            assert b"\n" not in whole.read(start, end).replace(b"\n" + STAMP + b"+", b"")


@given(data=logs)
@settings(deadline=None)
def test_while_it_grows_only_the_last_line_changes(data: bytes) -> None:
    """No line that was counted goes away, and none but the last one changes."""
    log = Log()
    before: list[str] = []
    for at in range(len(data)):
        log.append(data[at : at + 1])
        now = texts(log)
        assert len(now) >= len(before)
        kept = max(0, len(before) - 1)
        assert now[:kept] == before[:kept]
        before = now


def corpus() -> list[Path]:
    """Return real logs, where there are any."""
    folder = os.environ.get("PLATUI_CORPUS")
    return sorted(Path(folder, "logs").glob("*.log")) if folder else []


@pytest.mark.skipif(not corpus(), reason="PLATUI_CORPUS names no folder with logs")
def test_real_logs_give_the_same_lines_however_they_come() -> None:
    """Whole, in 1-byte and in 4096-byte pieces; no escape, marker or stamp is to be seen."""
    for path in corpus():
        data = path.read_bytes()
        whole = log_of([data])
        lines = texts(whole)
        assert lines == [row.text for row in reference(data)], path.name
        assert [(s.name, s.ended) for s in whole.sections] == sections_of(data)
        for size in (1, 7, 4096):
            parts = log_of([data[at : at + size] for at in range(0, len(data), size)])
            assert texts(parts) == lines, path.name
            assert parts.sections == whole.sections
        shown = "\n".join(lines)
        assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", shown)
        assert not re.search(r"section_(start|end):\d", shown)
        assert "00O " not in shown


def test_a_stamped_log_as_a_runner_writes_it() -> None:
    """Headers come on a continuation, progress in pieces, and a section ends that never began."""
    log = log_of(
        [
            STAMP + b" \x1b[0KRunning\x1b[0;m\n",
            STAMP + b" section_start:100:prepare_executor\r\x1b[0K\n",
            STAMP + b"+\x1b[0K\x1b[36;1mPreparing\x1b[0;m\n",
            STAMP + b" 10%\r\n" + STAMP + b"+20%\r\n" + STAMP + b"+30%\n",
            STAMP + b" section_end:107:step_script\r\x1b[0K\n",
            STAMP + b" \x1b[31;1mERROR\x1b[0;m\n",
        ]
    )
    assert texts(log) == ["Running", "Preparing", "30%", "ERROR"]
    assert log.has_timestamps
    assert [log.is_section(y) for y in range(4)] == [False, True, False, False]
    assert log.spans(1) == (Span("Preparing", SpanStyle(role="section")),)
    assert log.spans(3) == (Span("ERROR", SpanStyle(foreground="red", bold=True)),)
    assert [(s.name, s.start, s.seconds) for s in log.sections] == [("prepare_executor", 1, None)]


def test_sections_are_told_in_displayed_lines() -> None:
    """Lines that held markers only do not count."""
    log = log_of(
        [
            b"first\n",
            b"section_start:10:a\r\x1b[0KHeader\n",
            b"body\n",
            b"section_end:13:a\r\x1b[0K\n",
            b"section_start:13:b\r\x1b[0Ksection_end:13:b\r\x1b[0K\n",
            b"section_start:14:c\r\x1b[0K\n",
            b"last\n",
        ]
    )
    assert texts(log) == ["first", "Header", "body", "c", "last"]
    assert [(s.name, s.start, s.end, s.seconds) for s in log.sections] == [
        ("a", 1, 3, 3),
        ("b", 3, 3, 0),
        ("c", 3, None, None),
    ]


def test_an_empty_log_has_no_line() -> None:
    """The platform answers with nothing for a job that never started."""
    log = log_of([b""])
    assert (log.line_count, log.size, log.sections) == (0, 0, ())
    for y in (0, -1):
        with pytest.raises(IndexError):
            log.spans(y)


@pytest.mark.parametrize("size", [0, 12, 31])
def test_a_finished_log_without_a_whole_stamp_may_become_a_stamped_one(size: int) -> None:
    """A job, or a file, that was opened a moment too early."""
    data = STAMP + b" one\n" + STAMP + b" two\n"
    log = log_of([data[:size]])
    assert texts(log) == ([] if size == 0 else [data[:size].decode()])
    log.append(data[size:])
    assert (log.has_timestamps, texts(log)) == (True, ["one", "two"])


def test_the_line_being_written_is_shown() -> None:
    """An unfinished line counts, grows, and is forgotten nowhere."""
    log = Log(b"one\ntw")
    assert texts(log) == ["one", "tw"]
    version = log.version
    log.append(b"o")
    assert log.version != version
    assert texts(log) == ["one", "two"]
    log.append(b"\n")
    assert log.line_count == 2
    log.append(b"")
    assert texts(log) == ["one", "two"]


def test_a_line_of_megabytes_is_cut() -> None:
    """Its text is its beginning, and says how much more there is."""
    log = log_of([b"short\n", b"\xc3\xa4" * 3_000_000, b"\nnext\n"])
    assert log.line_count == 3
    assert log.text(1) == "ä" * MAX_CHARACTERS + "… 5,820 KB more"
    assert log.spans(1)[-1].style.role == "muted"
    assert log.text(2) == "next"


def test_of_megabytes_of_progress_the_last_state_is_shown() -> None:
    """What a bar wrote before is not looked at."""
    states = b"".join(b"\r%7d of 500000" % number for number in range(500_001))
    log = log_of([b"section_start:1:load\r\x1b[0K", states, b"\nnext\n"])
    assert len(states) > 10 * MAX_LINE_BYTES
    assert texts(log) == [" 500000 of 500000", "next"]
    assert [s.name for s in log.sections] == ["load"]


def test_appending_costs_the_same_however_long_the_log_is() -> None:
    """The second half of 200,000 lines takes about as long as the first."""
    line = b"\x1b[32m2026-09-25\x1b[0m a line of about eighty characters, as in any other log\n"
    log = Log()
    seconds = []
    for _ in range(2):
        before = time.process_time()
        for _ in range(1000):
            log.append(line * 100)
            log.text(log.line_count - 1)
        seconds.append(time.process_time() - before)
    assert log.line_count == 200_000
    assert seconds[1] < 3 * seconds[0] + 0.05
    assert sum(seconds) < 5


def test_closing_lets_go() -> None:
    """A closed document holds no bytes."""
    log = Log(b"one\n")
    log.close()
    assert log.size == 0


def test_stamps_are_told_by_line() -> None:
    """To the microsecond; a line that goes on has the time at which it began."""
    later = STAMP.replace(b"00.992977Z", b"01.000001Z")
    log = log_of([STAMP + b" one\n" + later + b"+ goes on\n" + later + b" two\n"])
    assert texts(log) == ["one goes on", "two"]
    assert log.stamp(0) == pytest.approx(1_790_321_580.992977, abs=1e-6)
    assert log.stamp(1) == pytest.approx(1_790_321_581.000001, abs=1e-6)
    with pytest.raises(IndexError):
        log.stamp(2)
    assert Log(b"plain\n").stamp(0) is None
    odd = log_of([STAMP.replace(b"-25T", b"-45T") + b" no such day\n"])
    assert (odd.text(0), odd.stamp(0)) == ("no such day", None)


def test_a_hidden_lines_bytes_belong_to_the_next_one() -> None:
    """Whoever finds something there is sent to a line that is shown."""
    hidden = b"section_end:13:a\r\x1b[0K\n"
    log = log_of([b"one\n", hidden, b"two\n", hidden])
    assert [log.line_at(at) for at in (0, 3, 4, 4 + len(hidden), log.size)] == [0, 0, 1, 1, 2]
    with pytest.raises(IndexError):
        log.span_of(2)


def test_a_file_is_read_where_it_lies(tmp_path: Path) -> None:
    """Slice by slice, and what is added to it; nothing of it is held."""
    path = tmp_path / "log"
    line = b"\x1b[32m2026-09-25\x1b[0m a line of about eighty characters, as in any other log\n"
    path.write_bytes(line * 30_000)
    file = OpenFile.open(path)
    log = Log(spool=LogSpool(file, file.size))
    assert log.line_count == 0
    steps = 1
    while log.step():
        steps += 1
    assert (log.line_count, steps > 1, in_memory(log.spool)) == (30_000, True, 0)
    with path.open("ab") as more:
        more.write(b"more\nand mo")
    log.grew(file.size)
    log.append(b"re")
    assert (log.line_count, log.text(30_000), log.text(30_001)) == (30_002, "more", "and more")


def test_a_file_that_is_cut_or_overwritten_hurts_nobody(tmp_path: Path) -> None:
    """Lines that are gone are odd, and no error: whoever owns the file says what happened."""
    path = tmp_path / "log"
    path.write_bytes(b"line\n" * 100_000)
    file = OpenFile.open(path)
    log = Log(spool=LogSpool(file, file.size))
    log.take_in()
    path.write_bytes(b"x" * 1000)
    assert log.line_count == 100_000
    for y in (0, 199, 5_000, 50_000, 99_999):
        assert isinstance(log.text(y), str)
        start, end = log.span_of(y)
        assert 0 <= start <= end
        assert isinstance(log.line_at(start), int)


def test_it_is_read_by_others_while_it_grows() -> None:
    """Every line that was counted is what it is, whoever asks, and stays where it is."""
    log = Log()
    wrong: list[str] = []
    marker = b"section_end:1:x\r\x1b[0K\n"
    total = 30_000

    def look() -> None:
        y = 0
        while y < total:
            y = min(y + 1, log.line_count - 1) if log.line_count else 0
            known = log.line_count
            for at in {0, y, known - 1} if known else ():
                start, end = log.span_of(at)
                if (text := log.text(at)) and text != f"line {at} of many":
                    wrong.append(text)
                if log.read(start, end) not in {text.encode(), b""} or log.line_at(start) != at:
                    wrong.append(f"{at}: {start}-{end}")
            if known == total:
                break

    readers = [Thread(target=look) for _ in range(2)]
    for reader in readers:
        reader.start()
    for first in range(0, total, 100):
        lines = [
            b"line %d of many\n" % y + marker * (y % 7 == 0) for y in range(first, first + 100)
        ]
        log.append(b"".join(lines))
    for reader in readers:
        reader.join()
    assert wrong == []
    assert log.line_count == total


def test_hostile_markers_cost_no_more_than_others() -> None:
    """Sections by the thousand on one line and never closed, ends of what is open far outside."""
    many = b"".join(b"section_start:1:a%d\r\x1b[0K" % number for number in range(3000))
    ends = b"section_end:2:a0\r\x1b[0K\n" * 3000
    log = log_of([many + b"\n", b"section_start:1:z\r\x1b[0K\n" * 9000, ends])
    assert log.line_count == 9001
    assert [s.ended for s in log.sections][:2] == [2, None]
    assert all(section.end is not None for section in log.sections)


def test_a_line_of_megabytes_of_nothing() -> None:
    """NULs, escapes and continuations: one line, looked at from its ends only."""
    goes_on = STAMP + b" x" + (b"\n" + STAMP + b"+x") * 60_000
    for data in (b"\0" * 3_000_000, b"\x1b[31m\x1b[m" * 300_000, goes_on):
        log = log_of([data, b"\nnext\n"])
        assert log.text(log.line_count - 1) == "next"
        shown, _, more = log.text(0).rpartition("…")
        assert len(shown) <= MAX_CHARACTERS
        assert more.endswith("KB more")


def test_long_lines_are_not_all_remembered() -> None:
    """What is kept of lines seen last is bounded by their length, too."""
    log = log_of([(b"%d" % (number % 10)) * 50_000 + b"\n" for number in range(100)])
    for y in range(100):
        assert log.text(y)[:3] == str(y % 10) * 3
    assert log._memory.weight <= 256 * 1024  # what no caller sees: memory


@pytest.mark.parametrize(
    "line",
    [
        b"".join(b"\r%3d%% done" % share for share in range(101)) * 3,
        b"\x1b[31mERROR: \x1b[0m" + b"no such table " * 300,
        STAMP + b" Traceback " + b"x" * 3_000,
        b"plain \xff " * 500,
    ],
)
def test_the_beginning_of_a_long_line_is_what_it_shows(line: bytes) -> None:
    """Not the first state of a progress bar, nor the codes of its colours."""
    assert len(line) > 2_000
    log = log_of([line + b"\n"])
    assert log.beginning(0) == log.text(0)[:500]


def test_the_beginning_of_a_long_line_without_a_stamp_is_not_cut_off() -> None:
    """Among lines that have one."""
    line = b"".join(b"%d " % number for number in range(1000))
    log = log_of([STAMP + b" first\n" + line + b"\n"])
    assert log.has_timestamps
    assert log.beginning(1) == log.text(1)[:500]
