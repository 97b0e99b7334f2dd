"""The heavy half of the service: everything wired. Imported in a thread, after the first frame."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

from platui.api.address import project_address
from platui.api.connect import Endpoint, open_project_api
from platui.api.decoding import PageDecoder, RecordDecoder
from platui.api.project_api import ProjectApi
from platui.api.storage import Storage
from platui.config.credentials import resolve
from platui.core.errors import CredentialError
from platui.core.paths import cache_dir
from platui.core.text import clean
from platui.models.values.queries import JobsQuery, PipelinesQuery, ProjectRef, ProjectsQuery
from platui.models.wire import Bridge, Job, Namespace, Pipeline, Project, RepositoryFile, Schedule
from platui.service.budget_mirror import BudgetMirror
from platui.service.downloading import Downloads
from platui.service.feed import PolledFeed
from platui.service.green_runs import GreenRuns
from platui.service.job_log import JobLog
from platui.service.latest_feed import BackgroundLatest
from platui.service.line_watch import LineWatch
from platui.service.log_comparing import ComparedLogs
from platui.service.log_copy import LogCopy
from platui.service.log_shelf import KeptLog, LogShelf
from platui.service.log_source import LogSource
from platui.service.log_tail import LogTail
from platui.service.lookout import Lookout
from platui.service.many_logs import ManyLogs
from platui.service.packing_habit import PackingHabit
from platui.service.page_cache import PageCache
from platui.service.range_habit import RangeHabit
from platui.service.raw_records import RawRecords
from platui.service.reader import Reader
from platui.service.refusals import Refusals
from platui.service.repository import Repository
from platui.service.reruns import Reruns
from platui.service.sightings import Sightings
from platui.service.single_flight import SingleFlight
from platui.service.subjects import Rhythms, Subjects
from platui.service.surroundings import Surroundings
from platui.service.transfers import Transfers
from platui.service.triage_opening import OpeningBoard
from platui.service.writing import Writing
from platui.store.ledger import FileLedger
from platui.store.pages import PageStore

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from platui.api.connect import ProjectConnection
    from platui.config.credentials import Credentials
    from platui.config.profile import Profile
    from platui.core.secrets import Secret
    from platui.models.values.drafts import RunDraft
    from platui.models.values.feeds import Feed
    from platui.models.values.log import ErrorRules, Span
    from platui.models.values.many_logs import StrandNews
    from platui.models.values.pages import Listing
    from platui.models.values.raw import RawRecord, RecordRef
    from platui.models.values.search import SearchQuery
    from platui.service.protocols import (
        BoardFeed,
        CompareFeed,
        LatestFeed,
        LogFeed,
        PipelineSearchFeed,
    )
    from platui.service.recent_logs import RecentLogs
    from platui.service.surface import Surface
    from platui.service.triage_book import TriageBook
    from platui.service.write_desk import WriteDesk

_WHERE_FROM: Final = "Set PLATUI_TOKEN, or name a token_command or token_file in the profile."
_MB: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class _Parts:
    """What has to be closed again."""

    connection: ProjectConnection
    storage: Storage
    store: PageStore
    ledger: FileLedger | None
    desk: WriteDesk


class Live:
    """One open connection, its cache, and the feeds made from them."""

    def __init__(self, surface: Surface, parts: _Parts, owner: str) -> None:
        self._surface = surface
        self._connection = parts.connection
        self._store = parts.store
        self._ledger = parts.ledger
        clock, connection = surface.clock, parts.connection
        self._origin = connection.address.base
        self._around = Surroundings(clock, surface.line, surface.budget)
        self._line = LineWatch(surface.line, clock)
        self._transfers = Transfers()
        self._cache = PageCache(parts.store, surface.scribe, self._origin, owner)
        self._shelf = LogShelf(parts.store.logs, surface.scribe, self._origin, self._cache)
        self._reader = Reader(
            connection.caller, self._cache, SingleFlight(), self._line, self._transfers
        )
        self._rhythms = Rhythms(surface.settings.poll)
        self._sightings = Sightings(self._around.news)
        self._habit = RangeHabit()
        self._packing = PackingHabit()
        self._subjects = Subjects(
            self._reader,
            connection.operations,
            self._rhythms,
            self._sightings,
            parts.desk.neighbours,
            clock,
        )
        self.repository = Repository(self._reader, connection.caller, connection.operations)
        self.downloads = Downloads(connection.caller, parts.storage, clock)
        self.writing = self._open_writing(parts.desk)
        self._reruns = Reruns(connection.caller, connection.operations, parts.desk.book)
        self._raw = RawRecords(self._reader, connection.operations)
        self._mirror = BudgetMirror(connection.budget, surface.budget, clock)
        connection.journal.observe(self._transfers.note)
        connection.journal.observe(surface.journal.add)

    @classmethod
    async def open(
        cls,
        surface: Surface,
        credentials: Credentials | None,
        token: Secret | None,
        desk: WriteDesk,
        *,
        needs_token: bool = True,
    ) -> Live:
        """Resolve the credentials, open stores and client; nothing is sent yet.

        Args:
            surface: what the facade shows.
            credentials: secrets at hand; None: the profile says where they are.
            token: a token given by hand, which goes before all others.
            desk: the guard of writes, and the trigger tokens.
            needs_token: whether an access token has to be there; a pipeline is triggered
                without (spec §5.2).

        Raises:
            CredentialError: there is no token that has to be, or its source does not give it.
            ConfigError: address, certificates or proxy are not usable.
        """
        profile = surface.profile
        address = project_address(profile.url, insecure=profile.insecure)
        signature: Secret | None
        if token is not None:
            signature, from_job = token, False
        else:
            signature, from_job = await asyncio.to_thread(
                _token_of, surface, credentials, needed=needs_token
            )
        async with AsyncExitStack() as opened:
            store = await asyncio.to_thread(_open_store, surface)
            opened.callback(store.close)
            ledger = await asyncio.to_thread(_open_ledger, profile, address.base, signature)
            opened.callback(_close_ledger, ledger)
            await asyncio.to_thread(_warm)
            connection = await open_project_api(
                Endpoint(profile.url, profile.insecure, profile.ca_bundle, profile.timeout),
                signature,
                surface.clock,
                rate_limit=profile.rate_limit,
                ledger=ledger,
                guard=desk.guard,
                from_job=from_job,
            )
            opened.pop_all()
        storage = Storage(
            surface.clock,
            encrypted=address.origin[0] == "https",
            insecure=profile.insecure,
            ca_bundle=profile.ca_bundle,
            timeout=profile.timeout,
        )
        return cls(
            surface,
            _Parts(connection, storage, store, ledger, desk),
            "" if signature is None else signature.fingerprint(),
        )

    def _open_writing(self, desk: WriteDesk) -> Writing:
        connection, clock = self._connection, self._surface.clock
        caller, operations = connection.caller, connection.operations
        return Writing(
            connection,
            clock,
            self._line,
            desk.trigger_tokens.token_of,
            desk.book,
            Lookout(caller, operations, clock, desk.book),
            Refusals(caller, operations, desk.neighbours, desk.trigger_tokens),
        )

    async def close(self) -> None:
        """End every feed, request and timer; write what is to be written."""
        self._around.close()
        self._mirror.close()
        await self._connection.aclose()
        await self._surface.scribe.close()
        await asyncio.to_thread(self._store.close)
        _close_ledger(self._ledger)

    def replace_token(self, token: Secret) -> None:
        """Sign in with another token from now on.

        Raises:
            CredentialError: it has characters that no token has.
        """
        ledger = _open_ledger(self._surface.profile, self._origin, token)
        try:
            self._connection.set_token(token, ledger)
        except CredentialError:
            _close_ledger(ledger)
            raise
        _close_ledger(self._ledger)
        self._ledger = ledger
        self._cache.change_owner(token.fingerprint())
        self._around.token_replaced()

    def focus(self, focused: bool) -> None:  # noqa: FBT001  (a switch)
        """Tell whether the terminal has the user's eyes."""
        self._around.focus(focused)

    def watch_namespaces(self) -> Feed[Listing[Namespace]]:
        """Return the feed of namespaces."""
        return PolledFeed(self._subjects.namespaces(), self._around)

    def watch_projects(self, query: ProjectsQuery) -> Feed[Listing[Project]]:
        """Return the feed of projects."""
        return PolledFeed(self._subjects.projects(query), self._around)

    def watch_project(self, project: ProjectRef) -> Feed[Project]:
        """Return the feed of one project."""
        return PolledFeed(self._subjects.project(project), self._around)

    def watch_pipelines(self, query: PipelinesQuery) -> Feed[Listing[Pipeline]]:
        """Return the feed of pipelines."""
        return PolledFeed(self._subjects.pipelines(query), self._around)

    def watch_pipeline(self, project: ProjectRef, pipeline: int) -> Feed[Pipeline]:
        """Return the feed of one pipeline."""
        return PolledFeed(self._subjects.pipeline(project, pipeline), self._around)

    def watch_jobs(self, query: JobsQuery) -> Feed[Listing[Job]]:
        """Return the feed of jobs."""
        return PolledFeed(self._subjects.jobs(query), self._around)

    def watch_job(self, project: ProjectRef, job: int) -> Feed[Job]:
        """Return the feed of one job."""
        return PolledFeed(self._subjects.job(project, job), self._around)

    def watch_bridges(self, project: ProjectRef, pipeline: int) -> Feed[Listing[Bridge]]:
        """Return the feed of a pipeline's bridges."""
        return PolledFeed(self._subjects.bridges(project, pipeline), self._around)

    def watch_file(self, project: ProjectRef, path: str, ref: str) -> Feed[RepositoryFile]:
        """Return the feed of one file at a ref."""
        return PolledFeed(self._subjects.file(project, path, ref), self._around)

    def watch_schedules(self, project: ProjectRef) -> Feed[Listing[Schedule]]:
        """Return the feed of a project's schedules."""
        return PolledFeed(self._subjects.schedules(project), self._around)

    def watch_schedule(self, project: ProjectRef, schedule: int) -> Feed[Schedule]:
        """Return the feed of one schedule."""
        return PolledFeed(self._subjects.schedule(project, schedule), self._around)

    def watch_last_runs(self, project: ProjectRef) -> LatestFeed:
        """Return the feed of the last pipelines of schedules."""
        return BackgroundLatest(
            self._reader,
            lambda schedule: self._connection.operations.schedule(project, schedule),
            lambda schedule: schedule.last_pipeline,
            self._sightings.note,
            self._around,
            self._rhythms.background,
        )

    def watch_latest(self) -> LatestFeed:
        """Return the feed of newest pipelines."""
        one = ProjectApi(per_page=1)
        return BackgroundLatest(
            self._reader,
            lambda project: one.pipelines(PipelinesQuery(project)),
            lambda page: page.items[0] if page.items else None,
            self._sightings.note,
            self._around,
            self._rhythms.background,
        )

    def watch_board(self, book: TriageBook) -> BoardFeed:
        """Return the feed of the triage board."""

        def make() -> BoardFeed:
            # With what knows causes: by now it is there, imported in a thread.
            from platui.service.triage_board import TriageBoard  # noqa: PLC0415

            idle = self._surface.settings.poll.idle
            return TriageBoard(self._subjects, self._job_log, book, self._around, idle)

        return OpeningBoard(make)

    async def raw(self, ref: RecordRef, *, anew: bool) -> RawRecord:
        """Return what the platform says of one record, as bytes."""
        return await self._raw.read(ref, anew=anew)

    async def rerun(self, project: ProjectRef, pipeline: int) -> RunDraft:
        """Return a draft of running a pipeline again."""
        return await self._reruns.draft(project, await self.names_of(project), pipeline)

    async def names_of(self, project: ProjectRef) -> frozenset[ProjectRef]:
        """Return id and path of a project, as far as they are known without asking."""
        known = await self._reader.recall(self._connection.operations.project(project))
        if known is None:
            return frozenset({project})
        path = known.value.path_with_namespace
        return frozenset({project, known.value.id, path or project})

    def follow_many(
        self,
        project: ProjectRef,
        pipeline: int,
        describe: Callable[[StrandNews, datetime], tuple[Span, ...]],
        *,
        whole: bool,
    ) -> LogFeed:
        """Return the feed of the logs of all jobs of a pipeline that run or failed."""
        return ManyLogs(
            pipeline,
            self.watch_jobs(JobsQuery(project, pipeline, with_retried=True)),
            lambda job: self._job_log(project, job),
            describe,
            self._around,
            self._rhythms.thing,
            whole=whole,
        )

    def search_pipeline(
        self, project: ProjectRef, pipeline: int, query: SearchQuery
    ) -> PipelineSearchFeed:
        """Return the search for a text in every log of a pipeline."""
        # With its patterns, which a session without a search does not need.
        from platui.service.pipeline_search import PipelineSearch  # noqa: PLC0415

        return PipelineSearch(
            self.watch_jobs(JobsQuery(project, pipeline, with_retried=True)),
            lambda job: self._job_log(project, job, with_errors=False),
            self._recent_logs,
            query,
            self._around,
        )

    @cached_property
    def _recent_logs(self) -> RecentLogs:
        from platui.service.recent_logs import RecentLogs  # noqa: PLC0415  (for the first search)

        return RecentLogs(self._surface.clock)

    def _job_log(self, project: ProjectRef, job: int, *, with_errors: bool = True) -> JobLog:
        shelf = KeptLog(self._shelf, project, job)
        errors = self._error_rules if with_errors else None
        return JobLog(self._log_source(project, job), shelf, errors)

    def _log_source(self, project: ProjectRef, job: int) -> LogSource:
        return LogSource(
            self._connection.caller,
            self._line,
            self._habit,
            self._packing,
            self._surface.clock,
            project,
            job,
        )

    def follow_log(
        self, project: ProjectRef, job: int, *, errors_may_wait: bool = False
    ) -> LogFeed:
        """Return the feed of one job's log."""
        return LogTail(
            self._reader,
            self._connection.operations.job(project, job),
            self._log_source(project, job),
            KeptLog(self._shelf, project, job),
            self._around,
            self._rhythms.thing,
            LogCopy(self._error_rules, errors_may_wait=errors_may_wait),
        )

    def compare_logs(self, project: ProjectRef, job: int, pipeline: int | None) -> CompareFeed:
        """Return the feed of a job's log compared with that of its last green run."""
        return ComparedLogs(
            self._reader,
            self._connection.operations.job(project, job),
            GreenRuns(self._reader, self._connection.operations, project),
            self._job_log(project, job),
            lambda green: self._job_log(project, green),
            self._around,
            pipeline,
        )

    @cached_property
    def _error_rules(self) -> ErrorRules:
        from platui.service.log_errors import error_rules  # noqa: PLC0415  (for the first log)

        return error_rules(self._surface.settings.errors)


