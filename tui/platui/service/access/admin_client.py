"""Connect to the administration API with a reporting key (spec §5.1), and explain its errors."""

from __future__ import annotations

import asyncio
import re
from importlib import import_module
from typing import TYPE_CHECKING, Final

from platui.api.address import Address, admin_address
from platui.config.credentials import NOT_SET, Credentials, find_admin_key
from platui.core.errors import (
    ApiError,
    ConfigError,
    CredentialError,
    ForbiddenError,
    MissingScopeError,
    NotFoundError,
    PlatuiError,
    ServerFailedError,
    UnauthorizedError,
)

if TYPE_CHECKING:
    from platui.api.admin_api import AdminApi
    from platui.core.secrets import Secret
    from platui.service.service_context import ServiceContext


class AdminClient:
    def __init__(self, context: ServiceContext, credentials: Credentials | None) -> None:
        self._context = context
        self._credentials = credentials
        self._api: AdminApi | None = None

    def address(self) -> Address:
        """Return its address. Raises ConfigError: the profile has none."""
        profile = self._context.profile
        if profile.admin_url_problem:
            raise ConfigError(profile.admin_url_problem)
        if profile.admin_url is None:
            raise ConfigError(
                f"The profile {profile.name} has no admin_url, which the report needs.",
                hint="Ask the platform's support for the URL of your organization's "
                "administration API, and set admin_url in the profile or PLATUI_ADMIN_URL.",
            )
        return admin_address(profile.admin_url, insecure=profile.insecure)

    async def open(self, *, with_key: bool = True) -> AdminApi:
        """Return the client with the current key, or raise ConfigError if a setting is unusable."""
        address = self.address()
        key = await asyncio.to_thread(self._key) if with_key else None
        if self._api is None:
            # Imported here, because saved reports need no client.
            connect = await asyncio.to_thread(import_module, "platui.api.connect")
            profile = self._context.profile
            server = connect.Server(
                address.base, profile.insecure, profile.ca_bundle, profile.timeout
            )
            self._api = await connect.open_admin_api(
                server, None, self._context.clock, note=self._context.journal.add
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


_NEW_KEY: Final = (
    "Ask the platform's support for an organization API key with the scope `reporting`, "
    "and put it in PLATUI_ADMIN_KEY, or name an admin_key_command or admin_key_file in the profile."
)
_SCOPE: Final = "Ask the platform's support for a key with the scope `reporting`."
_LATER: Final = "Retry in a few minutes; if it persists, contact the platform's support."
_OPT_IN: Final = (
    "Ask the platform's support to enable reporting for your organization: "
    "data is collected from then on."
)
_SCOPE_OR_OPT_IN: Final = (
    "Ask the platform's support whether the key has the scope `reporting`, and whether reporting "
    "is enabled for your organization."
)
_OTHER_ADDRESS: Final = (
    "Check admin_url; it differs from the platform's URL. "
    "Or reporting is not enabled for your organization: ask support."
)


# message of an organization without reporting, in lower case; not specified, so best effort
_NOT_OPTED_IN: Final = re.compile(r"\bopt(?:ed)?[ -]?in\b|\breporting\b.*\b(?:en|dis)abled\b")


def no_key(why: str) -> CredentialError:
    why = f" ({why.rstrip('.')})" if why else ""
    return CredentialError(f"No organization API key{why}.", hint=_NEW_KEY)


def with_hint(error: PlatuiError) -> PlatuiError:
    """Return an error of the administration API with a hint what to ask support for."""
    if not isinstance(error, ApiError):
        return error
    sentence, message = error.sentence, error.sentence.rstrip(".")
    kind = type(error)
    match error:
        case UnauthorizedError():
            kind, hint = UnauthorizedError, _NEW_KEY
        case MissingScopeError():
            hint = _SCOPE
        case ForbiddenError() if "scope" in message.lower():
            kind, hint = MissingScopeError, _SCOPE
            sentence = f"The key lacks the scope `reporting` ({message})."
        case ForbiddenError() if _NOT_OPTED_IN.search(message.lower()):
            hint = _OPT_IN
            sentence = f"Reporting is not enabled for this organization ({message})."
        case ForbiddenError():
            hint = _SCOPE_OR_OPT_IN
            sentence = f"This key may not read the report ({message})."
        case ServerFailedError():
            hint = _LATER
            sentence = f"The platform failed to send the report ({message})."
        case NotFoundError():
            hint = _OTHER_ADDRESS
            sentence = f"No report found at this admin_url ({message})."
        case _:
            return error
    return kind(sentence, status=error.status, hint=hint)
