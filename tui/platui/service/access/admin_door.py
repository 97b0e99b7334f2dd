"""The way to the administration API: its address, its key, and a client when it is asked."""

from __future__ import annotations

import asyncio
from importlib import import_module
from typing import TYPE_CHECKING

from platui.api.address import admin_address
from platui.api.journal import Journal
from platui.config.credentials import NOT_SET, find_admin_key
from platui.service.access.support_words import no_address, no_key

if TYPE_CHECKING:
    from platui.api.address import Address
    from platui.api.admin_api import AdminApi
    from platui.config.credentials import Credentials
    from platui.core.secrets import Secret
    from platui.service.service_context import ServiceContext


class AdminDoor:
    """Opens the administration API of a profile."""

    def __init__(self, context: ServiceContext, credentials: Credentials | None) -> None:
        self._context = context
        self._credentials = credentials
        self._api: AdminApi | None = None

    def address(self) -> Address:
        """Return where it is. Raises ConfigError: the profile does not say."""
        profile = self._context.profile
        if profile.admin_url is None:
            raise no_address(profile)
        return admin_address(profile.admin_url, insecure=profile.insecure)

    async def open(self, *, with_key: bool = True) -> AdminApi:
        """Return the open client; the key is looked for each time, for it may be a new one.

        Raises ConfigError: address, certificates, proxy or key are not usable, or not there.
        """
        address = self.address()
        key = await asyncio.to_thread(self._key) if with_key else None
        if self._api is None:
            # Saved reports are looked at without a request, and then without what makes them.
            connect = await asyncio.to_thread(import_module, "platui.api.connect")
            profile, journal = self._context.profile, Journal()
            journal.observe(self._context.journal.add)
            server = connect.Server(
                address.base, profile.insecure, profile.ca_bundle, profile.timeout
            )
            self._api = await connect.open_admin_api(
                server, None, self._context.clock, journal=journal
            )
        api: AdminApi = self._api
        if key is not None:
            api.set_key(key)
        return api

    async def close(self) -> None:
        api, self._api = self._api, None
        if api is not None:
            await api.aclose()

    def _key(self) -> Secret:
        given = self._credentials
        if given is not None:
            key, source = given.admin_key, given.admin_key_source
        else:
            key, source = find_admin_key(self._context.profile, self._context.environ)
        if key is None:
            raise no_key("" if source == NOT_SET else source)
        return key
