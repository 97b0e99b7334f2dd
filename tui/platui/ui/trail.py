"""Where one has been: the way back, the way forward, and the way up."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from platui.models.values.places import Place, View

_DEPTH: Final = {
    View.TRIAGE: -1, View.PROJECTS: 0, View.PIPELINES: 1, View.JOBS: 2, View.LOG: 3,
    View.FILE: 4, View.REQUESTS: 5, View.MANY: 2.5, View.SEARCH: 2.5,
    View.COMPARE: 2.7, View.SINCE: 1.7, View.SCHEDULES: 1.5, View.RUN: 5,
    View.ACCESS: 0.5, View.GROUPS: 0.5, View.CHANGES: 0.5, View.PERSON: 0.8, View.MEMBERS: 0.8,
}  # fmt: skip
_ASIDE: Final = frozenset(
    {
        View.REQUESTS,
        View.MANY,
        View.SEARCH,
        View.COMPARE,
        View.RUN,
        View.SINCE,
        View.PERSON,
        View.MEMBERS,
    }
)
"""Views that one looks into from anywhere, and goes back to where one was."""
_OF_REPORT: Final = frozenset({View.ACCESS, View.GROUPS, View.CHANGES})
"""The lists of the access report: an area that one goes to from anywhere, and back; among
themselves they lie side by side."""
_ABOVE: Final = {View.PERSON: View.ACCESS, View.MEMBERS: View.GROUPS}
"""What lies above the pages of the access report."""
_LONGEST: Final = 100


def above(place: Place) -> Place | None:
    """Return the place one level up: logs, jobs, pipelines, projects; None at the top."""
    if place.view in {View.LOG, View.MANY, View.SEARCH}:
        return Place(View.JOBS, place.project, place.project_name, place.pipeline)
    if place.view is View.COMPARE:
        return replace(place, view=View.LOG)
    if place.view in {View.FILE, View.RUN}:
        view = View.PIPELINES if place.pipeline is None else View.JOBS
        return replace(place, view=view, job=None, job_name="", path="", ref="")
    if place.view in {View.JOBS, View.SINCE}:
        return replace(place, view=View.PIPELINES, pipeline=None)
    if place.view in _ABOVE:
        return Place(_ABOVE[place.view])
    if place.view in {View.TRIAGE, View.PROJECTS}:
        return None
    return Place(View.PROJECTS)


class Trail:
    """The visited places, like a browser's history, bounded."""

    def __init__(self, start: Place, before: Place | None = None) -> None:
        """Begin at a place.

        Args:
            start: where one is.
            before: where one was when the dashboard was left; one can go back there.
        """
        self._places = [start] if before is None else [before, start]
        self._here = len(self._places) - 1

    @property
    def here(self) -> Place:
        """Return the place of now."""
        return self._places[self._here]

    @property
    def before(self) -> Place | None:
        """Return the place before the one of now; None at the beginning."""
        return self._places[self._here - 1] if self._here else None

    def go(self, place: Place) -> None:
        """Take a new place; what lay forward is forgotten."""
        if place == self.here:
            return
        self._places = [*self._places[: self._here + 1], place][-_LONGEST:]
        self._here = len(self._places) - 1

    def learn(self, place: Place) -> None:
        """Know more of the place of now."""
        self._places[self._here] = place

    def way_up(self) -> Place | None:
        """Return where `esc` leads: back to a shallower place one came from, else one level up."""
        here, at = self.here, self._before()
        if at is not None:
            before = self._places[at]
            is_aside = here.view in _ASIDE or here.view in _OF_REPORT
            if _DEPTH[before.view] < _DEPTH[here.view] or is_aside:
                return before
        return above(here)

    def _before(self) -> int | None:
        """Return where one came from; from file to file one went sideways, not deeper."""
        at = self._here - 1
        while at >= 0 and _beside(self.here.view, self._places[at].view):
            at -= 1
        return at if at >= 0 else None

    def up(self) -> Place | None:
        """Go where `esc` leads; None at the top."""
        place = self.way_up()
        if place is None:
            return None
        at = self._before()
        if at is not None and self._places[at] == place:
            self._here = at
        else:
            self._places[self._here] = place
        return place

    def back(self) -> Place | None:
        """Go to the place before this one; None at the beginning."""
        if self._here == 0:
            return None
        self._here -= 1
        return self.here

    def forward(self) -> Place | None:
        """Undo `back`; None at the end."""
        if self._here + 1 >= len(self._places):
            return None
        self._here += 1
        return self.here

    def last(self) -> Place | None:
        """Swap with the place before this one, so that pressing twice comes back."""
        if self._here == 0:
            return None
        self._places[self._here - 1], self._places[self._here] = (
            self._places[self._here],
            self._places[self._here - 1],
        )
        return self.here


def _beside(one: View, other: View) -> bool:
    return one is other is View.FILE or (one in _OF_REPORT and other in _OF_REPORT)
