"""When bytes come over a slow line."""

from __future__ import annotations

import os

import pytest
from tests.support.relay import SlowLine, Throttle


def test_pieces_wait_for_those_before_them() -> None:
    """A line carries one byte after the other."""
    line = Throttle(1000)
    assert line.send(500, now=10.0) == pytest.approx(10.49)
    assert line.send(500, now=10.1) == pytest.approx(10.99)
    assert line.free_at == pytest.approx(10.99)


def test_a_line_that_was_free_saves_nothing() -> None:
    """What was not sent meanwhile does not make it faster."""
    line = Throttle(1000)
    line.send(100, now=10.0)
    assert line.send(100, now=60.0) == pytest.approx(60.09)


def test_a_delay_keeps_no_byte_from_being_sent() -> None:
    """Bytes that are on their way do not fill the line."""
    line = Throttle(1000, delay=0.5)
    assert line.send(100, now=10.0) == pytest.approx(10.59)
    assert line.free_at == pytest.approx(10.09)


def test_all_bytes_come_in_order_and_then_the_end() -> None:
    """In both directions."""
    ours, theirs = os.openpty()
    line = SlowLine(ours, latency=0.01, rate=1_000_000, back=0.01)
    sent = b"".join(b"%04d" % number for number in range(500))
    os.write(theirs, sent)
    came = b""
    while len(came) < len(sent):
        came += line.read(5.0) or b""
    assert came == sent
    line.write(b"q\n")
    assert os.read(theirs, 10) == b"q\n"
    os.close(theirs)
    while (piece := line.read(5.0)) is not None:
        assert b"q" in piece  # a terminal echoes
    line.close()
    os.close(ours)
