"""What the emulator answers, held against a description of the API that nobody of us wrote.

Runs where the environment variable PLATUI_CORPUS names a folder with `openapi.yaml`, which
describes the project API in OpenAPI 3. Every operation in it that the emulator has is asked for
with real ids, on things in every state there is, and by callers of every kind; status, content
type and body of each answer are as described, or the slip of the description is named here.
"""

from __future__ import annotations

import os
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

import httpx
import pytest
from tests.support import plain_yaml
from tests.support.clock import FakeClock
from tests.support.described import METHODS, Operation, Witness
from tests.support.platform import credentials, running_platform

from platui_emulator.http.project_api import PREFIX, ROUTES

if TYPE_CHECKING:
    from collections.abc import Iterator

_FILE = Path(os.environ.get("PLATUI_CORPUS", "")) / "openapi.yaml"
_IS_THERE = bool(os.environ.get("PLATUI_CORPUS")) and _FILE.is_file()

pytestmark = [
    pytest.mark.skipif(not _IS_THERE, reason="PLATUI_CORPUS names no openapi.yaml"),
    pytest.mark.variants("default", reason="the other variants are wrong on purpose"),
]

_PROJECT: Final = "/api/v4/projects/{id}"
_KEEP = Operation("POST", f"{_PROJECT}/jobs/{{job_id}}/artifacts/keep")
_CANCEL = Operation("POST", f"{_PROJECT}/pipelines/{{pipeline_id}}/cancel")
_RAW = Operation("GET", f"{_PROJECT}/repository/files/{{file_path}}/raw")
_ARTIFACTS = Operation("GET", f"{_PROJECT}/jobs/{{job_id}}/artifacts")
_SHOW = Operation("GET", _PROJECT)

_TAKE = Operation("POST", f"{_PROJECT}/pipeline_schedules/{{pipeline_schedule_id}}/take_ownership")
_REPORT = Operation("GET", f"{_PROJECT}/pipelines/{{pipeline_id}}/test_report")
_SUMMARY = Operation("GET", f"{_REPORT.path}_summary")

SLIPS: Final[dict[tuple[Operation, str], str]] = {
    (_TAKE, "status 200 is not described"): "whoever owns it already is told by a 200",
    (_SUMMARY, "$.test_suites is array, not object"): "one entry a suite, as in the manual",
    **{
        (_REPORT, f"$.{what} is number, not integer"): "tests take fractions of a second"
        for what in (
            "total_time",
            "test_suites[].total_time",
            "test_suites[].test_cases[].execution_time",
        )
    },
    (_KEEP, "status 200 is not described"): "GitLab's own source says `status 200` there",
    (_CANCEL, "status 200 is not described"): "GitLab's manual and its servers say 200",
    (_RAW, "text/plain instead of application/json"): "a file is sent as it is",
    (_ARTIFACTS, "status 302 is not described"): "archives lie in a storage of their own",
    **{
        (_SHOW, f"$.permissions.{whose}.{what} is integer, not string"): "levels are numbers"
        for whose in ("project_access", "group_access")
        for what in ("access_level", "notification_level")
    },
    (_SHOW, "$.permissions.project_access is null, not object"): "null where one is no member",
}
"""Where the description is wrong about the real platform, and so about this one."""

_ELSEWHERE = "the spec has no writing to repositories, and the dashboard none"
_SETTINGS = "settings of a project, its trigger tokens among them, are made in its pages (spec 5.2)"

NOT_SERVED: Final[dict[str, str]] = {
    f"POST {_PROJECT}/repository/branches": _ELSEWHERE,
    f"DELETE {_PROJECT}/repository/branches/{{branch}}": _ELSEWHERE,
    f"POST {_PROJECT}/repository/tags": _ELSEWHERE,
    f"POST {_PROJECT}/repository/files/{{file_path}}": _ELSEWHERE,
    f"PUT {_PROJECT}/repository/files/{{file_path}}": _ELSEWHERE,
    f"DELETE {_PROJECT}/repository/files/{{file_path}}": _ELSEWHERE,
    f"GET {_PROJECT}/triggers": _SETTINGS,
    f"POST {_PROJECT}/triggers": _SETTINGS,
    f"PUT {_PROJECT}": _SETTINGS,
    f"DELETE {_PROJECT}": _SETTINGS,
    "PUT /api/v4/namespaces/{id}": _SETTINGS,
}
"""What is described and not there, and why."""

