"""The last line of defence, and ASCII: nothing gets through, nothing moves."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.control import Control
from rich.segment import Segment
from rich.style import Style
from textual.color import Color

from platui.core.text import clean
from platui.ui.line_filters import (
    AsciiFilter,
    ControlFilter,
    UprightFilter,
    to_ascii,
    without_controls,
)

BLACK = Color(0, 0, 0)
CONTROL = ControlFilter()
ASCII = AsciiFilter()

HOSTILE = [
    "job \x1b]52;c;cm0gLXJm\x07",
    "\x1b[2J\x1b[H",
    "\x9b31m",
    "a\x00b\x7fc",
    "up\rdown\nleft\tright",
    "evil\u202etxt.exe",
    "zero\u200bwidth",
    "\u2028\u2029\x85",
    "\ud800",
    "tag\U000e0041",
]
any_text = st.text(st.characters(exclude_categories=[]), max_size=40)


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_no_control_leaves(text: str) -> None:
    """Whatever a widget painted, what is sent steers nothing and is as wide as before."""
    [segment] = CONTROL.apply([Segment(text)], BLACK)
    assert clean(segment.text) == segment.text
    assert cell_len(segment.text) == cell_len(text)


@given(any_text)
def test_any_text_becomes_clean_and_keeps_its_width(text: str) -> None:
    """Also combining marks, emoji of several parts, and rubbish."""
    assert clean(without_controls(text)) == without_controls(text)
    assert cell_len(without_controls(text)) == cell_len(text)


@given(any_text)
def test_any_text_becomes_ascii_and_keeps_its_width(text: str) -> None:
    """Every cell stays where it was."""
    safe = without_controls(text)
    assert to_ascii(safe).isascii()
    assert len(to_ascii(safe)) == cell_len(safe)


@pytest.mark.parametrize(
    ("drawn", "expected"),
    [
        ("✔✖●◌…■»▶◷", "+x*o~#>!@"),
        ("┌─┬─┐│║╔═╗", "+-+-+||+-+"),
        ("▁▂▃▄▅▆▇█", "_.:-=+*#"),
        ("⠀⠁⠃⣿", " .:#"),
        ("←→↑↓ › « »", "<>^v > < >"),
        ("naïve 日本", "na?ve ????"),
        ("plain", "plain"),
        ("", ""),
        ("👩\u200d🔬.", "??."),
        ("e\u0301", "?"),
    ],
)
def test_signs_have_an_ascii_like(drawn: str, expected: str) -> None:
    """Statuses, boxes, sparklines, braille and arrows; what is unknown is a question mark."""
    assert to_ascii(drawn) == expected


def test_statuses_stay_apart_in_ascii() -> None:
    """Nine statuses, nine letters: colour is never the only difference."""
    signs = to_ascii("✔✖●◌…■»▶◷")
    assert len(set(signs)) == len(signs)


def test_harmless_lines_are_not_touched() -> None:
    """The very same list comes back: that is what makes the filter cheap."""
    segments = [Segment("✔ main", Style(bold=True)), Segment(" 12m")]
    assert CONTROL.apply(segments, BLACK) is segments


def test_styles_survive_and_odd_links_do_not() -> None:
    """An escape sequence inside a hyperlink is as good as one in the text."""
    good = Segment("x", Style(link="https://platform.example/a%20b", bold=True))
    bad = Segment("y", Style(link="https://platform.example/\x1b]52;c;aGk=\x07", bold=True))
    kept, cut = CONTROL.apply([good, bad], BLACK)
    assert kept.style is not None
    assert kept.style.link == "https://platform.example/a%20b"
    assert cut.style is not None
    assert cut.style.link is None
    assert cut.style.bold


def test_control_segments_of_widgets_are_dropped() -> None:
    """A widget has no business with the cursor or the title."""
    assert CONTROL.apply([Control.title("x").segment, Segment("a")], BLACK) == [Segment("a")]


def test_ascii_keeps_styles() -> None:
    """Only the text changes."""
    style = Style(color="red")
    assert ASCII.apply([Segment("✖ failed", style)], BLACK) == [Segment("x failed", style)]


def test_only_italics_become_upright() -> None:
    """Their colours and other attributes stay."""
    plain, both = Segment("plain", Style(bold=True)), Segment("both", Style(italic=True, dim=True))
    shown = UprightFilter().apply([plain, both, Segment("none")], BLACK)
    assert shown[0] is plain
    assert shown[1].text == "both"
    assert shown[1].style is not None
    assert (shown[1].style.italic, shown[1].style.dim) == (False, True)
    assert shown[2] == Segment("none")
