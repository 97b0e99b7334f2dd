"""The saved access reports of a profile, and the one that an argument selects."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, TypeVar

from platui.cli.connection import open_platform
from platui.cli.output.progress import ProgressLine, print_notice
from platui.config.profile import Profile
from platui.config.profile_choice import choose_profile, profile_of_admin_url
from platui.core.errors import CommandError, ConfigError, ReportError
from platui.core.text import clean, shorten
from platui.service.access.report_folders import has_saved_reports
from platui.service.access.report_store import other_reports

if TYPE_CHECKING:
    from collections.abc import Coroutine, Iterator, Mapping
    from typing import Any

    from platui.cli.connection import Platform
    from platui.config.settings import Options, Settings
    from platui.models.values.access import AccessReport, ReportInfo
    from platui.models.values.access_changes import AccessChanges
    from platui.models.values.reports import DamagedReport
    from platui.service.access.reports import Reports

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
        name = clean(self._platform.service.profile.name)
        if name == IMPORTED:
            return f"on the shelf `{IMPORTED}`, which needs no profile"
        return f"for the profile {name}"

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Raises KeyboardInterrupt: the user has ended it; the reports can still be asked."""
        return self._platform.run(work)

    def infos(self) -> tuple[ReportInfo, ...]:
        """Return what is kept, newest first."""
        return self.run(self.reports.saved())

    def damaged(self) -> tuple[DamagedReport, ...]:
        """Return what is kept and cannot be opened, newest first."""
        return self.run(self.reports.damaged())

    def info(self, word: str = "latest") -> ReportInfo:
        """`word` is an id, the beginning of one, `latest`, `previous` or a number of the list."""
        infos, damaged = self.infos(), self.damaged()
        if not infos and not damaged:
            raise CommandError(
                f"No report is saved yet {self.where}.",
                hint=self.what_else(),
            )
        if not infos and word.lower() in _NAMES:
            raise _unreadable(damaged[0])
        found = _named(infos, damaged, word)
        if word.lower() in _NAMES:
            self.tell_passed_over(found)
        return found

    def tell_passed_over(self, taken: ReportInfo, later: ReportInfo | None = None) -> None:
        """Name the damaged report that would have been taken; `later`: before which one."""
        newer = (one for one in self.damaged() if one.id > taken.id)
        passed = next((one for one in newer if later is None or one.id < later.id), None)
        if passed is not None:
            print_notice(f"{passed.problem} Taken instead: {taken.id}. {remedy(passed)}")

    def what_else(self) -> str:
        ways = "platui report fetch brings one, platui report import FILE takes one in."
        others = [] if self.reports.is_in_memory else other_reports(self.reports.folder)
        told = [
            f"--profile {one.name} has {one.reports:,}"
            if one.name
            else f"{one.reports:,} of {one.origin}: --profile HOST:PORT, or PLATUI_ADMIN_URL"
            for one in others[:_LISTED]
        ]
        return f"{ways} Elsewhere: {'; '.join(told)}." if told else ways

    @property
    def has_no_platform(self) -> bool:
        return self._platform.service.profile.url == _NOWHERE

    def open(self, word: str = "latest") -> AccessReport:
        return self.run(self.reports.open(self.info(word).id))

    def to_forget(self, word: str) -> ReportInfo | DamagedReport:
        """Return the report that an id, or the beginning of one, names; it may be damaged."""
        kept: list[ReportInfo | DamagedReport] = [*self.infos(), *self.damaged()]
        found = [one for one in kept if _is_meant(one.id, word)]
        if len(found) == 1:
            return found[0]
        if not found and (word.lower() in _NAMES or _number(word) is not None):
            raise CommandError(
                f"{shorten(word, 60)} is whichever report stands there just now: nothing was "
                "removed.",
                hint="Its id says which is meant, or the beginning of it; platui report list "
                "tells it.",
            )
        raise _not_one([one.id for one in found], word, has_number=False)

    def compare(self, before: ReportInfo, after: ReportInfo, what: str) -> AccessChanges:
        with ProgressLine() as line:
            return self.run(
                self.reports.compare(
                    before.id, after.id, lambda share: line.show(f"{what}: {share:.0%}")
                )
            )

    def check_it_keeps(self) -> None:
        if self.reports.is_in_memory:
            raise ConfigError(
                "config.toml says `disk = false` in [cache]: no report would be kept.",
                hint="Let it be kept, or look at it in the dashboard, which forgets it at its end.",
            )


@contextmanager
def shelf_of(options: Options) -> Iterator[Shelf]:
    """Open the reports of the profile that is meant; nothing is sent, and no token needed."""
    with open_platform(options, needs_token=False, choose=_choose) as platform:
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

        if has_saved_reports(name):
            return Profile(name, _NOWHERE, ephemeral=True)
    return choose_profile(settings, environ, options) or by_key or imported


def remedy(damaged: DamagedReport) -> str:
    return (
        "platui report fetch, or import, brings a new one; "
        f"platui report forget {damaged.id} keeps this one no longer."
    )


def _unreadable(damaged: DamagedReport) -> ReportError:
    return ReportError(damaged.problem, hint=remedy(damaged))


def _named(
    infos: tuple[ReportInfo, ...], damaged: tuple[DamagedReport, ...], word: str
) -> ReportInfo:
    number = _NAMES.get(word.lower(), _number(word))
    if number is not None and 0 <= number < len(infos):
        return infos[number]
    found = [info for info in infos if _is_meant(info.id, word)]
    broken = [one for one in damaged if _is_meant(one.id, word)]
    if len(found) == 1 and not broken:
        return found[0]
    if len(broken) == 1 and not found:
        raise _unreadable(broken[0])
    raise _not_one([*(info.id for info in found), *(one.id for one in broken)], word)


def _number(word: str) -> int | None:
    """Return which of the list a number names, from 0; None: it is no such number."""
    return int(word) - 1 if word.isdecimal() and len(word) < _SHORTEST else None


def _not_one(ids: list[str], word: str, *, has_number: bool = True) -> CommandError:
    shown = shorten(word, 60)
    if not ids:
        return CommandError(f"No saved report is {shown}.", hint="platui report list tells them.")
    told = ", ".join(ids[:_LISTED])
    more = " …" if len(ids) > _LISTED else ""
    or_number = "; its number in platui report list says which, too" if has_number else ""
    return CommandError(
        f"Several saved reports begin with {shown}.", hint=f"{told}{more}{or_number}."
    )


def _is_meant(id_: str, word: str) -> bool:
    sought = _plain(word)
    return len(sought) >= _SHORTEST and _plain(id_).startswith(sought)


def _plain(id_: str) -> str:
    """Return an id so that a date is the beginning of one: `2026-03-14`."""
    return id_.replace("-", "").replace(":", "").casefold()
