"""The triage board as its feed yields it, over real HTTP, and what it costs."""

from __future__ import annotations

import asyncio
import threading
import time
from collections import Counter
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from tests.support.clock import FakeClock, FastClock
from tests.support.faults import fault
from tests.support.platform import api_client, ask, credentials, running_platform
from tests.support.service import (
    QUICK,
    Viewer,
    becomes,
    requests_of,
    running_service,
    service_at,
    service_of,
    started,
    viewing_any,
)

from platui.analysis.triage.board import item_of
from platui.analysis.triage.tracking import track_incidents
from platui.config.settings import CacheSettings, PollSettings, Settings
from platui.core.clock import SystemClock
from platui.core.errors import OfflineError, UnauthorizedError
from platui.core.secrets import Secret
from platui.models.values.connection import ConnectionState, Urgency
from platui.models.values.stored_triage import WatchSelection
from platui.models.values.triage import PipelineRun
from platui.models.values.triage_board import BoardState
from platui.service import resources
from platui.service.triage import board as triage_board
from platui.service.triage import cause_reader as triage_reading
from platui.service.triage import causes as triage_causes
from platui.service.triage import incident_starts as triage_starts
from platui.service.triage import lane_jobs as triage_lane_jobs
from platui.service.triage import project as triage_project
from platui.service.triage import rows as triage_rows
from platui.service.triage.project import WatchedProject
from platui.service.triage.scheduling import AT_ONCE, TO_BEGIN
from platui.store import triage as triage_store
from platui.store.triage import TriageStore

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator, Sequence
    from pathlib import Path

    from platui.core.errors import PlatuiError
    from platui.models.values.stored_triage import IncidentKey, StoredTriage
    from platui.models.values.triage import Incident
    from platui.models.values.triage_board import Board, BoardItem
    from platui.service import PlatformService
    from platui_emulator.server import RunningEmulator

LONG = 90.0
"""Seconds that much work may take on a busy machine."""
MINUTE = 60.0
STALLING = (108, 124)
"""Projects whose nightly schedules do."""


@pytest.fixture(scope="module")
def storm() -> Iterator[RunningEmulator]:
    """Run the worst night of a company."""
    with running_platform(scenario="storm") as platform:
        yield platform


@pytest.fixture(scope="module")
def planned() -> Iterator[RunningEmulator]:
    """Run a company of which two schedules stop for days, one of them at every moment."""
    with running_platform() as platform:
        yield platform


@asynccontextmanager
async def boarding(service: PlatformService) -> AsyncIterator[Viewer[Board]]:
    """Look on at the board for the length of a block."""
    async with viewing_any(service.watch(resources.triage.board(service.triage_state))) as viewer:
        yield viewer


def broken_projects(platform: RunningEmulator, count: int) -> list[int]:
    """Return projects that the planted causes have broken, and others to make up the number."""
    truth = ask("GET", f"{platform.base_url}/-/emulator/truth").json()["causes"]
    red = dict.fromkeys(project for cause in truth for project in cause["projects"])
    with api_client(platform) as client:
        answer = client.get("projects", params={"membership": True, "per_page": 100})
    every = {one["path_with_namespace"]: one["id"] for one in answer.json()}
    ids = [every.get(one, one) for one in red]
    return list(dict.fromkeys((*ids, *every.values())))[:count]


def members(platform: RunningEmulator) -> list[int]:
    """Return the projects one is a member of."""
    with api_client(platform) as client:
        answer = client.get("projects", params={"membership": True, "per_page": 100})
    return [one["id"] for one in answer.json()]


def ended_too_soon(platform: RunningEmulator) -> tuple[int, dict[str, list[dict[str, Any]]]]:
    """Return a project whose list ends before what is red on a branch began, and their lists."""
    page = {"per_page": 100}
    with api_client(platform) as client:
        for project in reversed(members(platform)):
            path = f"projects/{project}/pipelines"
            refs: dict[str, list[str]] = {}
            for one in client.get(path, params=page).json():
                refs.setdefault(one["ref"], []).append(one["status"])
            red = [ref for ref, found in refs.items() if set(found) == {"failed"}]
            if red:
                lists = {ref: client.get(path, params=page | {"ref": ref}).json() for ref in red}
                if any(len(runs) > len(refs[ref]) for ref, runs in lists.items()):
                    return project, lists
    raise AssertionError("No list ends too soon.")


