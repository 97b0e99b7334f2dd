"""Following the end of a log: what lets go, what resumes, what is counted."""

from __future__ import annotations

from platui.ui.widgets.follow import Follow, FollowState

FOLLOWING, PAUSED, ENDED = FollowState


def test_a_view_that_follows_counts_nothing() -> None:
    """What arrives is seen at once."""
    assert Follow().grew(100) == Follow(FOLLOWING, 0)


def test_letting_go_counts_until_somebody_resumes() -> None:
    """Lines add up while paused; the end takes them all."""
    paused = Follow().let_go().grew(3).grew(4)
    assert paused == Follow(PAUSED, 7)
    assert paused.let_go() == paused
    assert paused.grew(0) == paused.grew(-5) == paused
    assert paused.resume() == Follow(FOLLOWING, 0)


def test_lines_that_come_into_sight_are_seen() -> None:
    """The counter shrinks to what is still below, and never grows by scrolling back."""
    paused = Follow(PAUSED, 7)
    assert paused.saw(100) == paused
    assert paused.saw(2) == Follow(PAUSED, 2)
    assert paused.saw(2).saw(90) == Follow(PAUSED, 2)
    assert paused.saw(0) == Follow(PAUSED, 0)


def test_a_log_that_ended_is_not_followed() -> None:
    """The count of what was not seen yet stays, and there is nothing to resume."""
    assert Follow().end() == Follow(ENDED, 0)
    ended = Follow(PAUSED, 7).end()
    assert ended == Follow(ENDED, 7)
    assert ended.let_go() == ended
    assert ended.resume() == Follow(ENDED, 0)


def test_a_log_that_goes_on_is_followed_by_who_was_at_its_end() -> None:
    """Whoever was elsewhere is left alone."""
    assert Follow().end().reopen(at_end=True) == Follow(FOLLOWING, 0)
    assert Follow(ENDED, 3).reopen(at_end=False) == Follow(PAUSED, 3)
    assert Follow(PAUSED, 3).reopen(at_end=True) == Follow(PAUSED, 3)
