"""Contrast as WCAG counts it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from platui.ui.contrast import BLACK, RGB, WHITE, blend, hexadecimal, ratio, readable, rgb

channels = st.tuples(*[st.integers(0, 255)] * 3)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (BLACK, WHITE, 21.0),
        (WHITE, WHITE, 1.0),
        (rgb("#777777"), WHITE, 4.478),
        (rgb("#ff0000"), WHITE, 3.998),
        (rgb("#0000ff"), BLACK, 2.444),
    ],
)
def test_contrast_is_what_the_standard_says(one: RGB, other: RGB, expected: float) -> None:
    """Known pairs give their published ratio, in either order."""
    assert ratio(one, other) == pytest.approx(expected, abs=0.001)
    assert ratio(other, one) == ratio(one, other)


@given(channels, channels)
def test_a_colour_is_made_readable_on_any_ground(colour: RGB, ground: RGB) -> None:
    """White or black reaches 4.5 on every ground, so something between does too."""
    assert ratio(readable(colour, [ground], 4.5), ground) >= 4.5


def test_a_readable_colour_is_left_alone() -> None:
    """What reads already is the theme's own choice."""
    assert readable(rgb("#7cc4ff"), [rgb("#10151c")], 4.5) == rgb("#7cc4ff")


def test_a_colour_keeps_its_hue_when_it_is_moved() -> None:
    """A dark blue on black becomes a light blue, not a grey."""
    red, green, blue = readable(rgb("#0000aa"), [BLACK], 4.5)
    assert blue > max(red, green)


def test_hexadecimal_and_channels_are_the_same_colour() -> None:
    """`#rrggbb` survives the way there and back, and blends end where they should."""
    assert hexadecimal(rgb("#10a5ff")) == "#10a5ff"
    assert blend(BLACK, WHITE, 0) == BLACK
    assert blend(BLACK, WHITE, 1) == WHITE
