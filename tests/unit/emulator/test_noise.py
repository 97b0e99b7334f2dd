"""Hostile bytes of the emulator: what a log may be when it grows."""

from __future__ import annotations

import pytest

from platui_emulator.http.variants.hostile import LINES, noisy_log

LOG = b"".join(b"line %d\n" % number for number in range(400)) + b"not yet"


@pytest.mark.parametrize("size", [1, 6, 7, 8, 300, len(LOG) - 1, len(LOG)])
def test_a_log_that_grew_begins_with_what_it_was(size: int) -> None:
    """Or whoever follows it would have to read it all again."""
    assert noisy_log(LOG).startswith(noisy_log(LOG[:size]))


def test_every_hostile_line_comes_and_no_honest_one_is_lost() -> None:
    """Each a line of its own, between lines that are as they were."""
    lines = noisy_log(LOG).split(b"\n")
    assert {*LINES} <= {*lines}
    assert [line for line in lines if line not in LINES] == LOG.split(b"\n")
    assert noisy_log(b"") == b""
