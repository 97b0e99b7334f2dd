"""One watched project from one answer to the next, and over a restart."""

from __future__ import annotations

import asyncio
import threading
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from tests.support.clock import FakeClock
from tests.support.lane import NOW, newest_first, pipeline

from platui.analysis.triage.incidents import states_of
from platui.analysis.triage.tracking import track_incidents
from platui.core.errors import NotFoundError
from platui.core.observers import Observable
from platui.models.values.connection import BudgetState, Connection, ConnectionState, Urgency
from platui.models.values.feeds import Listing
from platui.models.values.triage_board import Mark
from platui.service.feeds.poll_conditions import PollConditions
from platui.service.triage import project as triage_project
from platui.service.triage.project import ENDED, NEWS, WatchedProject, current_marks

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    import pytest

    from platui.models.values.stored_triage import IncidentKey, PastIncident
    from platui.models.wire import Pipeline

GREENS = newest_first("rggggggg")[1:]


class Told:
    """A list of pipelines that is what somebody says it is."""

    fetched_at: datetime | None = None
    page_size = 100

    def __init__(self) -> None:
        self.value: Listing[Pipeline] | None = None
        self.refusal: NotFoundError | None = None

    async def renew(self, urgency: Urgency) -> None:
        """Be asked."""
        del urgency
        if self.refusal is not None:
            raise self.refusal


class Nobody:
    """Knows no cause."""

    def known(self, red: object) -> None:
        """Return none."""


class Watching:
    """A project that is looked at, with what is remembered of it."""

    def __init__(self, clock: FakeClock, remembered: Iterable[PastIncident] = ()) -> None:
        line = Observable(Connection(ConnectionState.ONLINE))
        around = PollConditions(clock, line, Observable(BudgetState(0, 600)))
        self._clock, self._list = clock, Told()
        subject: Any = self._list
        self.project = WatchedProject(7, subject, around, remembered)

    async def tell(self, *newest: Pipeline) -> list[PastIncident]:
        """Let the platform tell of pipelines above green ones; return what is to be remembered."""
        self.offer(*newest)
        await self.project.renew("main", Urgency.VISIBLE)
        return self.past()

    async def list_only(self, *newest: Pipeline, older: Iterable[Pipeline] | None = None) -> None:
        """Let the newest page have room for these only; `older`: all that pages before it told."""
        self._list.page_size = len(newest)
        self._list.value = Listing((*newest, *(older or ())), complete=older is not None)
        await self.project.renew("main", Urgency.VISIBLE)

    def offer(self, *newest: Pipeline) -> None:
        """Let the platform list pipelines above green ones; nobody has taken that yet."""
        self._list.value = Listing((*newest, *GREENS), complete=True)

    async def refuse(self) -> None:
        """Let the platform refuse to tell."""
        self._list.refusal = NotFoundError("No such project.", status=404)
        await self.project.renew("main", Urgency.VISIBLE)
        self._list.refusal = None

    def answered_at(self, moment: datetime) -> None:
        """Let the list be of this moment."""
        self._list.fetched_at = moment

    def past(self) -> list[PastIncident]:
        """Return what is to be remembered now."""
        nobody: Any = Nobody()
        return [*self.project.past({}, nobody, self._clock.now())]

    @property
    def older(self) -> list[int]:
        """Return what runs beyond the newest page."""
        return [*self.project.older_running]

    @property
    def red(self) -> list[int]:
        """Return the newest red pipelines of what is broken."""
        return [one.newest_red.id for one in self.project.incidents]

    @property
    def recovered(self) -> list[tuple[int, datetime | None]]:
        """Return the first red pipelines of what is over, and when it was green."""
        look = self.project.look
        told = [one.recovery for one in look.states if one.recovery] if look else []
        return [(one.first_red.id, one.green.at) for one in told]


