"""The triage board as JSON and CSV, and its events as JSON lines; keys are stable."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any, Final

from platui.analysis.triage.causes import count_same_commit, key_of, suspect_incident
from platui.core.text import clean
from platui.models.values.triage_board import Board, BoardEvent, BoardItem, BoardState, CauseGroup
from platui.present.tables import triage
from platui.present.tables.spec import Context
from platui.present.triage.labels import Names, incident_name

SCHEMA: Final = "platui.triage/1"

# CSV columns, and their paths in the JSON object of a row: the first one with a value is used.
CSV_PATHS: Final[dict[str, tuple[str, ...]]] = {
    "standing": ("standing",),
    "incident": ("incident",),
    "project": ("project",),
    "ref": ("ref",),
    "name": ("name",),
    "since": ("since", "pipeline.created_at"),
    "recovered_at": ("recovered_at",),
    "red": ("red",),
    "is_quiet": ("is_quiet",),
    "stage": ("job.stage",),
    "job": ("job.name",),
    "failure_reason": ("job.failure_reason",),
    "cause": ("cause", "late.kind"),
    "signature": ("signature.shared",),
    "first_red_sha": ("green.sha", "first_red.sha", "pipeline.sha"),
    "author": ("commit.author",),
    "last_green": ("last_green.ended_at", "last_green.created_at"),
    "owner": ("owner",),
    "note": ("note",),
    "usual_s": ("usual.median_s",),
    "web_url": ("job.web_url", "newest_red.web_url", "green.web_url", "pipeline.web_url"),
    "cause_key": ("cause_key",),
}

CSV_COLUMNS: Final = tuple(CSV_PATHS)


def board_object(
    board: Board, names: Names, now: datetime, *, profile: str, url: str
) -> dict[str, Any]:
    rows = {standing: list[dict[str, Any]]() for standing in BoardState}
    for item, row in _rows(board, names, now):
        rows[item.state].append(row)
    return {
        "schema": SCHEMA,
        "profile": profile,
        "url": url,
        "at": triage.moment(now),
        "is_live": board.is_live,
        "told_at": triage.moment(board.fetched_at),
        "error": None if board.error is None else board.error.sentence,
        "projects": {
            "watched": board.watched,
            "known": board.known,
            "refused": [triage.project_keys(one, names) for one in board.inaccessible],
        },
        "causes_awaited": board.pending_causes,
        "causes": [_cause(number, group, names) for number, group in enumerate(board.groups, 1)],
        "counts": board.counts._asdict(),
        **{standing.value: rows[standing] for standing in BoardState},
    }


def _rows(board: Board, names: Names, now: datetime) -> Iterator[tuple[BoardItem, dict[str, Any]]]:
    causes = {
        item.incident.key: (number, key_of(group))
        for number, group in enumerate(board.groups, 1)
        for item in group.items
        if item.incident is not None
    }
    for item in board.items:
        cause_of = () if item.incident is None else causes[item.incident.key]
        yield (
            item,
            triage.table_of(item).object(triage.BoardLine(item, names, *cause_of), Context(now)),
        )


def _cause(number: int, group: CauseGroup, names: Names) -> dict[str, Any]:
    onset = group.onset
    first = suspect_incident(group)
    incident = None if first is None else first.incident
    return {
        "number": number,
        "key": key_of(group),
        "since": None if onset is None else triage.moment(onset.since),
        "since_is_at_least": onset is not None and onset.is_at_least,
        "red": group.streak,
        "red_is_at_least": group.is_at_least,
        "incidents": len(group.items),
        "projects": group.projects,
        "signature": triage.signature_object(group.signature),
        # The single commit that may be the cause, if any.
        "began_with": None
        if incident is None
        else {
            "incident": incident_name(incident.key, names),
            "commit": triage.commit_object(incident),
        },
        "same_commit_was_green": count_same_commit(group),
    }


def news_object(news: BoardEvent, names: Names, now: datetime) -> dict[str, Any]:
    line = triage.BoardLine(news.item, names)
    return {
        "schema": SCHEMA,
        "event": news.kind.value,
        "at": triage.moment(now),
        "standing": news.item.state.value,
        **triage.table_of(news.item).less(*triage.OF_CAUSES).object(line, Context(now)),
    }


def csv_rows(board: Board, names: Names, now: datetime) -> Iterator[tuple[Any, ...]]:
    for item, row in _rows(board, names, now):
        row |= {"standing": item.state.value, "usual": triage.usual_object(item.typical)}
        yield tuple(_flat(row, paths) for paths in CSV_PATHS.values())


def _flat(row: dict[str, Any], paths: Sequence[str]) -> Any:
    for path in paths:
        value: Any = row
        for key in path.split("."):
            value = None if value is None else value.get(key)
        if isinstance(value, str):
            value = clean(value) or None
        if value is not None:
            return round(value) if isinstance(value, float) else value
    return None
