"""How well a palette reads: its texts on its grounds, and where it says more than it keeps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from platui.ui.contrast import RGB, ratio

if TYPE_CHECKING:
    from rich.color import Color

    from platui.ui.palette import Palette

_TOLD_APART: Final = 1.1
"""Contrast of the cursor's row with the rows around it, below which one has to look for it."""


class Reading(NamedTuple):
    """How one text reads on one ground."""

    role: str
    ground: str
    ratio: float
    """1 to 21."""


def readings(palette: Palette) -> list[Reading]:
    """Return how each text reads on each ground, worst first; nothing is known where `ansi`."""
    if palette.ansi:
        return []
    grounds = palette.grounds._asdict()
    found = [
        Reading(role, ground, ratio(_rgb(ink.color), _rgb(style.bgcolor)))
        for role, ink in palette.inks.items()
        for ground, style in grounds.items()
    ]
    return sorted(found, key=lambda one: one.ratio)


def warnings(palette: Palette) -> list[str]:
    """Return a sentence for each text that reads worse than the theme says, and for the cursor.

    A text is told with the ground on which it reads worst.
    """
    told: dict[str, str] = {}
    for one in readings(palette):
        if one.ratio < palette.contrast:
            told.setdefault(
                one.role,
                f"{one.role} has a contrast of {one.ratio:.1f} on {one.ground}, "
                f"less than {palette.contrast:g}.",
            )
    base, cursor = palette.grounds.base, palette.grounds.cursor
    if palette.ansi:
        alike = base == cursor
    else:
        alike = ratio(_rgb(base.bgcolor), _rgb(cursor.bgcolor)) < _TOLD_APART
    if alike:
        told["cursor"] = "cursor looks like base: the row under the cursor is not told apart."
    return list(told.values())


def _rgb(colour: Color | None) -> RGB:
    assert colour is not None  # noqa: S101  (a palette that is not the terminal's names all)
    red, green, blue = colour.get_truecolor()
    return (red, green, blue)
