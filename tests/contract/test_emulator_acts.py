"""What callers do to pipelines and jobs: every operation, its refusals, what follows from it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.support.clock import FakeClock
from tests.support.platform import api_client, credentials, in_project, running_platform

from platui_emulator.http.access import DEVELOPER, MAINTAINER, OWNER
from platui_emulator.http.credentials import Kind
from platui_emulator.world.clock import JOBS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import httpx

    from platui_emulator.records import Person, Project
    from platui_emulator.server import RunningEmulator

ENDED = {"success", "failed", "canceled", "skipped", "manual"}


class ProjectSimulation:
    """A platform whose time is moved by hand, and a client on its showcase."""

    def __init__(self, platform: RunningEmulator, clock: FakeClock, api: httpx.Client) -> None:
        self.platform = platform
        self.clock = clock
        self.api = api
        self.project = platform.project
        self.keys = credentials(platform)

    def call(self, method: str, path: str, **sent: Any) -> httpx.Response:
        """Ask for something in the project."""
        return self.api.request(
            method, in_project(self.platform, path, project=self.project), **sent
        )

    def get(self, path: str, **params: Any) -> Any:
        """Return a body."""
        answer = self.call("GET", path, params=params)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def post(self, path: str, status: int, **sent: Any) -> Any:
        """Return the body of an answer with that status."""
        answer = self.call("POST", path, **sent)
        assert answer.status_code == status, answer.text
        return answer.json()

    def start(self, **variables: str) -> int:
        """Start a pipeline."""
        listed = [{"key": key, "value": value} for key, value in variables.items()]
        made = self.post("pipeline", 201, params={"ref": "main"}, json={"variables": listed})
        return int(made["id"])

    def jobs(self, pipeline: int, **params: Any) -> list[dict[str, Any]]:
        """Return the jobs of a pipeline, the oldest first."""
        return list(reversed(self.get(f"pipelines/{pipeline}/jobs", per_page=100, **params)))

    def until(
        self, pipeline: int, good: Callable[[list[dict[str, Any]]], bool], step: float = 2
    ) -> list[Any]:
        """Let time pass until its jobs are as wished."""
        for _ in range(300):
            jobs = self.jobs(pipeline)
            if good(jobs):
                return jobs
            self.clock.jump(step)
        raise AssertionError([job["status"] for job in jobs])

    def wait(self, seconds: float) -> bool:
        """Let time pass."""
        self.clock.jump(seconds)
        return True

    def to_end(self, pipeline: int) -> str:
        """Let time pass until a pipeline has ended; return its status."""
        self.until(pipeline, lambda jobs: {job["status"] for job in jobs} <= ENDED, step=20)
        self.clock.jump(2)
        return str(self.get(f"pipelines/{pipeline}")["status"])

    def first_job(self, pipeline: int) -> dict[str, Any]:
        """Return its first job, once that has ended."""
        return dict(self.until(pipeline, lambda jobs: jobs[0]["status"] in ENDED)[0])

    def person(self, level: int) -> tuple[Person, str]:
        """Return somebody with just this level in the project, and a token."""
        inner = self.platform.platform
        for person in inner.world.people():
            token = inner.credentials.issue(Kind.PERSONAL, person.id)
            credential = inner.credentials.access_credential(token, inner.time.now())
            assert credential is not None
            if not person.bot and inner.access.level(credential, self.record()) == level:
                return person, token
        raise LookupError(level)

    def reachable(self) -> list[Project]:
        """Return the projects in which the user is a Developer at least."""
        inner = self.platform.platform
        token = inner.credentials.issue(Kind.PERSONAL, inner.user.id)
        credential = inner.credentials.access_credential(token, inner.time.now())
        assert credential is not None
        return [
            project
            for project in inner.world.projects()
            if inner.access.level(credential, project) >= DEVELOPER
        ]

    def record(self) -> Project:
        """Return the project."""
        found = self.platform.platform.world.project(self.project)
        assert found is not None
        return found


@pytest.fixture(scope="module")
def site() -> Iterator[ProjectSimulation]:
    """Run a platform of this module's own."""
    clock = FakeClock()
    with running_platform(clock=clock) as platform, api_client(platform) as api:
        yield ProjectSimulation(platform, clock, api)


def statuses(jobs: list[dict[str, Any]]) -> set[str]:
    """Return the statuses of jobs."""
    return {job["status"] for job in jobs}


