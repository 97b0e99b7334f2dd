"""Files read in blocks: the bytes of the file, with few system calls."""

from __future__ import annotations

import errno
import os
import tempfile
from typing import IO, TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st

from platui.core.open_file import OpenFile
from platui.logs.file_blocks import FileBlocks

if TYPE_CHECKING:
    import pytest

_BLOCK = 64 * 1024
_PLACES = st.integers(0, 20).flatmap(lambda n: st.integers(n * _BLOCK - 2, n * _BLOCK + 2))


def _blocks(file: IO[bytes]) -> FileBlocks:
    return FileBlocks(OpenFile(os.dup(file.fileno())))


@settings(max_examples=50)
@given(
    st.integers(0, 20 * _BLOCK),
    st.lists(st.tuples(_PLACES, st.sampled_from([0, 1, 3, _BLOCK, 3 * _BLOCK]))),
)
def test_any_part_of_a_growing_file_is_read(size: int, parts: list[tuple[int, int]]) -> None:
    """Within a block, across several, at the end, before and after the file has grown."""
    data = bytes(range(251)) * (20 * _BLOCK // 251 + 1)
    with tempfile.TemporaryFile() as file:
        blocks = _blocks(file)
        known = 0
        for length in (size, len(data)):
            file.write(data[known:length])
            file.flush()
            known = length
            for place, count in parts:
                start = max(0, place)
                end = min(start + count, length)
                if start < end:
                    assert blocks.read(start, end, length) == data[start:end]


def test_lines_in_order_cost_few_system_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of them releases the interpreter: the main thread would hardly get it back."""
    calls = 0
    pread = os.pread

    def counted(descriptor: int, count: int, at: int) -> bytes:
        nonlocal calls
        calls += 1
        return pread(descriptor, count, at)

    monkeypatch.setattr(os, "pread", counted)
    line = b"an error of the job\n"
    with tempfile.TemporaryFile() as file:
        file.write(line * 50_000)
        file.flush()
        blocks = _blocks(file)
        size = len(line) * 50_000
        for start in range(0, size, len(line)):
            assert blocks.read(start, start + len(line), size) == line
    assert calls < 2 * (size // _BLOCK + 1)


def test_missing_bytes_read_as_nul() -> None:
    """The file was truncated; when they are back, they are read."""
    with tempfile.TemporaryFile() as file:
        file.write(b"abc")
        file.flush()
        blocks = _blocks(file)
        assert blocks.read(1, 6, 6) == b"bc\0\0\0"
        assert blocks.read(0, _BLOCK + 1, _BLOCK + 1) == b"abc".ljust(_BLOCK + 1, b"\0")
        file.write(b"def")
        file.flush()
        assert blocks.read(1, 6, 6) == b"bcdef"


def test_a_read_that_fails_once_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder on the network may be away for a moment."""
    with tempfile.TemporaryFile() as file:
        file.write(b"abc")
        file.flush()
        blocks = _blocks(file)
        with monkeypatch.context() as away:
            away.setattr(os, "pread", _fail)
            assert blocks.read(0, 3, 3) == b"\0\0\0"
        assert blocks.read(0, 3, 3) == b"abc"


def _fail(*_: object) -> bytes:
    raise OSError(errno.ESTALE, "Stale file handle")
