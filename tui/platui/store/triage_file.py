"""How the memory of the triage board is spelled as JSON.

Read before the first frame: nothing heavier than `json`. What is read was perhaps written by a
hand, so its shape is looked at, and its text is cleaned.
"""

from __future__ import annotations

from dataclasses import fields
from datetime import datetime
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from platui.core.text import clean
from platui.models.values.triage import Incident, Lane, Mark, Ran
from platui.models.values.triage_memory import PastIncident, TriageMemory, Watched

if TYPE_CHECKING:
    from platui.models.values.triage_memory import IncidentKey

VERSION: Final = 1

WRONG_SHAPE: Final = (
    ValueError, TypeError, AttributeError, LookupError, OverflowError, RecursionError
)  # fmt: skip
"""What `read` raises of a document that is none of ours."""

_MARK: Final = frozenset(one.name for one in fields(Mark))


def written(memory: TriageMemory) -> dict[str, Any]:
    """Return the memory as a document."""
    watched = memory.watched
    return {
        "version": VERSION,
        "chosen": watched.is_chosen,
        "projects": list(watched.projects),
        "groups": list(watched.groups),
        "marks": [[*key, _written_mark(mark)] for key, mark in memory.marks.items()],
        "history": [_written_past(past) for past in memory.history.values()],
    }


def read(document: Any) -> TriageMemory:
    """Return what a document says.

    Raises:
        One of WRONG_SHAPE: it is of another shape.
    """
    past = [_past(one) for one in _of(document["history"], list)]
    return TriageMemory(
        Watched(
            tuple(dict.fromkeys(_of(one, int) for one in _of(document["projects"], list))),
            tuple(dict.fromkeys(_of(one, str) for one in _of(document["groups"], list))),
            _of(document["chosen"], bool),
        ),
        MappingProxyType(
            {
                _key(project, pipeline): _mark(mark)
                for project, pipeline, mark in _of(document["marks"], list)
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
    }
    return {name: value for name, value in found.items() if value is not None}


def _mark(document: Any) -> Mark:
    texts = {_of(name, str): _of(value, str) for name, value in document.items()}
    known = {name: clean(value) for name, value in texts.items() if name in _MARK}
    until = known.pop("snoozed_until", None)
    return Mark(snoozed_until=None if until is None else _moment(until), **known)


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
            Lane(_of(project, int, str), _of(ref, str), _of(way, str)),
            first_red=_ran(document["first_red"]),
            newest_red=_ran(document["newest_red"]),
            last_green=None if green is None else _ran(green),
            streak=_of(document["streak"], int),
            is_at_least=_of(document["at_least"], bool),
            is_main=_of(document["main"], bool),
        ),
        _moment(document["opened_at"]),
        None if recovered is None else _moment(recovered),
        _of(document["signature"], str),
        clean(_of(document["cause"], str)),
    )


def _written_ran(ran: Ran) -> list[Any]:
    began, ended = _written_moment(ran.created_at), _written_moment(ran.ended_at)
    return [*ran[:6], began, ended, ran.web_url]


def _ran(document: Any) -> Ran:
    number, status, ref, sha, source, name, began, ended, url = document
    return Ran(
        _of(number, int),
        _of(status, str),
        _of(ref, str),
        _of(sha, str),
        _of(source, str),
        _of(name, str),
        None if began is None else _moment(began),
        None if ended is None else _moment(ended),
        _of(url, str),
    )


def _key(project: Any, pipeline: Any) -> IncidentKey:
    return (_of(project, int, str), _of(pipeline, int))


def _written_moment(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat()


def _moment(text: Any) -> datetime:
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        raise ValueError(text)
    return moment


def _of(value: Any, *types: type) -> Any:
    """Return the value if it is of one of the types."""
    if type(value) not in types:
        raise TypeError(type(value))
    return value