def test_a_canceled_pipeline_stops_in_two_steps_and_runs_on_when_retried(
    site: ProjectSimulation,
) -> None:
    """A running job is `canceling` first; a retry makes new jobs, passed ones keep their ids."""
    pipeline = site.start()
    before = site.until(pipeline, lambda jobs: {"success", "running"} <= statuses(jobs))
    running = next(job for job in before if job["status"] == "running")
    log = site.call("GET", f"jobs/{running['id']}/trace").content
    body = site.post(f"pipelines/{pipeline}/cancel", 200)
    assert body["status"] == "canceling"
    assert body["finished_at"] is None
    assert statuses(site.jobs(pipeline)) <= {"success", "canceling", "canceled"}
    site.clock.jump(3)
    body = site.get(f"pipelines/{pipeline}")
    assert body["status"] == body["detailed_status"]["group"] == "canceled"
    assert body["finished_at"]
    stopped = site.get(f"jobs/{running['id']}")
    assert stopped["status"] == "canceled"
    assert "failure_reason" not in stopped
    ended = site.call("GET", f"jobs/{running['id']}/trace").content
    assert ended.startswith(log)
    assert b"ERROR: Job failed: canceled" in ended
    assert site.post(f"pipelines/{pipeline}/cancel", 200) == body

    passed = {job["id"] for job in before if job["status"] == "success"}
    again = site.post(f"pipelines/{pipeline}/retry", 201)
    assert again["status"] == "running"
    assert again["updated_at"] > body["updated_at"]
    fresh = site.jobs(pipeline)
    assert passed == {job["id"] for job in fresh if job["status"] == "success"}
    ids = {job["id"] for job in before}
    assert ids & {job["id"] for job in fresh} == passed
    assert {job["name"] for job in fresh} == {job["name"] for job in before}
    with_old = site.jobs(pipeline, include_retried=True)
    assert {job["id"] for job in with_old} == ids | {job["id"] for job in fresh}
    assert site.to_end(pipeline) in {"success", "failed"}
    assert statuses(site.jobs(pipeline)) & {"running", "canceled"} == set()


def test_a_pipeline_in_which_a_job_failed_ends_failed_when_it_is_canceled(
    site: ProjectSimulation,
) -> None:
    """What has failed already says how it ends."""
    site_job = next(
        job["name"]
        for job in site.jobs(site.start())
        if not job["allow_failure"] and job["stage"] == site.jobs(site.start())[0]["stage"]
    )
    pipeline = site.start(_FAIL_JOB=site_job)
    site.until(pipeline, lambda jobs: "failed" in statuses(jobs))
    site.post(f"pipelines/{pipeline}/cancel", 200)
    site.clock.jump(3)
    assert site.get(f"pipelines/{pipeline}")["status"] == "failed"


def test_a_job_that_failed_is_retried_as_another_and_what_was_skipped_waits_again(
    site: ProjectSimulation,
) -> None:
    """201 with a new id; only the newest attempt of a job that has ended can be retried."""
    name = site.jobs(site.start())[0]["name"]
    pipeline = site.start(_FAIL_JOB=name)
    failed = site.first_job(pipeline)
    assert failed["status"] == "failed"
    assert site.to_end(pipeline) == "failed"
    skipped = [job["id"] for job in site.jobs(pipeline) if job["status"] == "skipped"]
    assert skipped
    again = site.post(f"jobs/{failed['id']}/retry", 201)
    assert again["id"] > failed["id"]
    assert (again["name"], again["status"], again["runner"]) == (name, "pending", None)
    assert again["user"]["username"] == site.api.get("user").json()["username"]
    assert {job["status"] for job in site.jobs(pipeline) if job["id"] in skipped} == {"created"}
    newest = site.get("jobs", per_page=100)
    assert {failed["id"], again["id"]} <= {job["id"] for job in newest}
    refused = {"message": "403 Forbidden - Job is not retryable"}
    assert site.post(f"jobs/{again['id']}/retry", 403) == refused
    assert site.post(f"jobs/{failed['id']}/retry", 403) == refused
    # The variable asks for a failure: each attempt fails.
    assert site.to_end(pipeline) == "failed"
    log = site.call("GET", f"jobs/{again['id']}/trace").content
    assert b"ERROR: Job failed" in log


