"""Job tokens and allowlists (spec §5.2 rules 2 to 4), over HTTP, while a clock is moved by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote

import gitlab
import pytest
from tests.support.clock import FakeClock
from tests.support.platform import api_client, ask, credentials, running_platform

from platui_emulator.http.access import DEVELOPER
from platui_emulator.http.credentials import Credential, Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    import httpx

    from platui_emulator.records import Project
    from platui_emulator.server import RunningEmulator

UNAUTHORIZED = {"message": "401 Unauthorized"}
NOT_FOUND = {"message": "404 Not Found"}


class Floor(NamedTuple):
    """A platform, and the hand on its clock."""

    platform: RunningEmulator
    clock: FakeClock


class RunningJob(NamedTuple):
    """A running job, and what it finds in `CI_JOB_TOKEN`."""

    project: str
    id: int
    token: str


@pytest.fixture(scope="module")
def floor() -> Iterator[Floor]:
    """Run a platform whose time only the tests move."""
    clock = FakeClock()
    with running_platform(clock=clock) as platform:
        yield Floor(platform, clock)


@pytest.fixture
def job(floor: Floor) -> RunningJob:
    """Have a job run in the showcase, for the one who owns everything."""
    return _started(floor, floor.platform.project, floor.platform.token)


def _path(project: str, rest: str) -> str:
    return f"projects/{quote(project, safe='')}/{rest}"


def _desk(
    platform: RunningEmulator, what: str, *, data: dict[str, Any] | None = None, **query: Any
) -> httpx.Response:
    address = f"{platform.base_url}/-/emulator/{what}"
    if data is None:
        return ask("GET", address, params=query)
    return ask("POST", address, data=data)


def _started(floor: Floor, project: str, token: str) -> RunningJob:
    """Start a pipeline, and wait until one of its jobs runs."""
    platform, clock = floor
    with api_client(platform, token=token) as api:
        started = api.post(_path(project, "pipeline"), params={"ref": "main"})
        assert started.status_code == 201
        pipeline = started.json()["id"]
        for _ in range(120):
            clock.jump(1)
            jobs = api.get(_path(project, f"pipelines/{pipeline}/jobs?scope=running")).json()
            if jobs:
                issued = _desk(platform, "job-token", project=project, job=jobs[0]["id"]).json()
                assert issued["status"] == "running"
                return RunningJob(project, jobs[0]["id"], issued["token"])
    pytest.fail("no job ran within two minutes")


def _ended(floor: Floor, job: RunningJob) -> None:
    with api_client(floor.platform) as api:
        for _ in range(400):
            if api.get(_path(job.project, f"jobs/{job.id}")).json()["finished_at"]:
                return
            floor.clock.jump(5)
    pytest.fail("the job did not end")


def _trigger(platform: RunningEmulator, project: str, token: str) -> httpx.Response:
    with api_client(platform, token="") as nobody:
        form = {"token": token, "ref": "main"}
        return nobody.post(_path(project, "trigger/pipeline"), data=form)


def _own(platform: RunningEmulator, token: str) -> httpx.Response:
    return ask("GET", f"{platform.base_url}/api/v4/job", headers={"Job-Token": token})


def _private(floor: Floor, job: RunningJob, *, listed: bool, enabled: bool = True) -> Project:
    """Return another private project whose allowlist is as asked."""
    world, allowlists = floor.platform.platform.world, floor.platform.platform.allowlists
    source = world.project(job.project)
    assert source is not None
    for project in world.projects():
        if project.visibility == "private" and project.id != source.id:
            fits = allowlists.of(project).enabled == enabled
            if fits and allowlists.lists(project, source) == listed:
                return project
    pytest.fail("no project has such an allowlist")


def test_a_running_job_is_told_of_itself(floor: Floor, job: RunningJob) -> None:
    """The header `JOB-TOKEN`, in any case, opens `GET /job`; the quota is its user's."""
    answer = _own(floor.platform, job.token)
    assert (answer.status_code, answer.json()["id"]) == (200, job.id)
    assert answer.json()["status"] == "running"
    assert answer.headers["RateLimit-Observed"]
    with api_client(floor.platform) as person:
        assert person.get("job").json() == UNAUTHORIZED


def test_rule_2_each_job_run_has_a_token_of_its_own(floor: Floor, job: RunningJob) -> None:
    """Spec §5.2 rule 2: unique per job run, retries included, and nothing to guess."""
    project = floor.platform.platform.world.project(job.project)
    assert project is not None
    issue = floor.platform.platform.credentials.job_token
    tokens = {issue(project.id, job.id + step) for step in range(50)}
    assert len(tokens) == 50
    assert issue(project.id, job.id) == job.token
    guess = f"{job.token[:-1]}{'1' if job.token[-1] == '0' else '0'}"
    elsewhere = job.token.replace(f".{job.id}-", f".{job.id + 1}-")
    for wrong in (guess, elsewhere):
        assert _own(floor.platform, wrong).json() == UNAUTHORIZED


