"""The one door the ui knocks on. Light to import: what is heavy comes with `start`."""

from __future__ import annotations

import asyncio
import importlib
import os
from contextlib import aclosing
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar, cast

from platui.config.choose import for_profile
from platui.core.clock import SystemClock
from platui.core.errors import PlatuiError
from platui.core.observers import Observable
from platui.models.values.connection import BudgetState
from platui.service.feeds import Feeds
from platui.service.opening import Opening
from platui.service.remembrance import Remembrance
from platui.service.surface import Surface

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Mapping

    from platui.config.credentials import Credentials
    from platui.config.profile import Profile, Writes
    from platui.config.settings import Settings
    from platui.core.clock import Clock
    from platui.core.remarks import Remarks
    from platui.core.secrets import Secret
    from platui.models.values.connection import Line
    from platui.models.values.places import Place
    from platui.models.values.raw import RawRecord, RecordRef
    from platui.models.values.triage_news import BoardNews
    from platui.service.directory import Directory
    from platui.service.downloading import Downloads
    from platui.service.drafts import Drafts
    from platui.service.inquest import Inquest
    from platui.service.journal import RequestJournal
    from platui.service.live import Live
    from platui.service.report_desk import ReportDesk
    from platui.service.reports import Reports
    from platui.service.repository import Repository
    from platui.service.triage_book import TriageBook
    from platui.service.write_desk import WriteDesk

T = TypeVar("T")