def overdue(platform: RunningEmulator, projects: Sequence[int]) -> dict[int, int]:
    """Return the schedules that did not run for long although they were due, each's project."""
    before = SystemClock().now() - timedelta(hours=1)
    with api_client(platform) as client:
        return {
            schedule["id"]: project
            for project in projects
            for schedule in client.get(f"projects/{project}/pipeline_schedules").json()
            if schedule["active"]
            and schedule["next_run_at"]
            and datetime.fromisoformat(schedule["next_run_at"]) < before
        }


def missed(board: Board) -> dict[int, int]:
    """Return the schedules on the board that did not fire, each with its project."""
    return {
        item.late.schedule: int(item.lane.project)
        for item in board.items
        if item.late is not None and item.late.schedule is not None
    }


def is_done(board: Board) -> bool:
    """Return whether the platform has told everything."""
    return board.is_live and is_read(board)


def is_read(board: Board) -> bool:
    """Return whether it is known of everything why it broke, and who began it.

    Its jobs tell who; a pipeline file that cannot be read makes none.
    """
    told = [item for item in broken(board) if item.point is None or item.point.step is not None]
    incidents = [item.incident for item in told if item.incident is not None]
    known = [one for one in incidents if not one.is_at_least]
    return not board.pending_causes and all(one.commit is not None for one in known)


def broken(board: Board) -> list[BoardItem]:
    """Return the rows of incidents."""
    return [item for item in board.items if item.state is BoardState.BROKEN]


async def test_a_cold_start_finds_the_first_cause_with_few_requests(
    storm: RunningEmulator,
) -> None:
    """While lists still come, the first incident's job and log are read; a second run asks none.

    And what is done once is not done again: each pipeline's jobs and each log.
    """
    ids = broken_projects(storm, 5)
    began = len(requests_of(storm))
    async with running_service(storm, Settings()) as service:
        await service.triage_state.watch(ids)
        async with boarding(service) as viewer:
            first = await viewer.until(lambda b: any(item.signature for item in b.items))
            board = await viewer.until(
                lambda b: is_done(b) and b.requests == len(requests_of(storm)) - began, LONG
            )
    asked = [one["path"] for one in requests_of(storm)[began:]]
    assert len(asked) == len(set(asked)) == board.requests > first.requests
    assert sum("/pipelines?" in one for one in asked) == 5
    assert board.known == board.watched == len(board.names) == 5
    assert board.counts.broken == len(broken(board)) >= 5
    assert board.counts.causes == len(board.groups) < board.counts.broken
    assert all(item.point is not None for item in broken(board))
    grouped = [item for group in board.groups for item in group.items]
    assert grouped == broken(board)

    began = len(requests_of(storm))
    async with running_service(storm, Settings()) as service, boarding(service) as viewer:
        again = await viewer.until(is_read)
        assert viewer.seen[0].known == 5
        assert any(item.signature for item in viewer.seen[0].items)
        assert again.counts == board.counts
        assert [item.signature for item in again.items] == [item.signature for item in board.items]
    assert len(requests_of(storm)) == began


async def test_a_board_can_be_of_other_projects_than_those_watched(
    storm: RunningEmulator,
) -> None:
    """The watch list stays as it is; a group is known when the list of projects is."""
    watched, other = broken_projects(storm, 2)
    async with running_service(storm, Settings()) as service:
        await service.triage_state.watch([watched])
        wished = WatchSelection(projects=(other,), groups=("acme/finance/reporting",))
        async with viewing_any(
            service.watch(resources.triage.board(service.triage_state, wished))
        ) as viewer:
            board = await viewer.until(is_done, LONG)
        assert service.triage_state.memory.value.watched.projects == (watched,)
    paths = dict(board.names)
    assert watched not in paths
    assert other in board.live
    assert set(board.live) == set(paths)
    assert all(one == other or path.startswith("acme/finance/reporting/")
               for one, path in paths.items())  # fmt: skip
    assert board.watched == len(paths) > 1