def test_a_job_fails_as_often_as_was_asked_for_and_then_all_goes_on(
    site: ProjectSimulation,
) -> None:
    """For who writes an orchestrator: two attempts fail, the third passes, the rest runs."""
    name = site.jobs(site.start())[0]["name"]
    pipeline = site.start(_FAIL_JOB=name, _FAIL_TIMES="2")
    seen = []
    for _ in range(3):
        seen.append(site.to_end(pipeline))
        site.post(f"pipelines/{pipeline}/retry", 201)
    assert seen == ["failed", "failed", "success"]
    attempts = [job for job in site.jobs(pipeline, include_retried=True) if job["name"] == name]
    assert [job["status"] for job in attempts] == ["failed", "failed", "success"]
    assert "skipped" not in statuses(site.jobs(pipeline))


def test_numbers_for_jobs_run_out_without_a_clash(site: ProjectSimulation) -> None:
    """A pipeline has room for so many jobs; one more is refused, in words."""
    pipeline = site.start()
    job = site.first_job(pipeline)["id"]
    site.to_end(pipeline)
    for _ in range(JOBS):
        answer = site.call("POST", f"jobs/{job}/retry")
        if answer.status_code != 201:
            break
        job = answer.json()["id"]
        site.to_end(pipeline)
    assert answer.status_code == 403
    assert answer.json()["message"].startswith("403 Forbidden - Pipeline has too many jobs!")
    everything = [one["id"] for one in site.jobs(pipeline, include_retried=True)]
    assert len(everything) == len(set(everything)) <= JOBS


def test_canceling_a_job_ends_it_or_changes_nothing(site: ProjectSimulation) -> None:
    """201 in every state; what comes after a canceled job is skipped."""
    pipeline = site.start()
    first = site.jobs(pipeline)[0]
    canceled = site.post(f"jobs/{first['id']}/cancel", 201)
    assert canceled["status"] == "canceled"
    assert canceled["started_at"] is None
    assert site.call("GET", f"jobs/{first['id']}/trace").content == b""
    assert site.post(f"jobs/{first['id']}/cancel", 201) == canceled
    assert site.to_end(pipeline) == "canceled"
    running = site.until(site.start(), lambda jobs: "running" in statuses(jobs))
    job = next(one["id"] for one in running if one["status"] == "running")
    assert site.post(f"jobs/{job}/cancel", 201)["status"] == "canceling"
    assert site.post(f"jobs/{job}/cancel", 201)["status"] == "canceling"
    assert site.post(f"jobs/{job}/cancel", 201, json={"force": True})["status"] == "canceled"


def test_a_manual_job_is_played_once(site: ProjectSimulation) -> None:
    """200 and the same id; under way, or not manual at all, it is unplayable."""
    site.project, job = _manual_job(site)
    try:
        body = {"job_variables_attributes": [{"key": "TARGET", "value": "prod"}]}
        for wrong in ([{"value": "no key"}], "text"):
            site.post(f"jobs/{job}/play", 400, json={"job_variables_attributes": wrong})
        played = site.post(f"jobs/{job}/play", 200, json=body)
        assert (played["id"], played["status"]) == (job, "pending")
        unplayable = {"message": "400 Bad request - Unplayable Job"}
        assert site.post(f"jobs/{job}/play", 400) == unplayable
        pipeline = played["pipeline"]["id"]
        assert site.get(f"pipelines/{pipeline}")["status"] == "running"
        other = next(one["id"] for one in site.jobs(pipeline) if one["id"] != job)
        assert site.post(f"jobs/{other}/play", 400) == unplayable
        assert site.to_end(pipeline) in {"success", "failed"}
        ended = site.get(f"jobs/{job}")
        assert ended["status"] in {"success", "failed"}
        assert site.call("GET", f"jobs/{job}/trace").content
        # GitLab lets a manual job that ran be played again: that is a retry.
        again = site.post(f"jobs/{job}/play", 200)
        assert again["id"] > job
        # What it publishes to is there for one pipeline at a time.
        assert again["status"] == "waiting_for_resource"
        assert site.get(f"pipelines/{pipeline}")["status"] == "waiting_for_resource"
        passed = [site.get(f"jobs/{again['id']}")["status"] for _ in range(40) if site.wait(0.25)]
        assert passed[0] == "waiting_for_resource"
        assert "preparing" in passed
        assert passed[-1] in {"pending", "running"}
    finally:
        site.project = site.platform.project


