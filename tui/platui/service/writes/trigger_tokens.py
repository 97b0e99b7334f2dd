"""The trigger token of a project: which one is used, and from where (spec §5.2)."""

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

_HAND = "your hand"
"""The source of a token that was typed, as it stands in `trigger token of … from …`."""


class TriggerTokens:
    """Finds and keeps the trigger tokens of one profile; each belongs to one project."""

    def __init__(
        self, profile: Profile, environ: Mapping[str, str], credentials: Credentials | None
    ) -> None:
        self._profile = profile
        self._environ = environ
        self._credentials = credentials
        self._typed: dict[ProjectRef, Secret] = {}

    def source_of(self, project: ProjectRef) -> str:
        """Return in words where the token of a project comes from; empty: from nowhere.

        Nothing is run, and no token read.
        """
        path = trigger_token_file(self._profile, project)
        if project in self._typed:
            return clean(f"file {path}") if path is not None and path.exists() else _HAND
        if self._at_hand is not None:
            source = self._credentials.trigger_token_source if self._credentials else NOT_SET
            return "what was given at the start" if source == NOT_SET else source
        return trigger_source(self._profile, project, self._environ)

    async def token_of(self, project: ProjectRef) -> Secret:
        """Return the token of a project.

        Raises CredentialError: there is none, or its source does not give it.
        """
        token = self._typed.get(project) or self._at_hand
        if token is None:
            token, _ = await asyncio.to_thread(
                find_trigger_token, self._profile, project, self._environ
            )
        if token is None:
            raise CredentialError(
                f"There is no trigger token for {clean(str(project))}.",
                hint="Type one, set PLATUI_TRIGGER_TOKEN, or name a trigger_token_command.",
            )
        return token

    async def keep(self, names: Iterable[ProjectRef], token: Secret) -> None:
        """Use a token for a project from now on, and keep it where the profile keeps any.

        Raises CredentialError: its file cannot be written; it is used all the same.
        """
        self._typed.update(dict.fromkeys(names, token))
        for name in names:
            if trigger_token_file(self._profile, name) is not None:
                await asyncio.to_thread(save_trigger_token, self._profile, name, token)

    @property
    def _at_hand(self) -> Secret | None:
        return None if self._credentials is None else self._credentials.trigger_token
