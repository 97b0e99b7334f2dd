"""Selects the tests of one variant of the platform, and the user who types commands in them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support.command_user import User
    from tests.support.platform import PlatformFactory

    from platui_emulator.server import RunningEmulator

_OF_THE_DEFAULT_FACE: Final = {
    "test_emulator_": "the emulator's other variants have tests of their own (test_variant_…)",
    "test_python_gitlab": "python-gitlab stands on the neighbours, and on honest headers",
}
"""Reasons by how a module's name begins."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark them, before the marks are looked at."""
    for item in items:
        for name, reason in _OF_THE_DEFAULT_FACE.items():
            if item.path.name.startswith(name) and item.path.parent.name == "contract":
                item.add_marker(pytest.mark.variants("default", reason=reason))


@pytest.fixture
def user(
    platform: RunningEmulator, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> User:
    """Return somebody at the platform that tests share."""
    from tests.support.command_user import User  # noqa: PLC0415  (of the commands' tests only)

    return User(platform, monkeypatch, capfd)


@pytest.fixture
def user_of(
    platform_with: PlatformFactory,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> Callable[..., User]:
    """Return what makes somebody at a platform of one's own."""
    from tests.support.command_user import User  # noqa: PLC0415  (as above)

    return lambda **options: User(platform_with(**options), monkeypatch, capfd)