async def test_what_a_retry_has_mended_stays_on_the_board_for_the_day() -> None:
    """Also when the list was told anew, and after a restart, until it is not news any more."""
    clock = FakeClock(NOW)
    watching, at = Watching(clock), NOW + timedelta(hours=1)
    await watching.tell(pipeline(1000, "r"))
    await watching.tell(pipeline(1000, "*"))
    assert watching.recovered == []
    past = await watching.tell(mended := pipeline(1000, "g", updated_at=at))
    assert [(one.key, one.recovered_at) for one in past] == [((7, 1000), at)]
    assert watching.recovered == [(1000, at)]
    await watching.tell(pipeline(1001, "g"), mended)
    assert watching.recovered == [(1000, at)]
    again = Watching(clock, past)
    await again.tell(mended)
    assert again.recovered == [(1000, at)]
    clock.jump((NEWS + timedelta(hours=2)).total_seconds())
    await again.tell(pipeline(1001, "g"), mended)
    assert again.recovered == []


async def test_a_pipeline_that_was_over_and_goes_on_is_not_timed_from_its_creation() -> None:
    """It was green, and somebody plays a job of it; what is new is timed."""
    watching = Watching(FakeClock(NOW))
    await watching.tell(pipeline(1000, "g"))
    await watching.tell(pipeline(1000, "*"))
    assert watching.project.look is not None
    assert [one.typical for one in watching.project.look.states] == [None]
    await watching.tell(pipeline(1001, "*"), pipeline(1000, "g"))
    assert [one.typical is None for one in watching.project.look.states] == [False]


async def test_a_green_pipeline_of_which_a_job_is_played_is_green() -> None:
    """It runs once more; what was red before it is not broken again, nor is it said to be."""
    watching = Watching(FakeClock(NOW))
    red = pipeline(1000, "r")
    await watching.tell(pipeline(1001, "g"), red)
    assert watching.recovered == [(1000, NOW + timedelta(hours=1, minutes=9))]
    assert await watching.tell(pipeline(1001, "*"), red) == []
    assert watching.red == []
    assert len(watching.project.moving) == 1
    assert await watching.tell(pipeline(1001, "c"), red) == []
    await watching.tell(pipeline(1001, "r"), red)
    assert watching.red == [1001]


async def test_the_last_green_pipeline_is_so_while_it_is_deployed_once_more() -> None:
    """Whoever rolls back plays a job of it: the incident began after it all the same."""
    watching = Watching(FakeClock(NOW))
    later, before = pipeline(1002, "r"), pipeline(1000, "r")
    await watching.tell(later, pipeline(1001, "g"), before)
    await watching.tell(later, pipeline(1001, "*"), before)
    [incident] = watching.project.incidents
    assert (incident.first_red.id, incident.streak) == (1002, 1)
    assert incident.last_green is not None
    assert incident.last_green.id == 1001


async def test_of_a_project_that_is_refused_nothing_is_told_from_before() -> None:
    """Until the platform tells again."""
    watching = Watching(FakeClock(NOW))
    await watching.tell(pipeline(1000, "r"))
    await watching.refuse()
    assert not await watching.project.take("main")
    assert (watching.project.look, watching.red, watching.project.refused) == (None, [], True)
    await watching.tell(pipeline(1000, "r"))
    assert (watching.red, watching.project.refused) == ([1000], False)


