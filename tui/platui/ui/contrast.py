"""Contrast of colours and palettes (WCAG 2.1), and the nearest readable colour."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from platui.core.named_tuple import NamedTuple

if TYPE_CHECKING:
    from rich.color import Color

    from platui.ui.palette import Palette

RGB = tuple[int, int, int]

MadeReadable = Callable[[RGB, Iterable[RGB], float], RGB]

WHITE: Final[RGB] = (255, 255, 255)
BLACK: Final[RGB] = (0, 0, 0)


def rgb(hexadecimal: str) -> RGB:
    value = int(hexadecimal[1:], 16)
    return (value >> 16, value >> 8 & 0xFF, value & 0xFF)


def hexadecimal(colour: RGB) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)


def blend(start: RGB, end: RGB, part: float) -> RGB:
    """Return the colour that lies `part` (0 to 1) of the way from `start` to `end`."""
    red, green, blue = (round(a + (b - a) * part) for a, b in zip(start, end, strict=True))
    return (red, green, blue)


@lru_cache(4096)
def luminance(colour: RGB) -> float:
    """Return the relative luminance, 0 for black to 1 for white."""
    red, green, blue = (_linear(channel / 255) for channel in colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(channel: float) -> float:
    if channel <= 0.04045:  # noqa: PLR2004  (of the standard)
        return channel / 12.92
    return float(((channel + 0.055) / 1.055) ** 2.4)


def ratio(one: RGB, other: RGB) -> float:
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def readable(colour: RGB, backgrounds: Iterable[RGB], minimum: float) -> RGB:
    backs = tuple(backgrounds)
    if worst_ratio(colour, backs) >= minimum:
        return colour
    end = max((WHITE, BLACK), key=lambda pole: worst_ratio(pole, backs))
    low, high = 0.0, 1.0
    for _ in range(8):
        middle = (low + high) / 2
        if worst_ratio(blend(colour, end, middle), backs) >= minimum:
            high = middle
        else:
            low = middle
    return blend(colour, end, high)


def readable_background(
    background: RGB, minimum: float, made_readable: MadeReadable = readable
) -> RGB:
    """Return `background`, moved until white or black text is readable on it."""
    pole = max((WHITE, BLACK), key=lambda end: ratio(end, background))
    return made_readable(background, (pole,), minimum)


def worst_ratio(colour: RGB, backgrounds: Iterable[RGB]) -> float:
    return min(ratio(colour, background) for background in backgrounds)


def channels(colour: Color | None, default: RGB = BLACK) -> RGB:
    if colour is None or colour.triplet is None:
        return default
    red, green, blue = colour.triplet
    return (red, green, blue)


_MIN_CURSOR_CONTRAST: Final = 1.1


class ContrastReading(NamedTuple):
    role: str
    background: str
    ratio: float


def contrast_readings(palette: Palette) -> list[ContrastReading]:
    """Return the contrast of each text on each background, lowest first; none where `ansi`."""
    if palette.ansi:
        return []
    backgrounds = palette.backgrounds._asdict()
    found = [
        ContrastReading(role, background, ratio(channels(ink.color), channels(style.bgcolor)))
        for role, ink in palette.inks.items()
        for background, style in backgrounds.items()
    ]
    return sorted(found, key=lambda one: one.ratio)


def warnings(palette: Palette) -> list[str]:
    """Return a warning for each role with less than the theme's contrast."""
    found: dict[str, str] = {}
    for one in contrast_readings(palette):
        if one.ratio < palette.contrast and one.role not in found:
            low = f"{one.role} has a contrast of {one.ratio:.1f} on {one.background}"
            found[one.role] = f"{low}, less than {palette.contrast:g}."
    base, cursor = palette.backgrounds.base, palette.backgrounds.cursor
    if palette.ansi:
        alike = base == cursor
    else:
        alike = ratio(channels(base.bgcolor), channels(cursor.bgcolor)) < _MIN_CURSOR_CONTRAST
    if alike:
        found["cursor"] = "cursor is too similar to base: the row under the cursor is not visible."
    return list(found.values())
