"""Text from outside as it is shown: nothing hides in it, and it is as wide as terminals think."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from platui.core.text import clean, json_escaped, printable, with_full_stop

any_text = st.text(st.characters(exclude_categories=[]), max_size=40)


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("feature/DATA-1894", "feature/DATA-1894"),
        ("naïve 日本 ✔", "naïve 日本 ✔"),
        ("one\ntwo\tthree", "one two three"),
        ("evil\u202etxt", "evil\N{REPLACEMENT CHARACTER}txt"),
        ("no\u3164name\u115f", "no\N{REPLACEMENT CHARACTER}name\N{REPLACEMENT CHARACTER}"),
        ("\N{WARNING SIGN}\ufe0f late", "\N{WARNING SIGN} late"),
        ("\N{THUMBS UP SIGN}\N{EMOJI MODIFIER FITZPATRICK TYPE-4} done", "\N{THUMBS UP SIGN} done"),
        ("葛\U000e0100飾", "葛飾"),
        ("Z\u034fa", "Za"),
    ],
    ids=ascii,
)
def test_what_is_shown_of_a_text(said: str, shown: str) -> None:
    """What commands or hides is seen; what only varies a sign, at an unknown width, is left out."""
    assert clean(said) == shown


def test_a_printed_text_cannot_write_over_its_lines() -> None:
    """A carriage return would hide what stands before it; that of a line end does not."""
    assert printable("rm -rf /\rls\r\n\ta\vb\fc\x1b[2J") == "rm -rf /�ls\n\ta�b�c�[2J"


@pytest.mark.parametrize(
    ("said", "sentence"),
    [("500 Internal Server Error", "500 Internal Server Error."), ("It is.", "It is."),
     ("Why?", "Why?"), ("cut…", "cut…")],
)  # fmt: skip
def test_a_sentence_has_an_end(said: str, sentence: str) -> None:
    """So that another one may follow it."""
    assert with_full_stop(said) == sentence


@given(any_text)
def test_clean_text_stays_as_it_is(text: str) -> None:
    """Cleaning twice is cleaning once."""
    assert clean(clean(text)) == clean(text)


@given(st.text(max_size=40))
def test_escapes_are_clean_and_lose_nothing(text: str) -> None:
    """Nothing is left to clean, and JSON says what it said before."""
    told = json_escaped(json.dumps(text, ensure_ascii=False))
    assert clean(told) == told
    assert json.loads(told) == text
