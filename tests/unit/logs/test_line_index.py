"""The line index: the same lines however the bytes come, at no cost per line."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from platui.logs import line_index as index_module
from platui.logs.line_index import LineIndex
from platui.logs.spool import LogSpool
from platui.logs.stamps import may_become_stamp, starts_stamped, strip_stamp

STAMP = b"2026-09-25T07:33:00.992977Z 00O"

tokens = st.sampled_from(
    [
        b"\n",
        b"\n",
        b"a",
        b"text",
        b"\r",
        b" ",
        STAMP + b" ",
        STAMP + b"+",
        STAMP[:20],
        b"\n" + STAMP,
    ]
)
logs = st.tuples(st.sampled_from([b"", STAMP + b" ", STAMP]), st.lists(tokens, max_size=60)).map(
    lambda parts: parts[0] + b"".join(parts[1])
)


def extend(index: LineIndex, *, final: bool = False) -> None:
    """Take in all that there is."""
    while (intake := index.prepare(final=final)) is not None:
        index.enter(intake)


def index_of(pieces: list[bytes], *, final: bool = True) -> tuple[LogSpool, LineIndex]:
    """Return an index that was fed piece by piece."""
    spool = LogSpool()
    index = LineIndex(spool)
    for piece in pieces:
        spool.append(piece)
        extend(index)
    if final:
        extend(index, final=True)
    return spool, index


def lines_of(spool: LogSpool, index: LineIndex) -> list[bytes]:
    """Return every line, the open one last."""
    return [spool.read(*index.span_of(line)) for line in range(index.line_count + 1)]


def cut(data: bytes, at: list[int]) -> list[bytes]:
    """Return data in pieces."""
    edges = sorted({0, len(data), *(position for position in at if position < len(data))})
    return [data[start:end] for start, end in pairwise(edges)]


def plain_lines(data: bytes) -> list[bytes]:
    """Return the lines the slow and obvious way."""
    lines: list[bytes] = []
    stamped = starts_stamped(data)
    for piece in data.split(b"\n"):
        if lines and stamped and starts_stamped(piece) and piece[31:32] == b"+":
            lines[-1] += b"\n" + piece
        else:
            lines.append(piece)
    return lines


@pytest.mark.parametrize("block", [1, 7, 33, 64, 65_536])
@given(data=logs, at=st.lists(st.integers(0, 500), max_size=20))
@settings(deadline=None)
def test_lines_are_the_same_however_they_come(block: int, data: bytes, at: list[int]) -> None:
    """Neither the cuts of the stream nor the edges of blocks change a line."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(index_module, "BLOCK", block)
        spool, index = index_of(cut(data, at))
        assert lines_of(spool, index) == plain_lines(data)


@given(data=logs)
@settings(deadline=None)
def test_a_line_that_has_ended_stays_as_it_is(data: bytes) -> None:
    """Byte by byte, the ended lines are always the first ones of the whole."""
    whole = plain_lines(data)
    spool = LogSpool()
    index = LineIndex(spool)
    for at in range(len(data)):
        spool.append(data[at : at + 1])
        extend(index)
        ended = lines_of(spool, index)[:-1]
        assert ended == whole[: len(ended)]


def test_a_continuation_is_waited_for_only_as_long_as_it_may_come() -> None:
    """The break at the end is open until the next bytes are no stamp."""
    line = STAMP + b" one\n"
    assert index_of([line], final=False)[1].line_count == 0
    assert index_of([line, STAMP[:5]], final=False)[1].line_count == 0
    assert index_of([line, b"x"], final=False)[1].line_count == 1
    assert index_of([line, STAMP + b" "], final=False)[1].line_count == 1
    assert index_of([line, STAMP + b"+"], final=False)[1].line_count == 0
    assert index_of([line], final=True)[1].line_count == 1
    assert index_of([b"plain\n"], final=False)[1].line_count == 1


def test_lines_far_apart_are_found() -> None:
    """Hundreds of thousands of lines over many blocks, empty ones and a huge one among them."""
    parts = [b"line %d" % number for number in range(200_000)]
    parts[70_000] = b"x" * 300_000
    parts[70_001] = b""
    spool, index = index_of([b"\n".join(parts)])
    assert index.line_count == 199_999
    for number in (0, 1, 69_999, 70_000, 70_001, 70_002, 123_456, 199_999):
        assert spool.read(*index.span_of(number)) == parts[number]
    for number in (-1, 200_000):
        with pytest.raises(IndexError):
            index.span_of(number)


def test_a_block_of_empty_lines_is_counted() -> None:
    """One line a byte is the most there can be."""
    _, index = index_of([b"\n" * 200_000])
    assert index.line_count == 200_000
    assert index.span_of(131_072) == (131_072, 131_072)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", None),
        (b"2026-09-25T07", None),
        (STAMP, None),
        (STAMP + b" ", True),
        (STAMP + b"+", True),
        (STAMP + b"x", False),
        (STAMP.replace(b"O", b"X") + b" ", False),
        (b"Running with", False),
        (b"\n", False),
    ],
)
def test_the_first_line_tells_whether_a_log_is_stamped(data: bytes, expected: bool | None) -> None:  # noqa: FBT001  (a column of the table)
    """A stamp is recognised as a whole only, and waited for only while it may come."""
    assert starts_stamped(data) is expected
    assert may_become_stamp(data) is (expected is None)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (STAMP + b" text", b"text"),
        (STAMP + b"+text", b"text"),
        (STAMP + b" ", b""),
        (STAMP + b" one\r\n" + STAMP + b"+two", b"one\rtwo"),
        (b"no stamp", b"no stamp"),
        (b"see " + STAMP + b" inside", b"see " + STAMP + b" inside"),
    ],
)
def test_stamps_are_taken_off(line: bytes, expected: bytes) -> None:
    """Those at the beginnings of pieces, and no others."""
    assert strip_stamp(line) == expected
