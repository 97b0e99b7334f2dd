"""The trigger token of a project: which one is used, and from where (spec §5.2)."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from platui.config.credentials import NOT_SET, resolve
from platui.core.errors import CredentialError
from platui.core.text import clean

if TYPE_CHECKING:
    from collections.abc import Mapping

    from platui.config.credentials import Credentials
    from platui.config.profile import Profile
    from platui.core.secrets import Secret
    from platui.models.values.queries import ProjectRef


class TriggerTokens:
    """Finds trigger tokens of one profile; each belongs to one project."""

    def __init__(
        self, profile: Profile, environ: Mapping[str, str], credentials: Credentials | None
    ) -> None:
        """Take where to look.

        Args:
            profile: the platform.
            environ: variables that may hold secrets.
            credentials: secrets at hand, which go before all others.
        """
        self._profile = profile
        self._environ = environ
        self._credentials = credentials

    def source_of(self, project: ProjectRef) -> str:
        """Return in words where the token of a project comes from; nothing is run or read."""
        del project
        if self._credentials is not None and self._credentials.trigger_token is not None:
            source = self._credentials.trigger_token_source
            return "" if source == NOT_SET else source
        return "environment"

    async def token_of(self, project: ProjectRef) -> Secret:
        """Return the token of a project.

        Raises:
            CredentialError: there is none, or its source does not give it.
        """
        found = self._credentials
        if found is None:
            found = await asyncio.to_thread(resolve, self._profile, self._environ)
        if found.trigger_token is None:
            raise CredentialError(
                f"There is no trigger token for {clean(str(project))}.",
                hint="Set PLATUI_TRIGGER_TOKEN.",
            )
        return found.trigger_token