async def test_a_steady_minute_asks_for_each_project_twice(storm: RunningEmulator) -> None:
    """With a round of 30 s, as what is on the screen; else only for jobs of what may be stuck."""
    ids = broken_projects(storm, 60)[-14:]
    clock = FastClock(20.0)
    async with started(service_of(storm, Settings(), clock=clock)) as service:
        await service.triage_state.watch(ids)
        async with boarding(service) as viewer:
            board = await viewer.until(lambda b: is_done(b) and not b.without_schedules, LONG)
            assert board.interval == 30.0
            looked = board.with_jobs  # Some may end in the minute
            began = clock.now()
            # A board without news comes seldom: the minute is not told by one.
            await clock.sleep(MINUTE)
            # Sent in this minute: on a busy machine one wakes up late, and responses come late.
            ended = began + timedelta(seconds=MINUTE)
            sent = [one for one in service.journal.recent() if began <= one.at < ended]
            board = await viewer.until(lambda _: True, LONG)
    lists = [one for one in sent if "/pipelines?" in one.path]
    # Two rounds, and a turn at each edge of the minute; a busy machine may send fewer.
    assert 0 < len(lists) <= 2 * 14 + 2 * AT_ONCE
    jobs = tuple(f"/pipelines/{pipeline}/jobs" for pipeline in (*looked, *board.with_jobs))
    others = [one.path.partition("?")[0] for one in sent if one not in lists]
    assert [path for path in others if not path.endswith((*jobs, "/trace"))] == []
    assert max(Counter(others).values(), default=0) <= 2
    assert max(Counter(one.path for one in sent).values()) <= 3
    assert {one.urgency for one in sent} == {Urgency.VISIBLE}


def _signature(stored: StoredTriage, key: IncidentKey) -> str | None:
    past = stored.history.get(key)
    return None if past is None else past.signature


async def test_what_is_said_of_an_incident_is_seen_by_every_dashboard(
    storm: RunningEmulator,
) -> None:
    """It is quiet until its signature is another, here and in the other process's board."""
    [project, *_] = broken_projects(storm, 1)
    async with (
        running_service(storm, clock=FastClock(20.0)) as one,
        running_service(storm, clock=FastClock(20.0)) as other,
        boarding(one) as mine,
        boarding(other) as theirs,
    ):
        assert (await mine.until(lambda _: True)).watched == 0
        await one.triage_state.watch([project])
        board = await mine.until(is_done)
        await theirs.until(is_done)
        item = broken(board)[0]
        assert item.incident is not None
        assert item.signature is not None
        key = item.incident.key
        await other.triage_state.own([key], "ada")
        await other.triage_state.acknowledge({key: item.signature.key})
        seen = await mine.until(lambda b: b.counts.quiet == 1)
        assert seen.counts.broken == board.counts.broken - 1
        [said] = [i for i in broken(seen) if i.incident is not None and i.incident.key == key]
        assert said.mark.owner == "ada"
        await one.triage_state.acknowledge({key: "another cause"})
        await theirs.until(lambda b: b.counts == board.counts)
        # The history may have it before its cause.
        history, signature = other.triage_state.memory, item.signature.key
        await theirs.until(lambda _: _signature(history.value, key) == signature)
        await one.triage_state.unwatch([project])
        assert (await theirs.until(lambda b: not b.watched)).items == ()


async def test_a_board_is_of_one_moment(
    storm: RunningEmulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the platform tells while rows are made, or is looked at, is on the next board."""
    [project, *_] = broken_projects(storm, 1)
    told = threading.Event()
    renew, make = WatchedProject.renew, triage_rows.rows_of
    live: list[bool] = []
    """Whether it counts as told, each time that it is looked at how a project stands."""

    async def telling(asked: WatchedProject, *how: Any) -> PlatuiError | None:
        def looking(*at: Any) -> Any:
            live.append(asked.is_live)
            return track_incidents(*at)

        monkeypatch.setattr(triage_project, "track_incidents", looking)
        error = await renew(asked, *how)
        told.set()
        return error

    def making(*known: Any) -> Any:
        assert told.wait(LONG)
        return make(*known)

    monkeypatch.setattr(WatchedProject, "renew", telling)
    monkeypatch.setattr(triage_board, "rows_of", making)
    monkeypatch.setattr(triage_board, "_FEW", -1)  # as if it had more: these are made in a thread
    other = service_of(storm, Settings(cache=CacheSettings(disk=False)))
    async with started(other) as service:
        await service.triage_state.watch([project])
        async with boarding(service) as viewer:
            await viewer.until(lambda b: b.is_live)
    assert [bool(broken(board)) for board in viewer.seen if board.is_live] == [True]
    assert not live[0]


async def test_the_rows_of_a_small_board_wake_no_thread(
    storm: RunningEmulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An idle dashboard makes them twice a minute."""
    threads: list[threading.Thread] = []
    make = triage_rows.rows_of

    def making(*known: Any) -> Any:
        threads.append(threading.current_thread())
        return make(*known)

    monkeypatch.setattr(triage_board, "rows_of", making)
    async with running_service(storm) as service:
        await service.triage_state.watch(broken_projects(storm, 2))
        async with boarding(service) as viewer:
            await viewer.until(lambda b: b.is_live)
    assert {*threads} == {threading.current_thread()}


@pytest.mark.parametrize("utc", [True, False])
async def test_today_is_that_of_the_zone_that_is_shown(
    storm: RunningEmulator, monkeypatch: pytest.MonkeyPatch, *, utc: bool
) -> None:
    """UTC's if times are shown in it, else that of this machine."""
    days = []

    def made(state: Any, today: datetime, late: Any) -> Any:
        days.append(today)
        return item_of(state, today, late)

    monkeypatch.setattr(triage_rows, "item_of", made)
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "Asia/Tokyo")
        time.tzset()
        settings = Settings(cache=CacheSettings(disk=False), utc=utc)
        async with started(service_of(storm, settings)) as service:
            await service.triage_state.watch(broken_projects(storm, 1))
            async with boarding(service) as viewer:
                await viewer.until(lambda b: b.is_live)
    time.tzset()
    assert {(one.hour, one.utcoffset()) for one in days} == {(0, timedelta(hours=0 if utc else 9))}


