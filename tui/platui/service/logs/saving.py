"""Save a log: its plain text, its text with colours, or its raw bytes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from platui.logs.cleaning import read_full_lines
from platui.models.values.feeds import Progress
from platui.service.cancellation import in_thread
from platui.service.files.whole_file import whole_file

if TYPE_CHECKING:
    from platui.models.values.log import LogDocument

    LogPieces = Iterator[tuple[bytes, Progress]]  # next bytes, and the progress after them

_LINES: Final = 1000
_BYTES: Final = 1024 * 1024


def text_pieces(document: LogDocument) -> LogPieces:
    """Yield lines with line ends; most are cleaned in bulk."""
    total = document.line_count
    for start in range(0, total, _LINES):
        end = min(start + _LINES, total)
        for piece in read_full_lines(document, start, end):
            yield piece, Progress(start, total)
        yield b"", Progress(end, total)


def formatted_pieces(
    document: LogDocument, line: Callable[[LogDocument, int], Iterator[str]]
) -> LogPieces:
    """Yield the lines of a log as formatted by a function."""
    total = document.line_count
    for start in range(0, total, _LINES):
        end = min(start + _LINES, total)
        pieces, size = list[str](), 0
        for y in range(start, end):
            for piece in line(document, y):
                pieces.append(piece)
                size += len(piece)
                if size >= _BYTES:
                    yield "".join(pieces).encode(errors="replace"), Progress(start, total)
                    pieces, size = [], 0
            pieces.append("\n")
        yield "".join(pieces).encode(errors="replace"), Progress(end, total)


def raw_pieces(document: LogDocument) -> LogPieces:
    total = document.size
    for start in range(0, total, _BYTES):
        end = min(start + _BYTES, total)
        yield document.read(start, end), Progress(end, total)


async def save_log(
    pieces: LogPieces,
    target: Path,
    on_progress: Callable[[Progress], None],
    *,
    replace: bool = False,
) -> int:
    """Write a log to a file, in a thread; return its bytes."""

    def write(report: Callable[[Progress], None]) -> int:
        size = 0
        with whole_file(target, replace=replace) as file:
            for data, progress in pieces:
                file.write(data)
                size += len(data)
                report(progress)
        return size

    return await in_thread(write, on_progress)
