"""What the terminal says of its ground, among what is typed."""

from __future__ import annotations

import pytest

from platui.ui.terminal.background import ReplyFilter, colour_in, guess_dark, is_dark

LIGHT = "\x1b]11;rgb:ffff/ffff/ffff\x1b\\"
DARK = "\x1b]11;rgb:1010/1515/1c1c\x07"


class Told:
    """Keeps what was told."""

    def __init__(self) -> None:
        self.grounds: list[bool] = []
        self.telling = 0
        self.answers = ReplyFilter(self.grounds.append, self._tells)

    def _tells(self) -> None:
        self.telling += 1


@pytest.mark.parametrize(
    ("sent", "typed", "grounds", "telling"),
    [
        ("abc\x1b[A", "abc\x1b[A", [], 0),
        (LIGHT, "", [False], 0),
        (DARK, "", [True], 0),
        (f"j{LIGHT}k{DARK}\x1b[B", "jk\x1b[B", [False, True], 0),
        ("\x1b[?997;1n", "", [True], 0),
        ("\x1b[?997;2nx", "x", [False], 0),
        ("\x1b[?2031;2$y", "", [], 1),
        ("\x1b[?2031;0$y", "", [], 0),
        ("\x1b]11;what is this\x07", "", [], 0),
        ("\x1b[?2026;2$y", "\x1b[?2026;2$y", [], 0),
        ("\x1b[200~]11;\x1b[201~", "\x1b[200~]11;\x1b[201~", [], 0),
        ("\x1b", "\x1b", [], 0),
    ],
)
def test_answers_are_taken_out_of_what_is_typed(
    sent: str, typed: str, grounds: list[bool], telling: int
) -> None:
    """Nothing of them is taken for keys, and no key is lost."""
    told = Told()
    assert told.answers.feed(sent) == typed
    assert (told.grounds, told.telling) == (grounds, telling)


@pytest.mark.parametrize("answer", [LIGHT, DARK, "\x1b[?997;2n", "\x1b[?2031;1$y"])
def test_an_answer_in_pieces_is_one(answer: str) -> None:
    """A bad line cuts it wherever it likes; keys before and behind it are kept."""
    for cut in range(1, len(answer)):
        told = Told()
        told.answers.expect(True)
        typed = told.answers.feed("j" + answer[:cut]) + told.answers.feed(answer[cut:] + "k")
        assert typed == "jk", cut
        assert not told.answers.is_holding
        assert len(told.grounds) + told.telling == 1


def test_what_is_held_back_for_nothing_was_typed() -> None:
    """alt+] and its like come a moment later, whole; Escape at once where nothing is expected."""
    told = Told()
    assert told.answers.feed("\x1b]") == ""
    assert told.answers.is_holding
    assert told.answers.give_up() == "\x1b]"
    assert told.answers.feed("\x1b]") + told.answers.feed("x") == "\x1b]x"
    told.answers.expect(True)
    assert told.answers.feed("\x1b") == ""
    assert told.answers.feed("[A") == "\x1b[A"


@pytest.mark.parametrize(
    ("answer", "colour"),
    [
        ("rgb:ffff/8080/0000", (255, 128, 0)),
        ("rgb:ff/80/00", (255, 128, 0)),
        ("rgb:f/8/0", (255, 136, 0)),
        ("rgba:0000/0000/0000/ffff", (0, 0, 0)),
        ("RGB:FFFF/FFFF/FFFF", (255, 255, 255)),
        ("rgb:fffff/0/0", None),
        ("#ffffff", None),
        ("", None),
    ],
)
def test_a_colour_is_read(answer: str, colour: tuple[int, int, int] | None) -> None:
    """In as many digits as the terminal likes."""
    assert colour_in(answer) == colour


def test_dark_is_where_white_reads_better() -> None:
    """A grey in the middle is told by what can be read on it."""
    assert is_dark((16, 21, 28))
    assert is_dark((0, 43, 54))
    assert not is_dark((253, 246, 227))
    assert not is_dark((128, 128, 128))


@pytest.mark.parametrize(
    ("value", "dark"),
    [
        ("15;0", True), ("0;15", False), ("0;default;15", False), ("15;8", True), ("0;7", False),
        ("", None), ("15;default", None), ("0;\u0661", None), ("0;999", None),
    ],
)  # fmt: skip
def test_what_the_environment_says_is_a_guess(value: str, dark: bool | None) -> None:  # noqa: FBT001
    """COLORFGBG of rxvt and Konsole; where it says nothing, nobody knows."""
    assert guess_dark({"COLORFGBG": value}) is dark
    assert guess_dark({}) is None
