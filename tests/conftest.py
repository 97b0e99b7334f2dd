"""What every test stands on."""

from __future__ import annotations

import gc
import os
import signal
from collections import Counter
from contextlib import ExitStack
from itertools import count
from typing import TYPE_CHECKING, Final

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.support.platform import PlatformFactory, PlatformOptions

    from platui_emulator.server import RunningEmulator

_OUTSIDE = (
    "NO_COLOR", "FORCE_COLOR", "TEXTUAL", "TEXTUAL_THEME",
    "PLATUI_URL", "PLATUI_TOKEN", "PLATUI_ADMIN_URL", "PLATUI_ADMIN_KEY",
    "PLATUI_TRIGGER_TOKEN", "PLATUI_PROFILE", "CI_JOB_TOKEN", "CI_SERVER_URL", "CI_PROJECT_PATH",
    "TMUX", "TMUX_PANE", "STY",
    "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy",
)  # fmt: skip

_LONGEST_NAME = 200
"""Characters of a value that is a test's name."""

# How long an example takes is told by what else the machine does.
settings.register_profile(
    "platui", deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=50
)
settings.load_profile("platui")

_IN_PART: Final = frozenset({
    "tests/contract/test_posts_under_faults.py",
    "tests/e2e/test_demo_summary.py",
    "tests/e2e/test_terminal_manners.py",
    "tests/e2e/test_terminals.py",
    "tests/ui/test_access_variants.py",
    "tests/ui/test_dashboard_variants.py",
    "tests/ui/test_dashboard_faults.py",
    "tests/ui/test_dashboard_haste.py",
    "tests/ui/test_dashboard_pictures.py",
    "tests/ui/test_pictures.py",
})  # fmt: skip
"""Walks of the same ways in many looks: the default run takes each second case."""

VARIANTS: dict[str, PlatformOptions] = {
    "default": {},
    "spec-only": {"spec_only": True},
    "hostile": {"scenario": "hostile"},
}
"""What the platform of the fixtures shows of itself: `pytest --variant NAME`."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let the caller choose the variant of the platform, and the hour."""
    parser.addoption(
        "--variant", choices=[*VARIANTS], default="default", help="variant of the platform"
    )
    parser.addoption("--whole", action="store_true", help="every look, terminal and kind of fault")
    parser.addoption("--seeds", type=int, default=2, help="runs of tests with random keys (2)")
    parser.addoption("--moment", default="", help="when tests live: a date and time, or now")


def pytest_configure(config: pytest.Config) -> None:
    """Set the clock before anything is imported that looks at it."""
    from tests.support.moment import live_at  # noqa: PLC0415  (its folder is on the path now)

    # A job in the background ignores Ctrl+C, and so would the programs that tests interrupt.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    live_at(config.getoption("--moment"))


def pytest_xdist_auto_num_workers() -> int:
    """Return three times the processors: a test of a program mostly waits for it."""
    return 3 * (os.cpu_count() or 1)


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Name a long value by its length: each worker sends the names of all tests, and sets each.

    Megabytes of them took seconds, and no program starts with such a name in its environment.
    """
    if isinstance(val, str | bytes) and len(val) > _LONGEST_NAME:
        return f"{argname}-of-{len(val)}"
    return None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what cannot hold on the chosen variant; the marker says why."""
    variant = config.getoption("--variant")
    if not config.getoption("--whole") and config.args_source != config.ArgsSource.ARGS:
        _leave_each_second(config, items)
    for item in items:
        for marker in item.iter_markers("variants"):
            if variant not in marker.args:
                item.add_marker(pytest.mark.skip(reason=f"{variant}: {marker.kwargs['reason']}"))


def _leave_each_second(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out each second case of what is walked in many looks, for the time of the gate.

    Whoever names a file or a test gets all of it; `pytest --whole` runs everything.
    """
    seen: Counter[str] = Counter()
    left: list[pytest.Item] = []
    kept: list[pytest.Item] = []
    for item in items:
        test = item.nodeid.partition("[")[0]
        in_part = test.partition("::")[0] in _IN_PART and "[" in item.nodeid
        seen[test] += in_part
        (left if in_part and seen[test] % 2 == 0 else kept).append(item)
    config.hook.pytest_deselected(items=left)
    items[:] = kept


def pytest_collection_finish() -> None:
    """Let the garbage collector pass by what stays for good: some hundred megabytes of tests."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def variant(pytestconfig: pytest.Config) -> str:
    """Return which variant the platform has."""
    return str(pytestconfig.getoption("--variant"))


@pytest.fixture(scope="session")
def has_etags(variant: str) -> bool:
    """Tell whether the platform has ETags that one can send back."""
    return variant == "default"


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """Run async tests on asyncio, the loop that Textual runs on."""
    return "asyncio"


@pytest.fixture(scope="session")
def _homes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Return what names a new folder each time: pytest's own way looks at all there are."""
    folder = tmp_path_factory.mktemp("homes")
    return (folder / str(number) for number in count())


@pytest.fixture(autouse=True)
def _own_surroundings(monkeypatch: pytest.MonkeyPatch, _homes: Iterator[Path]) -> None:
    """Shut out the caller's environment and user folders."""
    for name in _OUTSIDE:
        monkeypatch.delenv(name, raising=False)
    # No machine stops in the middle of a test, and all workers wait for one disk.
    monkeypatch.setattr(os, "fsync", lambda _: None)
    home = next(_homes)
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, str(home / name.lower()))


@pytest.fixture(scope="session")
def platform(variant: str) -> Iterator[RunningEmulator]:
    """Run the platform that most tests share: fixed seed, real clock, a quota nobody spends."""
    # Imported here: most unit tests need no web server, and should not wait for one.
    from tests.support.platform import running_platform  # noqa: PLC0415

    with running_platform(**VARIANTS[variant]) as emulator:
        yield emulator


@pytest.fixture(scope="session")
def still_platform(variant: str) -> Iterator[RunningEmulator]:
    """Run a platform in which time stands still: for reading what must not move meanwhile."""
    from tests.support.clock import FakeClock  # noqa: PLC0415  (as above)
    from tests.support.platform import running_platform  # noqa: PLC0415  (as above)

    options: PlatformOptions = {**VARIANTS[variant], "clock": FakeClock()}
    with running_platform(**options) as emulator:
        yield emulator


@pytest.fixture(scope="session")
def narrow_platform() -> Iterator[RunningEmulator]:
    """Run a still platform that has no more than the spec."""
    from tests.support.clock import FakeClock  # noqa: PLC0415  (as above)
    from tests.support.platform import running_platform  # noqa: PLC0415  (as above)

    with running_platform(clock=FakeClock(), spec_only=True) as emulator:
        yield emulator


@pytest.fixture(scope="session")
def hostile_platform() -> Iterator[RunningEmulator]:
    """Run a still platform whose every text is an attack."""
    from tests.support.clock import FakeClock  # noqa: PLC0415  (as above)
    from tests.support.platform import running_platform  # noqa: PLC0415  (as above)

    with running_platform(clock=FakeClock(), scenario="hostile") as emulator:
        yield emulator


@pytest.fixture
def platform_with(variant: str) -> Iterator[PlatformFactory]:
    """Start platforms of one's own, with another quota, speed, clock, seed or port."""
    from tests.support.platform import running_platform  # noqa: PLC0415  (as above)

    with ExitStack() as running:
        yield lambda **options: running.enter_context(
            running_platform(**{**VARIANTS[variant], **options})
        )
