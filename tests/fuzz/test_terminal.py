"""Bytes from the terminal, as pastes, replies and broken sequences, are keys and never an error."""

from __future__ import annotations

import codecs
from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.fuzz.bounds import in_time, tries
from tests.fuzz.strategies import pieces
from textual import events

from platui.ui.terminal.background import ReplyFilter
from platui.ui.terminal.input_parser import InputParser
from platui.ui.terminal.pastes import PasteFilter

if TYPE_CHECKING:
    from collections.abc import Iterable

_LONGEST_PASTE = 256 * 1024

tokens = st.sampled_from(
    [
        b"\x1b", b"\x1b[", b"\x1b[A", b"\x1b[200~", b"\x1b[201~", b"\x1b[20", b"\x1bO", b"\x1b[<",
        b"M",
        b"\x1b[<0;1;1M", b"\x1b[<35;9999999999;-1m", b"\x1b[<;;M", b"\x1b[1;2;3u", b"\x1b[97;5u",
        b"u",
        b"\x1b[99999999999u", b"\x1b[97;5:3;98u", b"\x1b[27;5;99999999~", b"\x1b[?2026;2$y",
        b"\x1b[?",
        b"\x1b[?1u", b"\x1b]11;rgb:ffff/0/00\x07", b"\x1b]11;rgb:\x1b\\", b"\x1b]52;c;",
        b"\x1b[?997;1n",
        b"\x1b[I", b"\x1b[O", b"\x1b[48;24;80;600;800t", b"\x1b[48;1;2t", b"\x1b[6;1;1t",
        b"\x1b[1;1R",
        b"\x1b_G", b"\x1b\\", b"\x1bP", b"\x00", b"\x03", b"\r", b"\n", b"\t", b"\x7f", b"\xff",
        b"\xc3",
        b"\xa9", b"a", b"1", b";", b":", b"~", b"[", b"\xf0\x9f\x91\x8d", b"\xe2\x80\xae",
        b"9" * 30,
    ]
)  # fmt: skip
typed = st.lists(tokens | st.binary(max_size=4), max_size=30).map(b"".join)


def received(arrived: list[bytes]) -> list[object]:
    """Return the events of bytes that arrive in these pieces."""
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    pastes, replies = PasteFilter(), ReplyFilter(lambda _: None, lambda: None)
    parser = InputParser()
    found: list[object] = []
    for piece in arrived:
        if text := replies.feed(pastes.feed(decoder.decode(piece))):
            found += parser.feed(text)
    return found


def described(found: Iterable[object]) -> list[str]:
    """Return the names of keys, the text of pastes, and the types of other events."""
    names = []
    for event in found:
        match event:
            case events.Key():
                names.append(event.key)
            case events.Paste():
                names.append(f"Paste({event.text})")
            case _:
                names.append(type(event).__name__)
    return names


@tries(200)
@given(data=st.data())
def test_any_input_is_keys_and_pastes(data: st.DataObject) -> None:
    """What is pasted has no control characters."""
    arrived = data.draw(pieces(data.draw(typed)))
    with in_time():
        found = received(arrived)
    for event in found:
        if isinstance(event, events.Paste):
            assert not any(ord(sign) < 32 and sign not in "\t\n\r" for sign in event.text)
            assert "\x1b" not in event.text


def test_a_paste_behind_an_invalid_key_is_a_paste() -> None:
    """Its text must not be taken for keys; the key alone is dropped."""
    found = received([b"\x1b[97;5:3;98ux\x1b[200~pasted\x1b[201~y\x1b[99999999999u"])
    assert described(found) == ["x", "Paste(pasted)", "y"]


@tries(200)
@given(content=typed, takes_alt=st.booleans())
@example(content=b"\x1b[97;5:3uabc", takes_alt=True)
def test_input_is_the_same_however_it_arrives(content: bytes, *, takes_alt: bool) -> None:
    """Also behind a key sequence that cannot be parsed."""
    text = content.decode("utf-8", "replace")
    whole, single = (InputParser(takes_alt=lambda _: takes_alt) for _ in range(2))
    found = described(whole.feed(text))
    assert found == described(event for sign in text for event in single.feed(sign))


@pytest.mark.parametrize(
    ("text", "keys", "with_alt"),
    [
        ("\x1bj", ["escape", "j"], []),
        ("\x1b1", ["escape", "1"], ["inverted_exclamation_mark"]),
        ("\x1bb", ["escape", "b"], ["ctrl+left"]),
        ("\x1b\x1b1", ["escape", "escape", "1"], ["escape", "inverted_exclamation_mark"]),
        ("\x1b[A\x1b/x", ["up", "escape", "slash", "x"], ["up"]),
        ("\x1b\x0c", ["escape", "ctrl+l"], []),
        ("\x1bX", ["escape", "X"], []),
        ("\x1b\x1b[A", ["escape", "up"], ["escape", "up"]),
    ],
)
@pytest.mark.parametrize("is_split", [False, True])
def test_a_key_right_behind_escape(
    text: str, keys: list[str], with_alt: list[str], *, is_split: bool
) -> None:
    """Both count where alt+key has no meaning; there, Textual would drop or change them."""
    for takes_alt, expected in ((False, keys), (True, with_alt)):
        parser = InputParser(takes_alt=lambda _, taken=takes_alt: taken)  # type: ignore[misc]
        found = [event for piece in (text if is_split else [text]) for event in parser.feed(piece)]
        assert described(found) == expected


def test_only_keys_with_a_meaning_are_taken_with_alt() -> None:
    """In an input: to go back a word, not to leave and type a letter."""
    parser = InputParser(takes_alt=lambda key: key == "b")
    found = [event for piece in ("\x1b", "g\x1bb\x1b", "1") for event in parser.feed(piece)]
    assert described(found) == ["escape", "g", "ctrl+left", "escape", "1"]


def test_keys_behind_an_invalid_key_are_keys() -> None:
    """The key alone is dropped."""
    assert described(received([b"\x1b[97;5:3uabc"])) == ["a", "b", "c"]


def test_a_long_paste_is_cut() -> None:
    """It has its end, and what was cut is not typed."""
    text = PasteFilter().feed("\x1b[200~" + "a\x1b" * 300_000 + "\x1b[201~b")
    assert len(text) <= _LONGEST_PASTE + 13
    assert text.endswith("a\x1b[201~b")


@tries(60)
@given(data=st.data())
def test_a_paste_is_the_same_however_it_arrives(data: st.DataObject) -> None:
    """Also if its marks arrive in pieces."""
    arrived = data.draw(pieces(data.draw(typed)))
    one, other = PasteFilter(), PasteFilter()
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    parts = [decoder.decode(piece) for piece in arrived]
    assert "".join(map(one.feed, parts)) == other.feed("".join(parts))
    assert one.is_inside == other.is_inside
