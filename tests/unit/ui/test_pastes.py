"""What is pasted is never a key."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest
from textual._xterm_parser import XTermParser
from textual.events import Key, Paste

from platui.ui.terminal.pastes import PasteFilter

if TYPE_CHECKING:
    from textual.message import Message

BEGIN, END = "\x1b[200~", "\x1b[201~"
KEYS = "abc\x1b[A\x1b\x7f\r"


@pytest.mark.parametrize("typed", [KEYS, "\x1b[20~", "\x1b[200", "é漢", "\x1b[<0;5;3M"])
def test_what_is_typed_is_passed_on_at_once(typed: str) -> None:
    """Also in pieces: no key waits for the next one."""
    whole, pieces = PasteFilter(), PasteFilter()
    assert whole.feed(typed) == typed
    assert [pieces.feed(one) for one in typed] == list(typed)


@pytest.mark.parametrize("seed", range(50))
def test_a_paste_is_one_text_without_controls(seed: int) -> None:
    """However it is cut, and whatever it contains; keys around it stay keys."""
    chance = Random(seed)
    hostile = "".join(
        chance.choices(["\x1b", "\x1b[31m", "q", ":", "\x03", "\x9b", "ä", " "], k=99)
    )
    sent = f"x{BEGIN}one\r\ttwo\n{hostile}{END}y"
    pastes, parser = PasteFilter(), XTermParser()
    events: list[Message] = []
    while sent:
        size = chance.randint(1, 20)
        if passed := pastes.feed(sent[:size]):  # an empty text would end the parser
            events += parser.feed(passed)
        sent = sent[size:]
    plain = "".join(one for one in hostile.replace("\x1b", "").replace("\x03", "") if one != "\x9b")
    assert [one.key for one in events if isinstance(one, Key)] == ["x", "y"]
    [paste] = [one for one in events if isinstance(one, Paste)]
    assert paste.text == f"one\r\ttwo\n{plain}"


def test_a_paste_is_bounded() -> None:
    """A megabyte in no line of a form, and the keys after it count."""
    cut: list[None] = []
    pastes = PasteFilter(lambda: cut.append(None))
    passed = "".join(pastes.feed(one) for one in [BEGIN, *["a" * 1000] * 1000, END, "q"])
    assert passed == f"{BEGIN}{'a' * 256 * 1024}{END}q"
    assert len(cut) == 1


def test_a_second_paste_begins_anew() -> None:
    """Its bound is its own."""
    pastes = PasteFilter()
    pastes.feed(f"{BEGIN}{'a' * 300_000}{END}")
    assert pastes.feed(f"{BEGIN}b{END}{BEGIN}c{END}") == f"{BEGIN}b{END}{BEGIN}c{END}"


def test_a_paste_whose_end_is_lost_can_be_ended() -> None:
    """Keys count again afterwards."""
    pastes = PasteFilter()
    assert pastes.end() == ""
    assert pastes.feed(f"{BEGIN}text\x03") == f"{BEGIN}text"
    assert pastes.is_inside
    assert pastes.end() == END
    assert pastes.feed("\x03") == "\x03"