def _manual_job(site: ProjectSimulation) -> tuple[str, int]:
    for project in site.reachable():
        site.project = project.full_path
        for one in site.get("pipelines", per_page=5):
            for job in site.get(f"pipelines/{one['id']}/jobs", scope="manual"):
                return project.full_path, int(job["id"])
    raise LookupError("no manual job")


def test_an_erased_job_has_no_log_and_no_artifacts(site: ProjectSimulation) -> None:
    """201 and `erased_at`; a second time there is nothing to erase."""
    pipeline = site.start()
    site.to_end(pipeline)
    job = next(one for one in site.jobs(pipeline) if one["artifacts"])
    erased = site.post(f"jobs/{job['id']}/erase", 201)
    assert erased["erased_at"]
    assert (erased["artifacts"], erased["status"]) == ([], job["status"])
    assert "artifacts_file" not in erased
    assert site.call("GET", f"jobs/{job['id']}/trace").content == b""
    refused = {"message": "403 Forbidden - Job is not erasable!"}
    assert site.post(f"jobs/{job['id']}/erase", 403) == refused
    waiting = site.jobs(site.start())[-1]["id"]
    assert site.post(f"jobs/{waiting}/erase", 403) == refused


def test_a_deleted_pipeline_is_gone_from_everywhere(site: ProjectSimulation) -> None:
    """204 for an Owner; lists close up, its jobs are unknown, its neighbours stay."""
    before = site.call("GET", "pipelines", params={"per_page": 20})
    ids = [one["id"] for one in before.json()]
    added, own = site.start(), ids[7]
    job = site.jobs(own)[0]["id"]
    for pipeline in (added, own):
        assert site.call("DELETE", f"pipelines/{pipeline}").status_code == 204
        assert site.call("DELETE", f"pipelines/{pipeline}").status_code == 404
        assert site.call("GET", f"pipelines/{pipeline}").status_code == 404
    assert site.call("GET", f"jobs/{job}").status_code == 404
    after = site.call("GET", "pipelines", params={"per_page": 20})
    left = [one for one in ids if one != own]
    assert [one["id"] for one in after.json()][: len(left)] == left
    assert int(after.headers["x-total"]) == int(before.headers["x-total"]) - 1
    pages = [
        one["id"]
        for page in (1, 2, 3, 4, 5)
        for one in site.get("pipelines", per_page=4, page=page)
    ]
    assert pages == [one["id"] for one in after.json()]
    assert job not in {one["id"] for one in site.get("jobs", per_page=100)}


def test_a_pipeline_gets_a_name_and_is_found_by_it(site: ProjectSimulation) -> None:
    """PUT metadata; blank or endless names are refused field by field."""
    pipeline = site.start()
    path = f"pipelines/{pipeline}/metadata"
    renamed = site.call("PUT", path, json={"name": "Quarter close"})
    assert (renamed.status_code, renamed.json()["name"]) == (200, "Quarter close")
    assert [one["id"] for one in site.get("pipelines", name="Quarter close")] == [pipeline]
    assert site.call("PUT", path, json={}).json() == {"error": "name is missing"}
    for wrong in (" ", "x" * 256):
        assert set(site.call("PUT", path, json={"name": wrong}).json()["message"]) == {"name"}


def test_variables_are_shown_to_who_started_it_and_to_maintainers(site: ProjectSimulation) -> None:
    """Not paginated; a secret value stays on the platform."""
    sent = [{"key": "DAY", "value": "1"}, {"key": "KEY", "secret_value": "hush"}]
    _, developer = site.person(DEVELOPER)
    _, maintainer = site.person(MAINTAINER)
    path = in_project(site.platform, "pipeline")
    with api_client(site.platform, developer) as theirs:
        made = theirs.post(path, params={"ref": "main"}, json={"variables": sent}).json()["id"]
        mine = site.start(DAY="2")
        own = theirs.get(in_project(site.platform, f"pipelines/{made}/variables"))
        assert [(one["key"], one["value"], one["variable_type"]) for one in own.json()] == [
            ("DAY", "1", "env_var"),
            ("KEY", None, "env_var"),
        ]
        assert "x-page" not in own.headers
        other = theirs.get(in_project(site.platform, f"pipelines/{mine}/variables"))
        assert (other.status_code, other.json()) == (403, {"message": "403 Forbidden"})
    with api_client(site.platform, maintainer) as client:
        assert client.get(in_project(site.platform, f"pipelines/{made}/variables")).is_success


