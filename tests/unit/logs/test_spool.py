"""The spool: bytes come back as they went in, wherever they lie."""

from __future__ import annotations

import os
import tempfile
from typing import TYPE_CHECKING, NoReturn

from hypothesis import given
from hypothesis import strategies as st
from tests.support.spools import in_memory

from platui.core.open_file import OpenFile
from platui.logs.spool import LogSpool

if TYPE_CHECKING:
    import pytest


@given(
    st.lists(st.binary(max_size=40)), st.integers(0, 60), st.integers(0, 400), st.integers(0, 400)
)
def test_what_was_appended_is_read(pieces: list[bytes], limit: int, start: int, end: int) -> None:
    """Any part can be read, in memory, on disk or across both."""
    spool = LogSpool(memory_limit=limit)
    for piece in pieces:
        spool.append(piece)
    whole = b"".join(pieces)
    assert spool.size == len(whole)
    assert spool.read(0, spool.size) == whole
    assert spool.read(start, end) == whole[start:end]
    assert in_memory(spool) <= limit
    spool.close()


def test_a_full_disk_keeps_the_log_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a file nothing is lost and nothing is raised."""

    def refuse(**_options: object) -> NoReturn:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(tempfile, "TemporaryFile", refuse)
    spool = LogSpool(memory_limit=4)
    for _ in range(5):
        spool.append(b"abcdef")
    assert spool.read(0, 100) == b"abcdef" * 5
    assert in_memory(spool) == 30


def test_a_closed_spool_is_empty() -> None:
    """Closing lets go of memory and file, and may be done twice."""
    spool = LogSpool(memory_limit=2)
    spool.append(b"abcdef")
    spool.close()
    spool.close()
    assert spool.size == 0
    assert spool.read(0, 10) == b""


@given(
    st.binary(max_size=40), st.lists(st.binary(max_size=20)), st.integers(0, 60),
    st.integers(0, 200), st.lists(st.binary(max_size=20)),
)  # fmt: skip
def test_a_spool_begins_on_a_file_or_on_another_one(
    stored: bytes, pieces: list[bytes], limit: int, length: int, more: list[bytes]
) -> None:
    """What is read is the same; neither sees what the other gets later."""
    with tempfile.TemporaryFile() as file:
        file.write(stored)
        file.flush()
        spool = LogSpool(OpenFile(os.dup(file.fileno())), len(stored), memory_limit=limit)
    for piece in pieces:
        spool.append(piece)
    whole = stored + b"".join(pieces)
    other = spool.beginning(length)
    for piece in more:
        other.append(piece)
        spool.append(b"!" + piece)
    assert other.read(0, other.size) == whole[:length] + b"".join(more)
    assert spool.read(0, len(whole)) == whole
    third = other.beginning(length + 3)
    assert third.read(0, 1000) == other.read(0, length + 3)


def test_bytes_that_a_file_holds_lie_nowhere_else() -> None:
    """Unless there are more by then."""
    with tempfile.TemporaryFile() as named:
        named.write(b"abcdef")
        named.flush()
        file = OpenFile(os.dup(named.fileno()))
    spool = LogSpool()
    spool.append(b"abcdef")
    spool.adopt_file(file, 5)
    assert in_memory(spool) == 6
    spool.adopt_file(file, 6)
    spool.append(b"gh")
    assert (in_memory(spool), spool.read(4, 10)) == (2, b"efgh")


def test_what_a_file_has_lost_reads_as_nothing() -> None:
    """So that everything else stays where it was."""
    with tempfile.TemporaryFile() as named:
        named.write(b"abcdef")
        named.flush()
        spool = LogSpool(OpenFile(os.dup(named.fileno())), 6)
        spool.append(b"gh")
        named.truncate(2)
        assert spool.read(0, 10) == b"ab\0\0\0\0gh"
    assert list(spool.slices(0, 8)) == [b"ab\0\0\0\0gh"]
