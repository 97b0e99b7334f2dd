"""Whether the end of a growing log is kept in sight: three states and a count."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum


class FollowState(StrEnum):
    """What happens when lines arrive."""

    FOLLOWING = "following"  # The view goes with them
    PAUSED = "paused"  # The view stays; they are counted
    ENDED = "ended"  # None will arrive any more


@dataclass(frozen=True, slots=True)
class Follow:
    """The state of following, and how many new lines nobody has seen yet."""

    state: FollowState = FollowState.FOLLOWING
    new_lines: int = 0  # Lines that came while paused and are still below what is shown

    @property
    def is_following(self) -> bool:
        return self.state is FollowState.FOLLOWING

    def let_go(self) -> Follow:
        return replace(self, state=FollowState.PAUSED) if self.is_following else self

    def resume(self) -> Follow:
        """Go to the end, and with it from now on if more is to come."""
        state = self.state if self.state is FollowState.ENDED else FollowState.FOLLOWING
        return Follow(state)

    def counted(self, below: int) -> Follow:
        """Know how many lines that nobody has seen yet are below what is shown."""
        below = 0 if self.is_following else below
        return replace(self, new_lines=below) if below != self.new_lines else self

    def end(self) -> Follow:
        return replace(self, state=FollowState.ENDED)

    def reopen(self, *, at_end: bool) -> Follow:
        """Know that more will come after all, as when a job goes on."""
        if self.state is not FollowState.ENDED:
            return self
        return Follow() if at_end else replace(self, state=FollowState.PAUSED)
