"""Somebody who types commands for one platform of the tests, from a script."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.support.commands import Said, Shell
from tests.support.platform import api_client, credentials, in_project
from tests.support.service import requests_of

if TYPE_CHECKING:
    from platui_emulator.server import RunningEmulator

PLANTED = "planted-s3cret-value"
"""A secret that is looked for where none may be."""

TRUTHFUL = pytest.mark.variants("default", reason="names and addresses are what they seem")


class User(Shell):
    """Has every token of the platform, and calls its profile `here`."""

    def __init__(
        self,
        platform: RunningEmulator,
        monkeypatch: pytest.MonkeyPatch,
        capfd: pytest.CaptureFixture[str],
    ) -> None:
        super().__init__(
            monkeypatch,
            capfd,
            {
                "PLATUI_TOKEN": platform.token,
                "PLATUI_TRIGGER_TOKEN": credentials(platform)["trigger"],
                "PLATUI_PROFILE": "here",
            },
        )
        self.platform = platform
        self.project = platform.project
        self.at(platform.base_url)

    def at(self, url: str) -> None:
        """Speak to the platform through another address."""
        self.environ["PLATUI_URL"] = url

    def yes(self, *words: str, **environ: str) -> Said:
        """Run a command that is unlocked and answered on its line."""
        return self(*words, "--yes", "--unlock", "here", **environ)

    def get(self, path: str) -> Any:
        """Ask the platform, as another program would."""
        with api_client(self.platform) as client:
            return client.get(in_project(self.platform, path)).json()

    @property
    def seen(self) -> int:
        """Return the number of the newest request that came to the platform."""
        return max((one["number"] for one in requests_of(self.platform)), default=0)

    def writes_since(self, seen: int) -> list[str]:
        """Return what changed something since then, as the platform saw it."""
        return [
            f"{one['method']} {one['path']}"
            for one in requests_of(self.platform, seen)
            if one["method"] != "GET"
        ]