async def test_a_group_is_watched_with_all_of_its_projects(storm: RunningEmulator) -> None:
    """They are found in the list of projects."""
    [project, *_] = broken_projects(storm, 1)
    with api_client(storm) as client:
        path = client.get(f"projects/{project}").json()["path_with_namespace"]
        group = path.partition("/")[0]
        every = client.get("projects", params={"membership": True, "per_page": 100}).json()
    inside = {p["id"] for p in every if p["path_with_namespace"].startswith(f"{group}/")}
    async with running_service(storm) as service:
        await service.triage_state.watch(groups=[group])
        async with boarding(service) as viewer:
            board = await viewer.until(lambda b: bool(b.watched))
    assert {number for number, _ in board.names} == inside
    assert project in inside


@pytest.mark.variants("default", reason="a project by its id is a neighbour")
async def test_a_watched_project_without_membership_has_its_name(platform: RunningEmulator) -> None:
    """A public one: the list of one's own projects does not have it; also after a restart."""
    token = credentials(platform)["project"]
    with api_client(platform, token=token) as bot:
        seen = bot.get("projects", params={"per_page": 100}).json()
        own = bot.get("projects", params={"membership": True, "per_page": 100}).json()
    [other, *_] = [one for one in seen if one["id"] not in {each["id"] for each in own}]
    expected = (other["id"], other["path_with_namespace"])
    for _ in range(2):
        async with started(service_at(platform.base_url, token)) as service:
            await service.triage_state.watch([other["id"]])
            async with boarding(service) as viewer:
                board = await viewer.until(is_done, LONG)
                if expected not in board.names:
                    await viewer.until(lambda board: expected in board.names)


async def test_the_board_finds_out_by_itself_when_the_platform_is_back(
    storm: RunningEmulator,
) -> None:
    """What was known stays meanwhile; nobody else asks, and nobody presses a key."""
    [project, *_] = broken_projects(storm, 1)
    there = service_at(storm.faults_url, storm.token, QUICK, clock=FastClock(10.0))
    async with started(there) as service:
        await service.triage_state.watch([project])
        async with boarding(service) as viewer:
            await viewer.until(is_done, LONG)
            with fault(storm, "refuse"):
                lost = await viewer.until(lambda b: isinstance(b.error, OfflineError))
                assert lost.known == 1
                assert broken(lost)
            await viewer.until(lambda b: b.error is None)


