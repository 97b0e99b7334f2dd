"""A log of any bytes has the same lines however it arrives, and no line commands the terminal."""

from __future__ import annotations

from typing import Final

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.fuzz.bounds import in_time, tries
from tests.fuzz.checks import check_line
from tests.fuzz.strategies import NASTY, pieces
from tests.support.error_lines import ERRORS

from platui.analysis.errors.headings import is_heading, reports_end
from platui.analysis.errors.matcher import ErrorMatcher
from platui.analysis.masking import masked as masked_values
from platui.analysis.triage.signatures.error_text import normal, strip_prefixes, without_secrets
from platui.core.text import clean
from platui.logs import Log
from platui.logs import document as document_module
from platui.logs import line_index as index_module
from platui.logs.ansi import to_spans, without_escapes
from platui.logs.cleaning import lines_of, read_full_lines
from platui.logs.preview import preview_of
from platui.present.masking import masked

STAMP: Final = b"2026-09-25T07:33:00.992977Z 00O"
RULES: Final = ErrorMatcher()

tokens = st.sampled_from(
    [
        b"\n", b"\n", b"\r", b"\r\n", b"\x00", b"\x1b", b"\x1b[", b"\x1b[31m", b"\x1b[0K",
        b"\x1b[2K",
        b"\x1b[1G", b"\x1b]0;t\x07", b"\x1b]8;;http://x\x1b\\", b"\x1bP", b"\x1b\\", b"\x9b",
        b"\x9d",
        b"\xc2\x9b31m", b"\xc2\x9d", b"\xc2", b"\xe2\x80", b"\xae", b"\xf0\x9f\x91\x8d", b"\xff",
        b"\t",
        b"section_start:1:a\r\x1b[0K", b"section_end:2:a\r\x1b[0K", b"section_", b"section_start:",
        b"section_start:1:b[collapsed=true]\r\x1b[0K", b"section_end:999999999999999999:b\r",
        STAMP + b" ", STAMP + b"+", b"\n" + STAMP + b" ", b"\n" + STAMP + b"+", STAMP[:17],
        b"ERROR: Job failed: exit code 1", b"Traceback (most recent call last):\n", b"  File",
        b"KeyError: 1", b"\x07", b"text", b" ", b"a" * 300,
        *(text.encode("utf-8", "surrogatepass") for text in NASTY if len(text) < 99),
    ]
)  # fmt: skip
logs = st.builds(
    bytes.__add__,
    st.sampled_from([b"", STAMP + b" ", STAMP + b"+"]),
    st.lists(tokens | st.binary(max_size=6), max_size=40).map(b"".join),
)


def log_of(arrived: list[bytes]) -> Log:
    """Return a whole log that arrived in these pieces."""
    log = Log(errors=RULES)
    for piece in arrived:
        log.append(piece)
    log.finish()
    return log


def shown(log: Log) -> list[object]:
    """Return all that is shown of a log."""
    lines = [(log.spans(y), log.is_section(y), log.stamp(y)) for y in range(log.line_count)]
    return [lines, log.sections, log.errors]


@pytest.mark.parametrize("block", [65_536, 5])
@tries(40)
@given(st.data())
def test_a_log_is_the_same_however_it_arrives(block: int, data: st.DataObject) -> None:
    """Whole, in arbitrary pieces and byte by byte: lines, sections, times and errors."""
    whole = data.draw(logs)
    arrived = data.draw(pieces(whole))
    with pytest.MonkeyPatch.context() as patch, in_time(4):
        patch.setattr(index_module, "BLOCK", block)
        patch.setattr(index_module, "SCAN_BYTES", 4 * block)
        patch.setattr(document_module, "SCAN_BYTES", 4 * block)
        expected = shown(log_of([whole]))
        assert shown(log_of(arrived)) == expected
        assert shown(log_of([whole[at : at + 1] for at in range(len(whole))])) == expected


@tries(60)
@given(logs)
@example(STAMP + b" \nsection_end:1:b\r" + STAMP + b" a\n")
@example(STAMP + b" \n\x1b[0m" + STAMP + b" a\n")
def test_no_line_of_a_log_commands_the_terminal(data: bytes) -> None:
    """On screen, printed, in a preview, in a list and while the log still grows."""
    log = Log(errors=RULES)
    with in_time(4):
        for at in range(0, len(data), 7):
            log.append(data[at : at + 7])
            for y in range(max(0, log.line_count - 2), log.line_count):
                assert log.text(y) == clean(log.text(y))
        log.finish()
        printed = b"".join(read_full_lines(log, 0, log.line_count)).decode()
        texts = [log.text(y) for y in range(log.line_count)]
        assert printed == "".join(f"{text}\n" for text in texts)
        assert lines_of(log, 0, log.line_count).decode() == "\n".join(texts)
        for y, text in enumerate(texts):
            assert text == clean(text)
            check_line(log.beginning(y), 500)
        for section in log.sections:
            check_line(section.name)
            assert section.end is None or section.start <= section.end <= log.line_count
        for mark in log.errors:
            assert 0 <= mark.first < mark.end <= log.line_count
        if (end := preview_of(data[:32], data, len(data))) is not None:
            last = [end.document.text(y) for y in range(end.document.line_count)]
            assert texts[len(texts) - len(last) :] == last


@tries(60)
@given(st.lists(tokens | st.binary(max_size=6), max_size=30).map(b"".join))
@example(b"\x1b[" * 30_000)
@example(b"\x1b]" * 30_000)
@example(b"\x1bP\x1b\\" * 20_000)
@example(b"\r\x1b[0K" * 20_000)
@example(b"\x1b[" + b"1;" * 30_000 + b"m")
@example(b"section_start:1:" + b"a" * 60_000)
def test_spans_of_a_line_are_its_clean_text(data: bytes) -> None:
    """Colours or not, in a time that its length allows."""
    text = data.decode("utf-8", "replace")
    with in_time():
        spans = to_spans(text)
        assert len(without_escapes(text)) <= len(text)
    assert all(span.text and span.text == clean(span.text) for span in spans)


words_of_errors = st.sampled_from(
    sorted({word for _, line in ERRORS for word in line.replace(":", " : ").split()})
) | st.sampled_from(
    [*" :./-='\"()[]|,_@%#0<>{}", "  ", "0.", "a_", "://a:", "token=", 'File "', "at "]
)


@tries(40)
@given(
    head=st.lists(words_of_errors, max_size=3).map(" ".join),
    piece=st.lists(words_of_errors, min_size=1, max_size=3).map("".join),
    space=st.sampled_from(["", " "]),
)
def test_a_long_line_is_judged_in_time(head: str, piece: str, space: str) -> None:
    """Whether it is an error, a heading or an end, and what of it may be secret or differ."""
    line = (f"{head} " + f"{piece}{space}" * 20_000)[:20_000] + "!"
    with in_time():
        RULES.begin(line)
        is_heading(line)
        reports_end(line)
        assert strip_prefixes(line) == clean(strip_prefixes(line))
        normal(without_secrets(line))
        masked(line)
        masked_values(line)
