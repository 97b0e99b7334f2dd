"""A log written out: its clean text, its text with colours, or its very bytes."""

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

    Pieces = Iterator[tuple[bytes, int]]
    """What comes next, and how much of all is done by then."""

_LINES: Final = 1000
_BYTES: Final = 1024 * 1024


class TextOf:
    """The clean lines of a log, as far as it is there now."""

    def __init__(self, document: LogDocument) -> None:
        self._document = document
        self.total = document.line_count

    def pieces(self) -> Pieces:
        """Yield lines, each with its end; by far most of them are cleaned many at once."""
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
    """The lines of a log as a function has them: with colours, say."""

    def __init__(
        self, document: LogDocument, line: Callable[[LogDocument, int], Iterator[str]]
    ) -> None:
        self._document = document
        self._line = line
        self.total = document.line_count

    def pieces(self) -> Pieces:
        for start in range(0, self.total, _LINES):
            end = min(start + _LINES, self.total)
            held, size = list[str](), 0
            for y in range(start, end):
                for piece in self._line(self._document, y):
                    held.append(piece)
                    size += len(piece)
                    if size >= _BYTES:
                        yield "".join(held).encode(errors="replace"), start
                        held, size = [], 0
                held.append("\n")
            yield "".join(held).encode(errors="replace"), end


class BytesOf:
    """A log as it came."""

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
    tell: Callable[[Progress], None],
    *,
    replace: bool = False,
) -> int:
    """Write a log to a file, in a thread; returns its bytes.

    `tell`: how much of `what.total` is done; called in the thread.
    Raises NameTakenError: there is a file of that name. FileWriteError: the disk does not take it.
    """

    def write(check: Callable[[], None]) -> int:
        size = 0
        with whole_file(target, replace=replace) as file:
            for data, done in what.pieces():
                check()
                file.write(data)
                size += len(data)
                tell(Progress(done, what.total))
        return size

    return await in_thread(write)
