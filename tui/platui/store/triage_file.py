"""JSON format of the saved triage state, which may be edited by hand; imports nothing heavy."""

from __future__ import annotations

from dataclasses import fields
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from platui.core.text import clean
from platui.models.values.stored_triage import PastIncident, StoredTriage, WatchSelection
from platui.models.values.triage import Incident, Lane, PipelineRun
from platui.models.values.triage_board import Mark
from platui.store.json_shape import expect_type, parse_time

if TYPE_CHECKING:
    from datetime import datetime

    from platui.models.values.stored_triage import IncidentKey

VERSION: Final = 1

_MARK: Final = frozenset(one.name for one in fields(Mark))


def written(memory: StoredTriage) -> dict[str, Any]:
    watched = memory.watched
    return {
        "version": VERSION,
        "chosen": watched.is_chosen,
        "projects": list(watched.projects),
        "groups": list(watched.groups),
        "marks": [[*key, _written_mark(mark)] for key, mark in memory.marks.items()],
        "history": [_written_past(past) for past in memory.history.values()],
    }


def read(document: Any) -> StoredTriage:
    past = [_past(one) for one in expect_type(document["history"], list)]
    return StoredTriage(
        WatchSelection(
            tuple(
                dict.fromkeys(
                    expect_type(one, int) for one in expect_type(document["projects"], list)
                )
            ),
            tuple(
                dict.fromkeys(
                    expect_type(one, str) for one in expect_type(document["groups"], list)
                )
            ),
            expect_type(document["chosen"], bool),
        ),
        MappingProxyType(
            {
                _key(project, pipeline): _mark(mark)
                for project, pipeline, mark in expect_type(document["marks"], list)
            }
        ),
        MappingProxyType({one.key: one for one in past}),
    )


def _written_mark(mark: Mark) -> dict[str, str]:
    until = mark.snoozed_until
    found = {
        "acked": mark.acked,
        "snoozed_until": None if until is None else until.isoformat(),
        "note": mark.note or None,
        "owner": mark.owner or None,
        "spreads": "yes" if mark.spreads else None,
    }
    return {name: value for name, value in found.items() if value is not None}


def _mark(document: Any) -> Mark:
    texts = {expect_type(name, str): expect_type(value, str) for name, value in document.items()}
    known = {name: clean(value) for name, value in texts.items() if name in _MARK}
    until, spreads = known.pop("snoozed_until", None), "spreads" in known
    known.pop("spreads", None)
    return Mark(
        snoozed_until=None if until is None else parse_time(until), spreads=spreads, **known
    )


def _written_past(past: PastIncident) -> dict[str, Any]:
    incident = past.incident
    green = incident.last_green
    return {
        "lane": list(incident.lane),
        "first_red": _written_ran(incident.first_red),
        "newest_red": _written_ran(incident.newest_red),
        "last_green": None if green is None else _written_ran(green),
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
    recovered = document["recovered_at"]
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
        None if recovered is None else parse_time(recovered),
        expect_type(document["signature"], str),
        clean(expect_type(document["cause"], str)),
    )


def _written_ran(ran: PipelineRun) -> list[Any]:
    began, ended = _written_moment(ran.created_at), _written_moment(ran.ended_at)
    return [*ran[:6], began, ended, ran.web_url]


def _ran(document: Any) -> PipelineRun:
    number, status, ref, sha, source, name, began, ended, url = document
    return PipelineRun(
        expect_type(number, int),
        expect_type(status, str),
        expect_type(ref, str),
        expect_type(sha, str),
        expect_type(source, str),
        expect_type(name, str),
        None if began is None else parse_time(began),
        None if ended is None else parse_time(ended),
        expect_type(url, str),
    )


def _key(project: Any, pipeline: Any) -> IncidentKey:
    return (expect_type(project, int, str), expect_type(pipeline, int))


def _written_moment(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat()
