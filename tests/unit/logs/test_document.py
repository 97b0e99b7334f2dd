"""The log as a document: clean lines, the same however the bytes come, cheap at any size."""

from __future__ import annotations

import os
import re
import time
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from platui.core.text import clean
from platui.logs import Log
from platui.logs.document import MAX_CHARACTERS, MAX_LINE_BYTES
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


def reference(data: bytes) -> list[str]:
    """Return the lines of a whole log, the plain way: one regex after the other.

    A last line without an end is there as soon as there was text in any of its states.
    """
    stamped = re.match(STAMP_RE + rb"[ +]", data)
    if stamped:
        data = re.sub(rb"\n" + STAMP_RE + rb"\+", b"", data)
    lines: list[str] = []
    pieces = data.split(b"\n")
    for number, piece in enumerate(pieces):
        line = re.sub(rb"\A" + STAMP_RE + rb"[ +]", b"", piece) if stamped else piece
        line = line.removesuffix(b"\r")
        opened: list[bytes] = []
        markers = re.findall(MARKER_RE, line)
        for kind, _, name in markers:
            if kind == b"start":
                opened.append(name)
            elif name in opened:
                del opened[len(opened) - 1 - opened[::-1].index(name) :]
        text = re.sub(MARKER_RE, b"", line).decode("utf-8", "replace")
        text = re.sub(r"\x1b\[[0-?]*[ -/]*[@-~]", "", text)
        state = next((state for state in reversed(text.split("\r")) if state), "")
        seen = clean(state.expandtabs(8))
        if opened:
            lines.append(seen.strip() or opened[-1].decode())
        elif text.strip() or (not markers and number < len(pieces) - 1):
            lines.append(seen)
    return lines


pieces_of_logs = st.sampled_from(
    [
        b"\n", b"\n", b"\n", b"\r\n", b"\r", b"text", b"caf\xc3\xa9 \xff", b"\ttab", b" ",
        b"\x1b[31;1m", b"\x1b[0;m", b"\x1b[?25l", b"\x1b[2J", b"\x07", b"section_", b"section_sta",
        b"section_start:1:a\r\x1b[0K", b"section_end:5:a\r\x1b[0K",
        b"section_start:2:b.c-d\r\x1b[0K",
        b"section_end:3:b.c-d\r\x1b[0K", b"section_end:3:never\r\x1b[0K",
        b"section_start:2:c[collapsed=true]\r\x1b[0K", b"\n" + STAMP + b" ", b"\n" + STAMP + b" ",
        b"\n" + STAMP + b"+", b"\r\n" + STAMP + b"+", STAMP,
    ]
)  # fmt: skip
logs = st.tuples(st.sampled_from([b"", STAMP + b" "]), st.lists(pieces_of_logs, max_size=40)).map(
    lambda parts: parts[0] + b"".join(parts[1])
)


@given(data=logs, at=st.lists(st.integers(0, 400), max_size=15))
@settings(deadline=None, max_examples=300)
def test_any_split_gives_the_lines_of_the_whole(data: bytes, at: list[int]) -> None:
    """Whole, in odd pieces and byte by byte, lines and sections are those of the reference."""
    edges = sorted({0, len(data), *(position for position in at if position < len(data))})
    whole = log_of([data])
    cut = log_of([data[start:end] for start, end in pairwise(edges)])
    bytewise = log_of([data[at : at + 1] for at in range(len(data))])
    shown, expected = texts(whole), reference(data)
    assert shown == expected
    assert texts(cut) == texts(bytewise) == texts(whole)
    assert cut.sections == bytewise.sections == whole.sections


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
        assert lines == reference(data), path.name
        for size in (1, 4096):
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
    assert log.is_stamped
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
    """Its beginning is shown, and an ellipsis says that there is more."""
    log = log_of([b"short\n", b"\xc3\xa4" * 3_000_000, b"\nnext\n"])
    assert log.line_count == 3
    assert log.text(1) == "ä" * MAX_CHARACTERS + "…"
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