async def test_what_two_take_at_once_is_taken_one_after_the_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The look at an older list does not land on that at a newer one."""
    watching, may_go_on, looked = (
        Watching(FakeClock(NOW)),
        threading.Event(),
        states_of,
    )
    began: list[int] = []
    has_begun, loop = asyncio.Event(), asyncio.get_running_loop()

    def slow_at_first(listed: Any, now: Any) -> Any:
        began.append(listed.pipelines[0].id)
        if len(began) == 1:
            loop.call_soon_threadsafe(has_begun.set)
            may_go_on.wait(60)
        return looked(listed, now)

    monkeypatch.setattr(triage_project, "states_of", slow_at_first)
    watching.offer(pipeline(1000, "r"))
    first = asyncio.ensure_future(watching.project.take("main"))
    await has_begun.wait()
    second = asyncio.ensure_future(watching.tell(pipeline(1001, "g"), pipeline(1000, "r")))
    await asyncio.sleep(0)
    may_go_on.set()
    past = (await asyncio.gather(first, second))[1]
    assert began == [1000, 1001]
    assert watching.recovered == [(1000, NOW + timedelta(hours=1, minutes=9))]
    assert [(one.key, one.recovered_at is not None) for one in past] == [((7, 1000), True)]


async def test_who_is_canceled_while_taking_has_not_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever comes back to the board takes what came while they left."""
    watching, looked = Watching(FakeClock(NOW)), track_incidents
    watching.offer(pipeline(1000, "r"))
    may_end = threading.Event()
    monkeypatch.setattr(
        triage_project, "track_incidents", lambda *given: may_end.wait(60) and looked(*given)
    )
    taking = asyncio.ensure_future(watching.project.take("main"))
    await asyncio.sleep(0)
    taking.cancel()
    await asyncio.wait([taking])
    may_end.set()
    assert watching.project.look is None
    assert await watching.project.take("main")
    assert watching.red == [1000]


async def test_what_is_over_is_told_once_whoever_has_taken_it() -> None:
    """Also where another list came in between, and what is red again is red."""
    watching = Watching(FakeClock(NOW))
    await watching.tell(pipeline(1000, "r"))
    for newest in (pipeline(1001, "g"), pipeline(1001, "*")):
        watching.offer(newest, pipeline(1000, "r"))
        await watching.project.take("main")
    assert watching.project.has_unreported
    assert [(one.key, one.recovered_at is None) for one in watching.past()] == [((7, 1000), False)]
    assert watching.past() == []
    assert not watching.project.has_unreported


async def test_what_is_known_by_another_key_is_handed_out_until_it_is_taken() -> None:
    """An older one that ran beside it fails, too: the marks of the incident go with it."""
    watching = Watching(FakeClock(NOW))
    newer = pipeline(1001, "r")
    await watching.tell(newer, pipeline(1000, "*"))
    watching.offer(newer, pipeline(1000, "r"))
    await watching.project.take("main")
    watching.offer(pipeline(1002, "*"), newer, pipeline(1000, "r"))
    await watching.project.take("main")
    assert [(one.before.key, one.now.key) for one in watching.project.moves()] == [
        ((7, 1001), (7, 1000))
    ]
    assert list(watching.project.moves()) == []


async def test_what_is_acknowledged_is_so_while_its_new_key_is_written() -> None:
    """On the disk it is a moment later than on the board; what has a mark of its own keeps that."""
    watching = Watching(FakeClock(NOW))
    newer = pipeline(1001, "r")
    await watching.tell(newer, pipeline(1000, "*"))
    await watching.tell(newer, pipeline(1000, "r"))
    acked, own = Mark(acked="aa"), Mark(note="seen")
    before: dict[IncidentKey, Mark] = {(7, 1001): acked}
    by_now = before | {(7, 1000): acked}
    project, moves = watching.project, watching.project.moves()
    assert current_marks(before, [project]) == by_now
    assert next(moves).now.key == (7, 1000)
    assert current_marks(before, [project]) == by_now
    both = before | {(7, 1000): own}
    assert current_marks(both, [project]) == both
    assert list(moves) == []
    assert current_marks(by_now, [project]) == by_now
    assert not project.moved


async def test_how_a_pipeline_ended_is_held_for_who_saw_it_run() -> None:
    """Its last end, where it was tried again; nothing of what was over when it was first seen."""
    watching = Watching(FakeClock(NOW))
    await watching.tell(pipeline(1001, "*"), pipeline(1000, "c"))
    assert not watching.project.ended
    ends = []
    for letter in "c*g":
        await watching.tell(pipeline(1001, letter), pipeline(1000, "c"))
        ends.append([(one.id, one.status) for one in watching.project.ended])
    assert ends == [[(1001, "canceled")], [(1001, "canceled")], [(1001, "success")]]
    for number in range(1002, 1002 + 2 * ENDED):
        await watching.tell(pipeline(number, "*"))
        await watching.tell(pipeline(number, "g"))
    assert len(watching.project.ended) == ENDED


