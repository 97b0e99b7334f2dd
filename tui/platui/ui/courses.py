"""The writes of this run: those under way, the last one, and those whose outcome nobody knows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from platui.models.values.write_plans import WritePlan
    from platui.models.values.write_states import WriteState
    from platui.ui.course import WriteCourse

_DOUBTS: Final = 50
"""Writes of unknown outcome that are kept in mind."""


class Courses:
    """Knows of each whether it, or a part of it, is the same as another."""

    def __init__(self) -> None:
        self._all: list[WriteCourse] = []
        """In the order of their beginnings."""

    def begin(self, course: WriteCourse) -> None:
        """Take note of one that begins; those that ended well are forgotten."""
        doubtful = [one for one in self._all if one.has_ended and one.lost]
        kept = {id(one) for one in doubtful[-_DOUBTS:]}
        self._all = [one for one in self._all if not one.has_ended or id(one) in kept]
        self._all.append(course)

    def ended(self, course: WriteCourse) -> None:
        """Take note of an end: where all was done, nothing is in doubt any more about the same."""
        if course.is_done:
            done = frozenset(course.plan.requests)
            self._all = [
                one
                for one in self._all
                if not one.has_ended or one is course or done.isdisjoint(one.lost)
            ]

    @property
    def under_way(self) -> list[WriteCourse]:
        """Return those that have not ended, the oldest first."""
        return [one for one in self._all if not one.has_ended]

    @property
    def last(self) -> WriteCourse | None:
        """Return the one that began last."""
        return self._all[-1] if self._all else None

    def same_under_way(self, plan: WritePlan) -> WriteCourse | None:
        """Return one that is to send, or has sent, a request of this plan; its answer may come."""
        wanted = frozenset(plan.requests)
        return next((one for one in self.under_way if not wanted.isdisjoint(one.open)), None)

    def same_in_doubt(self, plan: WritePlan) -> list[tuple[WriteCourse, WriteState | None]]:
        """Return those that sent a request of this plan, whose outcome is not known.

        Each with what is known of it.
        """
        found = []
        for course in self._all:
            lost = course.lost
            request = next((one for one in plan.requests if one in lost), None)
            if request is not None:
                found.append((course, lost[request]))
        return found