async def test_offline_every_cause_that_is_kept_is_told(
    storm: RunningEmulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also those that the first board did not wait for; nothing is live that nobody told."""
    ids = broken_projects(storm, 5)
    async with started(service_at(storm.faults_url, storm.token)) as service:
        await service.triage_state.watch(ids)
        async with boarding(service) as viewer:
            before = await viewer.until(is_done, LONG)
    monkeypatch.setattr(triage_reading, "CACHE_SECONDS", 0.0)
    with fault(storm, "refuse"):
        async with (
            started(service_at(storm.faults_url, storm.token)) as service,
            boarding(service) as viewer,
        ):
            await viewer.until(lambda b: b.is_cache_read and b.error is not None)
            again = viewer.seen[-1]
    assert not viewer.seen[0].is_cache_read
    assert (again.pending_causes, again.counts) == (0, before.counts)
    assert [item.signature for item in again.items] == [item.signature for item in before.items]
    assert not again.is_live


async def test_what_leads_to_the_first_cause_goes_before_further_lists(
    storm: RunningEmulator,
) -> None:
    """All of it is what somebody waits for; further projects come when that is under way."""
    ids = broken_projects(storm, 14)
    async with running_service(storm, Settings()) as service:
        await service.triage_state.watch(ids)
        async with boarding(service) as viewer:
            await viewer.until(lambda b: any(item.signature for item in b.items))
        sent = sorted(service.journal.recent(), key=lambda one: one.number)
    kinds = [one.path.partition("?")[0].rpartition("/")[2] for one in sent]
    assert kinds.index("jobs") < kinds.index("trace") < len(kinds)
    assert kinds[: kinds.index("jobs")].count("pipelines") < 6
    assert {one.urgency for one in sent[: kinds.index("trace") + 1]} == {Urgency.USER}


async def test_who_began_a_streak_is_asked_for_once_its_cause_is_known(
    storm: RunningEmulator,
) -> None:
    """Of one failure its own jobs tell it; of a longer row the jobs of the first do."""
    ids = broken_projects(storm, 6)
    async with running_service(storm, Settings()) as service:
        await service.triage_state.watch(ids)
        async with boarding(service) as viewer:
            board = await viewer.until(is_done, LONG)
        sent = sorted(service.journal.recent(), key=lambda one: one.number)
    rows = [item.incident for item in broken(board) if item.incident is not None]
    longer = [one for one in rows if one.streak > 1 and not one.is_at_least]
    assert longer
    assert all(one.commit is not None and one.commit.sha == one.first_red.sha for one in longer)
    paths = [one.path for one in sent]
    assert len(paths) == len(set(paths))
    began = len(requests_of(storm))
    async with running_service(storm, Settings()) as service, boarding(service) as viewer:
        await viewer.until(is_read)
    assert len(requests_of(storm)) == began


async def test_a_retry_moves_no_beginning(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Who sees an incident for the first time after it reads when it failed first."""
    clock = FakeClock(SystemClock().now())
    with running_platform(clock=clock) as platform:
        ids = broken_projects(platform, 4)

        async def seen(folder: str) -> dict[int, Incident]:
            for name in ("STATE", "CACHE"):
                monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / folder / name))
            async with running_service(platform, Settings()) as service:
                await service.triage_state.watch(ids)
                async with boarding(service) as viewer:
                    board = await viewer.until(is_done, LONG)
            return {
                item.incident.newest_red.id: item.incident
                for item in broken(board)
                if item.incident is not None and item.incident.streak == 1
            }

        number, before = next(iter((await seen("before")).items()))
        path = f"projects/{before.lane.project}/pipelines/{number}"
        with api_client(platform) as client:
            ended = client.get(path).json()["finished_at"]
            client.post(f"{path}/retry").raise_for_status()
            for _ in range(60):
                clock.jump(120)
                again = client.get(path).json()
                if again["status"] == "failed":
                    break
        assert again["status"] == "failed"
        assert again["finished_at"] > ended
        after = (await seen("after"))[number]
    assert before.since is not None
    assert after.since is not None
    assert abs(before.since - after.since) < timedelta(seconds=5)


async def test_what_began_before_the_list_is_asked_for_once_and_kept(
    storm: RunningEmulator,
) -> None:
    """The branch has a list of its own: streak and last green are those that it tells."""
    project, own = ended_too_soon(storm)
    async with running_service(storm, Settings()) as service:
        await service.triage_state.watch([project])
        async with boarding(service) as viewer:
            board = await viewer.until(lambda b: is_done(b) and not b.pending_starts, LONG)
        asked = [one.path for one in service.journal.recent() if "ref=" in one.path]
    assert 1 <= len(asked) == len(set(asked)) <= len(own)
    old = [one.incident for one in broken(board) if one.incident and one.lane.ref in own]
    assert old
    for incident in old:
        ways = [one for one in own[incident.lane.ref] if one["name"] == incident.lane.way]
        until = next((at for at, one in enumerate(ways) if one["status"] == "success"), None)
        green = None if until is None else ways[until]["id"]
        assert (incident.last_green and incident.last_green.id) == green
        assert incident.streak == sum(one["status"] == "failed" for one in ways[:until])
        assert not incident.is_at_least
        assert incident.commit is not None
    began = len(requests_of(storm))
    async with running_service(storm, Settings()) as service, boarding(service) as viewer:
        again = await viewer.until(is_read)
    assert [one.incident for one in broken(again)] == [one.incident for one in broken(board)]
    assert len(requests_of(storm)) == began


