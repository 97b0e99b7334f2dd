"""Every operation that python-gitlab has on what the emulator serves, once.

The operations are read from python-gitlab itself: managers whose path is one of the emulator's
routes, and the objects they make. One that is neither tried nor left out for a reason fails here,
also one that a later python-gitlab brings along. What they do to each other in the long run is in
the other tests of this client.
"""

from __future__ import annotations

import inspect
from contextlib import ExitStack
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

import gitlab
import pytest
from gitlab import base
from gitlab.v4 import objects
from tests.support.clock import FakeClock
from tests.support.platform import credentials, running_platform

from platui_emulator.http.project_api import ROUTES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_FILE: Final = "full-ci.yml"
_CRON: Final = {"description": "Nightly", "ref": "main", "cron": "0 4 * * *"}

_WRITING = "the spec has no writing to repositories"
_SETTINGS = "projects are listed, shown and made (spec 4.3); the rest is done in their pages"
_TOKENS = "tokens are made in pages (spec 5.2); one asks and ends itself only"
_HISTORY = "of commits there is what jobs and tags name"

LEFT_OUT: Final[dict[str, str]] = {
    **dict.fromkeys(
        (
            "Project.archive", "Project.create_fork_relation", "Project.delete",
            "Project.delete_fork_relation", "Project.housekeeping", "Project.languages",
            "Project.mirror_pull", "Project.mirror_pull_details", "Project.restore",
            "Project.save", "Project.search", "Project.share", "Project.snapshot", "Project.star",
            "Project.transfer", "Project.unarchive", "Project.unshare", "Project.unstar",
            "Project.upload", "ProjectManager.delete", "ProjectManager.import_bitbucket_server",
            "ProjectManager.import_github", "ProjectManager.import_project",
            "ProjectManager.remote_import", "ProjectManager.remote_import_s3",
            "ProjectManager.update", "NamespaceManager.exists",
        ),
        _SETTINGS,
    ),
    **dict.fromkeys(
        (
            "Project.delete_merged_branches", "Project.update_submodule",
            "ProjectBranch.delete", "ProjectBranchManager.create", "ProjectBranchManager.delete",
            "ProjectCommit.cherry_pick", "ProjectCommit.revert", "ProjectCommitManager.create",
            "ProjectFile.delete", "ProjectFile.save", "ProjectFileManager.create",
            "ProjectFileManager.delete", "ProjectFileManager.update",
            "ProjectTag.delete", "ProjectTagManager.create", "ProjectTagManager.delete",
        ),
        _WRITING,
    ),
    **dict.fromkeys(
        (
            "Project.repository_archive", "Project.repository_blob", "Project.repository_compare",
            "Project.repository_contributors", "Project.repository_merge_base",
            "Project.repository_raw_blob", "ProjectCommit.diff", "ProjectCommit.merge_requests",
            "ProjectCommit.refs", "ProjectCommit.sequence", "ProjectCommit.signature",
            "ProjectCommitManager.list", "ProjectFileManager.blame",
        ),
        _HISTORY,
    ),
    **dict.fromkeys(
        (
            "PersonalAccessToken.delete", "PersonalAccessToken.rotate",
            "PersonalAccessTokenManager.list", "PersonalAccessTokenManager.rotate",
        ),
        _TOKENS,
    ),
}  # fmt: skip
"""What python-gitlab could ask for and the platform does not have."""


