"""The one door the ui knocks on. Light to import: what is heavy comes with `start`."""

from __future__ import annotations

import asyncio
import importlib
import os
from contextlib import aclosing
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar, cast

from platui.config.profile_choice import settings_for_profile
from platui.core.clock import SystemClock
from platui.core.errors import PlatuiError
from platui.core.observers import Observable
from platui.models.values.connection import BudgetState
from platui.service import resources
from platui.service.deferred import DeferredFeed, Startup, is_imported
from platui.service.local_state import LocalState
from platui.service.service_context import ServiceContext

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Coroutine, Mapping

    from platui.config.credentials import Credentials
    from platui.config.profile import Profile, Writes
    from platui.config.settings import Settings
    from platui.core.clock import Clock
    from platui.core.secrets import Secret
    from platui.models.values.queries import RawRecord, RecordRef
    from platui.models.values.triage_board import BoardUpdate
    from platui.service.access.current_report import CurrentReport
    from platui.service.access.reports import Reports
    from platui.service.files.downloading import Downloads
    from platui.service.files.repository import Repository
    from platui.service.live import Live
    from platui.service.projects import ProjectLookup
    from platui.service.resources.resource import Resource, Watchable
    from platui.service.triage.incident_details import IncidentDetails
    from platui.service.triage.state import TriageState
    from platui.service.writes.write_service import WriteService

F = TypeVar("F")
T = TypeVar("T")


