"""The follow state of a growing log."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum


class FollowState(StrEnum):
    """Whether new lines scroll the view."""

    FOLLOWING = "following"  # The view scrolls with new lines
    PAUSED = "paused"  # The view stays; new lines are counted
    ENDED = "ended"  # No more lines will arrive


@dataclass(frozen=True, slots=True)
class Follow:
    """The follow state, and the number of unseen new lines."""

    state: FollowState = FollowState.FOLLOWING
    new_lines: int = 0  # Lines that arrived while paused and are still below the window

    @property
    def is_following(self) -> bool:
        return self.state is FollowState.FOLLOWING

    def pause(self) -> Follow:
        return replace(self, state=FollowState.PAUSED) if self.is_following else self

    def resume(self) -> Follow:
        """Follow again, unless the log has ended."""
        state = self.state if self.state is FollowState.ENDED else FollowState.FOLLOWING
        return Follow(state)

    def with_new_lines(self, below: int) -> Follow:
        below = 0 if self.is_following else below
        return replace(self, new_lines=below) if below != self.new_lines else self

    def end(self) -> Follow:
        return replace(self, state=FollowState.ENDED)

    def reopen(self, *, at_end: bool) -> Follow:
        """Expect more lines after an end, as when a job continues."""
        if self.state is not FollowState.ENDED:
            return self
        return Follow() if at_end else replace(self, state=FollowState.PAUSED)
