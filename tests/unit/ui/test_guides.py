"""The docs inside the program: one for each view, true of the keys that it has."""

from __future__ import annotations

import re

import pytest

from platui.config.settings import KEYMAPS, Settings
from platui.present.guide.titles import RAW
from platui.present.guide.told import GUIDES, KEY, broken, with_keys
from platui.ui.keys_in_use import keys_in_use
from platui.ui.screen_keys import keyed_views, keys_named

_VIEWS = [view.name for view in keyed_views() if view.name != RAW]
_WRITTEN_OUT = re.compile(r"(?:\b(?:press|key|by|with) |[`(])([a-zA-Z/&?:*@=]|esc|ctrl\+.)\b")
"""A key that is named rather than stood for."""


def test_every_view_has_a_guide_and_every_guide_a_view() -> None:
    """Nothing that one can come to is left to be guessed."""
    assert set(GUIDES) == set(_VIEWS)


@pytest.mark.parametrize("preset", KEYMAPS)
@pytest.mark.parametrize("name", _VIEWS)
def test_every_key_of_a_guide_is_bound_in_its_view(name: str, preset: str) -> None:
    """In every preset; no key is written out, which would be wrong in another one."""
    keys = keys_named(name, keys_in_use(Settings(keymap=preset)))  # type: ignore[arg-type]
    named = KEY.findall(GUIDES[name])
    assert named
    assert not [action for action in named if not keys.get(action)]
    assert not _WRITTEN_OUT.search(GUIDES[name])


@pytest.mark.parametrize("name", _VIEWS)
def test_a_guide_is_short_and_tells_what_to_do_next(name: str) -> None:
    """It stands above the keys on a screen of 80 cells and 24 lines."""
    lines = list(broken(with_keys(GUIDES[name], lambda _: "x"), 72))
    assert 5 <= len(lines) <= 17
    assert max(map(len, lines)) <= 72
    assert any(line.startswith("Next: ") for line in lines)


def test_an_action_without_a_key_is_told_to_have_none() -> None:
    """Rather than nothing at all."""
    text = "Next: {list.filter} filters, {list.sort} sorts."
    told = with_keys(text, {"list.filter": "/"}.get)  # type: ignore[arg-type]
    assert told == "Next: / filters, (no key) sorts."


def test_what_is_indented_stays_as_it_is() -> None:
    """Tables and examples."""
    text = "One two three\nfour.\n\n  a    b\n  c    d\n"
    assert list(broken(text, 13)) == ["One two three", "four.", "", "  a    b", "  c    d"]