class PlatformService:
    """One platform, seen with one profile."""

    def __init__(
        self,
        profile: Profile,
        settings: Settings,
        clock: Clock | None = None,
        credentials: Credentials | None = None,
        environ: Mapping[str, str] | None = None,
        *,
        needs_token: bool = True,
        prepare_reports: Callable[[PlatformService], Coroutine[Any, Any, None]] | None = None,
    ) -> None:
        """Open the service of a profile; nothing is read, imported or sent before `start`.

        `needs_token`: whether it does not start without an access token; False where no more is
        done than to trigger pipelines.
        `prepare_reports`: runs once, before the access report is first looked at.
        """
        settings = settings_for_profile(settings, profile)
        environ = os.environ if environ is None else environ
        self.profile = profile
        self.clock: Clock = clock or SystemClock()
        self.budget = Observable(BudgetState(0, profile.rate_limit))
        """Requests of the last minute against the quota."""
        self._context = context = ServiceContext(
            profile, settings, self.clock, environ, self.budget
        )
        self.line = context.line
        """Whether the platform answers."""
        self.notices = context.notices
        """What has to be known of what is kept on disk: damaged, newer, or not kept."""
        self.journal = context.journal
        self.writes: Writes = "off" if settings.read_only else profile.writes
        """What this profile lets through: `off`, `locked` or `confirm`."""
        self.writes_open_until: Observable[float | None] = Observable(None)
        """The monotonic second at which unlocked writes are locked again.

        None while they are locked, and always where the profile has no lock. It changes when
        the lock opens or shuts, and does not tick.
        """
        self.local_state = LocalState(profile, context.background_writer, self.notices.add)
        """What outlives a run of the dashboard."""
        self.given_token: Secret | None = None
        """The token that was given in the dashboard, in place of the configured one."""
        self._credentials = credentials
        self._needs_token = needs_token
        self._startup: Startup[Live] = Startup()
        self._task: asyncio.Task[None] | None = None
        self._focused = True
        self._reports: Reports | None = None
        self._report_desk: CurrentReport | None = None
        self._prepare_reports = prepare_reports
        self._preparing: asyncio.Task[None] | None = None

    def watch(self, source: Watchable[F]) -> F:
        """Return a feed of a resource: the cached value first, then every change.

        It can be had before `start`; it waits for the service then.
        """
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
        on_value: Callable[[T], None] | None = None,
        on_error: Callable[[PlatuiError], None] | None = None,
    ) -> T:
        """Return a resource as the platform has it now; a cached value only where it is final.

        `limit`: how many items of a list are enough; None: all.
        `pages`: how many pages of a list are enough; None: all.
        `on_value`: gets the value after every page.
        `on_error`: gets each failure, and raises to give up; else it is asked again.
        Raises PlatuiError: the service cannot start, or the platform gave no usable answer.
        """
        from platui.service.feeds.one_shot import Enough, read_once  # noqa: PLC0415  (commands only)

        context = (await self._started()).context
        enough = Enough(limit, pages)
        return await read_once(context, resource, enough, on_value, on_error, live=live)

    async def repository(self) -> Repository:
        """Return what can be chosen in repositories: refs, folders, pipeline files.

        Raises PlatuiError: the service cannot start.
        """
        return (await self._started()).repository

    async def downloads(self) -> Downloads:
        return (await self._started()).downloads

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
        """Yield the triage board with what is new on it, for who does not look at it."""
        module = await asyncio.to_thread(importlib.import_module, "platui.service.triage.board")
        feed = self.watch(resources.triage.board(self.triage_state, in_background=True))
        found: AsyncGenerator[BoardUpdate] = module.news_of(feed, self.clock)
        async with aclosing(found):
            async for one in found:
                yield one

    async def incident_details(self) -> IncidentDetails:
        """Return what fetches the details of incidents.

        Raises PlatuiError: the service cannot start.
        """
        return await (await self._started()).incident_details()

    async def reports(self) -> Reports:
        if self._reports is None:
            keeps = not self.profile.is_in_memory
            opener = await asyncio.to_thread(_load_reports_class, keeps=keeps)
            if self._reports is None:
                self._reports = opener(self._context, self._credentials)
        return self._reports

    async def current_report(self) -> CurrentReport:
        """Return the access report that is looked at: the same for every view of it."""
        if self._prepare_reports is not None:
            if self._preparing is None:
                work = self._prepare_reports(self)
                self._preparing = asyncio.create_task(work, name="platui prepare reports")
            # The shield: a view that is left must not take the reports away from the others.
            await asyncio.shield(self._preparing)
        if self._report_desk is None:
            module = await asyncio.to_thread(
                importlib.import_module, "platui.service.access.current_report"
            )
            write_service = cast("type[CurrentReport]", module.CurrentReport)
            reports = await self.reports()
            if self._report_desk is None:
                self._report_desk = write_service(reports)
        return self._report_desk

    @property
    def is_fetching_report(self) -> bool:
        return self._report_desk is not None and self._report_desk.is_fetching

    async def raw(self, ref: RecordRef, *, refresh: bool = False) -> RawRecord:
        """Return what the platform says of one record: the bytes of its answer.

        Raises PlatuiError: nothing is known of it, and asking failed.
        """
        return await (await self._started()).raw_records.read(ref, refresh=refresh)

    def focus(self, focused: bool) -> None:  # noqa: FBT001  (a switch)
        """Tell whether the terminal has the user's eyes: polling is slower without."""
        self._focused = focused
        if self._startup.live is not None:
            self._startup.live.context.conditions.focus(focused)

    async def start(self) -> None:
        """Import the heavy half, resolve the credentials, open the client; once is enough.

        Raises PlatuiError: a credential, the configuration or the address is not usable. It can be
        called again; feeds that wait show the reason meanwhile.
        """
        if self._startup.live is not None or self._startup.closed:
            return
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._begin(), name="platui service start")
        # The shield: a screen that is left must not take the start away from the others.
        await asyncio.shield(self._task)
        if self._startup.error is not None:
            raise self._startup.error

    async def _started(self) -> Live:
        await self.start()
        if self._startup.live is None:
            raise asyncio.CancelledError  # closed meanwhile: nobody waits any more
        return self._startup.live

    async def close(self) -> None:
        await _ended(self._preparing)
        self._startup.close()
        if "write_service" in vars(self):  # nobody who writes nothing needs it
            self.write_service.lock.close()
        await _ended(self._task)
        live, self._startup.live = self._startup.live, None
        if live is not None:
            await live.close()
        if self._report_desk is not None:
            await self._report_desk.close()
        if self._reports is not None:
            await self._reports.close()
        await self._context.background_writer.close()

    @property
    def is_authenticated(self) -> bool:
        """Return whether what is asked goes with an access token; known once it has started."""
        live = self._startup.live
        return live is not None and live.client.is_authenticated

    @property
    def uses_job_token(self) -> bool:
        """Return whether that token is the one of a running job; known once it has started."""
        live = self._startup.live
        return live is not None and live.client.uses_job_token

    async def replace_token(self, token: Secret) -> None:
        """Sign in with another token from now on; waiting feeds wake up at once.

        Raises PlatuiError: the service had not started, and does not with this token either.
        """
        self.given_token = token
        if self._startup.live is not None:
            self._startup.live.replace_token(token)
        elif self._startup.error is not None:
            await self.start()

    async def _begin(self) -> None:
        token = None
        try:
            live_module = await asyncio.to_thread(importlib.import_module, "platui.service.live")
            opener = cast("type[Live]", live_module.Live)
            token = self.given_token
            live = await opener.open(
                self._context,
                self._credentials,
                token,
                self.write_service,
                needs_token=self._needs_token,
            )
        except PlatuiError as error:
            if self.given_token is not token:  # given meanwhile, and not tried yet
                await self._begin()
            else:
                self._startup.fail(error)
            return
        if self.given_token is not None and self.given_token is not token:
            try:
                live.replace_token(self.given_token)
            except PlatuiError as error:
                await live.close()
                self._startup.fail(error)
                return
        live.context.conditions.focus(self._focused)
        self._startup.succeed(live)


async def _ended(task: asyncio.Task[None] | None) -> None:
    """Cancel a task that still runs, and wait for its end."""
    if task is not None and not task.done():
        task.cancel()
        await asyncio.wait({task})


def _load_reports_class(*, keeps: bool) -> type[Reports]:
    """Load what opens access reports, and see that those that are kept lie where it looks."""
    if keeps:
        importlib.import_module("platui.service.access.report_folders").move_from_cache()
    return cast("type[Reports]", importlib.import_module("platui.service.access.reports").Reports)
