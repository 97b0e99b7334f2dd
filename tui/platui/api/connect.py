"""Open APIs: connect address, token, client, quota and guard."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from platui.api.address import Address, admin_address, project_address
from platui.api.api_client import ApiClient
from platui.api.budget import Budget
from platui.api.exchange import Exchange
from platui.api.redirects import Storage
from platui.api.request_limiter import RequestLimiter
from platui.api.transport import JOB_TOKEN_HEADER, TOKEN_HEADER, Credential, open_client, proxy_for
from platui.core.dataclass import dataclass

if TYPE_CHECKING:
    from platui.api.admin_api import AdminApi
    from platui.api.write_guard import WriteGuard
    from platui.api.write_sender import WriteSender
    from platui.core.clock import Clock
    from platui.core.observers import Observers
    from platui.core.secrets import Secret
    from platui.models.values.connection import RequestCounter, RequestRecord


@dataclass(frozen=True)
class ProjectConnection:
    """An open project API; what sends writes is made by the first write."""

    address: Address
    client: ApiClient
    budget: Budget
    journal: Observers[RequestRecord]
    exchange: Exchange
    open_guard: Callable[[], WriteGuard]

    @cached_property
    def guard(self) -> WriteGuard:
        return self.open_guard()

    @cached_property
    def writes(self) -> WriteSender:
        from platui.api.write_sender import WriteSender  # noqa: PLC0415  (reads need none)

        return WriteSender(self.exchange, self.guard)

    def set_token(self, token: Secret | None, ledger: RequestCounter | None = None) -> None:
        """Replace the token and its quota. Raises CredentialError: invalid characters."""
        self.exchange.credential.replace(token, TOKEN_HEADER)
        self.budget.reset_counts(ledger)

    async def aclose(self) -> None:
        await self.exchange.aclose()


@dataclass(frozen=True, slots=True)
class Server:
    """Connection settings of a profile."""

    url: str
    insecure: bool = False
    ca_bundle: Path | None = None
    timeout: float = 30.0  # Seconds to wait for the next bytes of a response
    documented_only: bool = False


async def open_project_api(
    server: Server,
    token: Secret | None,
    clock: Clock,
    *,
    rate_limit: int = 600,
    ledger: RequestCounter | None = None,
    guard: Callable[[], WriteGuard] | None = None,
    from_job: bool = False,
) -> ProjectConnection:
    """Open the project API; sends nothing. A job token (`from_job`) has its own header.

    Without a `guard`, which is called by the first write, no write is sent.
    """
    credential = Credential(JOB_TOKEN_HEADER if from_job else TOKEN_HEADER, token)
    address = project_address(server.url, insecure=server.insecure)
    budget = Budget(rate_limit, clock, ledger)
    exchange = await _exchange(server, address, credential, clock, RequestLimiter(budget, clock))
    is_encrypted = address.origin.scheme == "https"
    storage = Storage(clock, is_encrypted, server.insecure, server.ca_bundle, server.timeout)
    client, guard = ApiClient(exchange, storage), guard or partial(_no_writes, clock)
    return ProjectConnection(address, client, budget, exchange.journal, exchange, guard)


def _no_writes(clock: Clock) -> WriteGuard:
    from platui.api.write_guard import WriteGuard  # noqa: PLC0415  (reads need none)
    from platui.models.values.writes import WriteMode  # noqa: PLC0415  (the same)

    return WriteGuard(WriteMode.OFF, clock)


async def open_admin_api(
    server: Server,
    key: Secret | None,
    clock: Clock,
    *,
    note: Callable[[RequestRecord], None] | None = None,
) -> AdminApi:
    """Open the administration API. Raises ConfigError: unusable settings or key."""
    from platui.api.admin_api import AdminApi  # noqa: PLC0415  (for access reports only)

    credential = Credential("Authorization", key, prefix="Bearer ", called="key")
    address = admin_address(server.url, insecure=server.insecure)
    exchange = await _exchange(server, address, credential, clock)
    if note is not None:
        exchange.journal.observe(note)
    return AdminApi(exchange)


async def _exchange(
    server: Server,
    address: Address,
    credential: Credential,
    clock: Clock,
    limiter: RequestLimiter | None = None,
) -> Exchange:
    bundle, timeout = server.ca_bundle, server.timeout
    client = await asyncio.to_thread(open_client, address, credential, bundle, timeout)
    proxy = proxy_for(address)
    return Exchange(
        address,
        credential,
        client,
        clock,
        limiter,
        proxy=None if proxy is None else proxy.url.host,
        documented_only=server.documented_only,
    )
