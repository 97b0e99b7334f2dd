"""Which keys count on a screen that has just changed."""

from __future__ import annotations

import pytest
from tests.support.clock import FakeClock

from platui.ui.key_guard import REACTION_SECONDS, TYPING_SECONDS, KeyGuard


def counted(struck: list[float]) -> list[float]:
    """Return which keys count, struck so many seconds after a question has opened."""
    clock = FakeClock()
    reaction, opened = KeyGuard(clock), clock.monotonic()
    reaction.changed()
    found = []
    for seconds in struck:
        if reaction.is_deliberate(opened + seconds):
            found.append(seconds)
        else:
            reaction.dropped(opened + seconds)
    return found


@pytest.mark.parametrize("gap", [0.01, 0.03, 0.1])
def test_keys_that_come_in_a_stream_never_count(gap: float) -> None:
    """A key held down since before, a text pasted in pieces, a slow line that lets go."""
    assert counted([gap * number for number in range(int(5 / gap))]) == []


def test_a_key_counts_once_the_hand_has_rested() -> None:
    """After what was struck too early, or without any."""
    assert counted([0.1, 0.2, 0.5]) == [0.5]
    assert counted([REACTION_SECONDS + 0.01, REACTION_SECONDS + 0.02]) == [
        REACTION_SECONDS + 0.01,
        REACTION_SECONDS + 0.02,
    ]


def test_letters_after_typed_text_are_more_of_it_until_a_pause() -> None:
    """However slowly the text is typed; keys before any text are not."""
    reaction = KeyGuard(FakeClock())
    assert not reaction.is_typing(5.0)
    for struck in (5.0, 5.0 + TYPING_SECONDS / 2):
        reaction.typed(struck)
    assert reaction.is_typing(5.0 + TYPING_SECONDS)
    assert not reaction.is_typing(5.1 + TYPING_SECONDS * 1.5)