class ProjectSimulation:
    """A platform of its own, a client on it, and things to do something to."""

    def __init__(self, stack: ExitStack) -> None:
        self.clock = FakeClock()
        running = stack.enter_context(running_platform(clock=self.clock))
        self.keys = credentials(running)
        self.running = running
        self._stack = stack
        self.client = self.signed_in(running.token)
        self.project = self.client.projects.get(running.project)
        # What went well is searched for once: filters make a list slow.
        self.good = self.project.pipelines.list(status="success", get_all=False)[0]

    def signed_in(self, token: str) -> gitlab.Gitlab:
        """Open a client; what it sends is kept from other hosts."""
        client = gitlab.Gitlab(self.running.base_url, oauth_token=token, per_page=50)
        client.session.trust_env = False
        return self._stack.enter_context(client)

    def pipeline(self) -> Any:
        """Return a new pipeline."""
        variables = [{"key": "DAY", "value": "monday"}]
        return self.project.pipelines.create({"ref": "main", "variables": variables})

    def job(self) -> Any:
        """Return the first job of a new pipeline."""
        newest = self.pipeline().jobs.list(get_all=True)
        return self.project.jobs.get(newest[-1].id)

    def canceled(self) -> Any:
        """Return a job that was canceled."""
        job = self.job()
        job.cancel()
        job.refresh()
        return job

    def packed(self) -> Any:
        """Return the newest job whose archive is there."""
        jobs = self.project.jobs.list(scope=["success"], iterator=True)
        return next(
            one
            for one in jobs
            if (one.name, one.ref) == ("dbt_run", "main") and "artifacts_file" in one.attributes
        )

    def ended(self) -> Any:
        """Return a job that has ended, with a log."""
        failed = self.project.jobs.list(scope=["failed"], get_all=False)
        return next(job for job in failed if not job.erased_at)

    def manual(self) -> Any:
        """Return a job that waits for somebody."""
        for project in self.client.projects.list(min_access_level=30, iterator=True):
            if found := project.jobs.list(scope=["manual"], get_all=False):
                return found[0]
        raise LookupError("nobody has a manual job")

    def schedule(self) -> Any:
        """Return a new schedule of one's own, with a variable."""
        made = self.project.pipelineschedules.create(_CRON)
        made.variables.create({"key": "DAY", "value": "monday"})
        return self.project.pipelineschedules.get(made.id)

    def variable(self) -> Any:
        """Return the variable of a new schedule."""
        return self.project.pipelineschedules.create(_CRON).variables.create(
            {"key": "DAY", "value": "monday"}
        )


def _later(site: ProjectSimulation, change: dict[str, Any]) -> Any:
    made = site.schedule()
    site.project.pipelineschedules.update(made.id, change)
    return site.project.pipelineschedules.get(made.id).description == change["description"]


def _saved(thing: Any, **change: Any) -> bool:
    for name, value in change.items():
        setattr(thing, name, value)
    thing.save()
    return all(getattr(thing, name) == value for name, value in change.items())


def _played(site: ProjectSimulation) -> bool:
    made = site.schedule()
    made.play()
    site.clock.jump(2)
    return [one.source for one in made.pipelines.list(get_all=True)] == ["schedule"]


def _ends_itself(site: ProjectSimulation) -> bool:
    client = site.signed_in(site.keys["personal_second"])
    client.personal_access_tokens.delete("self")
    with pytest.raises(gitlab.GitlabAuthenticationError):
        client.auth()
    return True