def _token_of(
    surface: Surface, credentials: Credentials | None, *, needed: bool
) -> tuple[Secret | None, bool]:
    """Return the token of a profile, and whether a job's. May ask a password store.

    Raises:
        CredentialError: there is none, and it is needed.
    """
    profile = surface.profile
    try:
        found = resolve(profile, surface.environ) if credentials is None else credentials
    except CredentialError:
        if needed:
            raise
        return None, False
    if found.token is None and needed:
        raise CredentialError(
            f"There is no token for {clean(profile.name)} ({found.token_source}).",
            hint=_WHERE_FROM,
        )
    return found.token, found.from_job


def _open_store(surface: Surface) -> PageStore:
    """Return the cache on disk, or in memory where the user wants none on disk."""
    cache = surface.settings.cache
    on_disk = cache.disk and not surface.profile.keeps_nothing
    path = cache_dir() / "pages.sqlite3" if on_disk else None
    return PageStore(path, cache.max_mb * _MB, surface.clock)


def _open_ledger(profile: Profile, origin: str, token: Secret | None) -> FileLedger | None:
    """Return the request count that all processes with this token share; the demo is alone."""
    if token is None or profile.keeps_nothing:
        return None
    return FileLedger(cache_dir() / "quota", origin, token.fingerprint())


def _close_ledger(ledger: FileLedger | None) -> None:
    if ledger is not None:
        ledger.close()


def _warm() -> None:
    """Build the validators here, in a thread, rather than at the first answer in the loop."""
    for model in (Namespace, Project, Pipeline, Job, Bridge):
        PageDecoder(model, 1, 1)(b"[]", {})
    for single in (Project, Pipeline, Job):
        RecordDecoder(single)(b'{"id": 1}', {})