async def test_what_broke_before_is_asked_for_first(storm: RunningEmulator) -> None:
    """With nothing left in the caches."""
    *green, last = broken_projects(storm, 60)[-12:]
    [red, *_] = broken_projects(storm, 1)
    async with running_service(storm, Settings()) as service:
        await service.triage_state.watch([red])
        async with boarding(service) as viewer:
            await viewer.until(is_done)
        await service.triage_state.watch([*green, last])
        await service.triage_state.unwatch([red])
        await service.triage_state.watch([red])
    other = service_of(storm, Settings(cache=CacheSettings(disk=False)))
    async with started(other) as service, boarding(service) as viewer:
        await viewer.until(lambda b: b.known > 0)
        sent = sorted(service.journal.recent(), key=lambda one: one.number)
    lists = [one.path for one in sent if "/pipelines?" in one.path]
    assert any(f"projects/{red}/" in path for path in lists[:TO_BEGIN])


async def test_a_screen_and_a_notifier_look_at_one_board(storm: RunningEmulator) -> None:
    """Each gets the newest at once and costs nothing more; who shows it decides how often."""
    ids = broken_projects(storm, 1)
    # Nothing falls due a second time, however long a busy machine takes for the steps.
    seldom = Settings(poll=PollSettings(idle=600.0))
    async with running_service(storm, seldom) as service:
        await service.triage_state.watch(ids)
        notifier = service.watch(resources.triage.board(service.triage_state, in_background=True))
        screen = service.watch(resources.triage.board(service.triage_state))
        async with viewing_any(notifier) as beside:
            slow = await beside.until(lambda b: is_done(b) and not b.without_schedules, LONG)
            sent = service.journal.newest.value
            assert {one.urgency for one in service.journal.recent()} == {Urgency.BACKGROUND}
            async with viewing_any(screen) as before_eyes:
                shown = await before_eyes.until(lambda _: True)
                assert shown.items == slow.items
                assert shown.is_live
                quick = await before_eyes.until(lambda b: b.interval < slow.interval)
                assert quick.interval == slow.interval / 2
                screen.hold(True)
                await beside.until(lambda b: b.interval == slow.interval)
                screen.hold(False)
                await beside.until(lambda b: b.interval == quick.interval)
                assert beside.last is before_eyes.last
            await beside.until(lambda b: b.interval == slow.interval)
            assert service.journal.newest.value == sent
            async with viewing_any(screen) as again:
                await again.until(lambda b: b.is_live)
        assert service.journal.newest.value == sent
        assert len(asyncio.all_tasks()) <= 3


async def test_a_held_board_asks_nothing_and_still_tells_what_is_said(
    storm: RunningEmulator,
) -> None:
    """Also where the one who iterates it holds it before the first board."""
    [project, *_] = broken_projects(storm, 1)
    async with running_service(storm) as service:
        await service.triage_state.watch([project])
        feed = service.watch(resources.triage.board(service.triage_state))
        feed.hold(True)
        async with viewing_any(feed) as viewer:
            await viewer.until(lambda b: b.watched == 1)
            await service.triage_state.unwatch([project])
            await viewer.until(lambda b: b.watched == 0)
            await service.triage_state.watch([project])
            assert service.journal.newest.value == 0
            feed.hold(False)
            await viewer.until(is_done, LONG)


async def test_a_held_board_asks_nothing_for_notifications_either(storm: RunningEmulator) -> None:
    """They share the board: it would change before the eyes of who holds it; a refresh asks."""
    ids = broken_projects(storm, 3)
    clock = FastClock(20.0)
    async with running_service(storm, clock=clock) as service:
        await service.triage_state.watch(ids)
        notifier = service.watch(resources.triage.board(service.triage_state, in_background=True))
        screen = service.watch(resources.triage.board(service.triage_state))
        async with viewing_any(notifier), viewing_any(screen) as viewer:
            await viewer.until(lambda b: is_done(b) and not b.without_schedules, LONG)
            screen.hold(True)
            await clock.sleep(10)  # What is under way ends
            sent = service.journal.newest.value
            await clock.sleep(3 * MINUTE)
            assert service.journal.newest.value == sent
            screen.refresh()
            await becomes(service.journal.newest, lambda number: number >= sent + len(ids))
            await clock.sleep(10)
            sent = service.journal.newest.value
            await clock.sleep(3 * MINUTE)
            assert service.journal.newest.value == sent


