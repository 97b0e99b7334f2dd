"""Logs of odd shapes and great length, on disk or as a platform sends them."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final

from tests.attack.altered_answers import right

if TYPE_CHECKING:
    from pathlib import Path

    from tests.attack.wrong_server import Request, Way, WrongServer

_AT_ONCE: Final = 10_000
_PIECE: Final = 1 << 16

Line = Callable[[int], bytes]


def _lines(number: int, line: Line) -> Iterator[bytes]:
    """Yield numbered lines, many at once."""
    for first in range(0, number, _AT_ONCE):
        yield b"".join(map(line, range(first, min(first + _AT_ONCE, number))))


def _repeated(number: int, text: bytes) -> Iterator[bytes]:
    return _lines(number, lambda _: text)


def _after_text(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Begin as text: a file that begins as something else is refused."""
    yield b"some text\n" * _AT_ONCE
    yield from pieces


def _sections(number: int) -> Iterator[bytes]:
    return _lines(
        number,
        lambda one: (
            b"section_start:%d:s%d\r\x1b[0KStep %d\nsection_end:%d:s%d\r\x1b[0K\n"
            % (one, one, one, one, one)
        ),
    )


SHAPES: Final[dict[str, Callable[[], Iterator[bytes]]]] = {
    "one line of 50 MB": lambda: _repeated(5_000_000, b"word here "),
    "one wide line of 50 MB": lambda: _repeated(5_000_000, "日本 語".encode()),
    "20 million empty lines": lambda: _repeated(20_000_000, b"\n"),
    "3 million carriage returns": lambda: _lines(3_000_000, lambda one: b"%d %%\r" % one),
    "200,000 sections": lambda: _sections(200_000),
    "50,000 nested sections": lambda: _lines(
        50_000, lambda one: b"section_start:%d:s%d\r\x1b[0KStep %d\n" % (one, one, one)
    ),
    "1 million errors": lambda: _lines(1_000_000, lambda one: b"ERROR: step %d failed\n" % one),
    "100 MB of errors": lambda: _lines(
        2_500_000, lambda one: b"2026-03-14 ERROR: step %07d has failed\n" % one
    ),
    "1 million tracebacks": lambda: _repeated(
        1_000_000, b'Traceback (most recent call last):\n  File "a.py", line 1\nKeyError: 1\n'
    ),
    "10 million colours": lambda: _repeated(10_000_000, b"\x1b[31mx\x1b[m"),
    "1 million marks in colours of their own": lambda: _repeated(
        1_000_000, "e\x1b[31m\u0301\x1b[m\u0308 \u0e0a\x1b[7m\u0e31\x1b[m\n".encode()
    ),
    "50 MB of noise": lambda: _after_text(os.urandom(_PIECE) for _ in range(800)),
    "50 MB of zeros": lambda: _after_text(_repeated(5_000, b"\0" * 10_000)),
}
"""Name → its pieces."""

_WRITING: Final = threading.Lock()


def written(shape: str, folder: Path) -> Path:
    """Return a file with a log; it is written once."""
    path = folder / f"{shape}.log"
    with _WRITING:
        if not path.exists():
            with path.open("wb") as file:
                file.writelines(SHAPES[shape]())
    return path


def sent(shape: str, folder: Path) -> Way:
    """Return a way to answer that sends this log, whatever part is asked for."""

    def way(request: Request, server: WrongServer) -> Iterator[bytes]:
        if not request.target.partition("?")[0].endswith("/trace"):
            yield from right(request, server)
            return
        path = written(shape, folder)
        yield b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nConnection: close\r\n"
        yield b"Content-Length: %d\r\n\r\n" % path.stat().st_size
        with path.open("rb") as file:
            while piece := file.read(_PIECE):
                yield piece

    return way
