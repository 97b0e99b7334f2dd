"""The spool: bytes come back as they went in, wherever they lie."""

from __future__ import annotations

import tempfile
from typing import TYPE_CHECKING, NoReturn

from hypothesis import given
from hypothesis import strategies as st

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
    assert spool.in_memory <= limit
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
    assert spool.in_memory == 30


def test_a_closed_spool_is_empty() -> None:
    """Closing lets go of memory and file, and may be done twice."""
    spool = LogSpool(memory_limit=2)
    spool.append(b"abcdef")
    spool.close()
    spool.close()
    assert spool.size == 0
    assert spool.read(0, 10) == b""
