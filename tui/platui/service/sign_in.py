"""Sign in to a platform without a profile: find its root, verify the token."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from platui.config.address import BadAddressError, host_name, possible_roots
from platui.core.errors import (
    ApiError,
    ConfigError,
    InvalidResponseError,
    MissingScopeError,
    NoPlatformError,
    OfflineError,
    OfflineReason,
    PlatuiError,
)
from platui.core.lazy_module import LazyModule
from platui.core.text import clean
from platui.models.values.connection import SignInInfo, TokenInfo, Urgency
from platui.models.values.queries import ProjectsQuery

if TYPE_CHECKING:
    from platui.api.connect import ProjectConnection
    from platui.api.endpoint import Endpoint
    from platui.api.endpoints import projects, session
    from platui.core.clock import Clock
    from platui.core.secrets import Secret
    from platui.models.wire import Project, User, Version
else:
    projects = LazyModule("platui.api.endpoints.projects")
    session = LazyModule("platui.api.endpoints.session")

T = TypeVar("T")

_PATIENCE: Final = 15.0  # seconds to wait for a response
_ALL_ROOTS: Final = 10.0  # seconds for all possible roots of an address
_PAGES: Final = 3  # pages of projects to load


class SignIn:
    """Tries addresses and tokens over HTTP; stores nothing."""

    def __init__(
        self, clock: Clock, *, ca_bundle: Path | None = None, insecure: bool = False
    ) -> None:
        self.ca_bundle = ca_bundle
        self.insecure = insecure  # Whether plain http is allowed
        self._clock = clock

    async def trust(self, bundle: Path) -> None:
        """Trust the certificates of a file too. Raises ConfigError: it contains none."""
        transport: Any = await asyncio.to_thread(import_module, "platui.api.transport")
        await asyncio.to_thread(transport.tls_context, bundle)
        self.ca_bundle = bundle

    async def root_of(self, text: str) -> str:
        """Return the platform's root from the address of any of its pages; no token is sent."""
        try:
            roots = possible_roots(text)
        except BadAddressError as error:
            raise ConfigError(
                f"This {error}.", hint="Example: https://platform.example.com"
            ) from error
        try:
            async with asyncio.timeout(_ALL_ROOTS):
                return await self._first_of(roots)
        except TimeoutError:
            raise OfflineError(
                f"{host_name(roots[0])} did not respond within {_ALL_ROOTS:.0f} s.",
                reason=OfflineReason.TIMEOUT,
            ) from None

    async def _first_of(self, roots: Sequence[str]) -> str:
        probing = await asyncio.to_thread(import_module, "platui.api.probing")
        first: PlatuiError | None = None
        for root in roots:
            try:
                async with self._open(root, None) as connection:
                    await probing.check_is_platform(connection.exchange)
            except (OfflineError, ConfigError):
                raise  # same host: another path fails the same way
            except PlatuiError as error:
                first = first or error
            else:
                return root
        raise first or NoPlatformError("No platform found at this URL.")

    async def introduce(self, root: str, token: Secret | None) -> SignInInfo:
        """Return identity, scopes and projects of a token that can read projects."""
        async with self._open(root, token) as connection:
            try:
                projects, is_whole = await _projects(connection)
            except MissingScopeError as error:
                facts = await facts_of(connection)
                has = f" It has {', '.join(facts.scopes)}." if facts and facts.scopes else ""
                raise MissingScopeError(
                    f"{error.sentence}{has}",
                    status=error.status,
                    hint="Create another token: read_api to view, api to run pipelines too.",
                ) from None
            user, facts, version = await asyncio.gather(
                get_optional(connection, session.user()),
                facts_of(connection),
                get_optional(connection, session.version()),
            )
        return sign_in_info(user, facts, version, projects, is_whole=is_whole)

    @asynccontextmanager
    async def _open(self, root: str, token: Secret | None) -> AsyncIterator[ProjectConnection]:
        # Takes 0.1 s to import.
        connect: Any = await asyncio.to_thread(import_module, "platui.api.connect")
        server = connect.Server(root, self.insecure, self.ca_bundle, _PATIENCE)
        connection: ProjectConnection = await connect.open_project_api(server, token, self._clock)
        try:
            yield connection
        finally:
            await connection.aclose()


def sign_in_info(
    user: User | None,
    facts: TokenInfo | None,
    version: Version | None,
    projects: tuple[Project, ...],
    *,
    is_whole: bool,
) -> SignInInfo:
    return SignInInfo(
        "" if user is None else clean(user.name),
        "" if user is None else clean(user.username),
        facts,
        "" if version is None else clean(version.version),
        projects,
        is_whole,
    )


async def _projects(connection: ProjectConnection) -> tuple[tuple[Project, ...], bool]:
    found: dict[int, Project] = {}
    listed = projects.projects(ProjectsQuery())
    for number in range(1, _PAGES + 1):
        page = await connection.client.get(listed.page(number), Urgency.USER)
        found |= {one.id: one for one in page.items}
        if page.next is None:
            return tuple(found.values()), True
    return tuple(found.values()), False


async def facts_of(connection: ProjectConnection) -> TokenInfo | None:
    token = await get_optional(connection, session.token())
    if token is None or not (token.scopes or token.name or token.expires_at):
        return None
    return TokenInfo(clean(token.name), tuple(map(clean, token.scopes)), token.expires_at)


async def get_optional(connection: ProjectConnection, endpoint: Endpoint[T]) -> T | None:
    try:
        return await connection.client.get(endpoint, Urgency.USER)
    except (ApiError, InvalidResponseError):
        return None
