"""The entry point of the service; heavy modules are imported by `start`."""

from __future__ import annotations

import asyncio
import importlib
import os
from collections.abc import AsyncGenerator, Callable, Coroutine, Mapping
from contextlib import aclosing
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

from platui.config.profile_choice import environ_of_secrets, settings_for_profile
from platui.core.clock import Clock, SystemClock
from platui.core.errors import PlatuiError
from platui.core.observers import Observable
from platui.models.values.connection import BudgetState, Urgency
from platui.service import resources
from platui.service.cancellation import cancel_and_wait
from platui.service.deferred import DeferredFeed, Startup, is_imported
from platui.service.service_context import ServiceContext

if TYPE_CHECKING:
    from platui.config.credentials import Credentials
    from platui.config.profile import Profile, Writes
    from platui.config.settings import Settings
    from platui.core.secrets import Secret
    from platui.models.values.queries import RawRecord, RecordRef
    from platui.models.values.tests import FailedTests, ReportedPipeline
    from platui.models.values.triage_board import Board, BoardUpdate
    from platui.models.values.write_effects import Effects
    from platui.service.access.access_reports import AccessReports
    from platui.service.files.archives import Archives
    from platui.service.files.downloading import Downloads
    from platui.service.files.repository import Repository
    from platui.service.live import Live
    from platui.service.local_state import LocalState
    from platui.service.projects import ProjectLookup
    from platui.service.resources.resource import Resource, Watchable
    from platui.service.triage.incident_details import IncidentDetails
    from platui.service.triage.state import TriageState
    from platui.service.triage.timelines import Timelines
    from platui.service.writes.write_service import WriteService

F = TypeVar("F")
T = TypeVar("T")


