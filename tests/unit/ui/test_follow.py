"""Following the end of a log: what lets go, what resumes, what is counted."""

from __future__ import annotations

from platui.ui.widgets.log_position import Follow, FollowState

FOLLOWING, PAUSED, ENDED = FollowState


def test_a_view_that_follows_counts_nothing() -> None:
    """What arrives is seen at once."""
    assert Follow().with_new_lines(100) == Follow(FOLLOWING, 0)


def test_letting_go_counts_until_somebody_resumes() -> None:
    """What is below is told as it is; the end takes all of it."""
    paused = Follow().pause().with_new_lines(3).with_new_lines(7)
    assert paused == Follow(PAUSED, 7)
    assert paused.pause() == paused
    assert paused.with_new_lines(2) == Follow(PAUSED, 2)
    assert paused.resume() == Follow(FOLLOWING, 0)


def test_a_log_that_ended_is_not_followed() -> None:
    """The count of what was not seen yet stays, and there is nothing to resume."""
    assert Follow().end() == Follow(ENDED, 0)
    ended = Follow(PAUSED, 7).end()
    assert ended == Follow(ENDED, 7)
    assert ended.pause() == ended
    assert ended.resume() == Follow(ENDED, 0)


def test_a_log_that_goes_on_is_followed_by_who_was_at_its_end() -> None:
    """Whoever was elsewhere is left alone."""
    assert Follow().end().reopen(at_end=True) == Follow(FOLLOWING, 0)
    assert Follow(ENDED, 3).reopen(at_end=False) == Follow(PAUSED, 3)
    assert Follow(PAUSED, 3).reopen(at_end=True) == Follow(PAUSED, 3)
