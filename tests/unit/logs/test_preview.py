"""The end of a log before the rest is read: the very lines that the whole log has there."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from platui.logs import Log
from platui.logs import preview as preview_module
from platui.logs.preview import TAIL, preview, preview_of

STAMP = b"2026-09-25T07:33:00.992977Z 00O"

lines = st.sampled_from(
    [
        b"text\n", b"\n", b"\x1b[31mred\x1b[0m\r\n", b"10%\r20%\r\n", b"caf\xc3\xa9\n", b"\xff\n",
        b"section_start:1:a\r\x1b[0KHead\n", b"section_end:2:a\r\x1b[0K\n", b"no end",
    ]
)  # fmt: skip


@given(
    parts=st.lists(lines, max_size=30), stamped=st.booleans(), goes_on=st.sets(st.integers(1, 29))
)
@settings(deadline=None)
@pytest.mark.parametrize("tail", [1, 40, 150])
def test_it_shows_the_last_lines_of_the_whole(
    tail: int, *, parts: list[bytes], stamped: bool, goes_on: set[int]
) -> None:
    """Wherever the end is cut off: in a line, a stamp, or one that goes on."""
    if stamped:
        parts = [
            STAMP + (b"+" if number in goes_on else b" ") + part
            for number, part in enumerate(parts)
        ]
    data = b"".join(parts)
    whole = Log(data)
    whole.finish()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(preview_module, "TAIL", tail)
        end = preview(len(data), lambda start, stop: data[start:stop])
    if end is None:
        return
    first = whole.line_at(end.start)
    shown = [end.document.spans(y) for y in range(end.document.line_count)]
    assert shown == [whole.spans(y) for y in range(first, whole.line_count)]
    assert end.document.has_timestamps == whole.has_timestamps


def test_a_line_that_only_looks_stamped_is_shown_whole() -> None:
    """What the log's first line tells goes for all of it."""
    data = b"no stamp\n" * (TAIL // 9) + STAMP + b" quoted\nlast\n"
    end = preview_of(data[:32], data[-TAIL:], len(data))
    assert end is not None
    assert end.document.text(end.document.line_count - 2) == (STAMP + b" quoted").decode()


def test_an_end_in_which_no_line_begins_is_none() -> None:
    """A line of megabytes has no end to be shown before it."""
    assert preview(3 * TAIL, lambda start, stop: b"x" * (stop - start)) is None
