"""The saved access reports of a profile; the report, person or place that an argument names."""

from __future__ import annotations

import re
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, TypeVar

from platui.cli.commands.report.messages import when
from platui.cli.connection import Platform, open_platform
from platui.cli.output.progress import ProgressLine, print_notice
from platui.cli.output.stdout import print_lines
from platui.config.profile import Profile
from platui.config.profile_choice import choose_profile, profile_of_admin_url
from platui.core.errors import CommandError, ConfigError, ReportError, TermError
from platui.core.text import clean, shorten
from platui.models.values.access import PEOPLE_TERMS, PLACE_TERMS, PeopleOrder
from platui.models.values.reports import DamagedReport
from platui.present.tables.column_widths import aligned
from platui.service.access.report_folders import has_saved_reports
from platui.service.access.report_store import other_reports

if TYPE_CHECKING:
    from platui.config.settings import Options, Settings
    from platui.models.values.access import AccessReport, ReportInfo
    from platui.models.values.access_changes import AccessChanges
    from platui.service.access.reports import Reports

T = TypeVar("T")

IMPORTED: Final = "imported"  # The profile of imported reports if none is configured
_NO_URL: Final = "https://no-platform.invalid"
_KEYWORDS: Final = {"latest": 0, "previous": 1}
# Minimum length of the prefix of an id; a shorter number is a position in the list
_MIN_PREFIX: Final = 4
_DATE: Final = re.compile(r"[0-9]{4}-[0-9]{2}(-[0-9]{2})?")
_LISTED: Final = 3
_MAX_CANDIDATES: Final = 5


