"""The attack's search for stale cells finds one."""

from __future__ import annotations

import random
from typing import Any

import pytest
from tests.attack import dashboard
from tests.attack.dashboard import look_for_stale_cells
from tests.support.screen import Screen


class Drawn:
    """A session that draws a line after each key, and all of it on Ctrl+L."""

    def __init__(self, after_a_key: bytes, redrawn: bytes) -> None:
        self.screen = Screen(20, 2)
        self._after_a_key = after_a_key
        self._redrawn = redrawn

    def press(self, key: str) -> None:
        """Draw."""
        self.screen.feed(self._redrawn if key == "\x0c" else self._after_a_key)

    def settle(self, *_: float) -> None:
        """Do nothing: all is drawn at once."""

    def until(self, *_: object) -> None:
        """Do nothing: all is drawn at once."""

    def listen(self, _: float) -> int:
        """Return that nothing came."""
        return 0

    def resize(self, *_: int) -> None:
        """Keep the size."""


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for no toast."""
    monkeypatch.setattr(dashboard, "_REST", 0.0)


def looked(after_a_key: bytes, redrawn: bytes) -> None:
    """Look for stale cells."""
    session: Any = Drawn(after_a_key, redrawn)
    look_for_stale_cells(session, random.Random(1))


@pytest.mark.parametrize("stale", [b"\x1b[HXbc 5s", b"\x1b[H\x1b[31mabc\x1b[m 5s"])
def test_a_stale_cell_is_found(stale: bytes) -> None:
    """Of another text or another colour; drawing all again removes it."""
    with pytest.raises(AssertionError, match="stale cells"):
        looked(stale, b"\x1b[H\x1b[mabc 5s")


def test_an_age_may_change() -> None:
    """It is no stale cell."""
    looked(b"\x1b[Habc 5s", b"\x1b[Habc 6s")
