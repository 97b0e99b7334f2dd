"""Save a log: its plain text, its text with colours, or its raw bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from platui.logs.plain_text import read_full_lines
from platui.models.values.feeds import Progress
from platui.service.files.whole_file import whole_file
from platui.service.in_thread import in_thread

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from platui.models.values.log import LogDocument

    Pieces = Iterator[tuple[bytes, int]]  # next bytes, and the progress after them

_LINES: Final = 1000
_BYTES: Final = 1024 * 1024


class TextOf:
    def __init__(self, document: LogDocument) -> None:
        self._document = document
        self.total = document.line_count

    def pieces(self) -> Pieces:
        """Yield lines with line ends; most are cleaned in bulk."""
        document, last = self._document, self.total - 1
        for start in range(0, last, _LINES):
            end = min(start + _LINES, last)
            for piece in read_full_lines(document, start, end):
                yield piece, start
            yield b"", end
        if last >= 0:
            for piece in read_full_lines(document, last, self.total):
                yield piece, last
            yield b"", self.total


class LinesOf:
    """The lines of a log as formatted by a function."""

    def __init__(
        self, document: LogDocument, line: Callable[[LogDocument, int], Iterator[str]]
    ) -> None:
        self._document = document
        self._line = line
        self.total = document.line_count

    def pieces(self) -> Pieces:
        for start in range(0, self.total, _LINES):
            end = min(start + _LINES, self.total)
            pieces, size = list[str](), 0
            for y in range(start, end):
                for piece in self._line(self._document, y):
                    pieces.append(piece)
                    size += len(piece)
                    if size >= _BYTES:
                        yield "".join(pieces).encode(errors="replace"), start
                        pieces, size = [], 0
                pieces.append("\n")
            yield "".join(pieces).encode(errors="replace"), end


class BytesOf:
    """The raw bytes of a log."""

    def __init__(self, document: LogDocument) -> None:
        self._document = document
        self.total = document.size

    def pieces(self) -> Pieces:
        for start in range(0, self.total, _BYTES):
            end = min(start + _BYTES, self.total)
            yield self._document.read(start, end), end


async def save_log(
    what: TextOf | LinesOf | BytesOf,
    target: Path,
    on_progress: Callable[[Progress], None],
    *,
    replace: bool = False,
) -> int:
    """Write a log to a file, in a thread; return its bytes."""

    def write(check: Callable[[], None]) -> int:
        size = 0
        with whole_file(target, replace=replace) as file:
            for data, done in what.pieces():
                check()
                file.write(data)
                size += len(data)
                on_progress(Progress(done, what.total))
        return size

    return await in_thread(write)
