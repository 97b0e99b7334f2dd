"""The connected half of the service, imported in a thread after the first frame."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack, suppress
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Final

from platui.api import endpoints
from platui.api.address import project_address
from platui.api.connect import ProjectConnection, Server, open_project_api
from platui.api.decoding import PageDecoder, RecordDecoder
from platui.config.credentials import Credentials, resolve
from platui.config.environment import TOKEN
from platui.core.errors import CredentialError, PlatuiError, UnauthorizedError
from platui.core.paths import cache_dir, data_dir
from platui.core.text import clean
from platui.models.values.connection import ConnectionState, Urgency
from platui.models.values.queries import ProjectRef, ProjectsQuery
from platui.service.connection_state import BudgetMirror, ConnectionWatch
from platui.service.feeds.optional_endpoints import OptionalEndpoints
from platui.service.feeds.poll_conditions import PollConditions
from platui.service.feeds.read_context import ReadContext
from platui.service.page_cache import PageCache
from platui.service.reader import Reader
from platui.store.inventory import is_due, sweep
from platui.store.pages import PageStore
from platui.store.request_counter import FileRequestCounter

if TYPE_CHECKING:
    from platui.config.profile import Profile
    from platui.core.secrets import Secret
    from platui.service.files.archives import Archives
    from platui.service.files.downloading import Downloads
    from platui.service.files.repository import Repository
    from platui.service.logs.job_logs import JobLogs
    from platui.service.service_context import ServiceContext
    from platui.service.tests import Tests
    from platui.service.triage.timelines import Timelines
    from platui.service.writes.task import WriteRunner
    from platui.service.writes.write_service import WriteService

_WHERE_FROM: Final = "Set PLATUI_TOKEN, or token_command or token_file in the profile."
# shown when PLATUI_TOKEN is set, but belongs to another PLATUI_URL
_ELSEWHERE: Final = "Set PLATUI_URL to this platform too, or create a profile with platui init."
_MB: Final = 1_000_000

_PARTS: Final = (
    "platui.service.feeds.polled",
    "platui.service.files.archives",
    "platui.service.files.downloading",
    "platui.service.files.repository",
    "platui.service.logs.job_logs",
    "platui.service.tests",
    "platui.service.triage.timelines",
    "platui.service.writes.task",
)
"""What few commands use: imported when used, or beforehand for a dashboard."""


class Live:
    def __init__(
        self,
        service_context: ServiceContext,
        connection: ProjectConnection,
        store: PageStore,
        ledger: FileRequestCounter | None,
        writes: Callable[[], WriteService],
        owner: str,
    ) -> None:
        self.client = caller = connection.client
        self.token: Secret | None = None  # The personal token; None: that of a job
        self._accepted: Secret | None = None  # The one before, while another is checked
        self._service_context = service_context
        self._connection = connection
        self._store = store
        self._ledger = ledger
        clock = service_context.clock
        self._origin = connection.address.base
        self._conditions = PollConditions(clock, service_context.line, service_context.budget)
        poll = service_context.settings.poll
        self._line = ConnectionWatch(service_context.line, clock, service_context.slow_since, poll)
        self._cache = PageCache(store, service_context.background_writer, self._origin, owner)
        self._reader = Reader(caller, self._cache, self._line, clock)
        profile = service_context.profile
        self.context = ReadContext(
            self._reader,
            self._conditions,
            OptionalEndpoints(asks=profile.neighbours == "auto"),
            self._open_logs,
            poll,
            service_context.settings.utc,
        )
        self._writes = writes
        self._mirror = BudgetMirror(connection.budget, service_context.budget, clock)
        connection.journal.observe(self._reader.note_transfer)
        connection.journal.observe(self._conditions.note_request)
        connection.journal.observe(service_context.journal.add)
        if not profile.is_in_memory:
            service_context.background_writer.write(lambda: clean_up_storage(store))

    @classmethod
    async def open(
        cls,
        service_context: ServiceContext,
        credentials: Credentials | None,
        token: Secret | None,
        writes: Callable[[], WriteService],
        *,
        needs_token: bool = True,
        one_shot: bool = False,
    ) -> Live:
        """Resolve the credentials, open stores and client; nothing is sent yet.

        `token`: a token entered in the dashboard; it has precedence.
        `needs_token`: False for pipeline triggers, which need no access token (spec §5.2).
        Raises CredentialError: the token is missing, or its source failed. ConfigError: address,
        certificates or proxy are not usable.
        """
        profile = service_context.profile
        address = project_address(profile.url, insecure=profile.insecure)
        signature, from_job = token, False
        if token is None:
            signature, from_job = await asyncio.to_thread(
                _token_of, service_context, credentials, needed=needs_token
            )
        async with AsyncExitStack() as opened:
            store = await asyncio.to_thread(_open_store, service_context)
            opened.callback(store.close)
            ledger = await asyncio.to_thread(_open_ledger, profile, address.base, signature)
            opened.callback(_close_ledger, ledger)
            if not one_shot:
                await asyncio.to_thread(_warm)
            connection = await open_project_api(
                Server(
                    profile.url,
                    profile.insecure,
                    profile.ca_bundle,
                    profile.timeout,
                    documented_only=profile.neighbours == "off",
                ),
                signature,
                service_context.clock,
                rate_limit=profile.rate_limit,
                ledger=ledger,
                guard=lambda: writes().guard,
                from_job=from_job,
            )
            opened.pop_all()
        owner = "" if signature is None else signature.fingerprint()
        live = cls(service_context, connection, store, ledger, writes, owner)
        live.token = None if from_job else signature
        return live

    @cached_property
    def repository(self) -> Repository:
        from platui.service.files.repository import Repository  # noqa: PLC0415  (see _PARTS)

        return Repository(self._reader, self.client)

    @cached_property
    def downloads(self) -> Downloads:
        from platui.service.files.downloading import Downloads  # noqa: PLC0415  (see _PARTS)

        return Downloads(self.client, self._service_context.clock)

    @cached_property
    def archives(self) -> Archives:
        from platui.service.files.archives import Archives  # noqa: PLC0415  (see _PARTS)

        return Archives(self.downloads)

    @cached_property
    def timelines(self) -> Timelines:
        from platui.service.triage.timelines import Timelines  # noqa: PLC0415  (see _PARTS)

        return Timelines(self.context)

    @cached_property
    def tests(self) -> Tests:
        from platui.service.tests import Tests  # noqa: PLC0415  (see _PARTS)

        return Tests(self.context, self.timelines)

    @cached_property
    def write_runner(self) -> WriteRunner:
        from platui.service.writes.task import WriteRunner  # noqa: PLC0415  (see _PARTS)

        clock = self._service_context.clock
        return WriteRunner(self._connection, clock, self._line, self._writes())

    def _open_logs(self) -> JobLogs:
        from platui.service.logs.job_logs import JobLogs  # noqa: PLC0415  (see _PARTS)

        return JobLogs(self._service_context, self.client, self._line, self._store, self._cache)

    async def close(self) -> None:
        if "archives" in vars(self):  # used
            self.archives.close()
        self._conditions.close()
        self._mirror.close()
        await self._connection.aclose()
        await self._service_context.background_writer.close()
        await asyncio.to_thread(self._store.close)
        _close_ledger(self._ledger)

    async def replace_token(self, token: Secret) -> None:
        """Sign in with another token; the one before is used again if the platform refuses it.

        Raises CredentialError: invalid characters, or refused.
        """
        is_signed_in = self._service_context.line.value.state is ConnectionState.ONLINE
        # One that is entered during the check of another ends that check.
        before = self._accepted or (self.token if is_signed_in else None)
        self._use(token)
        if before is None:
            return
        self._accepted = before
        try:
            listed = endpoints.projects.projects(ProjectsQuery())
            await self.client.get(listed.one_item(), Urgency.USER)
        except UnauthorizedError:
            self._accepted = None
            self._use(before)
            raise CredentialError(
                "The platform does not accept this token.", hint="The one before is used again."
            ) from None
        except PlatuiError:
            pass  # unknown until the platform responds
        self._accepted = None

    def _use(self, token: Secret) -> None:
        ledger = _open_ledger(self._service_context.profile, self._origin, token)
        try:
            self._connection.set_token(token, ledger)
        except CredentialError:
            _close_ledger(ledger)
            raise
        _close_ledger(self._ledger)
        self._ledger, self.token = ledger, token
        self._cache.change_owner(token.fingerprint())
        self.context.optional.forget()  # another user may see more
        self._line.token_replaced()
        self._conditions.token_replaced()

    async def names_of(self, project: ProjectRef) -> frozenset[ProjectRef]:
        known = await self._reader.recall(endpoints.projects.project(project))
        if known is None:
            return frozenset({project})
        path = known.value.path_with_namespace
        return frozenset({project, known.value.id, path or project})


def _token_of(
    service_context: ServiceContext, credentials: Credentials | None, *, needed: bool
) -> tuple[Secret | None, bool]:
    """Return the token of a profile (may run its command), and whether it is a job token."""
    profile = service_context.profile
    try:
        found = credentials or resolve(profile, service_context.environ, with_admin_key=False)
    except CredentialError:
        if needed:
            raise
        return None, False
    if found.token is None and needed:
        raise CredentialError(
            f"No access token for {clean(profile.name)} ({found.token_source}).",
            hint=_ELSEWHERE if service_context.environ.get(TOKEN, "").strip() else _WHERE_FROM,
        )
    return found.token, found.from_job


def _open_store(service_context: ServiceContext) -> PageStore:
    cache = service_context.settings.cache
    on_disk = cache.disk and not service_context.profile.is_in_memory
    path = cache_dir() / "pages.sqlite3" if on_disk else None
    return PageStore(path, cache.max_mb * _MB, service_context.clock, service_context.notices.add)


def _open_ledger(profile: Profile, origin: str, token: Secret | None) -> FileRequestCounter | None:
    """Return the request counter shared by all processes with this token; None for the demo."""
    if token is None or profile.is_in_memory:
        return None
    return FileRequestCounter(cache_dir() / "quota", origin, token.fingerprint())


def clean_up_storage(pages: PageStore) -> None:
    if not is_due():
        return
    # The report modules take 10 ms to import.
    from platui.report.reading.draft import sweep_drafts  # noqa: PLC0415  (once a day)
    from platui.service.access.spool import sweep_parts  # noqa: PLC0415  (once a day)

    sweep()
    with suppress(OSError):  # no report saved yet
        for shelf in (data_dir() / "reports").iterdir():
            sweep_drafts(shelf)
            sweep_parts(shelf)
    pages.trim()


def _close_ledger(ledger: FileRequestCounter | None) -> None:
    if ledger is not None:
        ledger.close()


def _warm() -> None:
    """Import the parts and build the validators in this thread, before they are needed."""
    from platui.models.wire import Bridge, Job, Namespace, Pipeline, Project  # noqa: PLC0415  (not for a command)

    for name in _PARTS:
        import_module(name)
    for model in (Namespace, Project, Pipeline, Job, Bridge):
        PageDecoder(model, 1, 1)(b"[]", {})
    for single in (Project, Pipeline, Job):
        RecordDecoder(single)(b'{"id": 1}', {})
