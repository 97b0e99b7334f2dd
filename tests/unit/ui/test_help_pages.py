"""The help pages: one for each view, true of the keys that it has."""

from __future__ import annotations

import re
from typing import get_args

import pytest

from platui.config.settings import KEYMAPS, Settings
from platui.present.guide import KEY, Kind, page_names, read_page, with_keys, wrapped
from platui.ui.active_keys import active_keys
from platui.ui.dialogs.watch_chooser import WatchChooser
from platui.ui.screen_keys import all_view_bindings, keys_named
from platui.ui.views import RAW

_VIEWS = [view.name for view in all_view_bindings() if view.name != RAW.id]
_WRITTEN_OUT = re.compile(r"(?:\b(?:press|key|by|with) |[`(])([a-zA-Z/&?:*@=]|esc|ctrl\+.)\b")
"""A key that is named rather than stood for."""


def test_every_view_has_a_page_and_every_page_a_view() -> None:
    """Nothing that one can come to is left to be guessed."""
    assert set(page_names("views")) == set(_VIEWS)
    assert page_names("dialogs") == [WatchChooser.GUIDE]


def test_every_topic_has_a_title_and_no_key_of_a_view() -> None:
    """A view has its title from its declaration, and a topic has no keys in use."""
    for kind in get_args(Kind):
        for name in page_names(kind):
            page = read_page(kind, name)
            assert bool(page.title) == (kind == "topics")
            assert page.text
            assert not (kind == "topics" and KEY.search(page.text))
            assert not (kind != "topics" and "`" in page.text), "? shows it as it is written"


@pytest.mark.parametrize("preset", KEYMAPS)
@pytest.mark.parametrize("name", _VIEWS)
def test_every_key_of_a_page_is_bound_in_its_view(name: str, preset: str) -> None:
    """In every preset; no key is written out, which would be wrong in another one."""
    keys = keys_named(name, active_keys(Settings(keymap=preset)))  # type: ignore[arg-type]
    text = read_page("views", name).text
    named = KEY.findall(text)
    assert named
    assert not [action for action in named if not keys.get(action)]
    assert not _WRITTEN_OUT.search(text)


def test_every_key_of_the_choice_of_projects_is_bound_in_it() -> None:
    """Or in its table."""
    bound = {binding.id for _, binding in WatchChooser._merged_bindings or ()}
    named = KEY.findall(read_page("dialogs", WatchChooser.GUIDE).text)
    assert set(named) <= bound | {"table.mark"}


@pytest.mark.parametrize("name", _VIEWS)
def test_a_page_is_short_and_tells_what_to_do_next(name: str) -> None:
    """It stands above the keys on a screen of 80 cells and 24 lines."""
    lines = list(wrapped(with_keys(read_page("views", name).text, lambda _: "x"), 72))
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
    text = "One two three\nfour.\n\n  a    b\n  c    d"
    assert list(wrapped(text, 13)) == ["One two three", "four.", "", "  a    b", "  c    d"]
