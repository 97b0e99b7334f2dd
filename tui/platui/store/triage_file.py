"""JSON format of the saved triage state, which may be edited by hand; imports nothing heavy."""

from __future__ import annotations

from dataclasses import fields
from datetime import datetime
from types import MappingProxyType
from typing import Any, Final

from platui.core.text import clean
from platui.models.values.stored_triage import PastIncident, StoredTriage, WatchSelection
from platui.models.values.triage import Incident, Lane, PipelineRun
from platui.models.values.triage_board import Mark
from platui.store.json_shape import expect_type, parse_time

VERSION: Final = 1

_MARK: Final = frozenset(one.name for one in fields(Mark))


def written(memory: StoredTriage) -> dict[str, Any]:
    watched = memory.watched
    return {
        "version": VERSION,
        "chosen": watched.is_chosen,
        "projects": list(watched.projects),
        "groups": list(watched.groups),
        "hides_branches": memory.hides_branches,
        "marks": [[*key, _written_mark(mark)] for key, mark in memory.marks.items()],
        "history": [_written_past(past) for past in memory.history.values()],
    }


def read(document: Any) -> StoredTriage:
    projects = [expect_type(one, int) for one in expect_type(document["projects"], list)]
    groups = [expect_type(one, str) for one in expect_type(document["groups"], list)]
    marks = {
        (expect_type(project, int, str), expect_type(pipeline, int)): _mark(mark)
        for project, pipeline, mark in expect_type(document["marks"], list)
    }
    past = [_past(one) for one in expect_type(document["history"], list)]
    return StoredTriage(
        WatchSelection(
            tuple(dict.fromkeys(projects)),
            tuple(dict.fromkeys(groups)),
            expect_type(document["chosen"], bool),
        ),
        MappingProxyType(marks),
        MappingProxyType({one.key: one for one in past}),
        document.get("hides_branches") is True,  # absent in earlier versions
    )


def _written_mark(mark: Mark) -> dict[str, str]:
    found = {
        "acked": mark.acked,
        "snoozed_until": _written_moment(mark.snoozed_until),
        "note": mark.note or None,
        "owner": mark.owner or None,
        "spreads": "yes" if mark.spreads else None,
    }
    return {name: value for name, value in found.items() if value is not None}


def _mark(document: Any) -> Mark:
    texts = {expect_type(name, str): expect_type(value, str) for name, value in document.items()}
    known = {name: clean(value) for name, value in texts.items() if name in _MARK}
    until, spreads = known.pop("snoozed_until", None), known.pop("spreads", None) is not None
    return Mark(snoozed_until=_moment(until), spreads=spreads, **known)


def _written_past(past: PastIncident) -> dict[str, Any]:
    incident = past.incident
    return {
        "lane": list(incident.lane),
        "first_red": _written_ran(incident.first_red),
        "newest_red": _written_ran(incident.newest_red),
        "last_green": incident.last_green and _written_ran(incident.last_green),
        "streak": incident.streak,
        "at_least": incident.is_at_least,
        "main": incident.is_main,
        "opened_at": past.opened_at.isoformat(),
        "recovered_at": _written_moment(past.recovered_at),
        "signature": past.signature,
        "cause": past.cause,
    }


def _past(document: Any) -> PastIncident:
    project, ref, way = document["lane"]
    green = document["last_green"]
    return PastIncident(
        Incident(
            Lane(expect_type(project, int, str), expect_type(ref, str), expect_type(way, str)),
            first_red=_ran(document["first_red"]),
            newest_red=_ran(document["newest_red"]),
            last_green=None if green is None else _ran(green),
            streak=expect_type(document["streak"], int),
            is_at_least=expect_type(document["at_least"], bool),
            is_main=expect_type(document["main"], bool),
        ),
        parse_time(document["opened_at"]),
        _moment(document["recovered_at"]),
        expect_type(document["signature"], str),
        clean(expect_type(document["cause"], str)),
    )


def _written_ran(ran: PipelineRun) -> list[Any]:
    began, ended = _written_moment(ran.created_at), _written_moment(ran.ended_at)
    return [*ran[:6], began, ended, ran.web_url]


def _ran(document: Any) -> PipelineRun:
    number, *texts, began, ended, url = document
    status, ref, sha, source, name = (expect_type(text, str) for text in texts)
    times = (_moment(began), _moment(ended))
    address = expect_type(url, str)
    return PipelineRun(
        expect_type(number, int), status, ref, sha, source, name, *times, web_url=address
    )


def _moment(text: Any) -> datetime | None:
    return None if text is None else parse_time(text)


def _written_moment(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat()
