"""Strips of Textual, whose caches are made when they are used."""

from __future__ import annotations

import sys
import weakref

import pytest
from rich.segment import Segment
from rich.style import Style
from textual._styles_cache import StylesCache
from textual.cache import FIFOCache
from textual.color import Color
from textual.strip import Strip

from platui.ui.terminal.strips import save_memory


@pytest.fixture(autouse=True)
def _late_caches() -> None:
    save_memory()


def held_by(strip: Strip) -> list[str]:
    """Return the slots with a cache that was made."""
    slots = {name: vars(Strip)[name] for name in Strip.__slots__ if name.endswith("_cache")}
    slots.pop("_render_cache")
    return [name for name, slot in slots.items() if hasattr(slot, "_slot") and _is_set(slot, strip)]


def _is_set(slot: object, strip: Strip) -> bool:
    try:
        slot._slot.__get__(strip)  # type: ignore[attr-defined]
    except AttributeError:
        return False
    return True


def test_a_new_strip_has_no_caches() -> None:
    """Thousands of strips are held, most of them painted once."""
    strip = Strip([Segment("some text")], 9)
    assert held_by(strip) == []
    assert sys.getsizeof(strip) < 200


def test_each_cache_keeps_what_textual_puts_there() -> None:
    """All slots that Textual's own strips fill with caches are late, and work as before."""
    strip = Strip([Segment("some text", Style(bold=True))], 9)
    assert strip.crop(0, 4) is strip.crop(0, 4)
    assert strip.crop(0, 4).text == "some"
    assert strip.apply_style(Style(bold=False)) is strip.apply_style(Style(bold=False))
    assert strip.adjust_cell_length(12) is strip.adjust_cell_length(12)
    assert [part.text for part in strip.divide([4, 9])] == ["some", " text"]
    assert set(held_by(strip)) >= {"_crop_cache", "_style_cache", "_line_length_cache"}
    caches = [getattr(strip, name) for name in Strip.__slots__ if name.endswith("_cache")]
    assert all(isinstance(one, FIFOCache) for one in caches if one is not strip._render_cache)


def test_a_strip_that_is_not_cut_does_not_hold_itself() -> None:
    """Most are as wide as their widget, and would wait for the garbage collector."""
    strip = Strip([Segment("some text")], 9)
    assert strip.divide([9]) == [strip]
    assert strip.divide([9, 12]) == [strip]
    assert held_by(strip) == []
    assert strip.divide([4, 9, 12]) is strip.divide([4, 9])


def test_it_is_changed_once() -> None:
    """A second app of the process changes nothing."""
    begin = Strip.__init__
    save_memory()
    assert Strip.__init__ is begin


def test_strips_end_with_their_widget() -> None:
    """Its cache of lines is freed, and inner and outer styles are those of Textual."""
    lines = StylesCache()
    held = weakref.ref(lines)
    ground, other = Color(10, 20, 30), Color(40, 50, 60, 0.5)
    inner, outer = lines.get_inner_outer(ground, other)
    assert (inner.background, outer.background) == (ground + other, ground)
    del lines
    assert held() is None
