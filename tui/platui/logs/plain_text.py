"""Read the clean text of many log lines at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from platui.logs.cleaning import CLEAN_BYTES, clean_lines
from platui.logs.document import Log
from platui.logs.stamps import stamp_length

if TYPE_CHECKING:
    from collections.abc import Iterator

    from platui.models.values.log import LogDocument

_PIECE: Final = 400  # Lines per read; a batch with a hidden line is read line by line

_LETTERS: Final = str.maketrans("0123456789abcdef", "ghijklmnopqrstuv")


def read_full_lines(document: LogDocument, start: int, end: int) -> Iterator[bytes]:
    """Yield the full clean text of lines as UTF-8, each with a line feed at its end."""
    if not isinstance(document, Log):
        for y in range(start, end):
            yield from _whole(document, y)
        return
    # The last line may still change.
    settled = min(end, document.line_count - 1)
    for lines in _pieces(document, range(start, settled)):
        if _is_long(document, lines):
            yield from _whole(document, lines.start)
        else:
            yield _as_utf8(_block(document, lines)) + b"\n"
    for y in range(max(start, settled), end):
        yield from _whole(document, y)


def _pieces(log: Log, lines: range) -> Iterator[range]:
    """Split lines into batches; a batch of one may be long."""
    if len(lines) > _PIECE:
        for at in range(lines.start, lines.stop, _PIECE):
            yield from _pieces(log, range(at, min(at + _PIECE, lines.stop)))
    elif len(lines) > 1 and _is_long(log, lines):
        middle = (lines.start + lines.stop) // 2
        yield from _pieces(log, range(lines.start, middle))
        yield from _pieces(log, range(middle, lines.stop))
    elif lines:
        yield lines


def _is_long(log: Log, lines: range) -> bool:
    return log.span_of(lines.stop - 1)[1] - log.span_of(lines.start)[0] >= CLEAN_BYTES


def _whole(document: LogDocument, y: int) -> Iterator[bytes]:
    for spans in document.whole(y):
        yield "".join(span.text for span in spans).encode("utf-8", "replace")
    yield b"\n"


def lines_of(document: LogDocument, start: int, end: int) -> bytes:
    """Return the clean text of settled lines as UTF-8; above `CLEAN_BYTES` a digest ends a line."""
    if not isinstance(document, Log):
        return _one_by_one(document, range(start, end))
    pieces = _pieces(document, range(start, end))
    return _as_utf8(b"\n".join(_block(document, lines) for lines in pieces))


def _as_utf8(lines: bytes) -> bytes:
    """Replace invalid UTF-8: even a single byte can be a terminal control."""
    return lines if lines.isascii() else lines.decode("utf-8", "replace").encode()


def _block(log: Log, lines: range) -> bytes:
    first, last = log.span_of(lines.start)[0], log.span_of(lines.stop - 1)[1]
    if last - first >= CLEAN_BYTES:
        return _one_by_one(log, lines)
    block = clean_lines(log.read(first, last) + b"\n", stamped=log.has_timestamps)
    if block.line_count != len(lines):
        return _one_by_one(log, lines)
    if not log.has_timestamps:
        return block.data
    return b"\n".join(line[stamp_length(line, 0) :] for line in block.data.split(b"\n"))


def _one_by_one(document: LogDocument, lines: range) -> bytes:
    return b"\n".join(_abridged(document, y) for y in lines)


def _abridged(document: LogDocument, y: int) -> bytes:
    kept, digest = b"", None
    for spans in document.whole(y):
        piece = "".join(span.text for span in spans).encode("utf-8", "replace")
        # Cut at an exact byte: piece boundaries differ with colours and stamps.
        room = CLEAN_BYTES - len(kept)
        kept += piece[:room]
        if len(piece) > room:
            if digest is None:
                from hashlib import blake2b  # noqa: PLC0415  (few logs have such a line)

                digest = blake2b(digest_size=16)
            digest.update(piece[room:])
    # In letters that no mask takes for a number or a hash.
    return kept if digest is None else kept + b" " + digest.hexdigest().translate(_LETTERS).encode()