def test_rule_2_it_ends_with_its_job(floor: Floor, job: RunningJob) -> None:
    """Valid only during that job's run: 401 as a header, 400 in words as a trigger's field."""
    assert _own(floor.platform, job.token).status_code == 200
    _ended(floor, job)
    late = _own(floor.platform, job.token)
    assert (late.status_code, late.json()) == (401, UNAUTHORIZED)
    triggered = _trigger(floor.platform, job.project, job.token)
    assert triggered.status_code == 400
    assert triggered.json() == {"message": "400 Job has to be running"}


def test_rule_2_it_ends_with_a_job_that_is_canceled(floor: Floor, job: RunningJob) -> None:
    """And the job that takes its place finds another."""
    with api_client(floor.platform) as api:
        assert api.post(_path(job.project, f"jobs/{job.id}/cancel")).status_code == 201
        floor.clock.jump(1)
        assert _own(floor.platform, job.token).json() == UNAUTHORIZED
        again = api.post(_path(job.project, f"jobs/{job.id}/retry"))
        assert again.status_code == 201
    issued = _desk(floor.platform, "job-token", project=job.project, job=again.json()["id"])
    assert issued.json()["token"] != job.token


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "user"),
        ("GET", "projects"),
        ("GET", "personal_access_tokens/self"),
        ("GET", "{project}"),
        ("GET", "{project}/pipelines"),
        ("GET", "{project}/jobs"),
        ("POST", "{project}/pipeline?ref=main"),
        ("POST", "{project}/pipeline_schedules"),
    ],
)
def test_it_opens_specific_endpoints_only(
    floor: Floor, job: RunningJob, method: str, path: str
) -> None:
    """Spec §5.2: "specific endpoints"; with the others it is as if nothing had been shown."""
    address = path.format(project=f"projects/{quote(job.project, safe='')}")
    answer = ask(
        method, f"{floor.platform.base_url}/api/v4/{address}", headers={"JOB-TOKEN": job.token}
    )
    assert (answer.status_code, answer.json()) == (401, UNAUTHORIZED)


def test_a_job_triggers_its_own_project(floor: Floor, job: RunningJob) -> None:
    """Spec §5.2 rule 3: by default the allowlist holds the project itself."""
    answer = _trigger(floor.platform, job.project, job.token)
    assert (answer.status_code, answer.json()["source"]) == (201, "pipeline")
    with api_client(floor.platform) as api:
        assert answer.json()["user"]["id"] == api.get("user").json()["id"]


def test_rule_3_a_private_project_opens_to_those_it_lists(floor: Floor, job: RunningJob) -> None:
    """Unlisted is 404, as if it were not there; listed by hand it opens."""
    closed = _private(floor, job, listed=False)
    refused = _trigger(floor.platform, closed.full_path, job.token)
    assert (refused.status_code, refused.json()) == (404, NOT_FOUND)
    said = _desk(
        floor.platform,
        "allowlist",
        data={"project": closed.full_path, "listed[]": job.project},
    )
    assert said.json()["enabled"] is True
    assert _trigger(floor.platform, closed.full_path, job.token).status_code == 201


def test_rule_3_artifacts_are_opened_as_the_lists_say(floor: Floor, job: RunningJob) -> None:
    """GitLab opens what other jobs have made: here of the own project and of no closed one."""
    closed = _private(floor, job, listed=False).full_path
    for project, status in ((job.project, 302), (closed, 404)):
        made = _job_with_archive(floor, project)
        for path, opened in (("artifacts", status), ("artifacts/no/such/file", 404)):
            answer = ask(
                "GET",
                f"{floor.platform.base_url}/api/v4/{_path(project, f'jobs/{made}/{path}')}",
                headers={"JOB-TOKEN": job.token},
            )
            assert answer.status_code == opened
            if project == closed:
                assert answer.json() == {"message": "404 Project Not Found"}


def test_rule_3_a_project_that_lists_its_group_opens_to_its_siblings(floor: Floor) -> None:
    """Some projects of the company list others, and the desk says which."""
    listing = credentials(floor.platform)["allowlists"]["listing"]
    target, listed = next((target, listed) for target, listed in listing.items() if len(listed) > 1)
    sibling = next(one for one in listed if one != target)
    neighbour = _started(floor, sibling, floor.platform.token)
    assert _trigger(floor.platform, target, neighbour.token).status_code == 201


