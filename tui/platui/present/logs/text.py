"""Format log lines for a pipe, a file, a pager or the clipboard, and the time before a line."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from enum import StrEnum
from functools import lru_cache
from itertools import chain, islice
from typing import TYPE_CHECKING, Final

from platui.core.named_tuple import NamedTuple
from platui.models.values.log import PLAIN, LogDocument, Span, SpanStyle
from platui.present.files.artifacts import name_in_file

if TYPE_CHECKING:
    LineText = Callable[[LogDocument, int], Iterator[str]]  # The text of a line in pieces


_LAST: Final = 253_402_214_400.0  # The last day of 9999: `datetime` ends with it, in any zone
_HOUR: Final = 3600
_MOST_LINES: Final = 30  # Of a short text
_MOST_PIECES: Final = 300

NO_STAMP: Final = " " * len("2024-05-01T12:00:00.000Z ")

_NAMES: Final = ("black", "red", "green", "yellow", "blue", "magenta", "cyan", "white")
_BRIGHT: Final = "bright-"
_ROLES: Final = {"section": "1", "error": "1;31", "muted": "2"}
_ATTRIBUTES: Final = (
    ("bold", "1"), ("dim", "2"), ("italic", "3"), ("underline", "4"), ("reverse", "7"),
    ("strike", "9"),
)  # fmt: skip


def plain_line(document: LogDocument, y: int) -> Iterator[str]:
    for spans in document.whole(y):
        yield "".join(span.text for span in spans)


def coloured_line(document: LogDocument, y: int) -> Iterator[str]:
    for spans in document.whole(y):
        yield "".join(map(_coloured, spans))


def stamped(line: LineText) -> LineText:
    """Add the time before each line: UTC with milliseconds."""

    def with_stamp(document: LogDocument, y: int) -> Iterator[str]:
        if document.has_timestamps:
            at = document.stamp(y)
            yield NO_STAMP if at is None else _moment(at)
        yield from line(document, y)

    return with_stamp


def numbered(line: LineText, marks: Callable[[int], str]) -> LineText:
    """Add the number of each line, from 1, and a mark."""

    def with_number(document: LogDocument, y: int) -> Iterator[str]:
        yield f"{y + 1}{marks(y)}"
        yield from line(document, y)

    return with_number


def _moment(seconds: float) -> str:
    try:
        moment = datetime.fromtimestamp(seconds, UTC)
    except (OverflowError, OSError, ValueError):
        return NO_STAMP
    return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03}Z "


def _coloured(span: Span) -> str:
    return f"\x1b[{_sgr(span.style)}m{span.text}\x1b[0m" if span.style != PLAIN else span.text


@lru_cache(512)
def _sgr(style: SpanStyle) -> str:
    if style.role in _ROLES:
        return _ROLES[style.role]
    values = [value for name, value in _ATTRIBUTES if getattr(style, name)]
    values += _colour(style.foreground, 30) + _colour(style.background, 40)
    return ";".join(values) or "0"


def _colour(name: str, base: int) -> list[str]:
    """Return the codes of a colour; `base` is 30 for foreground, 40 for background."""
    if name.startswith("#"):
        red, green, blue = bytes.fromhex(name[1:])
        return [f"{base + 8};2;{red};{green};{blue}"]
    bright = name.startswith(_BRIGHT)
    plain = name.removeprefix(_BRIGHT)
    return [str(base + 60 * bright + _NAMES.index(plain))] if plain in _NAMES else []


class Copyable(NamedTuple):
    what: str
    lines: Sequence[int] = ()
    text: str = ""


def log_file_name(name: str, number: int | None) -> str:
    fit = name_in_file(name) or "job"
    return f"{fit}.log" if number is None else f"{fit}-{number}.log"


def block_at(document: LogDocument, line: int) -> range | None:
    for mark in document.errors:
        if mark.first <= line < mark.end:
            return range(mark.first, min(mark.end, document.line_count))
    return None


def error_lines(document: LogDocument, line: int) -> range | None:
    """Return the lines of the error at a line, else of the first error."""
    here = block_at(document, line)
    if here is None and document.errors:
        return block_at(document, document.errors[0].first)
    return here


def short_text(document: LogDocument, lines: range) -> str:
    """Return the beginning of the text of some lines."""
    pieces = chain.from_iterable(chain(plain_line(document, y), "\n") for y in lines[:_MOST_LINES])
    return "".join(islice(pieces, _MOST_PIECES)).rstrip()


def section_at(document: LogDocument, line: int) -> tuple[str, range] | None:
    found = None
    count = document.line_count
    for section in document.sections:
        end = count if section.end is None else min(section.end, count)
        # Sections are ordered by beginning: the last match is the innermost.
        if section.start <= line < end:
            found = section.name, range(section.start, end)
    return found


class Stamps(StrEnum):
    NONE = "none"
    CLOCK = "clock"
    ELAPSED = "elapsed"

    @property
    def next(self) -> Stamps:
        kinds = list(Stamps)
        return kinds[(kinds.index(self) + 1) % len(kinds)]

    @property
    def width(self) -> int:
        return {Stamps.NONE: 0, Stamps.CLOCK: 8, Stamps.ELAPSED: 9}[self]


def clock(seconds: float | None, *, utc: bool) -> str:
    """Return the time of day as `03:12:09`; "" if unknown."""
    if seconds is None or not 0 <= seconds < _LAST:
        return ""
    return f"{datetime.fromtimestamp(seconds, UTC if utc else None):%H:%M:%S}"


def elapsed(seconds: float | None, since: float | None) -> str:
    """Return the elapsed time as `+0:02.3`, from an hour on as `+1:02:03`."""
    if seconds is None or since is None:
        return ""
    tenths = round(max(0.0, seconds - since) * 10)
    whole, tenth = divmod(tenths, 10)
    if whole < _HOUR:
        return f"+{whole // 60}:{whole % 60:02}.{tenth}"
    # Days of seconds would not fit, and do not matter.
    hours = min(whole // _HOUR, 99)
    return f"+{hours}:{whole // 60 % 60:02}:{whole % 60:02}"