def test_a_bridge_is_retried_by_its_id_and_starts_another_child(site: ProjectSimulation) -> None:
    """On `/jobs/:id` a bridge is 404, but it can be retried; the child is listed by its source."""
    site.project, pipeline, bridge = _ended_bridge(site)
    try:
        assert site.call("GET", f"jobs/{bridge['id']}").status_code == 404
        for verb, status in (("cancel", 404), ("erase", 404), ("play", 400)):
            assert site.call("POST", f"jobs/{bridge['id']}/{verb}").status_code == status
        again = site.post(f"jobs/{bridge['id']}/retry", 201)
        assert again["id"] > bridge["id"]
        assert "runner" not in again
        assert again["downstream_pipeline"] is None
        site.clock.jump(150)
        [now] = site.get(f"pipelines/{pipeline}/bridges")
        child = now["downstream_pipeline"]
        assert now["id"] == again["id"]
        assert child["id"] != bridge["downstream_pipeline"]["id"]
        assert child["source"] == "parent_pipeline"
        listed = site.get("pipelines", source="parent_pipeline", per_page=100)
        assert child["id"] in {one["id"] for one in listed}
        assert child["id"] not in {one["id"] for one in site.get("pipelines", per_page=100)}
        assert site.to_end(child["id"]) in {"success", "failed"}
        site.clock.jump(5)
        status = site.get(f"pipelines/{child['id']}")["status"]
        [ended] = site.get(f"pipelines/{pipeline}/bridges")
        assert ended["status"] == status
        # The child is canceled with what started it.
        site.post(f"pipelines/{child['id']}/retry", 201)
        site.post(f"jobs/{site.jobs(child['id'])[0]['id']}/retry", 201)
        assert site.get(f"pipelines/{pipeline}/bridges")[0]["status"] == "running"
        assert site.get(f"pipelines/{pipeline}")["status"] == "running"
        site.post(f"pipelines/{pipeline}/cancel", 200)
        site.clock.jump(3)
        assert site.get(f"pipelines/{child['id']}")["status"] == "canceled"
        assert site.get(f"pipelines/{pipeline}/bridges")[0]["status"] == "canceled"
    finally:
        site.project = site.platform.project


def _ended_bridge(site: ProjectSimulation) -> tuple[str, int, dict[str, Any]]:
    for project in site.reachable():
        site.project = project.full_path
        for one in site.get("pipelines", per_page=5):
            for bridge in site.get(f"pipelines/{one['id']}/bridges"):
                if bridge["downstream_pipeline"] and bridge["status"] in {"success", "failed"}:
                    return project.full_path, one["id"], bridge
    raise LookupError("no bridge")


OPERATIONS = (
    ("POST", "pipelines/{pipeline}/retry", DEVELOPER),
    ("POST", "pipelines/{pipeline}/cancel", DEVELOPER),
    ("PUT", "pipelines/{pipeline}/metadata", DEVELOPER),
    ("DELETE", "pipelines/{pipeline}", OWNER),
    ("POST", "jobs/{job}/retry", DEVELOPER),
    ("POST", "jobs/{job}/cancel", DEVELOPER),
    ("POST", "jobs/{job}/play", DEVELOPER),
    ("POST", "jobs/{job}/erase", MAINTAINER),
)


@pytest.mark.parametrize(("method", "pattern", "level"), OPERATIONS)
def test_who_may_not(site: ProjectSimulation, method: str, pattern: str, level: int) -> None:
    """A token that reads, a role too low, nobody, a job: each is refused, and nothing happens."""
    pipeline = site.get("pipelines", status="success", per_page=1)[0]["id"]
    job = site.jobs(pipeline)[0]
    path = pattern.format(pipeline=pipeline, job=job["id"])
    keys = site.keys
    full = in_project(site.platform, path)
    with api_client(site.platform, keys["personal_read_only"]) as reader:
        answer = reader.request(method, full, json={"name": "x"})
        assert (answer.status_code, answer.json()["error"]) == (403, "insufficient_scope")
    lower = {DEVELOPER: 20, MAINTAINER: DEVELOPER, OWNER: DEVELOPER}[level]
    _, token = site.person(lower)
    with api_client(site.platform, token) as low:
        answer = low.request(method, full, json={"name": "x"})
        assert (answer.status_code, answer.json()) == (403, {"message": "403 Forbidden"})
    with api_client(site.platform, "") as nobody:
        assert nobody.request(method, full).status_code == 401
        headers = {"JOB-TOKEN": str(keys.get("job", "guess"))}
        assert nobody.request(method, full, headers=headers).status_code == 401
    missing = pattern.format(pipeline=1, job=1)
    assert site.call(method, missing, json={"name": "x"}).status_code == 404
    assert site.jobs(pipeline)[0] == job