@pytest.mark.parametrize("visibility", ["internal", "public"])
def test_rule_3_open_projects_need_no_listing(
    floor: Floor, job: RunningJob, visibility: str
) -> None:
    """A public or internal project can be accessed without being on the list."""
    world, allowlists = floor.platform.platform.world, floor.platform.platform.allowlists
    source = world.project(job.project)
    assert source is not None
    target = next(
        one for one in world.projects() if one.visibility == visibility and one.id != source.id
    )
    allowlists.change(target, enabled=True)
    assert not allowlists.lists(target, source)
    assert _trigger(floor.platform, target.full_path, job.token).status_code == 201


def test_rule_4_with_the_allowlist_off_only_the_user_limits(floor: Floor, job: RunningJob) -> None:
    """A reference project takes anybody's jobs whose user may start pipelines in it."""
    reference = _private(floor, job, listed=True, enabled=False)
    assert reference.full_path in credentials(floor.platform)["allowlists"]["off"]
    assert _trigger(floor.platform, reference.full_path, job.token).status_code == 201
    _desk(
        floor.platform,
        "allowlist",
        data={"project": reference.full_path, "enabled": "false"},
    )
    outsider = _job_of_somebody_without_a_role(floor, reference)
    refused = _trigger(floor.platform, reference.full_path, outsider.token)
    assert (refused.status_code, refused.json()) == (404, NOT_FOUND)


def test_rule_4_a_user_with_too_small_a_role_is_told(floor: Floor) -> None:
    """In an open project the user is seen, and may still not start anything."""
    public = next(
        one for one in floor.platform.platform.world.projects() if one.visibility == "public"
    )
    outsider = _job_of_somebody_without_a_role(floor, public)
    refused = _trigger(floor.platform, public.full_path, outsider.token)
    assert refused.status_code == 400
    said = ["Insufficient permissions to create a new pipeline"]
    assert refused.json() == {"message": {"base": said}}


def test_a_public_client_sends_it_alike(floor: Floor, job: RunningJob) -> None:
    """python-gitlab takes a job's token and finds the header and the field that we read."""
    base = floor.platform.base_url
    with gitlab.Gitlab(base, job_token=job.token) as client:
        own = client.http_get("/job")
        assert isinstance(own, dict)
        assert own["id"] == job.id
        project = client.projects.get(job.project, lazy=True)
        assert project.trigger_pipeline("main", job.token).source == "pipeline"
        with pytest.raises(gitlab.GitlabAuthenticationError):
            client.projects.get(job.project)


def test_the_bare_spec_knows_the_field_and_no_header() -> None:
    """Spec §5.2 names the token and not how it is sent; a trigger's field stands in 4.3."""
    with running_platform(clock=FakeClock(), spec_only=True) as narrow:
        running = credentials(narrow)["jobs"]["running"]
        assert _trigger(narrow, running["project"], running["token"]).status_code == 201
        assert _own(narrow, running["token"]).status_code == 404
        answer = ask(
            "GET",
            f"{narrow.base_url}/api/v4/projects",
            headers={"JOB-TOKEN": running["token"]},
        )
        assert (answer.status_code, answer.json()) == (401, UNAUTHORIZED)


def test_the_desk_hands_out_a_running_job_and_a_finished_one(floor: Floor) -> None:
    """Both are listed with their reason; an unknown job has no token."""
    desk = credentials(floor.platform)
    running = desk["jobs"]["running"]
    assert desk["job"] == running["token"]
    assert _own(floor.platform, desk["job"]).json()["id"] == running["job_id"]
    assert _trigger(floor.platform, running["project"], desk["job"]).status_code == 201
    assert _own(floor.platform, desk["job_finished"]).status_code == 401
    unknown = _desk(floor.platform, "job-token", project=running["project"], job=1)
    assert unknown.status_code == 404


def _job_with_archive(floor: Floor, project: str) -> int:
    """Return a job of a project that has left something behind."""
    with api_client(floor.platform) as api:
        jobs = api.get(_path(project, "jobs"), params={"scope": "success", "per_page": 100}).json()
    return next(int(one["id"]) for one in jobs if "artifacts_file" in one)


def _job_of_somebody_without_a_role(floor: Floor, target: Project) -> RunningJob:
    """Have a job run for a person who has no role in the target."""
    platform = floor.platform.platform
    for person in platform.world.people():
        if person.bot or person.state != "active":
            continue
        token = platform.credentials.issue(Kind.PERSONAL, person.id)
        caller = Credential(Kind.PERSONAL, person.id, person)
        if platform.access.level(caller, target):
            continue
        for project in platform.access.visible_projects(caller):
            if platform.access.level(caller, project) >= DEVELOPER:
                return _started(floor, project.full_path, token)
    pytest.fail("everybody has a role there")
