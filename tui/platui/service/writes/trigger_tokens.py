"""Trigger tokens of projects (spec §5.2)."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from platui.config.credentials import (
    NOT_SET,
    find_trigger_token,
    save_trigger_token,
    trigger_source,
    trigger_token_file,
)
from platui.core.errors import CredentialError
from platui.core.text import clean

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from platui.config.credentials import Credentials
    from platui.config.profile import Profile
    from platui.core.secrets import Secret
    from platui.models.values.queries import ProjectRef

_HAND = "your input"  # source of a typed token, as in `trigger token of … from …`


class TriggerTokens:
    """Finds and saves the trigger tokens of one profile, one per project."""

    def __init__(
        self, profile: Profile, environ: Mapping[str, str], credentials: Credentials | None
    ) -> None:
        self._profile = profile
        self._environ = environ
        self._credentials = credentials
        self._typed: dict[ProjectRef, Secret] = {}

    def source_of(self, project: ProjectRef) -> str:
        """Describe the source of a project's token, without reading it; empty: none."""
        path = trigger_token_file(self._profile, project)
        if project in self._typed:
            return clean(f"file {path}") if path is not None and path.exists() else _HAND
        if self._given is not None:
            source = self._credentials.trigger_token_source if self._credentials else NOT_SET
            return "the start options" if source == NOT_SET else source
        return trigger_source(self._profile, project, self._environ)

    async def token_of(self, project: ProjectRef) -> Secret:
        """Return the token of a project. Raises CredentialError: none, or its source failed."""
        token = self._typed.get(project) or self._given
        if token is None:
            token, _ = await asyncio.to_thread(
                find_trigger_token, self._profile, project, self._environ
            )
        if token is None:
            raise CredentialError(
                f"No trigger token for {clean(str(project))}.",
                hint="Enter one, set PLATUI_TRIGGER_TOKEN, or configure a trigger_token_command.",
            )
        return token

    async def keep(self, names: Iterable[ProjectRef], token: Secret) -> None:
        """Use a token for a project, and save it if the profile saves any."""
        self._typed.update(dict.fromkeys(names, token))
        for name in names:
            if trigger_token_file(self._profile, name) is not None:
                await asyncio.to_thread(save_trigger_token, self._profile, name, token)

    @property
    def _given(self) -> Secret | None:
        return None if self._credentials is None else self._credentials.trigger_token