def test_a_developer_erases_own_jobs_and_forces_nothing(site: ProjectSimulation) -> None:
    """Who retried a job owns it; not to wait for a runner takes a Maintainer."""
    pipeline = site.start()
    job = site.first_job(pipeline)["id"]
    site.to_end(pipeline)
    person, token = site.person(DEVELOPER)
    with api_client(site.platform, token) as theirs:

        def post(path: str, **sent: Any) -> httpx.Response:
            return theirs.post(in_project(site.platform, path), **sent)

        assert post(f"jobs/{job}/erase").status_code == 403
        again = post(f"jobs/{job}/retry").json()
        assert again["user"]["username"] == person.username
        site.until(pipeline, lambda jobs: "running" in statuses(jobs))
        assert post(f"jobs/{again['id']}/cancel", json={"force": True}).status_code == 403
        assert post(f"jobs/{again['id']}/cancel").json()["status"] == "canceling"
        site.clock.jump(3)
        assert post(f"jobs/{again['id']}/erase").json()["erased_at"]


def test_lists_are_filtered_and_ordered(site: ProjectSimulation) -> None:
    """Names, broken files, spans of time, every order; bad dates and orders are 400."""
    every = site.get("pipelines", per_page=100)
    middle = every[40]
    newer = site.get("pipelines", per_page=100, created_after=middle["created_at"])
    assert [one["id"] for one in newer] == [one["id"] for one in every[:41]]
    older = site.get("pipelines", per_page=30, created_before=middle["created_at"])
    assert [one["id"] for one in older] == [one["id"] for one in every[40:70]]
    since = {"created_after": every[60]["created_at"], "per_page": 100}
    at = middle["updated_at"].replace("Z", "+00:00")
    updated = site.get("pipelines", updated_after=at, **since)
    wanted = {one["id"] for one in every[:61] if one["updated_at"] >= middle["updated_at"]}
    assert wanted == {one["id"] for one in updated}
    assert site.get("pipelines", updated_after=at, updated_before=at, **since) == [middle]
    names = {one["name"] for one in every[:61]}
    found = site.get("pipelines", name=every[0]["name"], **since)
    assert {one["name"] for one in found} == {every[0]["name"]} < names
    for key in ("status", "ref", "updated_at"):
        rising = site.get("pipelines", order_by=key, sort="asc", **since)
        assert [one[key] for one in rising] == sorted(one[key] for one in every[:61])
    users = [
        site.get(f"pipelines/{one['id']}")["user"]["id"]
        for one in site.get("pipelines", order_by="user_id", **since)[:8]
    ]
    assert users == sorted(users, reverse=True)
    raw = f"{in_project(site.platform, 'pipelines')}?created_after=2026-03-14T03:00:00+01:00"
    assert site.api.get(raw).json() == {"error": "created_after is invalid"}
    for name, value in (("updated_before", "yesterday"), ("order_by", "sha"), ("sort", "up")):
        assert site.call("GET", "pipelines", params={name: value}).status_code == 400


def test_a_broken_file_is_found_by_its_error(site: ProjectSimulation) -> None:
    """`yaml_errors` tells pipelines without jobs from the rest."""
    inner = site.platform.platform
    site.project = next(
        project.full_path
        for project in site.reachable()
        for one in inner.world.pipelines.page(project.id, inner.time.now(), offset=0, limit=60)[0]
        if one.yaml_errors
    )
    try:
        detail = site.get(f"pipelines/{site.get('pipelines', yaml_errors='true')[0]['id']}")
        assert detail["yaml_errors"]
        assert site.jobs(detail["id"]) == []
        whole = site.get("pipelines", yaml_errors="false", per_page=100)
        assert detail["id"] not in {one["id"] for one in whole}
        # Nothing to retry, nothing to cancel: it stays as it is.
        assert site.post(f"pipelines/{detail['id']}/retry", 201) == detail
        assert site.post(f"pipelines/{detail['id']}/cancel", 200) == detail
    finally:
        site.project = site.platform.project
