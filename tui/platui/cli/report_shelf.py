"""Which access reports a command is about: of which profile, and which of those that are kept."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, TypeVar

from platui.cli.connecting import platform_of
from platui.config.choose import choose_profile, profile_of_admin_url
from platui.config.profile import Profile
from platui.core.errors import CommandError, ConfigError
from platui.core.text import clean, shorten
from platui.service.report_shelf import other_shelves

if TYPE_CHECKING:
    from collections.abc import Coroutine, Iterator, Mapping
    from typing import Any

    from platui.cli.connecting import Platform
    from platui.config.settings import Options, Settings
    from platui.models.values.access import AccessReport, ReportInfo
    from platui.service.reports import Reports

T = TypeVar("T")

IMPORTED: Final = "imported"
"""Whose reports they are where there is no profile: files that another program fetched."""
_NOWHERE: Final = "https://no-platform.invalid"
_NAMES: Final = {"latest": 0, "previous": 1}
_SHORTEST: Final = 4
"""Signs of an id that may stand for it: its year. What is shorter is a number of the list."""
_LISTED: Final = 3


class Shelf:
    """The reports of a profile, and the loop in which they answer."""

    def __init__(self, platform: Platform, reports: Reports) -> None:
        self.reports = reports
        self._platform = platform

    @property
    def where(self) -> str:
        """Return whose reports they are, behind a verb; clean text."""
        name = clean(self._platform.service.profile.name)
        if name == IMPORTED:
            return f"on the shelf `{IMPORTED}`, which needs no profile"
        return f"for the profile {name}"

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Do something in the loop.

        Raises:
            KeyboardInterrupt: the user has ended it; the reports can still be asked.
        """
        return self._platform.run(work)

    def infos(self) -> tuple[ReportInfo, ...]:
        """Return what is kept, newest first."""
        return self.run(self.reports.saved())

    def info(self, word: str = "latest") -> ReportInfo:
        """Return the report that a word names.

        Args:
            word: an id, the beginning of one, `latest`, `previous`, or a number of the list.

        Raises:
            CommandError: none, or several.
        """
        infos = self.infos()
        if not infos:
            raise CommandError(
                f"No report is saved yet {self.where}.",
                hint=self.what_else(),
            )
        return _named(infos, word)

    def what_else(self) -> str:
        """Return what to do where nothing is kept: who else has reports, and how to get one."""
        ways = "platui report fetch brings one, platui report import FILE takes one in."
        others = [] if self.reports.keeps_nothing else other_shelves(self.reports.folder)
        told = [
            f"--profile {one.name} has {one.reports:,}"
            if one.name
            else f"{one.reports:,} of {one.origin}: --profile HOST:PORT, or PLATUI_ADMIN_URL"
            for one in others[:_LISTED]
        ]
        return f"{ways} Elsewhere: {'; '.join(told)}." if told else ways

    @property
    def has_no_platform(self) -> bool:
        """Return whether there is nothing that a report could be fetched from."""
        return self._platform.service.profile.url == _NOWHERE

    def open(self, word: str = "latest") -> AccessReport:
        """Open the report that a word names; as `info`.

        Raises:
            CommandError: none, or several.
            ReportError: it is damaged, or of another version.
        """
        return self.run(self.reports.open(self.info(word).id))

    def check_it_keeps(self) -> None:
        """Make sure that what is brought in is there afterwards.

        Raises:
            ConfigError: nothing is kept.
        """
        if self.reports.keeps_nothing:
            raise ConfigError(
                "config.toml says `disk = false` in [cache]: no report would be kept.",
                hint="Let it be kept, or look at it in the dashboard, which forgets it at its end.",
            )


@contextmanager
def shelf_of(options: Options) -> Iterator[Shelf]:
    """Open the reports of the profile that is meant; nothing is sent, and no token needed.

    Raises:
        ConfigError: the profile is not usable.
    """
    with platform_of(options, needs_token=False, choose=_choose) as platform:
        yield Shelf(platform, platform.run(platform.service.reports()))


def _choose(settings: Settings, environ: Mapping[str, str], options: Options, _: str) -> Profile:
    """Return the profile whose reports are meant; there is one also where none is set."""
    imported = Profile(IMPORTED, _NOWHERE, ephemeral=True)
    if options.profile == IMPORTED and IMPORTED not in settings.profiles:
        return imported
    by_key = profile_of_admin_url(environ)
    name = options.profile
    if name and name not in settings.profiles:
        if by_key is not None and by_key.name == name:
            return by_key
        from platui.service.reports import has_shelf  # noqa: PLC0415  (of such a name only)

        if has_shelf(name):
            return Profile(name, _NOWHERE, ephemeral=True)
    return choose_profile(settings, environ, options) or by_key or imported


def _named(infos: tuple[ReportInfo, ...], word: str) -> ReportInfo:
    number = _NAMES.get(word.lower())
    if number is None and word.isdecimal() and len(word) < _SHORTEST:
        number = int(word) - 1
    if number is not None and 0 <= number < len(infos):
        return infos[number]
    sought = _plain(word)
    found = [
        info for info in infos if len(sought) >= _SHORTEST and _plain(info.id).startswith(sought)
    ]
    if len(found) == 1:
        return found[0]
    shown = shorten(word, 60)
    if not found:
        raise CommandError(f"No saved report is {shown}.", hint="platui report list tells them.")
    ids = ", ".join(info.id for info in found[:_LISTED])
    more = " …" if len(found) > _LISTED else ""
    raise CommandError(
        f"Several saved reports begin with {shown}.",
        hint=f"{ids}{more}; its number in platui report list says which, too.",
    )


def _plain(id_: str) -> str:
    """Return an id so that a date is the beginning of one: `2026-03-14`."""
    return id_.replace("-", "").replace(":", "").casefold()
