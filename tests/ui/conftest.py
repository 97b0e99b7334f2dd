"""What tests of the dashboard stand on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.support.clock import FakeClock

if TYPE_CHECKING:
    from tests.support.platform import PlatformFactory

    from platui.emulator.server import RunningEmulator


@pytest.fixture
def desk(platform_with: PlatformFactory) -> RunningEmulator:
    """Run a platform of one's own whose time stands still: what is running goes on running."""
    return platform_with(clock=FakeClock())


@pytest.fixture
def relayed(platform_with: PlatformFactory) -> RunningEmulator:
    """Run such a platform with a relay for faults in front."""
    return platform_with(clock=FakeClock(), faults_port=0)
