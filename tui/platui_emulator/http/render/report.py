"""The access report as JSON (spec 2.1), written part by part."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from json.encoder import encode_basestring
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from platui_emulator.access_report import (
        ReportedGroup,
        ReportedPerson,
        ReportedProject,
    )
    from platui_emulator.world.report.history import PeriodReport

_PIECE: Final = 16 * 1024
"""Characters that are handed on together: half a millisecond of work."""


class ReportText:
    """The text of a report, as a `LongText` whose size is not known."""

    size: None = None

    def __init__(self, report: PeriodReport) -> None:
        self._report = report
        self.identity = report.identity
        self._levels: dict[str, str] = {}

    def pieces(self, start: int = 0, end: int | None = None) -> Iterator[bytes]:
        """Yield the whole text. Raises ValueError: a range was requested."""
        if start or end is not None:
            raise ValueError("a report is read whole")
        gathered: list[str] = []
        length = 0
        for text in self._texts():
            gathered.append(text)
            length += len(text)
            if length >= _PIECE:
                yield "".join(gathered).encode()
                gathered, length = [], 0
        yield "".join(gathered).encode()

    def _texts(self) -> Iterator[str]:
        yield '{"platform":{"groups":{'
        for rank, group in enumerate(self._report.roots()):
            yield "," if rank else ""
            yield from self._group(group)
        yield '}},"users":{'
        for rank, one in enumerate(self._report.people()):
            yield f"{',' if rank else ''}{_person(one)}"
        yield "}}"

    def _group(self, group: ReportedGroup) -> Iterator[str]:
        members = self._members(self._report.group_members(group.id))
        yield f'"{group.id}":{{{_named(group)},"members":{members}'
        projects = self._report.projects(group)
        if projects is not None:
            yield ',"projects":{'
            for rank, project in enumerate(projects):
                yield f"{',' if rank else ''}{self._project(project)}"
            yield "}"
        subgroups = self._report.subgroups(group)
        if subgroups is not None:
            yield ',"subgroups":{'
            for rank, below in enumerate(subgroups):
                yield "," if rank else ""
                yield from self._group(below)
            yield "}"
        yield "}"

    def _project(self, project: ReportedProject) -> str:
        members = self._members(self._report.project_members(project.id))
        return f'"{project.id}":{{{_named(project)},"members":{members}}}'

    def _members(self, members: Mapping[int, str]) -> str:
        known = self._levels
        for level in {*members.values()} - known.keys():
            known[level] = json.dumps({"max_access_level": level}, separators=(",", ":"))
        entries = [f'"{id_}":{known[level]}' for id_, level in members.items()]
        return f"{{{','.join(entries)}}}"


def _named(place: ReportedGroup | ReportedProject) -> str:
    return f'"name":{encode_basestring(place.name)},"path":{encode_basestring(place.path)}'


def _person(person: ReportedPerson) -> str:
    identity = "null" if person.identity is None else f'"{person.identity}"'
    return (
        f'"{person.id}":{{"email":{encode_basestring(person.email)},"name":{encode_basestring(person.name)},'
        f'"service_identity_uuid":{identity},"state":{encode_basestring(person.state)},'
        f'"username":{encode_basestring(person.username)}}}'
    )