class ProfileReports:
    """The saved reports of a profile, with the event loop that serves them."""

    def __init__(self, platform: Platform, service: Reports) -> None:
        self.service = service
        self._platform = platform

    @property
    def options(self) -> Options:
        return self._platform.options

    @property
    def where(self) -> str:
        name = clean(self._platform.service.profile.name)
        if name == IMPORTED:
            return f"in `{IMPORTED}` (without a profile)"
        return f"for the profile {name}"

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Run `work`. Raises KeyboardInterrupt on ctrl+c; the reports stay usable."""
        return self._platform.run(work)

    def infos(self) -> tuple[ReportInfo, ...]:
        return self.run(self.service.saved())

    def damaged(self) -> tuple[DamagedReport, ...]:
        return self.run(self.service.damaged())

    def info(self, word: str = "latest") -> ReportInfo:
        """Find a report by id, prefix, date, `latest`, `previous` or its number in the list."""
        infos, damaged = self.infos(), self.damaged()
        is_keyword = word.lower() in _KEYWORDS
        if not infos and not damaged:
            raise CommandError(f"No report saved {self.where}.", hint=self.import_hint())
        if not infos and is_keyword:
            raise _unreadable(damaged[0])
        number = _KEYWORDS.get(word.lower(), _number(word))
        if number is not None and 0 <= number < len(infos):
            found = infos[number]
            if is_keyword:
                self.warn_skipped(found)
            return found
        matching = self._matching(word, [*infos, *damaged])
        if len(matching) != 1:
            raise _lookup_error([one.id for one in matching], word)
        if isinstance(matching[0], DamagedReport):
            raise _unreadable(matching[0])
        return matching[0]

    def _matching(
        self, word: str, saved: Sequence[ReportInfo | DamagedReport]
    ) -> list[ReportInfo | DamagedReport]:
        if _DATE.fullmatch(word):  # as in the list; ids are in UTC
            return [one for one in saved if when(one, self.options).startswith(word)]
        sought = _plain(word)
        return [
            one for one in saved if len(sought) >= _MIN_PREFIX and _plain(one.id).startswith(sought)
        ]

    def warn_skipped(self, taken: ReportInfo, later: ReportInfo | None = None) -> None:
        """Warn of a damaged report newer than `taken`, and older than `later` if given."""
        newer = (one for one in self.damaged() if one.id > taken.id)
        passed = next((one for one in newer if later is None or one.id < later.id), None)
        if passed is not None:
            print_notice(f"{passed.problem} Using {taken.id} instead. {remedy(passed)}")

    def import_hint(self) -> str:
        ways = "Fetch one with platui report fetch, or import it with platui report import FILE."
        others = [] if self.service.is_in_memory else other_reports(self.service.folder)
        parts = [
            f"--profile {one.name} has {one.reports:,}"
            if one.name
            else f"{one.reports:,} of {one.origin}: --profile HOST:PORT, or PLATUI_ADMIN_URL"
            for one in others[:_LISTED]
        ]
        return f"{ways} Elsewhere: {'; '.join(parts)}." if parts else ways

    @property
    def has_no_platform(self) -> bool:
        return self._platform.service.profile.url == _NO_URL

    def open(self, word: str = "latest") -> AccessReport:
        return self.run(self.service.open(self.info(word).id))

    def find_to_remove(self, word: str) -> ReportInfo | DamagedReport:
        found = self._matching(word, [*self.infos(), *self.damaged()])
        if len(found) == 1:
            return found[0]
        if not found and (word.lower() in _KEYWORDS or _number(word) is not None):
            raise CommandError(
                f"{shorten(word, 60)} may refer to another report later: nothing removed.",
                hint="Give its id, a prefix of it, or its date; see platui report list.",
            )
        raise _lookup_error([one.id for one in found], word, has_number=False)

    def compare(self, before: ReportInfo, after: ReportInfo) -> AccessChanges:
        with ProgressLine() as line:
            return self.run(
                self.service.compare(
                    before.id, after.id, lambda share: line.show(f"Comparing: {share:.0%}")
                )
            )

    def compare_named(self, before: str, after: str) -> AccessChanges:
        """Compare `before` (default: the previous report) with `after` (default: the latest)."""
        later = self.info(after or "latest")
        if before:
            earlier = self.info(before)
        else:
            infos = self.infos()
            older = infos[[one.id for one in infos].index(later.id) + 1 :]
            if not older:
                raise CommandError(
                    f"No report before {later.id} is saved {self.where}.",
                    hint="List reports with: platui report list",
                )
            earlier = older[0]
            self.warn_skipped(earlier, later)
        if earlier.id == later.id:
            raise ConfigError(
                f"Both reports are the same ({later.id}).",
                hint="List reports with: platui report list",
            )
        return self.compare(earlier, later)

    def check_storage(self) -> None:
        if self.service.is_in_memory:
            raise ConfigError(
                "config.toml has `disk = false` in [cache]: reports are not saved.",
                hint="Remove it, or use the dashboard, which keeps reports until you quit.",
            )


@contextmanager
def open_reports(options: Options) -> Iterator[ProfileReports]:
    """Open the saved reports of the selected profile, without requests or a token."""
    with open_platform(options, needs_token=False, choose=_choose) as platform:
        yield ProfileReports(platform, platform.run(platform.service.access_reports.open_saved()))


def _choose(settings: Settings, environ: Mapping[str, str], options: Options, _: str) -> Profile:
    imported = Profile(IMPORTED, _NO_URL, ephemeral=True)
    if options.profile == IMPORTED and IMPORTED not in settings.profiles:
        return imported
    by_key = profile_of_admin_url(environ)
    name = options.profile
    if name and name not in settings.profiles:
        if by_key is not None and by_key.name == name:
            return by_key

        if has_saved_reports(name):
            return Profile(name, _NO_URL, ephemeral=True)
    return choose_profile(settings, environ, options) or by_key or imported


def remedy(damaged: DamagedReport) -> str:
    return f"Fetch or import a new one; remove this one with: platui report forget {damaged.id}"


def _unreadable(damaged: DamagedReport) -> ReportError:
    return ReportError(damaged.problem, hint=remedy(damaged))


def _number(word: str) -> int | None:
    return int(word) - 1 if word.isdecimal() and len(word) < _MIN_PREFIX else None


def _lookup_error(ids: list[str], word: str, *, has_number: bool = True) -> CommandError:
    shown = shorten(word, 60)
    if not ids:
        return CommandError(
            f'No saved report "{shown}".', hint="List them with: platui report list"
        )
    parts = ", ".join(ids[:_LISTED])
    more = " …" if len(ids) > _LISTED else ""
    or_number = "; or give its number in platui report list" if has_number else ""
    return CommandError(
        f"Several saved reports begin with {shown}.", hint=f"{parts}{more}{or_number}."
    )


def _plain(id_: str) -> str:
    """Normalize an id so that a time such as `2026-03-14T03:12` is a prefix of it."""
    return id_.replace("-", "").replace(":", "").casefold()


def person_named(report: AccessReport, word: str) -> int:
    def near(query: str) -> list[str]:
        rows = report.people(query, PeopleOrder.NAME).rows[: _MAX_CANDIDATES + 1]
        return [one.username or f"id {one.id}" for one in map(report.person, rows)]

    if (row := report.find_person(word)) is None:
        raise _unknown(word, near, "person", "a user name, an e-mail address or an id")
    return row


def place_named(report: AccessReport, word: str) -> int:
    def near(query: str) -> list[str]:
        return [report.place(one).path for one in report.places(query)[: _MAX_CANDIDATES + 1]]

    if (row := report.find_place(word)) is None:
        raise _unknown(word, near, "group or project", "a full path or an id")
    return row


def _unknown(word: str, near: Callable[[str], list[str]], kind: str, wanted: str) -> CommandError:
    """Return the error for a word that names no or several; `near` returns a query's matches."""
    shown = f'"{shorten(word, 60)}"'
    plain = word.replace('"', " ").strip()
    try:
        found = near(f'"{plain}"')
    except TermError:  # an empty or too long query
        found = []
    if not found:
        return CommandError(f"No {kind} {shown} in this report.", hint=f"Give {wanted}.")
    names = ", ".join(shorten(name, 80) for name in found[:_MAX_CANDIDATES])
    more = " …" if len(found) > _MAX_CANDIDATES else ""
    return CommandError(f"{shown} is ambiguous: give {wanted}.", hint=f"Matches: {names}{more}")


def print_terms() -> None:
    for head, terms in (
        ("People (platui report show TERMS…)", PEOPLE_TERMS),
        ("Groups and projects (platui report show --groups TERMS…)", PLACE_TERMS),
    ):
        rows = [(f"  {term.example}", term.meaning, " ".join(term.values)) for term in terms]
        print_lines([f"{head}: all terms must match.", *aligned(rows), ""])
