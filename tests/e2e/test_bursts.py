"""Keys that reach the program in one piece, as a slow line delivers them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import pytest
from tests.support.session import Session

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_ESC = "<esc>"
_SENT = ("\x1b[27u", "\x1b")
"""Escape as newer terminals send it, and the bare sign, which begins alt+key, too."""

_BURSTS = (
    ("/error\rn", "/error  2 of 428", "lines 1–20"),
    ("/error\rnnn", "/error  4 of 428", "lines 15–34"),
    ("/error\rnnnNN", "/error  2 of 428", "lines 8–27"),
    ("/error\r/WARN\r", "/WARN  1 of 234", "lines 1–20"),
    ("/error\r/WARN\rnn", "/WARN  3 of 234", "lines 16–35"),
    ("&error\rG", "&error  428 of 3,000 lines", "of 3,000"),
    (f"&x\r{_ESC}j", "lines 2–21", "of 3,000  whole file"),
    (f"/x{_ESC}j", "lines 2–21", "of 3,000  whole file"),
    (":500\rj", "lines 495–514", "of 3,000"),
    ("/e.ror\t\rn", "/e.ror regex  2 of 428", "lines 1–20"),
    (f"yline{_ESC}{_ESC}j", "lines 2–21", "of 3,000  whole file"),
    (f"s-{_ESC}j", "lines 2–21", "of 3,000  whole file"),
    (f"?next{_ESC}{_ESC}j", "lines 2–21", "of 3,000  whole file"),
)
"""What is typed at the top, and what the line below the log says then."""


def _line(number: int) -> str:
    return "error" if number % 7 == 0 else "WARN" if number % 11 == 0 else "line"


def _says(said: Sequence[str], text: str) -> bool:
    below = text.splitlines()[-2]
    return all(words in below for words in said)


@pytest.mark.parametrize("escape", _SENT)
def test_each_key_finds_what_the_one_before_has_done(tmp_path: Path, escape: str) -> None:
    """None lands on a line that is being left, or misses a dialog that is being opened."""
    path = tmp_path / "job.log"
    path.write_text("".join(f"{_line(number)} at {number}\n" for number in range(1, 3001)))
    with Session("log", "--file", str(path), home=tmp_path) as session:
        session.until("of 3,000  whole file")
        for keys, *said in _BURSTS:
            session.press("g")
            session.until(lambda text: "lines 1–20 of 3,000" in text and "? help" in text)
            session.press(keys.replace(_ESC, escape))
            session.until(partial(_says, said))
            if "/e.ror" in keys:  # what is typed next is plain again
                session.press("/\t" + escape)
            session.press(escape * 3)
            session.until(lambda text: "/" not in text.splitlines()[-2] and "&" not in text)