async def test_a_429_while_causes_are_read_is_waited_out(storm: RunningEmulator) -> None:
    """Nothing is asked meanwhile, and then all of it is there."""
    ids = broken_projects(storm, 4)
    clock = FastClock(20.0)
    there = service_at(storm.faults_url, storm.token, Settings(), clock=clock)
    async with started(there) as service:
        await service.triage_state.watch(ids)
        with fault(storm, "quota", path="/jobs", seconds=20, times=1):
            async with boarding(service) as viewer:
                paused = await becomes(service.budget, lambda b: b.paused_until is not None)
                await viewer.until(is_done, LONG)
                assert paused.paused_until is not None
                assert clock.monotonic() >= paused.paused_until
        sent = sorted(service.journal.recent(), key=lambda one: one.number)
    refused = next(one for one in sent if one.status == 429)
    path = refused.path
    again = next(one for one in sent if one.path == path and one.status == 200)
    assert (again.at - refused.at).total_seconds() >= 19


async def test_another_token_is_told_what_one_before_was_not(storm: RunningEmulator) -> None:
    """One that has expired ends the asking; the new one goes on, also with what was refused."""
    [project, *_] = broken_projects(storm, 1)
    spare = str(credentials(storm)["personal_second"])
    async with started(service_at(storm.faults_url, storm.token)) as service:
        await service.triage_state.watch([project])
        async with boarding(service) as viewer:
            with fault(storm, "expired", path="/trace"):
                lost = await viewer.until(lambda b: isinstance(b.error, UnauthorizedError), LONG)
                assert lost.known == 1
                await becomes(service.line, lambda line: line.state is ConnectionState.UNAUTHORIZED)
            await service.replace_token(Secret(spare))
            board = await viewer.until(lambda b: is_done(b) and b.error is None, LONG)
            assert all(item.signature for item in broken(board))