TRIED: Final[dict[str, Callable[[ProjectSimulation], Any]]] = {
    "CurrentUserManager.get": lambda s: objects.CurrentUserManager(s.client).get(),
    "CurrentUserManager.head": lambda s: objects.CurrentUserManager(s.client).head(),
    "NamespaceManager.get": lambda s: s.client.namespaces.get(s.project.namespace["id"]),
    "NamespaceManager.head": lambda s: s.client.namespaces.head(),
    "NamespaceManager.list": lambda s: s.client.namespaces.list(get_all=True, search="a"),
    "PersonalAccessTokenManager.get": lambda s: s.client.personal_access_tokens.get("self").active,
    "PersonalAccessTokenManager.head": lambda s: s.client.personal_access_tokens.head("self"),
    "PersonalAccessTokenManager.delete": _ends_itself,
    "Project.refresh": lambda s: s.project.refresh() or s.project.id,
    "Project.repository_tree": lambda s: s.project.repository_tree(recursive=True, get_all=True),
    "Project.trigger_pipeline": lambda s: s.project.trigger_pipeline(
        "main", s.running.trigger_token, {"DAY": "monday"}
    ),
    "ProjectArtifactManager.download": lambda s: s.project.artifacts.download("main", "dbt_run"),
    "ProjectArtifactManager.raw": lambda s: s.project.artifacts.raw(
        "main", "logs/dbt.log", "dbt_run"
    ),
    "ProjectBranchManager.get": lambda s: s.project.branches.get("main").default,
    "ProjectBranchManager.head": lambda s: s.project.branches.head("main"),
    "ProjectBranchManager.list": lambda s: s.project.branches.list(
        iterator=True, regex="^m"
    ).next(),
    "ProjectCommitManager.get": lambda s: s.project.commits.get("main").title,
    "ProjectCommitManager.head": lambda s: s.project.commits.head("main"),
    "ProjectFile.decode": lambda s: s.project.files.get(_FILE, "main").decode(),
    "ProjectFileManager.get": lambda s: s.project.files.get(_FILE, "main").size,
    "ProjectFileManager.head": lambda s: s.project.files.head(_FILE, "main")["X-Gitlab-Size"],
    "ProjectFileManager.raw": lambda s: s.project.files.raw(_FILE, "main"),
    "ProjectJob.artifact": lambda s: s.packed().artifact("logs/dbt.log"),
    "ProjectJob.artifacts": lambda s: s.packed().artifacts(),
    "ProjectJob.cancel": lambda s: s.job().cancel()["status"] == "canceled",
    "ProjectJob.erase": lambda s: s.ended().erase() or True,
    "ProjectJob.keep_artifacts": lambda s: s.packed().keep_artifacts() or True,
    "ProjectJob.delete_artifacts": lambda s: s.packed().delete_artifacts() or True,
    "ProjectJob.play": lambda s: s.manual().play() or True,
    "ProjectJob.refresh": lambda s: s.canceled().status == "canceled",
    "ProjectJob.retry": lambda s: s.canceled().retry()["status"] in {"created", "pending"},
    "ProjectJob.trace": lambda s: s.ended().trace(),
    "ProjectJobManager.get": lambda s: s.project.jobs.get(s.ended().id).status == "failed",
    "ProjectJobManager.head": lambda s: s.project.jobs.head(),
    "ProjectJobManager.list": lambda s: [*islice(s.project.jobs.list(iterator=True), 60)][59],
    "ProjectManager.create": lambda s: s.client.projects.create({"name": "From afar"}).id,
    "ProjectManager.get": lambda s: s.client.projects.get(s.project.id, lazy=True).branches.get(
        "main"
    ),
    "ProjectManager.head": lambda s: s.client.projects.head(s.project.id),
    "ProjectManager.list": lambda s: s.client.projects.list(
        get_all=True, pagination="keyset", order_by="id", per_page=20
    ),
    "ProjectPipeline.cancel": lambda s: s.pipeline().cancel()["status"],
    "ProjectPipeline.delete": lambda s: s.pipeline().delete() or True,
    "ProjectPipeline.refresh": lambda s: s.pipeline().refresh() or True,
    "ProjectPipeline.retry": lambda s: s.pipeline().retry()["status"],
    "ProjectPipelineBridgeManager.head": lambda s: s.good.bridges.head(),
    "ProjectPipelineBridgeManager.list": lambda s: s.good.bridges.list(get_all=True) or True,
    "ProjectPipelineJobManager.head": lambda s: s.good.jobs.head(),
    "ProjectPipelineJobManager.list": lambda s: s.good.jobs.list(
        get_all=True, include_retried=True
    ),
    "ProjectPipelineManager.create": lambda s: s.pipeline().status == "pending",
    "ProjectPipelineManager.delete": lambda s: s.project.pipelines.delete(s.pipeline().id) or True,
    "ProjectPipelineManager.get": lambda s: s.project.pipelines.get(s.good.id).duration,
    "ProjectPipelineManager.head": lambda s: s.project.pipelines.head(),
    "ProjectPipelineManager.latest": lambda s: s.project.pipelines.latest(ref="main").sha,
    "ProjectPipelineManager.list": lambda s: s.project.pipelines.list(page=2, per_page=5)[4],
    "ProjectPipelineSchedule.delete": lambda s: s.schedule().delete() or True,
    "ProjectPipelineSchedule.play": _played,
    "ProjectPipelineSchedule.save": lambda s: _saved(s.schedule(), cron="0 7 * * *"),
    "ProjectPipelineSchedule.take_ownership": lambda s: s.schedule().take_ownership() or True,
    "ProjectPipelineScheduleManager.create": lambda s: s.schedule().active,
    "ProjectPipelineScheduleManager.delete": lambda s: (
        s.project.pipelineschedules.delete(s.schedule().id) or True
    ),
    "ProjectPipelineScheduleManager.get": lambda s: s.schedule().variables,
    "ProjectPipelineScheduleManager.head": lambda s: s.project.pipelineschedules.head(),
    "ProjectPipelineScheduleManager.list": lambda s: s.project.pipelineschedules.list(get_all=True),
    "ProjectPipelineScheduleManager.update": lambda s: _later(s, {"description": "Later"}),
    "ProjectPipelineSchedulePipelineManager.head": lambda s: s.schedule().pipelines.head(),
    "ProjectPipelineSchedulePipelineManager.list": _played,
    "ProjectPipelineScheduleVariable.delete": lambda s: s.variable().delete() or True,
    "ProjectPipelineScheduleVariable.save": lambda s: _saved(s.variable(), value="friday"),
    "ProjectPipelineScheduleVariableManager.create": lambda s: s.variable().value == "monday",
    "ProjectPipelineScheduleVariableManager.delete": lambda s: (
        s.schedule().variables.delete("DAY") or True
    ),
    "ProjectPipelineScheduleVariableManager.update": lambda s: (
        s.schedule().variables.update("DAY", {"value": "friday"})["value"] == "friday"
    ),
    "ProjectPipelineTestReportManager.get": lambda s: s.good.test_report.get().total_count,
    "ProjectPipelineTestReportManager.head": lambda s: s.good.test_report.head(),
    "ProjectPipelineTestReportSummaryManager.get": lambda s: s.good.test_report_summary.get().total[
        "count"
    ],
    "ProjectPipelineTestReportSummaryManager.head": lambda s: s.good.test_report_summary.head(),
    "ProjectPipelineVariableManager.head": lambda s: s.pipeline().variables.head(),
    "ProjectPipelineVariableManager.list": lambda s: (
        s.pipeline().variables.list(get_all=True)[0].value == "monday"
    ),
    "ProjectTagManager.get": lambda s: s.project.tags.get(
        s.project.tags.list(get_all=False)[0].name
    ),
    "ProjectTagManager.head": lambda s: s.project.tags.head(),
    "ProjectTagManager.list": lambda s: s.project.tags.list(get_all=True, order_by="version"),
    # Last: it takes the archives away.
    "ProjectArtifactManager.delete": lambda s: s.project.artifacts.delete() or True,
}
"""An operation by name, and what is done with it: what comes back is something, not nothing."""


