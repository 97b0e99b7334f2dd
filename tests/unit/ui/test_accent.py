"""A profile's own accent, over any theme."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from platui.ui.contrast import rgb, worst_ratio
from platui.ui.derived_palettes import accented
from platui.ui.themes import find_theme, palette_for

if TYPE_CHECKING:
    from rich.color import Color

THEMES = ["platui-dark", "platui-light", "high-contrast", "dracula"]


def hex_of(colour: Color | None) -> str:
    """Return a colour as `#rrggbb`."""
    assert colour is not None
    assert colour.triplet is not None
    return colour.triplet.hex


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("colour", ["#000000", "#ffffff", "#7f7f7f", "#ff0000", "#00ff88"])
def test_whatever_colour_is_wanted_can_be_read(theme: str, colour: str) -> None:
    """On every ground, as well as the theme asks for of its own; statuses keep their colours."""
    before = palette_for(find_theme(theme))
    after = accented(before, colour)
    backgrounds = [rgb(hex_of(one.bgcolor)) for one in after.backgrounds]
    assert worst_ratio(rgb(hex_of(after.accent.color)), backgrounds) >= before.contrast
    assert {role for role in before.inks if after.inks[role] != before.inks[role]} <= {
        "accent", "section",
    }  # fmt: skip


def test_a_colour_that_reads_is_taken_as_it_is() -> None:
    """The user's word counts where it can."""
    after = accented(palette_for(find_theme("platui-dark")), "#ffd700")
    assert hex_of(after.accent.color) == "#ffd700"
