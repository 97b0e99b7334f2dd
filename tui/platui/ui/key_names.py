"""Parse and format key names: `ctrl+r`, `C-r` and `<c-r>` are one key; so are `G` and `shift+g`."""

from __future__ import annotations

import string
import unicodedata
from typing import Final

from textual.keys import KEY_NAME_REPLACEMENTS, Keys, _character_to_key

from platui.core.suggestions import nearest
from platui.core.text import shorten

# Spelling, including Emacs and Vim -> Textual's name
_MODIFIERS: Final = {
    "ctrl": "ctrl", "control": "ctrl", "c": "ctrl", "alt": "alt", "meta": "alt", "option": "alt",
    "a": "alt", "m": "alt", "shift": "shift", "s": "shift", "super": "super", "cmd": "super",
}  # fmt: skip

_OTHER_WORDS: Final = {
    "esc": "escape", "return": "enter", "cr": "enter", "del": "delete", "ins": "insert",
    "pgup": "pageup", "page_up": "pageup", "pgdn": "pagedown", "pgdown": "pagedown",
    "page_down": "pagedown", "bs": "backspace", "spc": "space", "hash": "number_sign",
    "star": "asterisk", "question": "question_mark", "equals": "equals_sign", "dash": "minus",
    "hyphen": "minus", "pipe": "vertical_line", "bar": "vertical_line", "dot": "full_stop",
    "period": "full_stop", "caret": "circumflex_accent", "dollar": "dollar_sign",
    "percent": "percent_sign", "bang": "exclamation_mark", "quote": "quotation_mark",
    "backtick": "grave_accent",
}  # fmt: skip

_SAID: Final = {
    "escape": "esc", "pageup": "pgup", "pagedown": "pgdn", "delete": "del", "space": "space",
}  # fmt: skip

_NAMED: Final = frozenset(key.value for key in Keys if key.value.isalnum())

_SIGNS: Final = {_character_to_key(sign): sign for sign in string.punctuation}

_LONGEST: Final = 40


class KeyNameError(ValueError):
    """An unknown key name, with a hint of a similar one."""

    def __init__(self, sentence: str, hint: str = "") -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.hint = hint


def read_keys(text: str) -> tuple[str, ...]:
    """Return the Textual names of comma-separated keys. Raises KeyNameError."""
    if not text.strip():
        return ()
    words = [text] if text.strip() == "," else text.split(",")
    return tuple(dict.fromkeys(read_key(word.strip()) for word in words))


def read_key(word: str) -> str:
    if not word:
        raise KeyNameError("empty key name between commas", "Write comma for the comma key.")
    if len(word) == 1:
        return _character_to_key(word)
    shown = shorten(word, _LONGEST)
    name, modifiers = _apart(word)
    if len(name) != 1:
        name = name.casefold()
        name = _OTHER_WORDS.get(name, KEY_NAME_REPLACEMENTS.get(name, name))
        if name not in _NAMED and not _sign(name):
            raise KeyNameError(
                f"unknown key {shown}", _hint("+".join([*modifiers, shorten(name, _LONGEST)]))
            )
    else:
        name = _character_to_key(name)
    if "shift" in modifiers and len(name) == 1:
        # A terminal sends the shifted letter.
        modifiers.discard("shift")
        name = name.upper()
    elif "shift" in modifiers and name not in _NAMED:
        raise KeyNameError(f"terminals do not send {shown}", "Write the character that it types.")
    if modifiers:
        name = "@" if modifiers == {"ctrl"} and name in {"space", "at"} else name
        name = name.lower() if "ctrl" in modifiers else name
    return "+".join([*sorted(modifiers), name])


def key_label(key: str) -> str:
    """Return a key's display name: `ctrl+r`, `/`, `esc`."""
    *modifiers, name = key.split("+")
    if name in _SAID:
        name = _SAID[name]
    elif len(name) > 1 and name not in _NAMED:
        name = _sign(name) or name
    return "+".join([*modifiers, name])


def _apart(word: str) -> tuple[str, set[str]]:
    bare = word[1:-1] if word.startswith("<") and word.endswith(">") else word
    parts = bare.split("+")
    if len(parts) == 1 and "-" in bare[1:-1]:
        parts = bare.split("-")
    if bare.endswith("++"):
        parts = [*bare[:-2].split("+"), "+"]
    *held, name = parts
    modifiers = {_MODIFIERS.get(one.strip().casefold(), "") for one in held}
    if "" in modifiers or not name.strip():
        shown = shorten(word, _LONGEST)
        raise KeyNameError(f"unknown key {shown}", _hint(shorten(bare, _LONGEST).casefold()))
    return name.strip(), modifiers


def _sign(name: str) -> str:
    if name in _SIGNS:
        return _SIGNS[name]
    try:
        found = unicodedata.lookup(name.replace("_", " "))
    except KeyError:
        return ""
    return found if found.isprintable() else ""


def _hint(name: str) -> str:
    *held, last = name.split("+")
    known = [*_NAMED, *_OTHER_WORDS, "slash", "backslash", "comma", "colon", "semicolon", "plus"]
    wrong = held and held[0] not in _MODIFIERS
    if wrong and (near := nearest(held[0], _MODIFIERS)):
        return f"Did you mean {'+'.join([near, *held[1:], last])}?"
    near = nearest(last, known)
    return f"Did you mean {'+'.join([*held, near])}?" if near else _EXAMPLES


_EXAMPLES: Final = "Examples: x, G, /, ctrl+r, space, enter, esc, tab, pgdn, f5."