def _segments(path: str) -> list[str]:
    return ["{}" if part.startswith("{") else part for part in path.strip("/").split("/")]


def _operations() -> dict[str, tuple[type, str]]:
    """Return python-gitlab's operations on what the emulator serves, by class and name."""
    routes = [_segments(pattern) for pattern in ROUTES.table]
    local = {*dir(base.RESTObject), *dir(base.RESTManager)}
    found: dict[str, tuple[type, str]] = {}
    for _, manager in inspect.getmembers(objects, inspect.isclass):
        if not issubclass(manager, base.RESTManager) or not getattr(manager, "_path", None):
            continue
        path = _segments(manager._path)
        if any(route[: len(path)] == path for route in routes):
            for kind in filter(None, (manager, manager._obj_cls)):
                for name in {*dir(kind)} - local:
                    if not name.startswith("_") and callable(getattr(kind, name)):
                        found[f"{kind.__name__}.{name}"] = kind, name
    return found


@pytest.fixture(scope="module")
def site() -> Iterator[ProjectSimulation]:
    """Sign in to a platform on which everything may be done."""
    with ExitStack() as stack:
        yield ProjectSimulation(stack)


def test_every_operation_is_tried_or_left_out_for_a_reason() -> None:
    """Neither table names what is not there."""
    every = set(_operations())
    assert len(every) > 100
    assert every - set(TRIED) - set(LEFT_OUT) == set()
    assert (set(TRIED) | set(LEFT_OUT)) - every == set()
    assert not set(TRIED) & set(LEFT_OUT)


def test_every_operation_goes_through(
    site: ProjectSimulation, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each row calls what it is named after, which comes back with something."""
    operations, called = _operations(), set()
    for operation, act in TRIED.items():
        kind, name = operations[operation]
        inner = getattr(kind, name)

        def noted(
            *given: Any, _inner: Any = inner, _operation: str = operation, **named: Any
        ) -> Any:
            found = _inner(*given, **named)
            called.add(_operation)
            return found

        with monkeypatch.context() as patched:
            patched.setattr(kind, name, noted)
            assert act(site), operation
        assert operation in called, operation
    told = site.running.platform.journal.entries()
    assert not [one for one in told if one.status >= 400 and one.status != 401]
    assert {one.tokens for one in told if one.server == "storage"} == {()}
