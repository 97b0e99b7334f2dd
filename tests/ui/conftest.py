"""What tests of the dashboard stand on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.support.at_rest import Watch
from tests.support.clock import FakeClock

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.platform import PlatformFactory

    from platui_emulator.server import RunningEmulator


@pytest.fixture(scope="session", autouse=True)
def _watch() -> Iterator[None]:
    """Let a key that is pressed take as long as what it leads to, and no longer."""
    with pytest.MonkeyPatch.context() as patch:
        Watch().begin(patch)
        yield


@pytest.fixture
def desk(platform_with: PlatformFactory) -> RunningEmulator:
    """Run a platform of one's own whose time stands still: what is running goes on running."""
    return platform_with(clock=FakeClock())


@pytest.fixture
def relayed(platform_with: PlatformFactory) -> RunningEmulator:
    """Run such a platform with a relay for faults in front."""
    return platform_with(clock=FakeClock(), faults_port=0)
