"""Build displayed lines: spans, section titles, and the beginning of long lines."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from platui.core.named_tuple import NamedTuple
from platui.logs.ansi import to_spans
from platui.logs.long_line import MAX_CHARACTERS, PIECE, LongLine
from platui.logs.markers import MarkedLine, read_markers
from platui.logs.stamps import strip_stamp
from platui.models.values.log import Span, SpanStyle

_HEADER: Final = SpanStyle(role="section")
_MUTED: Final = SpanStyle(role="muted")


class ShownLine(NamedTuple):
    spans: tuple[Span, ...]
    is_section: bool
    weight: int  # Characters
    is_long: bool = False  # Whether more spans follow in pieces


def shown_line(line: MarkedLine, length: int, long: Callable[[], LongLine]) -> ShownLine:
    if length <= PIECE:
        shown = _shown(line)
        if shown.is_section or shown.weight <= MAX_CHARACTERS:
            return shown
    elif line.header_of is not None:
        return _shown(line._replace(rest=line.rest[:PIECE]))._replace(is_long=True)
    spans, behind = long().beginning()
    if behind:
        spans = (*spans, Span(_more(behind), _MUTED))
    return ShownLine(spans, is_section=False, weight=MAX_CHARACTERS, is_long=True)


def clean_line(raw: bytes, *, stamped: bool) -> str | None:
    """Return the full text of a raw logical line; None if it is hidden."""
    line = read_markers((strip_stamp(raw) if stamped else raw).removesuffix(b"\r"))
    return None if line.is_hidden else "".join(span.text for span in _shown(line).spans)


def _shown(line: MarkedLine) -> ShownLine:
    spans = to_spans(line.rest.decode("utf-8", "replace"))
    weight = sum(len(span.text) for span in spans)
    if line.header_of is None:
        return ShownLine(spans, is_section=False, weight=weight)
    title = "".join(span.text for span in spans).strip() or line.header_of
    return ShownLine((Span(title, _HEADER),), is_section=True, weight=len(title))


def _more(size: int) -> str:
    return f"… {size // 1024:,} KB more" if size >= 1024 else f"… {size:,} more"  # noqa: PLR2004


_LINES: Final = 512
_CHARACTERS: Final = 256 * 1024


class LineCache:
    """A cache of the newest lines. Not thread-safe."""

    def __init__(self) -> None:
        self._lines: dict[int, ShownLine] = {}
        self.weight = 0

    def get(self, y: int) -> ShownLine | None:
        return self._lines.get(y)

    def keep(self, y: int, line: ShownLine) -> None:
        if y in self._lines:
            return
        self._lines[y] = line
        self.weight += line.weight
        while len(self._lines) > _LINES or self.weight > _CHARACTERS:
            self.weight -= self._lines.pop(next(iter(self._lines))).weight
