"""Where an incident began, by the list of its branch: kept lists and fetched ones."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from tests.support.clock import FakeClock
from tests.support.lane import NOW, newest_first, pipeline

from platui.analysis.triage.incidents import Listed, states_of
from platui.core.observers import Observable
from platui.models.values.connection import BudgetState, Connection, ConnectionState, Urgency
from platui.models.values.feeds import Listing
from platui.service.feeds.poll_conditions import PollConditions
from platui.service.triage.incident_starts import IncidentStarts
from platui.service.triage.tasks import BoardStatus

if TYPE_CHECKING:
    from platui.models.values.triage import Incident
    from platui.models.wire import Pipeline


class KeptList:
    """A branch's list as it was kept; a request tells that it is green."""

    more = False

    def __init__(self) -> None:
        self.value: Listing[Pipeline] | None = None
        self.requests = 0

    async def recall(self) -> None:
        """Tell what was kept."""
        self.value = Listing(tuple(newest_first("rrg")), complete=True)

    async def renew(self, urgency: Urgency) -> None:
        """Tell what is there now."""
        del urgency
        self.requests += 1
        self.value = Listing((pipeline(1003, "g"), *newest_first("rrg")), complete=True)


class OneProject:
    """A project with one incident, and the list that it learned."""

    id = 7
    gaps = 0
    is_live = True

    def __init__(self, incident: Incident, *, is_listed: bool) -> None:
        self.incidents = (incident,)
        self.unlisted = frozenset() if is_listed else frozenset({incident.key})
        self.outdated = frozenset[str]()
        self.learned: list[tuple[str, int]] = []

    async def learn(self, branch: str, listing: Listing[Pipeline]) -> None:
        """Note the branch and its newest pipeline."""
        self.learned.append((branch, listing.items[0].id))


@pytest.mark.parametrize(
    ("is_listed", "is_outdated"), [(True, False), (False, False), (True, True)]
)
async def test_a_kept_list_tells_a_beginning_but_not_what_came_after(
    *, is_listed: bool, is_outdated: bool
) -> None:
    """Where the newest page lists the incident, nothing newer of its branch is unknown."""
    listed = Listed(7, newest_first("rrg"), main="main")
    [incident] = [one.incident for one in states_of(listed, NOW) if one.incident is not None]
    line = Observable(Connection(ConnectionState.ONLINE))
    conditions = PollConditions(FakeClock(NOW), line, Observable(BudgetState(0, 600)))
    kept: Any = KeptList()
    context: Any = SimpleNamespace(conditions=conditions, reading=lambda _: kept)
    project: Any = OneProject(incident, is_listed=is_listed)
    project.outdated = frozenset({"main"} if is_outdated else ())

    async def found(_: Incident) -> None:
        """Be told."""

    starts = IncidentStarts(context, BoardStatus(conditions), lambda: Urgency.VISIBLE, found)
    starts._open = {incident.key: (project, incident)}
    await starts.renew(incident.key)
    newest = newest_first("rrg")[0].id
    is_known = is_listed and not is_outdated
    assert kept.requests == (not is_known)
    assert project.learned == [("main", newest if is_known else 1003)]
    project.unlisted = frozenset({incident.key})
    starts.set_projects([project])
    assert not starts.keys
    project.gaps += 1
    starts.set_projects([project])
    assert starts.keys == {incident.key}
