"""What was done to pipelines, replayed: statuses move as they may, logs grow, ids stay unique."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.company import NOW

from platui_emulator.records import WorldError
from platui_emulator.world import Company
from platui_emulator.world.views import status_of

if TYPE_CHECKING:
    from platui_emulator.records import Bridge, Job, Pipeline

MOVES = {
    "created": {"pending", "waiting_for_resource", "skipped", "manual", "canceled"},
    "waiting_for_resource": {"preparing", "pending", "canceled", "skipped"},
    "preparing": {"pending", "canceled", "skipped"},
    "pending": {"running", "failed", "canceled", "skipped"},
    "running": {"success", "failed", "canceling"},
    "canceling": {"canceled"},
    "manual": {"pending", "created", "canceled"},
    "skipped": {"pending", "created"},
    "success": set(),
    "failed": set(),
    "canceled": set(),
}
"""What a job may become next; a bridge may also be canceled at once, and run again."""

BRIDGE_MOVES = MOVES | {
    "running": {"success", "failed", "canceled"},
    "success": {"running"},
    "failed": {"running"},
    "canceled": {"running"},
}

ACTS = ("retry", "cancel", "retry_job", "cancel_job", "force_cancel", "play", "erase")


def reachable(moves: dict[str, set[str]], start: str) -> set[str]:
    """Return what a job of this status may ever become."""
    found, ahead = {start}, [start]
    while ahead:
        new = moves[ahead.pop()] - found
        found |= new
        ahead += new
    return found


JOB_FUTURES = {status: reachable(MOVES, status) for status in MOVES}
BRIDGE_FUTURES = {status: reachable(BRIDGE_MOVES, status) for status in MOVES}


class Watched:
    """A pipeline of a company of its own, looked at again and again."""

    def __init__(self, kind: str, pick: int) -> None:
        self.company = Company(7)
        self.user = next(one for one in self.company.people() if not one.bot)
        found = FOUND.get(kind, ())
        self.now = NOW
        if found:
            self.project, self.pipeline = found[pick % len(found)]
        else:
            self.project = PROJECT_WITH_BRIDGE
            # Which of them is flaky is a matter of numbers.
            self.pipeline = [self.started() for _ in range(pick % 12 + 1)][-1]
        self.seen: dict[int, tuple[str, bytes, bool]] = {}

    def started(self) -> int:
        """Start a pipeline."""
        return self.company.actions.start_pipeline(
            self.project, ref="main", variables=[], user=self.user, source="api", now=self.now
        ).id

    def family(self) -> list[Pipeline]:
        """Return the pipeline and those that it started."""
        children = [bridge.downstream for bridge in self.bridges(self.pipeline)]
        return [self.at(self.pipeline), *(child for child in children if child is not None)]

    def at(self, pipeline: int) -> Pipeline:
        """Return a pipeline now."""
        found = self.company.pipelines.get(self.project, pipeline, self.now)
        assert found is not None
        return found

    def jobs(self, pipeline: int, *, with_retried: bool = True) -> list[Job]:
        """Return its jobs now."""
        return list(
            self.company.pipelines.jobs(self.project, pipeline, self.now, with_retried=with_retried)
        )

    def bridges(self, pipeline: int) -> list[Bridge]:
        """Return its bridges now."""
        return list(self.company.pipelines.bridges(self.project, pipeline, self.now))

    def look(self) -> None:
        """Compare everything with how it was seen last."""
        for one in self.family():
            latest = self.jobs(one.id, with_retried=False)
            bridges = [bridge.job for bridge in self.bridges(one.id)]
            statuses = [(job.status, job.allow_failure) for job in [*latest, *bridges]]
            assert one.status == status_of(statuses)
            jobs = self.jobs(one.id)
            ids = [job.id for job in jobs]
            assert ids == sorted(set(ids), reverse=True)
            assert {job.id // 32 for job in jobs} <= {one.id}
            assert len({job.name for job in latest}) == len(latest)
            for job in jobs:
                self.compare(job)
            for job in bridges:
                before = self.seen.get(job.id, ("created", b"", False))[0]
                assert job.status in BRIDGE_FUTURES[before]
                self.seen[job.id] = job.status, b"", False

    def compare(self, job: Job) -> None:
        """Compare one job with how it was seen last."""
        status, log, erased = self.seen.get(job.id, ("created", b"", False))
        assert job.status in JOB_FUTURES[status], (job.name, status, job.status)
        now_log = self.company.pipelines.trace(self.project, job.id, self.now)
        assert isinstance(now_log, bytes)
        if job.erased_at is not None:
            assert now_log == b""
        else:
            assert not erased
            assert now_log.startswith(log)
        if job.status == "canceled" and job.started_at and not job.erased_at:
            assert b"canceled" in now_log[-120:]
        assert (job.finished_at is not None) == (job.status in {"success", "failed", "canceled"})
        self.seen[job.id] = job.status, now_log, job.erased_at is not None

    def act(self, kind: str, pick: int) -> None:
        """Do something to the pipeline, its child or one of their jobs."""
        family = self.family()
        pipeline = family[pick % len(family)].id
        handles = [job.id for job in self.jobs(pipeline)]
        handles += [one.job.id for one in self.bridges(pipeline)]
        job = handles[pick // 2 % len(handles)]
        company, project, user, now = self.company, self.project, self.user, self.now
        match kind:
            case "retry":
                company.actions.retry_pipeline(project, pipeline, user=user, now=now)
            case "cancel":
                company.actions.cancel_pipeline(project, pipeline, user=user, now=now)
            case "retry_job":
                company.actions.retry_job(project, job, user=user, now=now)
            case "play":
                company.actions.play_job(project, job, variables=[], user=user, now=now)
            case "erase":
                company.actions.erase_job(project, job, user=user, now=now)
            case _:
                force = kind == "force_cancel"
                company.actions.cancel_job(project, job, user=user, now=now, force=force)


def sort_out() -> dict[str, list[tuple[int, int]]]:
    """Return pipelines of several fates."""
    company = Company(7)
    found: dict[str, list[tuple[int, int]]] = {}
    for project in company.projects()[:30]:
        for one in company.pipelines.page(project.id, NOW, offset=0, limit=6)[0]:
            if one.yaml_errors is None:
                found.setdefault(one.status, []).append((project.id, one.id))
                if company.pipelines.bridges(project.id, one.id, NOW):
                    found.setdefault(f"{one.status} with bridge", []).append((project.id, one.id))
    return found


FOUND = sort_out()
PROJECT_WITH_BRIDGE = FOUND["success with bridge"][0][0]


def test_the_sample_is_a_good_one() -> None:
    """The fates below exist in the company."""
    assert {"failed", "running", "canceled", "success with bridge"} <= set(FOUND)


acts = st.lists(
    st.tuples(st.floats(0, 90), st.sampled_from(ACTS), st.integers(0, 60)), min_size=1, max_size=8
)


@settings(deadline=None, max_examples=12)
@given(kind=st.sampled_from([*FOUND, "started"]), pick=st.integers(0, 50), acts=acts)
def test_whatever_is_done_the_rules_hold(
    kind: str, pick: int, acts: list[tuple[float, str, int]]
) -> None:
    """Random acts at random moments, looked at before, at once, soon after and at the end."""
    watched = Watched(kind, pick)
    watched.look()
    for gap, act, which in acts:
        watched.now += timedelta(seconds=round(gap, 3))
        watched.look()
        try:
            watched.act(act, which)
        except WorldError:
            continue
        watched.look()
        watched.now += timedelta(seconds=1.7)
        watched.look()
    for _ in range(4):
        watched.now += timedelta(minutes=3)
        watched.look()
    watched.now += timedelta(hours=12)
    watched.look()
    assert watched.at(watched.pipeline).status not in {"running", "pending", "canceling"}
    for bridge in watched.bridges(watched.pipeline):
        if bridge.downstream is not None:
            child = bridge.downstream.status
            follows = child if child in {"success", "canceled"} else "failed"
            assert bridge.job.status in {follows, "canceled"}