_BY_SELF = "/api/v4/personal_access_tokens/self"
_UNGUARDED = f"{_PROJECT}/trigger/pipeline"
"""Its credential is a field of the form: without one the form is wrong, not the caller."""


class Caller:
    """Asks as `httpx` does; every answer passes the witness."""

    def __init__(self, base_url: str, token: str, witness: Witness) -> None:
        self._witness = witness
        self._client = httpx.Client(
            base_url=base_url,
            headers={"PRIVATE-TOKEN": token} if token else {},
            trust_env=False,
            verify=False,  # noqa: S501  (loopback, and reading certificates takes its time)
            event_hooks={"response": [self._seen]},
            timeout=20,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()

    def __call__(self, method: str, path: str, **sent: Any) -> httpx.Response:
        """Ask for something below `/api/v4/`."""
        return self._client.request(method, f"{PREFIX}{path}", **sent)

    def get(self, path: str, **params: Any) -> Any:
        """Return the body of a good answer."""
        answer = self("GET", path, params=params)
        assert answer.status_code == 200, (path, answer.text)
        return answer.json() if "json" in answer.headers["content-type"] else answer.text

    def _seen(self, answer: httpx.Response) -> None:
        answer.read()
        path = answer.request.url.raw_path.decode().partition("?")[0]
        kind = answer.headers.get("content-type", "")
        self._witness.look(answer.request.method, path, answer.status_code, kind, answer.content)


class Walk:
    """Everything that is asked, as one caller who may do all, and as others."""

    def __init__(self, witness: Witness, stack: ExitStack) -> None:
        clock = FakeClock()
        self.platform = stack.enter_context(running_platform(clock=clock))
        self.keys = credentials(self.platform)
        self.clock = clock
        self._witness, self._stack = witness, stack
        self.api = self.caller(self.platform.token)
        self.id = self.platform.platform.showcase.id
        self.at = f"projects/{self.id}"

    def caller(self, token: str) -> Caller:
        """Open another caller."""
        return self._stack.enter_context(Caller(self.platform.base_url, token, self._witness))

    def places(self) -> None:
        """Read what is about no project, and every list once with nothing in it."""
        get = self.api.get
        for path in ("user", "version", "metadata", "personal_access_tokens/self"):
            get(path)
        for one in get("namespaces", per_page=100):
            get(f"namespaces/{one['id']}")
        for simple in ("true", "false"):
            get("projects", simple=simple, per_page=100)
        assert get("projects", search="nobody has this") == []
        assert get("namespaces", search="nobody has this") == []
        assert get(f"{self.at}/pipelines", username="nobody") == []
        assert get(f"{self.at}/repository/branches", search="nothing") == []
        get(f"{self.at}/pipelines/latest")
        assert self.api("GET", f"{self.at}/pipelines/latest", params={"ref": "x"}).is_client_error

    def states(self) -> None:
        """Read pipelines and jobs in every state that there is somewhere."""
        chosen: dict[tuple[Any, ...], str] = {}
        rare: dict[str, dict[str, Any]] = {
            "children": {"source": "parent_pipeline"},
            "broken files": {"yaml_errors": "true"},
        }
        for project in self.api.get("projects", per_page=100):
            at = f"projects/{project['id']}"
            self.api.get(at)
            for name, wanted in {"": {}, **rare}.items():
                for one in self.api.get(f"{at}/pipelines", per_page=40, **wanted):
                    kind = one["status"], one["source"], name
                    chosen.setdefault(kind, f"{at}/pipelines/{one['id']}")
                    rare.pop(name, None)
        assert {"running", "failed", "success"} <= {status for status, *_ in chosen}
        assert not rare
        found: dict[tuple[Any, ...], str] = {}
        for at in chosen.values():
            for part in ("", "/variables", "/test_report", "/test_report_summary", "/bridges"):
                self.api.get(f"{at}{part}")
            project = at.partition("/pipelines")[0]
            for job in self.api.get(f"{at}/jobs", include_retried="true"):
                looks = job["status"], job.get("failure_reason"), "artifacts_file" in job
                found.setdefault(looks, f"{project}/jobs/{job['id']}")
        for at in found.values():
            self.api.get(at)
            self.api.get(f"{at}/trace")
            self.api("GET", f"{at}/artifacts")
        self.api.get(f"{self.at}/jobs", scope="failed")

    def repository(self) -> None:
        """Read branches, tags and files, with GET and with HEAD."""
        at = f"{self.at}/repository"
        for branch in self.api.get(f"{at}/branches"):
            for method in ("GET", "HEAD"):
                self.api(method, f"{at}/branches/{branch['name'].replace('/', '%2F')}")
        assert self.api.get(f"{at}/tags", per_page=100)
        for method, rest in (("GET", ""), ("HEAD", ""), ("GET", "/raw")):
            for name in ("full-ci.yml", "docs%2Fno-such"):
                self.api(method, f"{at}/files/{name}{rest}", params={"ref": "main"})

    def pipelines(self) -> None:
        """Start pipelines and do all to them that can be done; jobs likewise."""
        ask, at = self.api, self.at
        body = {"ref": "main", "variables": [{"key": "DAY", "value": "1"}]}
        made = ask("POST", f"{at}/pipeline", json=body).json()["id"]
        self.api.get(f"{at}/pipelines/{made}/variables")
        token = self.keys["trigger"]
        ask("POST", f"{at}/trigger/pipeline", data={"token": token, "ref": "main"})
        for form in ({"token": token, "ref": "no"}, {"token": "x", "ref": "main"}, {"ref": "main"}):
            ask("POST", f"{at}/trigger/pipeline", data=form)
        for bad in ({"ref": "no"}, {}, {"ref": "main", "variables": "x"}):
            assert ask("POST", f"{at}/pipeline", json=bad).status_code == 400
        ask("PUT", f"{at}/pipelines/{made}/metadata", json={"name": "mine"})
        ask("PUT", f"{at}/pipelines/{made}/metadata", json={"name": ""})
        job = self.api.get(f"{at}/pipelines/{made}/jobs")[-1]["id"]
        for verb in ("erase", "retry", "play", "cancel", "retry", "cancel", "retry", "cancel"):
            ask("POST", f"{at}/jobs/{job}/{verb}")
        for verb in ("cancel", "retry", "retry", "cancel", "cancel"):
            ask("POST", f"{at}/pipelines/{made}/{verb}")
            self.clock.jump(2)
        ask("DELETE", f"{at}/pipelines/{made}")
        ask("DELETE", f"{at}/pipelines/{made}")
        self._jobs()

    def _jobs(self) -> None:
        jobs, at = self.api.get(f"{self.at}/jobs", scope="success", per_page=100), self.at
        packed = next(job["id"] for job in jobs if "artifacts_file" in job)
        for method, verb in (
            ("POST", "artifacts/keep"), ("DELETE", "artifacts"), ("POST", "artifacts/keep"),
            ("POST", "erase"), ("POST", "erase"), ("GET", "artifacts"),
        ):  # fmt: skip
            self.api(method, f"{at}/jobs/{packed}/{verb}")
        for project in self.api.get("projects", min_access_level=30, per_page=100):
            waiting = self.api.get(f"projects/{project['id']}/jobs", scope="manual")
            if waiting:
                self.api("POST", f"projects/{project['id']}/jobs/{waiting[0]['id']}/play")
                return
        raise LookupError("nobody has a manual job")

    def schedules(self) -> None:
        """Take a schedule from its making to its end; projects are only made."""
        ask, every = self.api, f"{self.at}/pipeline_schedules"
        fields = {"description": "Nightly", "ref": "main", "cron": "0 4 * * *"}
        made = ask("POST", every, data=fields).json()["id"]
        for one in self.api.get(every):
            self.api.get(f"{every}/{one['id']}")
            self.api.get(f"{every}/{one['id']}/pipelines")
        assert ask("POST", every, json={**fields, "cron": "x"}).status_code == 400
        at = f"{every}/{made}"
        ask("PUT", at, json={"cron": "0 5 * * *"})
        ask("PUT", at, json={"cron_timezone": "Nowhere"})
        for method, path, body in (
            ("POST", "variables", {"key": "DAY", "value": "1"}),
            ("POST", "variables", {"key": "DAY", "value": "1"}),
            ("PUT", "variables/DAY", {"value": "2", "variable_type": "file"}),
        ):
            ask(method, f"{at}/{path}", json=body)
        ask("POST", f"{at}/play")
        self.clock.jump(2)
        assert self.api.get(f"{at}/pipelines")
        self.api.get(at)
        for method, rest in (
            ("POST", "/take_ownership"), ("DELETE", "/variables/DAY"), ("DELETE", "/variables/DAY"),
            ("DELETE", ""), ("DELETE", ""),
        ):  # fmt: skip
            ask(method, at + rest)
        for name in ("from outside", "from outside", ""):
            ask("POST", "projects", json={"name": name})
        self.caller(self.keys["personal_second"])("DELETE", "personal_access_tokens/self")

    def refusals(self) -> None:
        """Ask for everything that is served as those who may not, and where it is not."""
        pipeline = self.api.get(f"{self.at}/pipelines")[0]["id"]
        job = self.api.get(f"{self.at}/jobs")[0]["id"]
        values = {
            "id": str(self.id), "pipeline_id": str(pipeline), "job_id": str(job),
            "pipeline_schedule_id": str(self.api.get(f"{self.at}/pipeline_schedules")[0]["id"]),
            "branch": "main", "file_path": "full-ci.yml", "key": "DAY",
        }  # fmt: skip
        nobody, ended = self.caller(""), self.caller(self.keys["personal_expired"])
        reader = self.caller(self.keys["personal_read_only"])
        for one in served(self._witness):
            said = one.path.removeprefix(PREFIX)
            path = said.format_map(values)
            callers = [nobody, ended]
            if one.method not in {"GET", "HEAD"} and one.path not in {_BY_SELF, _UNGUARDED}:
                callers.append(reader)
            for caller in callers:
                assert caller(one.method, path).is_client_error, one
            for missing in ({"id": "999999"}, {"pipeline_id": "1"}, {"job_id": "1"}):
                if set(missing) <= {name.strip("{}") for name in said.split("/")}:
                    elsewhere = said.format_map(values | missing)
                    assert self.api(one.method, elsewhere).is_client_error, one
            for bad in ("pipeline_id", "job_id", "pipeline_schedule_id"):
                if f"{{{bad}}}" in said:
                    answer = self.api(one.method, said.format_map(values | {bad: "x"}))
                    assert answer.is_client_error, one


def served(witness: Witness) -> list[Operation]:
    """Return the operations of the description that have a route here."""
    routes = {
        Operation(method, PREFIX + pattern).shape()
        for pattern, handlers in ROUTES.table.items()
        for method in (*handlers, *(["HEAD"] if "GET" in handlers else []))
    }
    return [one for one in witness.operations() if one.shape() in routes]


@pytest.fixture(scope="module")
def witness() -> Iterator[Witness]:
    """Walk through everything, once."""
    seen = Witness(plain_yaml.read(_FILE.read_text("utf-8")), SLIPS)
    with ExitStack() as stack:
        walk = Walk(seen, stack)
        walk.places()
        walk.states()
        walk.repository()
        walk.pipelines()
        walk.schedules()
        walk.refusals()
        yield seen


def test_every_answer_is_as_described(witness: Witness) -> None:
    """Status, content type and body; and no slip is named that does not show any more."""
    assert list(witness.complaints) == []
    assert witness.slipped == set(SLIPS)


def test_every_operation_is_served_or_left_out_for_a_reason(witness: Witness) -> None:
    """The list of what is left out is neither too short nor too long."""
    assert {method.upper() for method in METHODS} >= {one.method for one in witness.operations()}
    left_out = {str(one) for one in witness.operations()} - {str(one) for one in served(witness)}
    assert left_out == set(NOT_SERVED)


def test_every_operation_was_answered_well_and_refused(witness: Witness) -> None:
    """A success of each, a 401 but for the trigger, and 404s and 400s where there are ids."""
    by_operation: dict[Operation, set[int]] = {}
    for operation, status in witness.seen:
        by_operation.setdefault(operation, set()).add(status)
    for operation in served(witness):
        statuses = by_operation[operation]
        assert any(status < 400 for status in statuses), (operation, statuses)
        assert operation.path == _UNGUARDED or 401 in statuses, (operation, statuses)
        assert "{" not in operation.path or 404 in statuses, (operation, statuses)
    assert not [status for _, status in witness.seen if status >= 500]
    assert {200, 201, 202, 204, 302, 400, 401, 403, 404} <= {status for _, status in witness.seen}