async def test_what_runs_and_leaves_the_newest_page_is_followed() -> None:
    """Its end counts, although the list does not tell it, and stays known."""
    watching, merges = Watching(FakeClock(NOW)), {"source": "merge_request_event"}
    nightly = pipeline(1000, "*")
    await watching.tell(nightly)
    assert watching.older == []
    requests = [pipeline(number, "*", **merges) for number in range(1020, 1001, -1)]
    await watching.list_only(*requests)
    assert watching.older == [1000]
    assert len(watching.project.moving) == 1
    await watching.project.update(1000, pipeline(1000, "r"))
    assert (watching.red, watching.older) == ([1000], [])
    await watching.list_only(pipeline(1021, "*", **merges), *requests)
    assert watching.red == [1000]
    await watching.list_only(pipeline(1022, "g"), *requests)
    assert watching.red == []
    gone = Watching(FakeClock(NOW))
    await gone.tell(nightly)
    await gone.list_only(*requests)
    await gone.project.update(1000, None)
    assert not gone.project.moving
    assert gone.older == []


async def test_what_became_of_a_remembered_incident_is_in_the_list_of_its_branch() -> None:
    """The newest page has no pipeline of it after a weekend."""
    clock = FakeClock(NOW)
    past = await Watching(clock).tell(pipeline(1000, "r"))
    watching = Watching(clock, past)
    await watching.list_only(pipeline(1200, "g", ref="other"))
    assert (watching.red, watching.project.unlisted) == ([1000], {(7, 1000)})
    mended = Listing((pipeline(1001, "g"), pipeline(1000, "r"), *GREENS), complete=True)
    await watching.project.learn("main", mended)
    assert (watching.red, watching.project.unlisted) == ([], set())


async def test_a_followed_pipeline_says_nothing_of_what_came_after_it() -> None:
    """It runs while a night's pipelines go by unseen: a failure after it has not recovered."""
    watching, other = Watching(FakeClock(NOW)), pipeline(1200, "g", ref="other")
    running = pipeline(1000, "*")
    await watching.tell(pipeline(1050, "r"), running)
    await watching.list_only(other)
    assert (watching.red, watching.older) == ([1050], [1000])
    assert watching.project.unlisted == {(7, 1050)}
    assert [one.recovered_at for one in watching.past()] == [None]
    for letter in "rg":
        await watching.project.update(1000, pipeline(1000, letter))
        assert watching.red == [1050]
    await watching.list_only(pipeline(1300, "*"), other)
    assert (watching.red, watching.project.unlisted) == ([1050], {(7, 1050)})
    await watching.list_only(pipeline(1300, "r"), other)
    [incident] = watching.project.incidents
    assert (incident.first_red.id, incident.last_green, incident.is_at_least) == (1300, None, True)


async def test_what_runs_beyond_the_newest_page_of_a_whole_list_is_followed_too() -> None:
    """The list keeps what earlier pages said of it; what it lacks was deleted."""
    watching, running = Watching(FakeClock(NOW)), pipeline(1000, "*")
    await watching.tell(running)
    page = [pipeline(number, "*", ref=f"work{number}") for number in range(1020, 1001, -1)]
    await watching.list_only(*page, older=[running, *GREENS])
    assert watching.older == [1000]
    await watching.project.update(1000, pipeline(1000, "r"))
    assert (watching.red, watching.older) == ([1000], [])
    await watching.list_only(*page, older=GREENS)
    assert (watching.red, watching.older) == ([], [])


