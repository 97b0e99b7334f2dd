"""Palettes derived from another one: with a profile's accent, or in 256 colours."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import product
from typing import Final

from rich.color import Color, ColorSystem
from rich.style import Style

from platui.core.named_tuple import NamedTuple
from platui.ui.contrast import (
    RGB,
    channels,
    hexadecimal,
    luminance,
    ratio,
    readable,
    rgb,
    worst_ratio,
)
from platui.ui.palette import Backgrounds, Palette

# `running` is a status and keeps its colour
_ROLES: Final = {"accent": Style(), "section": Style(bold=True)}


def accented(palette: Palette, colour: str) -> Palette:
    """Return an RGB palette with another accent (`#rrggbb`), moved until it is readable."""
    backgrounds = [channels(background.bgcolor) for background in palette.backgrounds]
    ink = Style(color=hexadecimal(readable(rgb(colour), backgrounds, palette.contrast)))
    inks = {**palette.inks, **{role: ink + style for role, style in _ROLES.items()}}
    return replace(palette, inks=inks)


_OF_A_TEXT: Final = 3.0  # Contrast from which a colour is a text, not a background

_MORE_APART: Final = 1.3
_OF_A_GREY: Final = 36  # Range of the channels of a grey, 0 to 255


class Shade(NamedTuple):
    written: RGB  # What Rich needs to pick this colour: it rounds some greys
    shown: RGB
    level: float


@lru_cache(1)
def shades() -> tuple[Shade, ...]:
    """Return the colours from 16 on; users can change the first sixteen."""
    # Rich has 25 steps of grey, of which the last is white.
    greys = ((round(step * 10.2), 8 + 10 * (step - 1)) for step in range(1, 25))
    pairs = [((grey, grey, grey), (shown, shown, shown)) for grey, shown in greys]
    for red, green, blue in product((0, 95, 135, 175, 215, 255), repeat=3):
        colour = (red, green, blue)
        if len({*colour}) > 1 or red in {0, 255}:  # Rich picks other greys above
            pairs.append((colour, colour))
    return tuple(Shade(one, shown, luminance(shown) + 0.05) for one, shown in pairs)


def as_shown(colour: RGB) -> RGB:
    """Return the colour that a terminal with 256 colours shows for a colour of Rich."""
    red, green, blue = Color.from_rgb(*colour).downgrade(ColorSystem.EIGHT_BIT).get_truecolor()
    return (red, green, blue)


def _distance(one: RGB, other: RGB) -> float:
    """Return the distance of two colours by "redmean": close to perception, and cheap."""
    mean = (one[0] + other[0]) / 2
    red, green, blue = one[0] - other[0], one[1] - other[1], one[2] - other[2]
    return (2 + mean / 256) * red * red + 4 * green * green + (2 + (255 - mean) / 256) * blue * blue


def _unlike_hue(one: RGB, other: RGB) -> float:
    """Return the distance of two text colours; hue counts more than lightness."""
    light, other_light = _lightness(one), _lightness(other)
    red = (one[0] - light) - (other[0] - other_light)
    blue = (one[2] - light) - (other[2] - other_light)
    return (light - other_light) ** 2 + 3 * (red * red + blue * blue)


def _lightness(colour: RGB) -> float:
    return 0.3 * colour[0] + 0.59 * colour[1] + 0.11 * colour[2]


def nearest_readable(
    colour: RGB, backgrounds: Iterable[RGB], minimum: float, without: Collection[RGB] = ()
) -> RGB:
    """Return the nearest readable of the 256 colours, outside `without` if possible."""
    backs = tuple(as_shown(background) for background in backgrounds)
    levels = [luminance(background) + 0.05 for background in backs]
    low, high = min(levels) / minimum, max(levels) * minimum
    fitting = [one for one in shades() if one.level >= high or one.level <= low]
    if not fitting:
        return max(shades(), key=lambda one: worst_ratio(one.shown, backs)).written
    # Adjusted first to keep its hue: the light colour nearest to a dark red is no red.
    aim = readable(colour, backs, minimum)
    free = [one for one in fitting if one.written not in without] or fitting
    if minimum >= _OF_A_TEXT and max(aim) - min(aim) < _OF_A_GREY:
        # A bluish grey would become a teal, which looks like a status.
        free = [one for one in free if len({*one.shown}) == 1] or free
    unlike = _distance if minimum < _OF_A_TEXT else _unlike_hue
    return min(free, key=lambda one: unlike(one.shown, aim)).written


def _nearest_ground(colour: RGB, apart: float, taken: Sequence[RGB]) -> RGB:
    """Return the nearest unused colour of 256, with its contrast to the first background."""
    free = [one for one in shades() if one.written not in taken]
    if taken:
        first = as_shown(taken[0])
        apart_as_before = [
            one for one in free if apart <= ratio(one.shown, first) <= apart * _MORE_APART
        ]
        free = apart_as_before or free
    return min(free, key=lambda one: _distance(one.shown, colour)).written


def in_256(palette: Palette) -> Palette:
    """Return an RGB palette converted to the 256 colours, with the same contrast."""
    before = [channels(style.bgcolor) for style in palette.backgrounds]
    taken: list[RGB] = []
    for colour in before:
        taken.append(_nearest_ground(colour, ratio(colour, before[0]), taken))
    backgrounds = [
        style + Style(bgcolor=hexadecimal(colour))
        for style, colour in zip(palette.backgrounds, taken, strict=True)
    ]
    found: dict[RGB, RGB] = {}
    for ink in palette.inks.values():
        colour = channels(ink.color)
        if colour not in found:
            # A low contrast of the theme is kept.
            wanted = min(palette.contrast, worst_ratio(colour, before))
            found[colour] = nearest_readable(colour, taken, wanted, found.values())
    inks = {
        role: ink + Style(color=hexadecimal(found[channels(ink.color)]))
        for role, ink in palette.inks.items()
    }
    return replace(
        palette,
        ansi=False,
        backgrounds=Backgrounds(*backgrounds),
        inks=inks,
        made_readable=nearest_readable,
    )
