"""Filters for widgets that paint their own lines: remove controls and italics, convert to ASCII."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from rich.cells import cell_len, split_graphemes
from rich.segment import Segment
from rich.style import Style
from textual.filter import LineFilter

from platui.core.text import REPLACEMENT, clean
from platui.ui.ascii_fallbacks import ASCII_BY_CODE_POINT

if TYPE_CHECKING:
    from textual.color import Color


_UPRIGHT: Final = Style(italic=False)


class ControlFilter(LineFilter):
    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:  # noqa: ARG002  (the interface)
        for text, style, control in segments:
            # Printable text has no control, format or surrogate character.
            if control or not text.isprintable() or (style is not None and style.link):
                return [_harmless(segment) for segment in segments if not segment.control]
        return segments


def _harmless(segment: Segment) -> Segment:
    text, style, _ = segment
    if not text.isprintable():
        text = without_controls(text)
    if style is not None and style.link and not (style.link.isascii() and style.link.isprintable()):
        style = style.update_link(None)
    return Segment(text, style)


@lru_cache(1024)
def without_controls(text: str) -> str:
    return "".join(
        part if clean(part) == part else _cleaned(part, cells) for part, cells in _graphemes(text)
    )


def _cleaned(part: str, cells: int) -> str:
    # A control character is part of the grapheme of the letter before it.
    kept = "".join(character for character in part if clean(character) == character)
    return kept if cell_len(kept) == cells else REPLACEMENT * cells


class UprightFilter(LineFilter):
    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:  # noqa: ARG002  (the interface)
        """Return the segments without italics; others are returned unchanged."""
        return [
            Segment(one.text, one.style + _UPRIGHT) if one.style and one.style.italic else one
            for one in segments
        ]


class AsciiFilter(LineFilter):
    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:  # noqa: ARG002  (the interface)
        """Return the segments in ASCII; ASCII segments are returned unchanged."""
        return [
            segment if segment.text.isascii() else Segment(to_ascii(segment.text), segment.style)
            for segment in segments
        ]


@lru_cache(4096)
def to_ascii(text: str) -> str:
    text = text.translate(ASCII_BY_CODE_POINT)
    if text.isascii():
        return text
    return "".join(part if part.isascii() else "?" * cells for part, cells in _graphemes(text))


def _graphemes(text: str) -> list[tuple[str, int]]:
    spans, _ = split_graphemes(text)
    return [(text[start:end], cells) for start, end, cells in spans]
