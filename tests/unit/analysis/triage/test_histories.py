"""Whatever happens to the pipelines of a branch, the board tells what a plain reading tells."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple

from hypothesis import given
from hypothesis import strategies as st
from tests.support.lane import HOUR, NOW, pipeline

from platui.analysis.triage.incidents import Listed, decided_pipelines, states_of
from platui.analysis.triage.tracking import track_incidents

if TYPE_CHECKING:
    from collections.abc import Sequence

    from platui.analysis.triage.tracking import Over
    from platui.models.values.triage import Incident
    from platui.models.wire import Pipeline

FIRST = 900


class Event(NamedTuple):
    """What happens next: to a new pipeline, or to one of those that are there."""

    status: str
    """As a letter; `*` begins a new one, or tries one again, or plays a job of it."""
    back: int
    """Which one: 0 is the newest; one beyond the oldest is new."""


class Branch:
    """A branch as its platform knows it."""

    def __init__(self) -> None:
        self.statuses: list[str] = []
        """As letters, the oldest first."""
        self.decided: list[str] = []
        """What each came to when it was decided last; empty for one that never was."""
        self._ended: list[int] = []

    def happen(self, event: Event, at: int) -> None:
        """Let something happen in a minute."""
        place = len(self.statuses) - 1 - event.back
        if event.status == "+" or place < 0:
            self.statuses.append("*")
            self.decided.append("")
            self._ended.append(at)
            return
        self.statuses[place], self._ended[place] = event.status, at
        if event.status in "gr":
            self.decided[place] = event.status

    def listed(self, size: int) -> list[Pipeline]:
        """Return the newest pipelines as the platform lists them."""
        found = [
            pipeline(
                FIRST + at,
                status,
                created_at=NOW + at * HOUR / 100,
                updated_at=NOW + self._ended[at] * timedelta(minutes=1),
            )
            for at, status in enumerate(self.statuses)
        ]
        return found[::-1][:size]

    @property
    def incident(self) -> tuple[int, int, int | None] | None:
        """Return first red, how many are red, and last green: what a person would say."""
        reds: list[int] = []
        for at in range(len(self.decided) - 1, -1, -1):
            if self.decided[at] == "g":
                return (reds[-1], len(reds), FIRST + at) if reds else None
            if self.decided[at] == "r":
                reds.append(FIRST + at)
        return (reds[-1], len(reds), None) if reds else None


class Following:
    """Looks at a branch again and again, as the board does."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._before: tuple[Incident, ...] = ()
        self._healed: tuple[Over, ...] = ()
        self._decided: dict[int, Pipeline] = {}

    def look(self, branch: Branch) -> Sequence[Incident]:
        """Return what is open in it."""
        listed = branch.listed(self._size)
        self._decided = decided_pipelines(listed, self._decided)
        is_whole = len(listed) == len(branch.statuses)
        states = states_of(Listed(7, listed, is_whole, "main", self._decided), NOW)
        look = track_incidents(self._before, states, NOW, healed=self._healed)
        self._before, self._healed = look.incidents, (*self._healed, *look.over)
        return look.incidents


EVENTS = st.lists(st.builds(Event, st.sampled_from("++*ggrrcs"), st.integers(0, 5)), max_size=30)


@given(EVENTS)
def test_an_incident_is_what_a_plain_reading_says_it_is(events: list[Event]) -> None:
    """Red is red until a newer one is green: tried again, played, canceled or overtaken."""
    branch, following = Branch(), Following(size=100)
    for at, event in enumerate(events):
        branch.happen(event, at)
        told = [
            (one.first_red.id, one.streak, one.last_green and one.last_green.id)
            for one in following.look(branch)
        ]
        assert told == ([] if branch.incident is None else [branch.incident])


@given(st.lists(st.sampled_from("ggrrrc"), min_size=4, max_size=40), st.integers(2, 5))
def test_what_came_before_an_incident_is_known_beyond_the_list(runs: list[str], size: int) -> None:
    """The last green one leaves the list before the first red one does, and is not forgotten."""
    branch, following = Branch(), Following(size)
    branch.happen(Event("+", 0), 0)
    branch.happen(Event("g", 0), 0)
    is_overlapping = True
    for at, status in enumerate(runs, 1):
        branch.happen(Event("+", 0), at)
        following.look(branch)
        branch.happen(Event(status, 0), at)
        told = [
            (one.first_red.id, one.streak, one.last_green and one.last_green.id)
            for one in following.look(branch)
        ]
        # Where no list holds a decided one, it may have been green in between.
        is_overlapping = is_overlapping and any(branch.decided[-size:-1])
        if is_overlapping:
            assert told == ([] if branch.incident is None else [branch.incident])
