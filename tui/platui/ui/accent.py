"""An accent of a profile's own, over whatever theme is worn: one sees which platform it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rich.style import Style

from platui.ui.contrast import BLACK, RGB, hexadecimal, readable, rgb
from platui.ui.palette import Palette

if TYPE_CHECKING:
    from rich.color import Color

_ROLES: Final = {"accent": Style(), "section": Style(bold=True)}
"""What is drawn in the accent; what runs is a status, and keeps its colour."""


def accented(palette: Palette, colour: str) -> Palette:
    """Return a palette with another accent, moved until it reads on every ground.

    Args:
        palette: of colours of its own; the terminal's sixteen are nobody's to change.
        colour: `#rrggbb`.
    """
    grounds = [_channels(ground.bgcolor) for ground in palette.grounds]
    ink = Style(color=hexadecimal(readable(rgb(colour), grounds, palette.contrast)))
    inks = {**palette.inks, **{role: ink + style for role, style in _ROLES.items()}}
    return Palette(
        palette.name,
        dark=palette.dark,
        ansi=palette.ansi,
        grounds=palette.grounds,
        inks=inks,
        contrast=palette.contrast,
        made_readable=palette.made_readable,
    )


def _channels(colour: Color | None) -> RGB:
    if colour is None or colour.triplet is None:
        return BLACK
    red, green, blue = colour.triplet
    return (red, green, blue)
