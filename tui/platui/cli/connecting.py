"""The service of a platform for a command, and the loop that it lives in."""

from __future__ import annotations

import asyncio
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from platui.cli.debug import write_debug_to
from platui.cli.left_out import tell_left_out
from platui.cli.patience import narrate
from platui.cli.profiles import chosen_profile, named_profile
from platui.cli.quota_wait import QuotaWait
from platui.config.hardening import harden
from platui.config.load import load_settings
from platui.service import PlatformService

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
    from typing import Any

    from platui.cli.manner import Manner
    from platui.config.profile import Profile
    from platui.config.settings import Options, Settings

    Choose = Callable[[Settings, Mapping[str, str], Options, str], Profile]
    """Takes what `chosen_profile` does."""

T = TypeVar("T")


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
        """Take what a command needs.

        Args:
            service: the platform's.
            runner: has the loop.
            environ: the environment as it was, secrets too.
            why_off: what says that nothing is written, as a sentence; empty: nothing does.
        """
        self.service = service
        self.environ = environ
        self.why_off = why_off
        self._runner = runner

    @property
    def address(self) -> str:
        """Return the platform's own."""
        return self.service.profile.url

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Do something in the loop.

        Raises:
            KeyboardInterrupt: the user has ended it; the platform can still be asked things.
        """
        return self._runner.run(work)

    def read(self, work: Coroutine[Any, Any, T]) -> T:
        """Do something in the loop that only reads; that it waits for the quota is said.

        Raises:
            KeyboardInterrupt: as of `run`.
        """
        return self.run(_telling_quota(self.service, work))


@contextmanager
def platform_of(
    options: Options,
    words: Sequence[str] = (),
    manner: Manner | None = None,
    *,
    needs_token: bool = True,
    choose: Choose | None = None,
) -> Iterator[Platform]:
    """Open the service of the profile that a command is about; nothing is sent yet.

    Args:
        options: which profile.
        words: what the command is about; an address there also tells the profile.
        manner: of a write, whose profile has to be meant.
        needs_token: whether an access token has to be there.
        choose: says which profile is meant, where it is another than for most commands.

    Raises:
        ConfigError: there is no profile, or it is not usable; or of several profiles none is
            named to be written to.
    """
    environ = harden()
    settings = load_settings(options.config, environ, options)
    tell_left_out(settings)
    choose = choose or (chosen_profile if manner is None else named_profile)
    profile = choose(settings, environ, options, words[0] if words else "")
    service = PlatformService.open(profile, settings, environ=environ, needs_token=needs_token)
    write_debug_to(settings.debug_file, service)
    service.remarks.listen(narrate)
    with asyncio.Runner() as runner:
        try:
            yield Platform(service, runner, environ, _why_off(settings, options, profile))
        finally:
            runner.run(service.close())


async def _telling_quota(service: PlatformService, work: Coroutine[Any, Any, T]) -> T:
    with QuotaWait(service):
        return await work


def _why_off(settings: Settings, options: Options, profile: Profile) -> str:
    """Return what says that nothing is written; empty where nothing does."""
    if options.read_only:
        return "--read-only was given."
    if settings.read_only:
        return "`read_only` is set in config.toml."
    return f"Its `writes` setting is `{profile.writes}`." if profile.writes == "off" else ""
