"""Lines that leave platui: with colours, with times, and never with anything else."""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from platui.logs import Log
from platui.present.logs.text import NO_STAMP, coloured_line, log_file_name, plain_line, stamped


def one_line(data: bytes) -> Log:
    """Return a log of one line."""
    log = Log(data + b"\n")
    log.finish()
    return log


def test_colours_come_out_as_they_came_in() -> None:
    """Named, of the 256 and true ones; each run closes what it opened."""
    log = one_line(b"\x1b[1;31mbad\x1b[0m \x1b[38;5;208mwarm\x1b[0m \x1b[48;2;1;2;3mdeep\x1b[0m")
    assert "".join(coloured_line(log, 0)) == (
        "\x1b[1;31mbad\x1b[0m \x1b[38;2;255;135;0mwarm\x1b[0m \x1b[48;2;1;2;3mdeep\x1b[0m"
    )


@given(st.binary(max_size=60))
@settings(max_examples=100)
def test_no_bytes_make_another_sequence(data: bytes) -> None:
    """What is left without SGR is the plain text, on one line."""
    log = one_line(data.replace(b"\n", b" "))
    for y in range(log.line_count):
        text = re.sub(r"\x1b\[[0-9;]*m", "", "".join(coloured_line(log, y)))
        assert text == "".join(plain_line(log, y))
        assert not re.search(r"[\x00-\x1f\x7f-\x9f]", text)


def test_times_stand_before_lines_that_have_one() -> None:
    """UTC; a log without times stays as it is."""
    log = one_line(b"2026-09-25T07:33:00.992977Z 00O hello")
    assert "".join(stamped(plain_line)(log, 0)) == "2026-09-25T07:33:00.992Z hello"
    assert len(NO_STAMP) == len("2026-09-25T07:33:00.992Z ")
    assert "".join(stamped(plain_line)(one_line(b"hello"), 0)) == "hello"


def test_a_saved_log_is_called_after_its_job() -> None:
    """With signs that any file system takes."""
    assert log_file_name("build: [a/b] 1/3", 7) == "build-a-b-1-3-7.log"
    assert log_file_name("../../etc/passwd", 7) == "etc-passwd-7.log"
    assert log_file_name("\x1b]0;x\x07", 7) == "0-x-7.log"
    assert log_file_name("…", None) == "job.log"
