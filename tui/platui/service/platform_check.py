"""Check a platform with one profile: connection, identity, optional endpoints."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import replace
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from platui.api.connect import ProjectConnection, Server, open_project_api
from platui.api.endpoints import files, pipelines, projects, schedules, session
from platui.api.probing import Probe, check_is_api, parsed, probe
from platui.api.transport import proxy_for
from platui.core.errors import NO_OPERATION, PlatuiError, RateLimitedError
from platui.core.paths import cache_dir
from platui.core.text import clean
from platui.models.values.connection import ConnectionCheck, PlatformFacts, SignInInfo, Urgency
from platui.models.values.queries import PipelinesQuery, ProjectsQuery
from platui.service.sign_in import facts_of, get_optional, sign_in_info
from platui.store.request_counter import FileRequestCounter

if TYPE_CHECKING:
    from platui.api.endpoint import Endpoint
    from platui.config.profile import Profile
    from platui.core.clock import Clock
    from platui.core.secrets import Secret
    from platui.models.values.connection import RequestRecord
    from platui.models.wire import Job, Project


_ROUND_TRIPS: Final = 3
_WINDOW: Final = 60.0


_ONE_PROJECT: Final = projects.projects(ProjectsQuery()).one_item()


class PlatformCheck:
    """Checks a platform with about 15 GET requests."""

    def __init__(
        self,
        connection: ProjectConnection,
        clock: Clock,
        ledger: FileRequestCounter | None,
        *,
        documented_only: bool = False,
    ) -> None:
        self._only_promised = documented_only
        self._connection = connection
        now = clock.now().timestamp()
        self._others = 0 if ledger is None else ledger.count(now - _WINDOW, now)
        self.asked: list[RequestRecord] = []
        self._is_spent = False
        connection.journal.observe(self._note)

    @classmethod
    @asynccontextmanager
    async def open(
        cls, profile: Profile, token: Secret | None, clock: Clock, *, from_job: bool = False
    ) -> AsyncIterator[PlatformCheck]:
        """Open a connection with a profile, without sending a request."""
        server = Server(profile.url, profile.insecure, profile.ca_bundle, profile.timeout)
        async with AsyncExitStack() as opened:
            ledger = None
            if token is not None:
                ledger = FileRequestCounter(cache_dir() / "quota", profile.url, token.fingerprint())
                opened.callback(ledger.close)
            connection = await open_project_api(
                server, token, clock,
                rate_limit=profile.rate_limit, ledger=ledger, from_job=from_job,
            )  # fmt: skip
            opened.push_async_callback(connection.aclose)
            yield cls(connection, clock, ledger, documented_only=profile.neighbours == "off")

    @property
    def proxy(self) -> str:
        """Return "host:port" of the proxy; empty without one."""
        found = proxy_for(self._connection.address)
        if found is None:
            return ""
        port = "" if found.url.port is None else f":{found.url.port}"
        return clean(f"{found.url.host}{port}")

    async def reach(self) -> ConnectionCheck:
        """Measure three round trips; stop after a 429, since further requests would only wait."""
        target = _ONE_PROJECT.target
        probes: list[Probe] = []
        while len(probes) < _ROUND_TRIPS and not self._is_spent:
            probes.append(await probe(self._connection.exchange, target))
            self._is_spent = probes[-1].status == HTTPStatus.TOO_MANY_REQUESTS
        shown = probes[0].certificate
        return ConnectionCheck(
            tuple(one.milliseconds for one in probes),
            _ahead(probes),
            "" if shown is None else clean(shown.host),
            "" if shown is None else clean(shown.issuer),
            None if shown is None else shown.ends_at,
            self._connection.address.origin.scheme == "https",
            self._why_no_api(probes[0]),
        )

    async def examine(self) -> PlatformFacts:
        """Find the identity of the token and the optional endpoints of the platform."""
        if self._is_spent:
            raise RateLimitedError("Too many requests in this minute.", retry_after=None)
        caller = self._connection.client
        if self._connection.exchange.credential.of_job:
            job = await caller.get(session.own_job(), Urgency.USER)
            return self._examined(SignInInfo(), {}, job)
        page = await caller.get(_ONE_PROJECT, Urgency.USER)
        if self._only_promised:
            info = SignInInfo(projects=page.items, has_all_projects=page.next is None)
            return self._examined(info, {})
        user = await get_optional(self._connection, session.user())
        facts = await facts_of(self._connection)
        version = await get_optional(self._connection, session.version())
        found: dict[str, bool | None] = {
            "user": user is not None,
            "token": facts is not None,
            "version": version is not None,
        }
        for name, endpoint in await self._optional(page.items):
            found[name] = await self._has(endpoint)
        info = sign_in_info(user, facts, version, page.items, is_whole=page.next is None)
        return self._examined(info, found)

    def _examined(
        self, info: SignInInfo, optional: Mapping[str, bool | None], job: Job | None = None
    ) -> PlatformFacts:
        budget = self._connection.budget.state()
        return PlatformFacts(info, budget, self._others, optional, len(self.asked), job)

    async def _optional(self, known: tuple[Project, ...]) -> list[tuple[str, Endpoint[object]]]:
        if not known:
            return []
        project = known[0].id
        found: list[tuple[str, Endpoint[object]]] = [
            ("project", projects.project(project)),
            ("schedules", schedules.schedules(project).one_item()),
            ("branches", files.branches(project).one_item()),
            ("tags", files.tags(project).one_item()),
            ("tree", files.tree(project, "HEAD").one_item()),
        ]
        with suppress(PlatuiError):
            newest = pipelines.pipelines(PipelinesQuery(project)).one_item()
            page = await self._connection.client.get(newest, Urgency.USER)
            for pipeline in page.items[:1]:
                found.append(("bridges", pipelines.bridges(project, pipeline.id).one_item()))
                found.append(("variables", pipelines.variables(project, pipeline.id)))
        return found

    async def _has(self, endpoint: Endpoint[object]) -> bool | None:
        try:
            found = await probe(self._connection.exchange, endpoint.target)
        except PlatuiError:
            return None
        if found.status < HTTPStatus.MULTIPLE_CHOICES:
            return not found.is_page
        if found.status == HTTPStatus.FORBIDDEN:
            return True  # exists, but not for this token
        if found.status in NO_OPERATION:
            return False
        if found.status == HTTPStatus.NOT_FOUND:
            # A 404 of an unknown route has no `message`, unlike that of an unknown record.
            document = parsed(found.body)
            names_record = isinstance(document, dict) and document.get("message") is not None
            return None if names_record else False
        return None

    def _why_no_api(self, found: Probe) -> PlatuiError | None:
        try:
            check_is_api(found, self._connection.address.origin.name)
        except PlatuiError as error:
            return error
        return None

    def _note(self, record: RequestRecord) -> None:
        self.asked.append(replace(record, number=len(self.asked) + 1))


def _ahead(probes: Sequence[Probe]) -> float | None:
    """Return by how many seconds the server clock is ahead; it has a resolution of one second."""
    differences = [
        (one.reported_at - one.at).total_seconds() + one.milliseconds / 2000
        for one in probes
        if one.reported_at is not None
    ]
    # The server truncates to whole seconds: half a second on average.
    return min(differences, key=abs) + 0.5 if differences else None