class PlatformService:
    def __init__(
        self,
        profile: Profile,
        settings: Settings,
        clock: Clock | None = None,
        credentials: Credentials | None = None,
        environ: Mapping[str, str] | None = None,
        *,
        needs_token: bool = True,
        one_shot: bool = False,
        prepare_reports: Callable[[PlatformService], Coroutine[Any, Any, None]] | None = None,
    ) -> None:
        """Create the service; `prepare_reports` runs once before the first access report.

        `one_shot`: for one command, which imports what it uses when it uses it; a dashboard has all
        imported in a thread, so that no key waits.
        """
        settings = settings_for_profile(settings, profile)
        environ = environ_of_secrets(settings, os.environ if environ is None else environ)
        self.profile = profile
        self.clock: Clock = clock or SystemClock()
        self.budget = Observable(BudgetState(0, profile.rate_limit))
        self._context = context = ServiceContext(
            profile, settings, self.clock, environ, self.budget
        )
        self.line = context.line
        self.slow_since = context.slow_since  # Monotonic; None: no request waits for long
        self.notices = context.notices
        self.journal = context.journal
        self.save_now: Final = context.background_writer.begin
        self.writes: Writes = "off" if settings.read_only else profile.writes
        self.writes_open_until: Observable[float | None] = Observable(None)
        """Monotonic second at which writes are locked again; None: locked, or no write lock."""
        self.write_effects: Observable[Effects] = Observable({})
        """What the writes of this session started, until some minutes after its end."""
        # entered in the dashboard; replaces the configured token
        self.given_token: Secret | None = None
        self._credentials = credentials
        self._needs_token = needs_token
        self._one_shot = one_shot
        self._startup: Startup = Startup()
        self._task: asyncio.Task[None] | None = None
        self._focused = True
        self._incident_details: IncidentDetails | None = None
        self._prepare_reports = prepare_reports

    def watch(self, source: Watchable[F]) -> F:
        """Return a feed of a resource: the cached value first, then every change."""
        live = self._startup.live
        if live is not None and is_imported(source):
            return source.open(live.context)
        return cast("F", DeferredFeed(self._startup, source))

    async def read(
        self,
        resource: Resource[T],
        *,
        limit: int | None = None,
        pages: int | None = None,
        live: bool = False,
        urgency: Urgency = Urgency.USER,
        on_value: Callable[[T], None] | None = None,
        on_error: Callable[[PlatuiError], None] | None = None,
    ) -> T:
        """Return a resource from the platform; from the cache only if it is final.

        `limit` and `pages` are maximum numbers. `on_value` gets the value after every page,
        `on_error` each failure; a retry follows unless it raises.
        """
        from platui.service.feeds.one_shot import read_once  # noqa: PLC0415  (commands only)

        context = (await self._started()).context
        return await read_once(
            context, resource, limit, pages, on_value, on_error, urgency, live=live
        )

    async def repository(self) -> Repository:
        return (await self._started()).repository

    async def downloads(self) -> Downloads:
        return (await self._started()).downloads

    async def archives(self) -> Archives:
        return (await self._started()).archives

    async def timelines(self) -> Timelines:
        return (await self._started()).timelines

    async def failed_tests(self, of: ReportedPipeline, urgency: Urgency) -> FailedTests:
        """Return the failed tests of a pipeline. Raises PlatuiError: no usable response."""
        return await (await self._started()).tests.find(of, urgency)

    @cached_property
    def local_state(self) -> LocalState:
        from platui.service.local_state import LocalState  # noqa: PLC0415  (lists need none)

        return LocalState(self.profile, self._context.background_writer, self.notices.add)

    @cached_property
    def triage_state(self) -> TriageState:
        from platui.service.triage.state import TriageState  # noqa: PLC0415  (`platui keys` and lists need none)

        return TriageState(self.profile, self.notices.add)

    @cached_property
    def directory(self) -> ProjectLookup:
        from platui.service.projects import ProjectLookup  # noqa: PLC0415  (not for a first frame)

        return ProjectLookup(self._started)

    @cached_property
    def write_service(self) -> WriteService:
        from platui.service.writes.write_service import WriteService  # noqa: PLC0415  (not for a first frame)

        return WriteService(self._context, self._credentials, self.writes_open_until, self._started)

    async def watch_news(self) -> AsyncGenerator[BoardUpdate]:
        """Yield each triage board with its new events, for notifications in the background."""
        from platui.models.values.triage_board import BoardUpdate  # noqa: PLC0415  (on first use)

        events = "platui.analysis.triage.board_events"
        module = await asyncio.to_thread(importlib.import_module, events)
        detector = module.BoardEventDetector()
        feed = self.watch(resources.triage.board(self.triage_state, in_background=True))
        async with aclosing(cast("AsyncGenerator[Board]", aiter(feed))) as boards:
            async for board in boards:
                yield BoardUpdate(board, detector.detect(board, self.clock.now()))

    async def incident_details(self) -> IncidentDetails:
        live = await self._started()
        if self._incident_details is None:
            # Imports the error patterns: 0.1 s.
            details = "platui.service.triage.incident_details"
            module = await asyncio.to_thread(importlib.import_module, details)
            if self._incident_details is None:
                self._incident_details = module.IncidentDetails(live.client, live.context)
        return cast("IncidentDetails", self._incident_details)

    @cached_property
    def access_reports(self) -> AccessReports:
        from platui.service.access.access_reports import AccessReports  # noqa: PLC0415  (lists need none)

        prepare = self._prepare_reports and partial(self._prepare_reports, self)
        return AccessReports(self._context, self._credentials, prepare)

    async def raw(self, ref: RecordRef, *, refresh: bool = False) -> RawRecord:
        """Return the raw response of a record, cached or requested."""
        live = await self._started()
        from platui.service.raw_records import read_raw  # noqa: PLC0415  (on first use)

        return await read_raw(live.context.reader, ref, refresh=refresh)

    def focus(self, focused: bool) -> None:  # noqa: FBT001  (a switch)
        """Set whether the terminal has the focus; polling is slower without it."""
        self._focused = focused
        if self._startup.live is not None:
            self._startup.live.context.conditions.focus(focused)

    async def start(self) -> None:
        """Import the heavy modules, resolve the credentials and connect; may be called again."""
        if self._startup.live is not None or self._startup.closed:
            return
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._begin(), name="platui service start")
        # Shielded: a closed screen must not cancel the start for the others.
        await asyncio.shield(self._task)
        if self._startup.error is not None:
            raise self._startup.error

    async def _started(self) -> Live:
        await self.start()
        if self._startup.live is None:
            raise asyncio.CancelledError  # closed meanwhile
        return self._startup.live

    async def close(self) -> None:
        try:
            await self._close_parts()
        finally:
            await self._context.background_writer.close()

    async def _close_parts(self) -> None:
        opened = vars(self)  # created on first use only
        if "access_reports" in opened:
            await self.access_reports.stop_preparing()
        self._startup.close()
        if "write_service" in opened:
            self.write_service.lock.close()
        if "triage_state" in opened:
            await self.triage_state.close()
        await cancel_and_wait(self._task)
        live, self._startup.live = self._startup.live, None
        if live is not None:
            await live.close()
        if "access_reports" in opened:
            await self.access_reports.close()

    @property
    def is_authenticated(self) -> bool:
        """Return whether requests carry an access token; known after the start."""
        live = self._startup.live
        return live is not None and live.client.credential.given

    @property
    def uses_job_token(self) -> bool:
        """Return whether the token belongs to a running job; known after the start."""
        live = self._startup.live
        return live is not None and live.client.credential.of_job

    @property
    def access_token(self) -> Secret | None:
        live = self._startup.live
        return live.token if live else None

    async def replace_token(self, token: Secret) -> None:
        """Sign in with another token; waiting feeds retry at once.

        Raises CredentialError: it is refused, and the one before is used again.
        """
        before, self.given_token = self.given_token, token
        if self._startup.live is not None:
            try:
                await self._startup.live.replace_token(token)
            except BaseException:  # also if another token is entered meanwhile
                if self.given_token is token:
                    self.given_token = before
                raise
        elif self._startup.error is not None:
            await self.start()

    async def _begin(self) -> None:
        token = None
        try:
            live_module = await asyncio.to_thread(importlib.import_module, "platui.service.live")
            token = self.given_token
            live: Live = await live_module.Live.open(
                self._context,
                self._credentials,
                token,
                lambda: self.write_service,
                needs_token=self._needs_token,
                one_shot=self._one_shot,
            )
        except PlatuiError as error:
            if self.given_token is not token:  # entered meanwhile
                await self._begin()
            else:
                self._startup.fail(error)
            return
        if self.given_token is not None and self.given_token is not token:
            try:
                await live.replace_token(self.given_token)
            except PlatuiError as error:
                await live.close()
                self._startup.fail(error)
                return
        live.context.conditions.focus(self._focused)
        self._startup.succeed(live)
