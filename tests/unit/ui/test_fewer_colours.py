"""256 colours: what a jump host draws with reads as well, and the rows are told apart."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.ui.test_palette import HOUSE, ground, ink, palette, span_styles
from textual.theme import BUILTIN_THEMES

from platui.models.values.table import ROLES
from platui.ui.contrast import RGB, ratio
from platui.ui.derived_palettes import as_shown, in_256, nearest_readable, shades
from platui.ui.palette import Palette
from platui.ui.themes import find_theme, palette_for

if TYPE_CHECKING:
    from platui.models.values.log import SpanStyle

RGB_THEMES = (*HOUSE, *(name for name, theme in BUILTIN_THEMES.items() if not theme.ansi))
STATUSES = ("text", "accent", "success", "failed", "pending", "manual")

channels = st.tuples(*[st.integers(0, 255)] * 3)


def shown(one: RGB, other: RGB) -> float:
    """Return the contrast that two colours have once they are on such a terminal."""
    return ratio(as_shown(one), as_shown(other))


def test_the_shades_are_those_that_rich_picks() -> None:
    """All greys, and what of the other colours it does not take for a grey."""
    levels = (0, 95, 135, 175, 215, 255)
    cube = [(red, green, blue) for red, green, blue in product(levels, repeat=3)]
    greys = [(level, level, level) for level in range(8, 239, 10)]
    assert [one.shown for one in shades()] == [
        *greys,
        *(one for one in cube if as_shown(one) == one),
    ]
    assert all(as_shown(one.written) == one.shown for one in shades())


@pytest.mark.parametrize("name", RGB_THEMES)
def test_every_role_reads_on_every_ground(name: str) -> None:
    """As it promises in all colours; taken each alone, the nearest ones have 2.8 and less."""
    its = in_256(palette_for(find_theme(name)))
    assert its.contrast == (7.0 if name == "high-contrast" else 4.5)
    for role in ROLES:
        for back in its.backgrounds:
            assert shown(ink(its.ink(role)), ground(back)) >= its.contrast, (role, back)
    for badge in (its.hit, its.found, its.production):
        assert shown(ink(badge), ground(badge)) >= its.contrast


@pytest.mark.parametrize("name", RGB_THEMES)
def test_grounds_and_statuses_stay_apart(name: str) -> None:
    """The row under the cursor is another ground than the rows around it; no two roles are one."""
    its = in_256(palette_for(find_theme(name)))
    backgrounds = [as_shown(ground(back)) for back in its.backgrounds]
    assert len({*backgrounds}) == 4
    assert ratio(backgrounds[0], backgrounds[3]) > 1.3
    inks = [as_shown(ink(its.ink(role))) for role in STATUSES]
    assert len({*inks}) >= len({ink(palette_for(find_theme(name)).ink(role)) for role in STATUSES})


@pytest.mark.parametrize("name", HOUSE)
def test_statuses_keep_their_hue(name: str) -> None:
    """What failed is red and what succeeded is green."""
    its = in_256(palette(name))
    red, green, blue = as_shown(ink(its.ink("failed")))
    assert red > max(green, blue)
    red, green, blue = as_shown(ink(its.ink("success")))
    assert green > max(red, blue)


@pytest.mark.parametrize("name", HOUSE)
@given(span=span_styles)
def test_a_log_can_not_make_itself_unreadable(name: str, span: SpanStyle) -> None:
    """Its own colours pass the same door."""
    style = in_256(palette(name)).span(span)
    assert shown(ink(style), ground(style)) >= palette(name).contrast


@given(channels, channels)
def test_a_colour_that_reads_is_found_for_any_ground(colour: RGB, back: RGB) -> None:
    """There are white, black, and what is nearer."""
    assert shown(nearest_readable(colour, [back], 4.5), back) >= 4.5


def test_a_theme_of_little_contrast_stays_what_it_is() -> None:
    """Its owner chose so; it is no worse here."""
    plain = palette("platui-dark")
    faint = {**plain.inks, "muted": plain.inks["muted"] + palette("platui-light").inks["text"]}
    theirs = Palette("faint", dark=True, ansi=False, backgrounds=plain.backgrounds, inks=faint)
    before = min(ratio(ink(theirs.ink("muted")), ground(back)) for back in theirs.backgrounds)
    its = in_256(theirs)
    assert min(shown(ink(its.ink("muted")), ground(back)) for back in its.backgrounds) >= before