class PlatformService:
    """One platform, seen with one profile."""

    def __init__(
        self,
        profile: Profile,
        settings: Settings,
        clock: Clock,
        credentials: Credentials | None,
        environ: Mapping[str, str],
        *,
        needs_token: bool = True,
    ) -> None:
        settings = for_profile(settings, profile)
        budget = Observable(BudgetState(0, profile.rate_limit))
        self._surface = Surface(profile, settings, clock, environ, budget)
        self._writes_open_until: Observable[float | None] = Observable(None)
        self.remembrance = Remembrance(profile, self._surface.scribe, self._surface.remarks.say)
        """What outlives a run of the dashboard."""
        self._credentials = credentials
        self._needs_token = needs_token
        self._token: Secret | None = None
        self._opening: Opening[Live] = Opening()
        self.feeds = Feeds(self._opening)
        """Everything that changes, to be iterated; they can be had before `start`."""
        self._task: asyncio.Task[None] | None = None
        self._focused = True
        self._reports: Reports | None = None
        self._report_desk: ReportDesk | None = None

    @classmethod
    def open(
        cls,
        profile: Profile,
        settings: Settings,
        clock: Clock | None = None,
        credentials: Credentials | None = None,
        environ: Mapping[str, str] | None = None,
        *,
        needs_token: bool = True,
    ) -> PlatformService:
        """Return the service of a profile; nothing is read, imported or sent before `start`.

        Args:
            profile: the platform to speak to.
            settings: what the user chose.
            clock: what tells the time; the machine's where left out.
            credentials: secrets at hand; resolved from the profile where left out.
            environ: variables that may hold secrets; those of the process where left out.
            needs_token: whether it does not start without an access token; False where no
                more is done than to trigger pipelines.
        """
        environ = os.environ if environ is None else environ
        clock = clock or SystemClock()
        return cls(profile, settings, clock, credentials, environ, needs_token=needs_token)

    @property
    def profile(self) -> Profile:
        """Return the platform and how to sign in to it."""
        return self._surface.profile

    @property
    def clock(self) -> Clock:
        """Return what tells the time."""
        return self._surface.clock

    @property
    def budget(self) -> Observable[BudgetState]:
        """Return the requests of the last minute against the quota, to be observed."""
        return self._surface.budget

    @property
    def line(self) -> Observable[Line]:
        """Return whether the platform answers, to be observed."""
        return self._surface.line

    @property
    def remarks(self) -> Remarks:
        """Return what has to be known of what is kept on disk: damaged, newer, or not kept."""
        return self._surface.remarks

    @property
    def journal(self) -> RequestJournal:
        """Return the last requests."""
        return self._surface.journal

    async def repository(self) -> Repository:
        """Return what can be chosen in repositories: refs, folders, pipeline files.

        Raises:
            PlatuiError: the service cannot start.
        """
        return (await self._started()).repository

    async def downloads(self) -> Downloads:
        """Return what saves archives of artifacts.

        Raises:
            PlatuiError: the service cannot start.
        """
        return (await self._started()).downloads

    @cached_property
    def triage_book(self) -> TriageBook:
        """Return what is watched, and what was said of incidents."""
        from platui.service.triage_book import TriageBook  # noqa: PLC0415  (not for every start)

        return TriageBook(self.profile, self._surface.remarks.say)

    @cached_property
    def directory(self) -> Directory:
        """Return what finds projects and groups by their paths."""
        from platui.service.directory import Directory  # noqa: PLC0415  (not for a first frame)

        return Directory(self._started)

    @property
    def writes(self) -> Writes:
        """Return what this profile lets through: `off`, `locked` or `confirm`."""
        return "off" if self._surface.settings.read_only else self.profile.writes

    @property
    def writes_open_until(self) -> Observable[float | None]:
        """Return the monotonic second at which unlocked writes are locked again.

        None while they are locked, and always where the profile has no lock. To be observed:
        it changes when the lock opens or shuts, and does not tick.
        """
        return self._writes_open_until

    @cached_property
    def write_desk(self) -> WriteDesk:
        """Return what plans and performs writes."""
        from platui.service.write_desk import WriteDesk  # noqa: PLC0415  (not for a first frame)

        return WriteDesk(self._surface, self._credentials, self._writes_open_until, self._started)

    @cached_property
    def drafts(self) -> Drafts:
        """Return what fills in the forms of writes."""
        from platui.service.drafts import Drafts  # noqa: PLC0415  (as above)

        return Drafts(self._started, self.write_desk.book)

    async def watch_news(self) -> AsyncGenerator[BoardNews]:
        """Yield the triage board with what is new on it, for who does not look at it."""
        module = await asyncio.to_thread(importlib.import_module, "platui.service.triage_news")
        feed = self.feeds.watch_board(self.triage_book, aside=True)
        found: AsyncGenerator[BoardNews] = module.news_of(feed, self.clock)
        async with aclosing(found):
            async for one in found:
                yield one

    async def inquest(self) -> Inquest:
        """Return what answers questions about one incident.

        Raises:
            PlatuiError: the service cannot start.
        """
        return await (await self._started()).inquest()

    async def reports(self) -> Reports:
        """Return the organization's access reports; they need no access token."""
        if self._reports is None:
            keeps = not self._surface.profile.keeps_nothing
            opener = await asyncio.to_thread(_reports_at_hand, keeps=keeps)
            if self._reports is None:
                self._reports = opener(self._surface, self._credentials)
        return self._reports

    async def report_desk(self) -> ReportDesk:
        """Return the access report that is looked at: the same for every view of it."""
        if self._report_desk is None:
            module = await asyncio.to_thread(importlib.import_module, "platui.service.report_desk")
            desk = cast("type[ReportDesk]", module.ReportDesk)
            reports = await self.reports()
            if self._report_desk is None:
                self._report_desk = desk(reports)
        return self._report_desk

    @property
    def is_fetching_report(self) -> bool:
        """Return whether an access report is being fetched."""
        return self._report_desk is not None and self._report_desk.is_fetching

    async def raw(self, ref: RecordRef, *, anew: bool = False) -> RawRecord:
        """Return what the platform says of one record: the bytes of its answer.

        Args:
            ref: the record.
            anew: whether to ask although an answer is kept.

        Raises:
            PlatuiError: nothing is known of it, and asking failed.
        """
        return await (await self._started()).raw_records.read(ref, anew=anew)

    def place_of(self, address: str) -> Place | None:
        """Return the place that a pasted address of this platform names, if it is one."""
        from platui.service.addresses import place_of  # noqa: PLC0415  (not for a first frame)

        return place_of(address, self.profile.url)

    def place_at(self, address: str) -> tuple[Place, str] | None:
        """Return the same, and the words that the view is filtered by."""
        from platui.service.addresses import place_at  # noqa: PLC0415  (not for a first frame)

        return place_at(address, self.profile.url)

    def focus(self, focused: bool) -> None:  # noqa: FBT001  (a switch)
        """Tell whether the terminal has the user's eyes: polling is slower without."""
        self._focused = focused
        if self._opening.live is not None:
            self._opening.live.focus(focused)

    async def start(self) -> None:
        """Import the heavy half, resolve the credentials, open the client; once is enough.

        Raises:
            PlatuiError: a credential, the configuration or the address is not usable. It
                can be called again; feeds that wait show the reason meanwhile.
        """
        if self._opening.live is not None or self._opening.closed:
            return
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._begin(), name="platui service start")
        # The shield: a screen that is left must not take the start away from the others.
        await asyncio.shield(self._task)
        if self._opening.error is not None:
            raise self._opening.error

    async def _started(self) -> Live:
        await self.start()
        if self._opening.live is None:
            raise asyncio.CancelledError  # closed meanwhile: nobody waits any more
        return self._opening.live

    async def close(self) -> None:
        """End requests, close the client and the stores; nothing works afterwards."""
        self._opening.close()
        if "write_desk" in vars(self):  # nobody who writes nothing needs it
            self.write_desk.lock.close()
        if self._task is not None and not self._task.done():
            self._task.cancel()
            await asyncio.wait({self._task})
        live, self._opening.live = self._opening.live, None
        if live is not None:
            await live.close()
        if self._report_desk is not None:
            await self._report_desk.close()
        if self._reports is not None:
            await self._reports.close()
        await self._surface.scribe.close()

    @property
    def is_signed(self) -> bool:
        """Return whether what is asked goes with an access token; known once it has started."""
        live = self._opening.live
        return live is not None and live.is_signed

    @property
    def is_of_job(self) -> bool:
        """Return whether that token is the one of a running job; known once it has started."""
        live = self._opening.live
        return live is not None and live.is_of_job

    @property
    def given_token(self) -> Secret | None:
        """Return the token that was given in the dashboard, in place of the configured one."""
        return self._token

    def begin_with(self, token: Secret | None) -> None:
        """Sign in with a token that was given before; None: with the configured one."""
        self._token = token

    async def replace_token(self, token: Secret) -> None:
        """Sign in with another token from now on; waiting feeds wake up at once.

        Raises:
            PlatuiError: the service had not started, and does not with this token either.
        """
        self._token = token
        if self._opening.live is not None:
            self._opening.live.replace_token(token)
        elif self._opening.error is not None:
            await self.start()

    async def _begin(self) -> None:
        """Open the live half and hand it to all who wait."""
        token = None
        try:
            live_module = await asyncio.to_thread(importlib.import_module, "platui.service.live")
            opener = cast("type[Live]", live_module.Live)
            token = self._token
            live = await opener.open(
                self._surface,
                self._credentials,
                token,
                self.write_desk,
                needs_token=self._needs_token,
            )
        except PlatuiError as error:
            if self._token is not token:  # given meanwhile, and not tried yet
                await self._begin()
            else:
                self._opening.fail(error)
            return
        if self._token is not None and self._token is not token:
            try:
                live.replace_token(self._token)
            except PlatuiError as error:
                await live.close()
                self._opening.fail(error)
                return
        live.focus(self._focused)
        self._opening.succeed(live)


def _reports_at_hand(*, keeps: bool) -> type[Reports]:
    """Load what opens access reports, and see that those that are kept lie where it looks.

    Args:
        keeps: whether there can be any.
    """
    if keeps:
        importlib.import_module("platui.service.report_home").take_along()
    return cast("type[Reports]", importlib.import_module("platui.service.reports").Reports)
