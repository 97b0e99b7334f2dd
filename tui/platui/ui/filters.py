"""What every painted line passes last: no control byte leaves, and ASCII where it must be.

Textual runs these on each line of each widget, through its styles cache. A widget that
overrides `render_lines` goes past that cache and calls `filtered` on its strips itself.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from rich.cells import cell_len, split_graphemes
from rich.segment import Segment
from textual.filter import LineFilter

from platui.core.text import REPLACEMENT, clean
from platui.ui.ascii_art import SIGNS

if TYPE_CHECKING:
    from textual.color import Color
    from textual.strip import Strip
    from textual.widget import Widget


class ControlFilter(LineFilter):
    """The last line of defence: no control character and no odd link reaches the terminal.

    Texts from outside are clean long before; this holds where somebody forgot.
    """

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:  # noqa: ARG002  (the interface)
        """Return the segments as they are, or without what could steer the terminal."""
        for text, style, control in segments:
            # What is printable in Python's sense has no control, format or surrogate code.
            if control or not text.isprintable() or (style is not None and style.link):
                return [_harmless(segment) for segment in segments if not segment.control]
        return segments


def _harmless(segment: Segment) -> Segment:
    text, style, _ = segment
    if not text.isprintable():
        text = without_controls(text)
    if style is not None and style.link and not _is_harmless_link(style.link):
        style = style.update_link(None)
    return Segment(text, style)


def _is_harmless_link(link: str) -> bool:
    return link.isascii() and link.isprintable()


@lru_cache(1024)
def without_controls(text: str) -> str:
    """Return text of the same width, without what is not clean."""
    return "".join(
        part if clean(part) == part else _cleaned(part, cells) for part, cells in _graphemes(text)
    )


def _cleaned(part: str, cells: int) -> str:
    # A control has no width and hangs on the letter before it, which stays.
    kept = "".join(character for character in part if clean(character) == character)
    return kept if cell_len(kept) == cells else REPLACEMENT * cells


class AsciiFilter(LineFilter):
    """Turns every line into ASCII of the same width, for terminals that have no more."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:  # noqa: ARG002  (the interface)
        """Return the segments in ASCII; those that are already stay the same objects."""
        return [
            segment if segment.text.isascii() else Segment(to_ascii(segment.text), segment.style)
            for segment in segments
        ]


@lru_cache(4096)
def to_ascii(text: str) -> str:
    """Return text in ASCII, as wide as before: known signs by their likes, others as `?`."""
    text = text.translate(SIGNS)
    if text.isascii():
        return text
    return "".join(part if part.isascii() else "?" * cells for part, cells in _graphemes(text))


def _graphemes(text: str) -> list[tuple[str, int]]:
    spans, _ = split_graphemes(text)
    return [(text[start:end], cells) for start, end, cells in spans]


def filtered(widget: Widget, strips: list[Strip]) -> list[Strip]:
    """Return strips as the terminal may see them, for widgets with their own `render_lines`."""
    filters = widget.get_line_filters()
    _, background = widget.background_colors
    for line_filter in filters:
        strips = [strip.apply_filter(line_filter, background) for strip in strips]
    return strips
