"""The heavy half of the service: everything wired. Imported in a thread, after the first frame."""

from __future__ import annotations

import asyncio
import importlib
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, cast

from platui.api.address import project_address
from platui.api.connect import Endpoint, open_project_api
from platui.api.decoding import PageDecoder, RecordDecoder
from platui.api.storage import Storage
from platui.config.credentials import resolve
from platui.config.environment import TOKEN
from platui.core.errors import CredentialError
from platui.core.paths import cache_dir
from platui.core.text import clean
from platui.models.wire import Bridge, Job, Namespace, Pipeline, Project
from platui.service.budget_mirror import BudgetMirror
from platui.service.downloading import Downloads
from platui.service.job_logs import JobLogs
from platui.service.line_watch import LineWatch
from platui.service.live_feeds import LiveFeeds
from platui.service.log_shelf import LogShelf
from platui.service.lookout import Lookout
from platui.service.page_cache import PageCache
from platui.service.raw_records import RawRecords
from platui.service.reader import Reader
from platui.service.refusals import Refusals
from platui.service.repository import Repository
from platui.service.reruns import Reruns
from platui.service.single_flight import SingleFlight
from platui.service.surroundings import Surroundings
from platui.service.transfers import Transfers
from platui.service.writing import Writing
from platui.store.ledger import FileLedger
from platui.store.pages import PageStore

if TYPE_CHECKING:
    from platui.api.connect import ProjectConnection
    from platui.config.credentials import Credentials
    from platui.config.profile import Profile
    from platui.core.secrets import Secret
    from platui.models.values.queries import ProjectRef
    from platui.service.inquest import Inquest
    from platui.service.surface import Surface
    from platui.service.write_desk import WriteDesk

_WHERE_FROM: Final = "Set PLATUI_TOKEN, or name a token_command or token_file in the profile."
_ELSEWHERE: Final = "Set PLATUI_URL to this platform as well; or platui init makes a profile of it."
"""For who has set a token, which its address keeps from this platform."""
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
        shelf = LogShelf(parts.store.logs, surface.scribe, self._origin, self._cache)
        self._reader = Reader(
            connection.caller, self._cache, SingleFlight(), self._line, self._transfers
        )
        self._logs = JobLogs(surface, connection.caller, self._line, shelf)
        self.feeds = LiveFeeds(
            surface,
            self._reader,
            connection.operations,
            self._around,
            parts.desk.neighbours,
            self._logs,
        )
        self.repository = Repository(self._reader, connection.caller, connection.operations)
        self.downloads = Downloads(connection.caller, parts.storage, clock)
        self.writing = self._open_writing(parts.desk)
        self.reruns = Reruns(connection.caller, connection.operations, parts.desk.book)
        self._inquest: Inquest | None = None
        self.raw_records = RawRecords(self._reader, connection.operations)
        self._mirror = BudgetMirror(connection.budget, surface.budget, clock)
        connection.journal.observe(self._transfers.note)
        connection.journal.observe(surface.journal.add)
        if not surface.profile.keeps_nothing:
            surface.scribe.write(lambda: _keep_house(parts.store))

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
                Endpoint(
                    profile.url,
                    profile.insecure,
                    profile.ca_bundle,
                    profile.timeout,
                    only_promised=profile.neighbours == "off",
                ),
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

    @property
    def is_signed(self) -> bool:
        """Return whether what is asked goes with an access token."""
        return self._connection.caller.is_signed

    @property
    def is_of_job(self) -> bool:
        """Return whether that token is the one of a running job."""
        return self._connection.caller.is_of_job

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
        self._line.token_replaced()
        self._around.token_replaced()

    def focus(self, focused: bool) -> None:  # noqa: FBT001  (a switch)
        """Tell whether the terminal has the user's eyes."""
        self._around.focus(focused)

    async def inquest(self) -> Inquest:
        """Return what answers questions about one incident; the same each time."""
        if self._inquest is None:
            # With what knows causes: a tenth of a second of patterns.
            module = await asyncio.to_thread(importlib.import_module, "platui.service.inquest")
            maker = cast("type[Inquest]", module.Inquest)
            connection = self._connection
            self._inquest = self._inquest or maker(
                connection.caller, connection.operations, self.feeds.subjects, self._logs.log
            )
        return self._inquest

    async def names_of(self, project: ProjectRef) -> frozenset[ProjectRef]:
        """Return id and path of a project, as far as they are known without asking."""
        known = await self._reader.recall(self._connection.operations.project(project))
        if known is None:
            return frozenset({project})
        path = known.value.path_with_namespace
        return frozenset({project, known.value.id, path or project})


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
            hint=_ELSEWHERE if surface.environ.get(TOKEN, "").strip() else _WHERE_FROM,
        )
    return found.token, found.from_job


def _open_store(surface: Surface) -> PageStore:
    """Return the cache on disk, or in memory where the user wants none on disk."""
    cache = surface.settings.cache
    on_disk = cache.disk and not surface.profile.keeps_nothing
    path = cache_dir() / "pages.sqlite3" if on_disk else None
    return PageStore(path, cache.max_mb * _MB, surface.clock, surface.remarks.say)


def _open_ledger(profile: Profile, origin: str, token: Secret | None) -> FileLedger | None:
    """Return the request count that all processes with this token share; the demo is alone."""
    if token is None or profile.keeps_nothing:
        return None
    return FileLedger(cache_dir() / "quota", origin, token.fingerprint())


def _keep_house(store: PageStore) -> None:
    from platui.service.housekeeping import keep_house  # noqa: PLC0415  (behind all that is shown)

    keep_house(store)


def _close_ledger(ledger: FileLedger | None) -> None:
    if ledger is not None:
        ledger.close()


def _warm() -> None:
    """Build the validators here, in a thread, rather than at the first answer in the loop."""
    for model in (Namespace, Project, Pipeline, Job, Bridge):
        PageDecoder(model, 1, 1)(b"[]", {})
    for single in (Project, Pipeline, Job):
        RecordDecoder(single)(b'{"id": 1}', {})
