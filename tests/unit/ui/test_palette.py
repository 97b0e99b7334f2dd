"""Palettes: every text reads on every ground, in the house's themes and in anybody's."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.theme import BUILTIN_THEMES

from platui.logs.ansi import apply_sgr
from platui.models.values.log import PLAIN, SpanStyle
from platui.models.values.table import ROLES
from platui.ui.contrast import RGB, ratio
from platui.ui.themes import PaletteTheme, derive_palette, find_theme

if TYPE_CHECKING:
    from rich.style import Style

    from platui.ui.palette import Palette

HOUSE = ("platui-dark", "platui-light", "high-contrast")
COLOURS = ("black", "red", "green", "yellow", "blue", "magenta", "cyan", "white")
NAMES = ("", *COLOURS, *(f"bright-{name}" for name in COLOURS))

hexadecimals = st.integers(0, 0xFFFFFF).map("#{:06x}".format)
span_styles = st.builds(
    SpanStyle,
    foreground=st.sampled_from(NAMES) | hexadecimals,
    background=st.sampled_from(NAMES) | hexadecimals,
    bold=st.booleans(),
    dim=st.booleans(),
    reverse=st.booleans(),
    role=st.sampled_from(["", "section", "muted", "error", "never heard of"]),
)


def palette(name: str) -> Palette:
    """Return the palette of a theme of the house."""
    theme = find_theme(name)
    assert isinstance(theme, PaletteTheme)
    return theme.palette


def ink(style: Style) -> RGB:
    """Return the text colour of a style."""
    assert style.color is not None
    assert style.color.triplet is not None
    return (*style.color.triplet,)


def ground(style: Style) -> RGB:
    """Return the background of a style."""
    assert style.bgcolor is not None
    assert style.bgcolor.triplet is not None
    return (*style.bgcolor.triplet,)


@pytest.mark.parametrize(
    ("name", "minimum"), [("platui-dark", 4.5), ("platui-light", 4.5), ("high-contrast", 7.0)]
)
def test_every_role_reads_on_every_ground(name: str, minimum: float) -> None:
    """No status, however it is laid on base, surface, panel or cursor row, is hard to read."""
    its = palette(name)
    assert its.inks.keys() >= ROLES
    for role in its.inks:
        for back in its.backgrounds:
            assert ratio(ink(its.ink(role)), ground(back)) >= minimum, (role, back)
    for badge in (its.hit, its.production, its.base, its.surface, its.panel):
        assert ratio(ink(badge), ground(badge)) >= minimum


@pytest.mark.parametrize("name", [name for name, theme in BUILTIN_THEMES.items() if not theme.ansi])
def test_textuals_own_themes_become_readable(name: str) -> None:
    """A palette that is derived keeps the promise too."""
    its = derive_palette(BUILTIN_THEMES[name])
    for role in ROLES:
        for back in its.backgrounds:
            assert ratio(ink(its.ink(role)), ground(back)) >= 4.5, (role, back)


@pytest.mark.parametrize("name", HOUSE)
@given(span=span_styles)
def test_a_log_can_not_make_itself_unreadable(name: str, span: SpanStyle) -> None:
    """Whatever colours a log asks for, its text reads on what lies behind it."""
    its = palette(name)
    style = its.span(span)
    assert ratio(ink(style), ground(style)) >= its.contrast
    if not span.background:
        for back in its.backgrounds:
            assert ratio(ink(style), ground(back)) >= its.contrast
    assert not style.dim


@pytest.mark.parametrize("name", ["ansi", "ansi-dark", "ansi-light"])
@given(span=span_styles)
def test_sixteen_colours_never_draw_a_colour_on_itself(name: str, span: SpanStyle) -> None:
    """Without a ground of its own a text is never black or white: that may be the terminal's."""
    theme = find_theme(name)
    its = theme.palette if isinstance(theme, PaletteTheme) else derive_palette(theme)
    style = its.span(span)
    back = None if style.bgcolor is None else style.bgcolor.name
    text = None if style.color is None else style.color.name
    if back in {None, "default"}:
        assert text not in {"black", "white", "bright_white", "bright_black"}
    else:
        assert text != back
    assert its.style("failed").color != its.style("success").color


@pytest.mark.parametrize("name", [*HOUSE, "ansi", *BUILTIN_THEMES])
def test_every_one_of_256_colours_can_be_seen(name: str) -> None:
    """As a text on every ground, also dimmed, and as a ground under a text of any colour."""
    theme = find_theme(name)
    its = theme.palette if isinstance(theme, PaletteTheme) else derive_palette(theme)
    for number in range(256):
        text, back = apply_sgr(PLAIN, f"38;5;{number}"), apply_sgr(PLAIN, f"48;5;{number}")
        both = apply_sgr(text, f"48;5;{number}")
        for span in (text, apply_sgr(text, "2"), apply_sgr(text, "7"), back, both):
            style = its.span(span)
            if its.ansi:
                assert style.color is None or style.color != style.bgcolor
                continue
            backgrounds = [style] if span.background else list(its.backgrounds)
            for under in backgrounds:
                assert ratio(ink(style), ground(under)) >= its.contrast, (number, span)


@pytest.mark.parametrize("name", [*HOUSE, "ansi", *BUILTIN_THEMES])
def test_what_a_search_found_stands_out_and_can_be_read(name: str) -> None:
    """The one where one is more than the others; by attributes where colours are few."""
    theme = find_theme(name)
    its = theme.palette if isinstance(theme, PaletteTheme) else derive_palette(theme)
    assert its.hit != its.found
    if its.ansi:
        assert (its.hit.reverse, its.found.underline) == (True, True)
        return
    for style in (its.hit, its.found):
        assert ratio(ink(style), ground(style)) >= its.contrast
    apart = [ratio(ground(style), ground(its.base)) for style in (its.hit, its.found)]
    assert apart[0] > apart[1] > 1.15


def test_roles_add_up_with_grounds() -> None:
    """A failed row under the cursor is red on the cursor's ground; a hit replaces both."""
    its = palette("platui-dark")
    style = its.style("failed") + its.cursor
    assert (ink(style), ground(style)) == (ink(its.ink("failed")), ground(its.cursor))
    assert ground(style + its.hit) == ink(its.ink("pending"))


def test_an_unknown_role_is_plain_text() -> None:
    """A status of tomorrow is still shown."""
    its = palette("platui-dark")
    assert its.style("tomorrow") == its.style("text")
    assert its.ink("tomorrow") == its.ink("text")


def test_spans_keep_their_attributes() -> None:
    """Bold, italic, underline, strike and reverse are not the theme's business."""
    style = palette("platui-dark").span(
        SpanStyle(bold=True, italic=True, underline=True, strike=True, reverse=True)
    )
    assert all((style.bold, style.italic, style.underline, style.strike, style.reverse))
    assert palette("platui-dark").span(PLAIN) == palette("platui-dark").base


def test_a_spans_colours_are_the_themes_own() -> None:
    """A red line of a log is the red of `failed`: one red in the house."""
    its = palette("platui-light")
    assert its.span(SpanStyle("red")) == its.style("failed")
    assert its.span(SpanStyle("bright-green")) == its.style("success")
    assert its.span(SpanStyle(role="error")) == its.style("failed")
