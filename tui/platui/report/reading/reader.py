"""Convert the JSON of a report to a folder: people and places first, then memberships."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from platui.core.text import shorten
from platui.models.values.access import LEVELS, ReportInfo
from platui.report.arrays import PROJECT
from platui.report.reading.draft import Draft, ReadRequest, Texts
from platui.report.reading.faults import (
    FAULTS,
    HALF_PAIRS,
    UNKNOWN_LEVELS,
    UNLISTED,
    DataWarnings,
    fault_of,
    note_repeated,
)
from platui.report.reading.memberships import Memberships, read_memberships, write_by_person
from platui.report.reading.people_and_places import People, Places, read_users, write_places
from platui.report.reading.schema import JsonText, Key, Report, User, decoder
from platui.report.saved_report import WHOLE, info_path, info_text

if TYPE_CHECKING:
    ProgressCallback = Callable[[float], None]

# Measured shares of the time.
_SEEN: Final = 0.05  # All bytes are parsed once
_FIRST_ROWS: Final = 0.15
_MEMBERS: Final = 0.55
_SHOWN: Final = 60


class ReportReader:
    def __init__(self, order: ReadRequest, draft: Draft, on_progress: ProgressCallback) -> None:
        self._order = order
        self._draft = draft
        self._on_progress = on_progress
        self._warnings = DataWarnings()

    def read(self, opened: Callable[[], None]) -> None:
        """Read everything; arrays do not change during `opened`. Raises ReportError or OSError."""
        text = JsonText(self._order.spool)
        with closing(Texts(self._draft, "person")) as texts:
            people = People(self._draft, texts)
            places = self._first_rows(text, people)
            info = self._info(text, people, places)
            self._write_info(info, people, stage=1)
            self._on_progress(_FIRST_ROWS)
            opened()
            found = read_memberships(
                text, places, people.ids, self._warnings, self._part(_FIRST_ROWS, _MEMBERS)
            )
            if found.unlisted:
                people.add(found.unlisted, [User()] * len(found.unlisted))
                people.write()
        self._note(text, found)
        text.forget()
        self._draft.put("place_first", found.first)
        self._draft.put("member_person", found.person)
        self._draft.put("member_level", found.level)
        write_by_person(found, len(people.ids), self._draft, self._part(_MEMBERS, 1))
        info = replace(
            info,
            memberships=len(found.person),
            levels=tuple(
                (level, found.level.count(code)) for code, level in enumerate(found.levels)
            ),
            warnings=tuple(self._warnings.sentences()),
        )
        self._write_info(info, people, stage=WHOLE)
        self._draft.finish()

    def _first_rows(self, text: JsonText, people: People) -> Places:
        keys: list[Key] = []
        whole = self._parse(text, keys)
        text.forget()
        self._on_progress(_SEEN)
        places = write_places(whole.platform.groups, self._draft, self._warnings)
        if len(keys) > len(places.ids):
            kept = [Key(number) for number in places.ids]
            note_repeated(keys, kept, "platform.groups", self._warnings)
        users = whole.users
        del whole
        read_users(text, users, people, self._warnings)
        return places

    def _parse(self, text: JsonText, keys: list[Key]) -> Report:
        """Parse the report, with members and users as bytes. Raises ReportError: invalid."""
        while True:
            try:
                return decoder(Report, keys.append).decode(text.view)
            except FAULTS as error:
                if not text.replace_lone_surrogates(self._draft.folder):
                    raise fault_of(text, error) from error
                keys.clear()

    def _info(self, text: JsonText, people: People, places: Places) -> ReportInfo:
        projects = places.kinds.count(PROJECT)
        return ReportInfo(
            id=self._order.folder.name,
            fetched_at=self._order.fetched_at,
            origin=self._order.origin,
            size=text.size,
            digest=self._order.digest,
            etag=self._order.etag,
            people=len(people.ids),
            groups=len(places.ids) - projects,
            projects=projects,
            memberships=0,
            levels=(),
        )

    def _write_info(self, info: ReportInfo, people: People, stage: int) -> None:
        folder = self._draft.folder
        text = info_text(folder, info, people.states.shown, people.domains.shown, stage)
        self._draft.put_file(info_path(folder), text)

    def _note(self, text: JsonText, found: Memberships) -> None:
        if found.unlisted:
            self._warnings.add(UNLISTED, f"id {found.unlisted[0]}", len(found.unlisted))
        unknown = [level for level in found.levels if level not in LEVELS]
        if unknown:
            self._warnings.add(UNKNOWN_LEVELS, shorten(", ".join(unknown), _SHOWN), len(unknown))
        if text.halves:
            self._warnings.add(HALF_PAIRS, "", text.halves)

    def _part(self, start: float, end: float) -> ProgressCallback:
        return lambda share: self._on_progress(start + (end - start) * share)
