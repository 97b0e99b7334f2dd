"""The platform service of a command, with its event loop."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import field
from math import ceil
from typing import TYPE_CHECKING, Any, Final, TypeVar

from platui.cli.output.progress import print_notice, warn_ignored_keys
from platui.config.environment import harden
from platui.core.dataclass import dataclass
from platui.core.errors import UnauthorizedError
from platui.core.named_tuple import NamedTuple

if TYPE_CHECKING:
    import asyncio

    from platui.config.profile import Profile
    from platui.config.settings import Options, Settings
    from platui.core.errors import PlatuiError
    from platui.service import PlatformService

    Choose = Callable[[Settings, Mapping[str, str], Options, str], Profile]
    from asyncio import TimerHandle

    from platui.models.values.connection import BudgetState

T = TypeVar("T")
_MIN_PAUSE: Final = 3.0  # Seconds; shorter pauses are not reported
_DELAY: Final = 1.0  # Seconds before a pause is reported


class WriteOptions(NamedTuple):
    """Options of a write: confirmation, output and waiting for what it started."""

    yes: bool = False
    unlock: str = ""  # The profile's name
    dry_run: bool = False
    as_json: bool = False
    wait: bool = False
    follow: bool = False

    @property
    def waits(self) -> bool:
        return self.wait or self.follow


@dataclass(frozen=True, slots=True)
class Platform:
    """A service whose loop runs only during `run` and `read`, so that Ctrl+C interrupts prompts."""

    service: PlatformService
    runner: asyncio.Runner
    environ: Mapping[str, str]  # Contains secrets
    options: Options
    write_options: WriteOptions
    why_off: str  # The reason why writes are off
    failures: list[PlatuiError] = field(default_factory=list)
    """Why the write of a dry run would fail, from reading."""

    @property
    def address(self) -> str:
        return self.service.profile.url

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        found: list[T] = []

        async def keep() -> None:
            # Not as a result: the runner would write it, whole, into the text of an error that
            # `signal.getsignal` discards; a quarter of a second for a thousand records.
            found.append(await work)

        self.runner.run(keep())
        return found[0]

    def read(self, work: Coroutine[Any, Any, T]) -> T:
        """Run a read in the loop; print a notice while it waits for the quota."""

        async def noticed() -> T:
            with quota_notice(self.service):
                return await work

        return self.run(noticed())


@contextmanager
def open_platform(
    options: Options,
    words: Sequence[str] = (),
    write_options: WriteOptions | None = None,
    *,
    needs_token: bool = True,
    choose: Choose | None = None,
) -> Iterator[Platform]:
    """Open the service of a profile, which an address in `words` may select. Raises ConfigError."""
    import asyncio  # noqa: PLC0415  (not for help or completion)

    from platui.cli.debug import write_debug_to  # noqa: PLC0415  (not for help or completion)
    from platui.cli.profiles import chosen_profile, profile_to_write  # noqa: PLC0415  (not for help or completion)
    from platui.config.load import load_settings, with_settings  # noqa: PLC0415  (not for help or completion)
    from platui.service import PlatformService  # noqa: PLC0415  (not for help or completion)

    environ = harden()
    settings = load_settings(options.config, environ, options)
    warn_ignored_keys(settings)
    choose = choose or (chosen_profile if write_options is None else profile_to_write)
    profile = choose(settings, environ, options, words[0] if words else "")
    service = PlatformService(
        profile, settings, environ=environ, needs_token=needs_token, one_shot=True
    )
    write_debug_to(settings.debug_file, service)
    service.notices.subscribe(print_notice)
    with asyncio.Runner() as runner:
        try:
            why_off = _why_off(settings, options, profile)
            given = write_options or WriteOptions()
            shown = with_settings(options, settings)
            yield Platform(service, runner, environ, shown, given, why_off)
        except UnauthorizedError as error:
            _name_source(error, profile, environ)
            raise
        finally:
            runner.run(service.close())


def _name_source(error: UnauthorizedError, profile: Profile, environ: Mapping[str, str]) -> None:
    """Say that a rejected token is that of the environment, not that of the profile."""
    from platui.config.credentials import from_environment  # noqa: PLC0415  (only for an error)
    from platui.config.environment import TOKEN, URL  # noqa: PLC0415  (only for an error)

    token, _ = from_environment(TOKEN, environ, URL, profile.url)
    if token is not None and error.hint == error.default_hint:
        error.hint = f"The token is that of {TOKEN}: set a new one there"
        error.hint += "." if profile.ephemeral else ", or unset it to use that of the profile."


def _why_off(settings: Settings, options: Options, profile: Profile) -> str:
    if options.read_only:
        return "--read-only is set."
    if settings.read_only:
        return "`read_only` is set in config.toml."
    return f"Its `writes` setting is `{profile.writes}`." if profile.writes == "off" else ""


@contextmanager
def quota_notice(service: PlatformService) -> Iterator[None]:
    """Print each pause for the quota once, a second after it begins."""
    clock, until = service.clock, float("-inf")
    timer: TimerHandle | None = None

    def print_pause(state: BudgetState) -> None:
        print_notice(
            f"The quota of {state.limit:,} requests per minute is used up. "
            f"Continuing in {max(1, ceil(until - clock.monotonic()))} s."
        )

    def change(state: BudgetState) -> None:
        import asyncio  # noqa: PLC0415  (not for help or completion)

        nonlocal timer, until
        paused = state.paused_until
        if paused is None or paused <= until + _MIN_PAUSE:
            return
        if paused - clock.monotonic() < _MIN_PAUSE:
            return
        until = paused
        if timer is not None:
            timer.cancel()
        timer = asyncio.get_running_loop().call_later(_DELAY, print_pause, state)

    stop = service.budget.observe(change)
    change(service.budget.value)
    try:
        yield
    finally:
        stop()
        if timer is not None:
            timer.cancel()