async def test_more_incidents_than_causes_that_are_kept_are_read_once(
    storm: RunningEmulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is known of an open incident is not dropped for another one, to be read again."""
    for module in (triage_causes, triage_lane_jobs, triage_starts):
        monkeypatch.setattr(module, "_BOUND", 3)
    read: Counter[int] = Counter()
    find = triage_causes.Causes._find

    async def counting(causes: Any, project: Any, red: PipelineRun, *more: Any, asks: bool) -> Any:
        read[red.id] += asks
        return await find(causes, project, red, *more, asks=asks)

    monkeypatch.setattr(triage_causes.Causes, "_find", counting)
    clock = FastClock(20.0)
    async with running_service(storm, clock=clock) as service:
        await service.triage_state.watch(broken_projects(storm, 8))
        async with boarding(service) as viewer:
            board = await viewer.until(lambda b: is_done(b) and not b.pending_starts, LONG)
            assert len(broken(board)) > 6
            await clock.sleep(2 * MINUTE)
            assert not viewer.seen[-1].pending_causes
    assert max(read.values()) == 1


async def test_a_cause_with_more_incidents_than_marks_is_saved_once(
    storm: RunningEmulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those beyond are quiet, too; they are not saved in turn, each time pushing out another."""
    saved: list[int] = []
    acknowledge = TriageStore.acknowledge

    def counting(store: TriageStore, signatures: Any, spreading: Any = ()) -> StoredTriage:
        saved.append(len(signatures))
        return acknowledge(store, signatures, spreading)

    for module in (triage_store, triage_board):
        monkeypatch.setattr(module, "MAX_MARKS", 2)
    monkeypatch.setattr(TriageStore, "acknowledge", counting)
    clock = FastClock(20.0)
    async with running_service(storm, clock=clock) as service:
        await service.triage_state.watch(broken_projects(storm, 8))
        async with boarding(service) as viewer:
            board = await viewer.until(is_done, LONG)
            group = max(board.groups, key=lambda one: len(one.items))
            assert len(group.items) > 2
            assert group.signature is not None
            keys = [item.incident.key for item in group.items if item.incident is not None]
            await service.triage_state.acknowledge(dict.fromkeys(keys, group.signature.key), keys)
            await viewer.until(lambda b: b.counts.quiet == len(keys))
            await clock.sleep(MINUTE)
    assert saved == [len(keys)]


async def test_what_is_snoozed_is_quiet_until_that_moment(storm: RunningEmulator) -> None:
    """And loud again without anybody saying so."""
    [project, *_] = broken_projects(storm, 1)
    clock = FastClock(60.0)
    async with started(service_of(storm, Settings(), clock=clock)) as service:
        await service.triage_state.watch([project])
        async with boarding(service) as viewer:
            board = await viewer.until(is_done, LONG)
            incident = broken(board)[0].incident
            assert incident is not None
            until = clock.now() + timedelta(minutes=2)
            await service.triage_state.snooze([incident.key], until)
            quiet = await viewer.until(lambda b: b.counts.quiet == 1)
            assert quiet.counts.broken == board.counts.broken - 1
            await viewer.until(lambda b: b.counts.quiet == 0, LONG)
            assert clock.now() >= until


async def test_leaving_the_board_ends_its_requests(storm: RunningEmulator) -> None:
    """Also in the middle of them."""
    ids = broken_projects(storm, 14)
    async with running_service(storm) as service:
        await service.triage_state.watch(ids)
        async with boarding(service) as viewer:
            await viewer.until(lambda b: b.known > 0)
        for _ in range(100):  # what was cancelled needs some turns to end
            if len(asyncio.all_tasks()) > 3:
                await asyncio.sleep(0.01)
        number = service.journal.newest.value
        await asyncio.sleep(0.05)
        assert service.journal.newest.value == number
        assert len(asyncio.all_tasks()) <= 3


async def test_a_schedule_that_did_not_fire_is_on_the_board(planned: RunningEmulator) -> None:
    """One request a project, when nothing else is to be read; a second run asks none.

    Its list is asked for again after ten minutes, and not before.
    """
    ids = [*STALLING, 103]
    missing = overdue(planned, ids)
    assert missing
    clock = FastClock(60.0)
    async with started(service_of(planned, Settings(), clock=clock)) as service:
        await service.triage_state.watch(ids)
        async with boarding(service) as viewer:
            assert (await viewer.until(lambda b: b.known > 0)).without_schedules
            board = await viewer.until(lambda b: len(b.with_schedules) == len(ids), LONG)
            assert not board.without_schedules
            assert missed(board) == missing
            assert board.counts.late >= len(missing)
            began = clock.monotonic()
            await viewer.until(lambda _: clock.monotonic() - began > MINUTE, LONG)
        sent = sorted(service.journal.recent(), key=lambda one: one.number)
    plans = [one for one in sent if "pipeline_schedules" in one.path]
    assert len(plans) == len({one.path for one in plans}) == len(ids)
    assert {one.urgency for one in plans} == {Urgency.BACKGROUND}
    traces = [one.number for one in sent if "/trace" in one.path]
    # At this pace a slow machine is in the next round by then, which may find something new.
    lists = [one.number for one in sent if "/pipelines?" in one.path]
    round_ = min((one for one in lists if one > plans[0].number), default=sent[-1].number)
    assert not [one for one in traces if plans[0].number < one < round_]
    async with running_service(planned, Settings()) as service, boarding(service) as viewer:
        again = await viewer.until(lambda b: bool(missed(b)) and not b.without_schedules)
        assert missed(again) == missing
        assert not again.with_schedules
        assert not any("pipeline_schedules" in one.path for one in service.journal.recent())


async def test_where_no_schedules_are_listed_two_projects_are_asked_and_no_more() -> None:
    """The specification does not promise a list of them."""
    with running_platform(spec_only=True) as platform:
        async with running_service(platform, Settings()) as service:
            await service.triage_state.watch(members(platform)[:5])
            async with boarding(service) as viewer:
                board = await viewer.until(lambda b: b.is_live and not b.without_schedules, LONG)
            paths = [one.path for one in service.journal.recent()]
    assert sum("pipeline_schedules" in path for path in paths) == 2
    assert board.error is None
    assert missed(board) == {}


async def test_a_pipeline_file_that_cannot_be_read_is_asked_about_once(
    storm: RunningEmulator,
) -> None:
    """Such a pipeline has neither jobs nor bridges, and that is kept as an answer, too."""
    project, told = unreadable(storm)
    red = PipelineRun(
        told["id"], "failed", told["ref"], ended_at=datetime.fromisoformat(told["updated_at"])
    )
    async with running_service(storm, Settings()) as service:
        first = await (await service.incident_details()).cause(project, red, None)
    asked = len(requests_of(storm))
    async with running_service(storm, Settings()) as service:
        again = await (await service.incident_details()).cause(project, red, None)
    assert again == first
    assert again.signature is not None
    assert len(requests_of(storm)) == asked


def unreadable(platform: RunningEmulator) -> tuple[int, dict[str, Any]]:
    """Return a project and a pipeline of it that has no jobs for the mistakes in its file."""
    with api_client(platform) as client:
        for project in client.get("projects?membership=true&per_page=100").json():
            wanted = f"projects/{project['id']}/pipelines?yaml_errors=true"
            for pipeline in client.get(wanted).json():
                return project["id"], pipeline
    raise LookupError
