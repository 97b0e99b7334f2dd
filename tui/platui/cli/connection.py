"""The service of a platform for a command, and its event loop."""

from __future__ import annotations

from contextlib import contextmanager
from math import ceil
from typing import TYPE_CHECKING, Final, Self, TypeVar

from platui.cli.output.progress import print_notice, warn_ignored_keys
from platui.config.environment import harden

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
    from typing import Any

    from platui.cli.command_options import WriteOptions
    from platui.config.profile import Profile
    from platui.config.settings import Options, Settings
    from platui.service import PlatformService

    Choose = Callable[[Settings, Mapping[str, str], Options, str], Profile]
    """Takes what `chosen_profile` does."""
    from asyncio import TimerHandle

    from platui.models.values.connection import BudgetState

T = TypeVar("T")
_WORTH: Final = 3.0
"""Seconds of a pause of which something is said."""
_STILL: Final = 1.0
"""Seconds for which a command goes on with what it has already."""


class Platform:
    """A service, and its loop: which stands still while somebody is asked something.

    Ctrl+C reaches whoever waits for an answer, as it could not within the loop.
    """

    def __init__(
        self,
        service: PlatformService,
        runner: asyncio.Runner,
        environ: Mapping[str, str],
        why_off: str = "",
    ) -> None:
        """Keep the environment, which has secrets, and why nothing is written (empty: it is)."""
        self.service = service
        self.environ = environ
        self.why_off = why_off
        self._runner = runner

    @property
    def address(self) -> str:
        return self.service.profile.url

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        return self._runner.run(work)

    def read(self, work: Coroutine[Any, Any, T]) -> T:
        """Do something in the loop that only reads; that it waits for the quota is said."""
        return self.run(_telling_quota(self.service, work))


@contextmanager
def open_platform(
    options: Options,
    words: Sequence[str] = (),
    write_options: WriteOptions | None = None,
    *,
    needs_token: bool = True,
    choose: Choose | None = None,
) -> Iterator[Platform]:
    """Open the service of the profile that a command is about; nothing is sent yet.

    An address in `words` selects its profile. With `write_options`, the profile must be named.
    `needs_token`: raise if there is no access token.

    Raises ConfigError: there is no profile, or it is not usable; or of several profiles none is
    named to be written to.
    """
    import asyncio  # noqa: PLC0415  (not for help or completion)

    from platui.cli.debug import write_debug_to  # noqa: PLC0415  (not for help or completion)
    from platui.cli.profiles import chosen_profile, profile_to_write  # noqa: PLC0415  (not for help or completion)
    from platui.config.load import load_settings  # noqa: PLC0415  (not for help or completion)
    from platui.service import PlatformService  # noqa: PLC0415  (not for help or completion)

    environ = harden()
    settings = load_settings(options.config, environ, options)
    warn_ignored_keys(settings)
    choose = choose or (chosen_profile if write_options is None else profile_to_write)
    profile = choose(settings, environ, options, words[0] if words else "")
    service = PlatformService(profile, settings, environ=environ, needs_token=needs_token)
    write_debug_to(settings.debug_file, service)
    service.notices.subscribe(print_notice)
    with asyncio.Runner() as runner:
        try:
            yield Platform(service, runner, environ, _why_off(settings, options, profile))
        finally:
            runner.run(service.close())


async def _telling_quota(service: PlatformService, work: Coroutine[Any, Any, T]) -> T:
    with QuotaNotice(service):
        return await work


def _why_off(settings: Settings, options: Options, profile: Profile) -> str:
    if options.read_only:
        return "--read-only was given."
    if settings.read_only:
        return "`read_only` is set in config.toml."
    return f"Its `writes` setting is `{profile.writes}`." if profile.writes == "off" else ""


class QuotaNotice:
    """Says once of each pause how long it is, a second after its begin: else nobody waits."""

    def __init__(self, service: PlatformService) -> None:
        self._clock = service.clock
        self._budget = service.budget
        self._until = float("-inf")
        self._later: TimerHandle | None = None

    def __enter__(self) -> Self:
        self._stop = self._budget.observe(self._changed)
        self._changed(self._budget.value)
        return self

    def __exit__(self, *_: object) -> None:
        self._stop()
        if self._later is not None:
            self._later.cancel()

    def _changed(self, state: BudgetState) -> None:
        until = state.paused_until
        if until is None or until <= self._until + _WORTH:
            return
        if until - self._clock.monotonic() < _WORTH:
            return
        self._until = until
        if self._later is not None:
            self._later.cancel()
        import asyncio  # noqa: PLC0415  (not for help or completion)

        self._later = asyncio.get_running_loop().call_later(_STILL, self._say, state)

    def _say(self, state: BudgetState) -> None:
        left = self._until - self._clock.monotonic()
        print_notice(
            f"The quota of {state.limit:,} requests a minute is spent: "
            f"it goes on in {max(1, ceil(left))} s."
        )