async def test_what_two_older_pipelines_became_is_seen_at_once() -> None:
    """Both are answered while the look at the first has not ended."""
    watching = Watching(FakeClock(NOW))
    running = [pipeline(1001, "*"), pipeline(1000, "*", ref="other")]
    await watching.tell(*running)
    await watching.list_only(pipeline(1200, "g", ref="third"))
    assert watching.older == [1001, 1000]
    ended = [pipeline(1001, "r"), pipeline(1000, "r", ref="other")]
    await asyncio.gather(*(watching.project.update(one.id, one) for one in ended))
    assert sorted(watching.red) == [1000, 1001]
    assert watching.older == []


async def test_an_incident_that_was_deleted_has_not_recovered() -> None:
    """Its pipelines are gone from the list, and none of its lane was successful since."""
    watching = Watching(FakeClock(NOW))
    await watching.tell(pipeline(1001, "g"), pipeline(1000, "r"))
    assert not list(watching.project.deleted)
    await watching.tell(pipeline(1003, "r"), pipeline(1001, "g"))
    await watching.tell(pipeline(1001, "g"))
    assert list(watching.project.deleted) == [(7, 1003)]
    await watching.tell(pipeline(1003, "r"), pipeline(1001, "g"))
    assert not list(watching.project.deleted)  # a list had lacked it for a moment


async def test_a_refused_project_does_not_make_the_board_older() -> None:
    """The board is as old as the oldest answer of which something is shown."""
    watching = Watching(FakeClock())
    watching.answered_at(NOW)
    await watching.tell(*newest_first("r"))
    assert watching.project.fetched_at == NOW
    await watching.refuse()
    assert watching.project.fetched_at is None
    await watching.tell(*newest_first("r"))
    assert watching.project.fetched_at == NOW


async def test_of_a_refused_project_no_single_pipeline_is_requested() -> None:
    """Until it is listed again."""
    watching, other = Watching(FakeClock(NOW)), pipeline(1200, "g", ref="other")
    await watching.tell(pipeline(1000, "*"))
    await watching.list_only(other)
    assert watching.older == [1000]
    await watching.refuse()
    assert watching.older == []
    await watching.list_only(other)
    assert watching.older == [1000]


async def test_a_retry_that_succeeds_beyond_the_list_ends_its_incident_by_the_branch() -> None:
    """A newer pipeline runs, so that the one fetched singly is not the last word."""
    watching, other = Watching(FakeClock(NOW)), pipeline(1200, "g", ref="other")
    await watching.tell(pipeline(1050, "r"))
    await watching.tell(pipeline(1050, "*"))
    await watching.list_only(pipeline(1300, "*"), other)
    await watching.project.update(1050, mended := pipeline(1050, "g"))
    assert watching.project.unlisted == {(7, 1050)}
    branch = Listing((pipeline(1300, "*"), mended, *GREENS), complete=True)
    await watching.project.learn("main", branch)
    assert (watching.red, watching.project.unlisted) == ([], set())


async def test_after_a_gap_the_list_of_a_branch_is_outdated() -> None:
    """The laptop slept while more than a page of pipelines ran."""
    watching, other = Watching(FakeClock(NOW)), pipeline(1100, "g", ref="other")
    reds = (pipeline(1050, "r"), pipeline(1049, "r"))
    await watching.list_only(other, reds[0])
    await watching.project.learn("main", Listing((*reds, *GREENS), complete=True))
    await watching.list_only(pipeline(1101, "g", ref="other"), other)
    assert (watching.red, watching.project.unlisted, watching.project.gaps) == ([1050], set(), 0)
    await watching.list_only(pipeline(1300, "g", ref="other"))
    assert (watching.red, watching.project.gaps) == ([1050], 1)
    assert watching.project.outdated == {"main"}
    await watching.list_only(*(pipeline(number, "r") for number in (1302, 1301)))
    assert [one.recovered_at for one in watching.past()] == [None], "red until somebody knows"
    await watching.project.learn("main", Listing((pipeline(1200, "g"), *reds), complete=False))
    assert watching.project.outdated == frozenset()
    assert [one.first_red.id for one in watching.project.incidents] == [1301]
