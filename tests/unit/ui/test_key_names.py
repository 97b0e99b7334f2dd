"""Keys as people write them."""

from __future__ import annotations

import pytest

from platui.ui.key_names import KeyNameError, key_label, read_key, read_keys


@pytest.mark.parametrize(
    ("written", "key"),
    [
        ("x", "x"),
        ("G", "G"),
        ("shift+g", "G"),
        ("/", "slash"),
        ("slash", "slash"),
        ("Space", "space"),
        ("esc", "escape"),
        ("<Esc>", "escape"),
        ("<CR>", "enter"),
        ("ctrl+r", "ctrl+r"),
        ("Ctrl+R", "ctrl+r"),
        ("C-r", "ctrl+r"),
        ("<c-r>", "ctrl+r"),
        ("control+shift+f5", "ctrl+shift+f5"),
        ("shift+tab", "shift+tab"),
        ("alt+x", "alt+x"),
        ("PgDn", "pagedown"),
        ("page_up", "pageup"),
        ("-", "minus"),
        ("+", "plus"),
        ("ctrl++", "ctrl+plus"),
        ("minus", "minus"),
        ("hyphen_minus", "minus"),
        ("|", "vertical_line"),
        ("pipe", "vertical_line"),
        ("del", "delete"),
        ("ü", "ü"),
    ],
)
def test_a_key_is_read_as_people_write_it(written: str, key: str) -> None:
    """In the words of Vim and Emacs too."""
    assert read_key(written) == key


@pytest.mark.parametrize(
    ("written", "keys"),
    [
        ("", ()),
        (" ", ()),
        (",", ("comma",)),
        ("comma, x", ("comma", "x")),
        ("r,ctrl+r, r", ("r", "ctrl+r")),
    ],
)
def test_several_keys_stand_apart_by_commas(written: str, keys: tuple[str, ...]) -> None:
    """Nothing is no key at all."""
    assert read_keys(written) == keys


@pytest.mark.parametrize(
    ("written", "sentence", "hint"),
    [
        ("ctlr+r", "unknown key ctlr+r", "Did you mean ctrl+r?"),
        ("spcae", "unknown key spcae", "Did you mean space?"),
        ("ctrl+retrun", "unknown key ctrl+retrun", "Did you mean ctrl+return?"),
        ("shift+/", "terminals do not send shift+/", "Write the character that it types."),
        ("gg", "unknown key gg", "Examples: x, G, /, ctrl+r, space, enter, esc"),
        ("x,,y", "empty key name between commas", "Write comma for the comma key."),
        ("ctrl+", "unknown key ctrl+", ""),
    ],
)
def test_what_is_no_key_is_said(written: str, sentence: str, hint: str) -> None:
    """With what may have been meant."""
    with pytest.raises(KeyNameError) as caught:
        read_keys(written)
    assert caught.value.sentence == sentence
    assert caught.value.hint.startswith(hint)


@pytest.mark.parametrize(
    "key", ["x", "G", "slash", "ctrl+r", "escape", "space", "pagedown", "minus", "f5", "shift+tab"]
)
def test_what_is_said_of_a_key_names_it(key: str) -> None:
    """What the cheat sheet prints can be written in config.toml."""
    assert read_key(key_label(key)) == key
    assert key_label(key).isprintable()
