"""The triage board as one JSON document, as rows for CSV, and its news as JSON lines.

Keys are not taken away and do not change what they mean; there may come more of them. What is
not known is null.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from platui.analysis.triage.blaming import began_with, same_commit
from platui.analysis.triage.board import is_quiet
from platui.analysis.triage.cause_keys import key_of
from platui.core.text import clean
from platui.models.values.triage_items import Standing
from platui.present.triage_cause_words import cause, flaky_names
from platui.present.triage_names import incident_name
from platui.present.triage_words import is_acknowledged, lane_ref, ref_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from platui.models.values.triage import Incident, Ran, Recovery
    from platui.models.values.triage_board import Board
    from platui.models.values.triage_causes import FailedStep, Signature
    from platui.models.values.triage_items import BoardItem, CauseGroup, Mark
    from platui.models.values.triage_lateness import Late, Usual
    from platui.models.values.triage_memory import PastIncident
    from platui.models.values.triage_news import News
    from platui.present.triage_names import Names

SCHEMA: Final = "platui.triage/1"

CSV_COLUMNS: Final = (
    "standing", "incident", "project", "ref", "name", "since", "recovered_at", "red", "is_quiet",
    "stage", "job", "failure_reason", "cause", "signature", "first_red_sha", "author",
    "last_green", "owner", "note", "usual_s", "web_url", "cause_key",
)  # fmt: skip


def board_object(
    board: Board, names: Names, now: datetime, *, profile: str, url: str
) -> dict[str, Any]:
    """Return the whole board.

    Args:
        board: as it is known.
        names: what projects are called.
        now: the time.
        profile: the profile's name.
        url: the platform's address.
    """
    rows = {standing: list[dict[str, Any]]() for standing in Standing}
    causes = {
        item.incident.key: (number, key_of(group))
        for number, group in enumerate(board.groups, 1)
        for item in group.items
        if item.incident is not None
    }
    for item in board.items:
        row = item_object(item, names, now)
        if item.incident is not None:
            row["cause_number"], row["cause_key"] = causes[item.incident.key]
        rows[item.standing].append(row)
    return {
        "schema": SCHEMA,
        "profile": profile,
        "url": url,
        "at": _moment(now),
        "is_live": board.is_live,
        "told_at": _moment(board.fetched_at),
        "error": None if board.error is None else board.error.sentence,
        "projects": {
            "watched": board.watched,
            "known": board.known,
            "refused": [project_keys(one, names) for one in board.refused],
        },
        "causes_awaited": board.awaited,
        "causes": [_cause(number, group, names) for number, group in enumerate(board.groups, 1)],
        "counts": board.counts._asdict(),
        **{standing.value: rows[standing] for standing in Standing},
    }


def _cause(number: int, group: CauseGroup, names: Names) -> dict[str, Any]:
    """Return one cause of what is broken; its incidents have its key, and its number here."""
    onset = group.onset
    first = began_with(group)
    incident = None if first is None else first.incident
    return {
        "number": number,
        "key": key_of(group),
        "since": None if onset is None else _moment(onset.since),
        "since_is_at_least": onset is not None and onset.is_at_least,
        "red": group.streak,
        "red_is_at_least": group.is_at_least,
        "incidents": len(group.items),
        "projects": group.projects,
        "signature": _signature(group.signature),
        # Of the one commit that may have brought it, where there is one.
        "began_with": None
        if incident is None
        else {
            "incident": incident_name(incident.lane.project, incident.first_red.id, names),
            "commit": _commit(incident),
        },
        "same_commit_was_green": same_commit(group),
    }


def _commit(incident: Incident) -> dict[str, Any] | None:
    """Return the commit that was red first, as far as it is known."""
    commit, sha = incident.commit, incident.first_red.sha
    if commit is None:
        return {"sha": sha, "title": None, "author": None} if sha else None
    return {"sha": commit.sha, "title": commit.title or None, "author": commit.author or None}


def item_object(item: BoardItem, names: Names, now: datetime) -> dict[str, Any]:
    """Return one row of the board; which keys it has is a matter of how it stands."""
    lane: dict[str, Any] = {
        **project_keys(item.lane.project, names),
        "ref": item.lane.ref or ref_of(item) or None,
        "name": item.lane.way or None,
        "is_main": item.is_main,
    }
    if item.incident is not None:
        return lane | _incident_object(item, item.incident, names, now)
    if item.recovery is not None:
        return lane | _recovery_object(item.recovery, names)
    return lane | {
        "pipeline": _ran(item.newest),
        "usual": _usual(item.usual),
        "late": _late(item.late),
    }


def _incident_object(
    item: BoardItem, incident: Incident, names: Names, now: datetime
) -> dict[str, Any]:
    point = item.point
    commits = incident.commits
    return {
        "incident": incident_name(incident.lane.project, incident.first_red.id, names),
        "since": _moment(incident.since),
        "red": incident.streak,
        "red_is_at_least": incident.is_at_least,
        "first_red": _ran(incident.first_red),
        "newest_red": _ran(incident.newest_red),
        "last_green": _ran(incident.last_green),
        "running": _ran(incident.on_top),
        "job": None if point is None or point.step is None else _step(point.step),
        "failed_beside": [] if point is None else [one.name for one in point.beside],
        "flaky": [] if point is None else flaky_names(point),
        "flaky_on": []
        if point is None
        else [
            {"job": one.name, "sha": one.sha, "passed": one.passed, "failed": one.failed}
            for one in point.flaky
        ],
        "cause": cause(item) or None,
        "signature": _signature(item.signature),
        "commit": _commit(incident),
        "commits": None
        if commits is None
        else {
            "last_green": commits.before,
            "first_red": commits.after,
        },
        "late": _late(item.late),
        "is_quiet": is_quiet(item.mark, item.signature, now),
        **_mark(item.mark),
        # Not of what it was acknowledged for: of what it is now.
        "is_acknowledged": is_acknowledged(item),
    }


def _recovery_object(recovery: Recovery, names: Names) -> dict[str, Any]:
    project = recovery.lane.project
    return {
        "incident": incident_name(project, recovery.first_red.id, names),
        "red": recovery.streak,
        "red_is_at_least": recovery.is_at_least,
        "first_red": _ran(recovery.first_red),
        "green": _ran(recovery.green),
        "since": _moment(recovery.since),
        "recovered_at": _moment(recovery.green.at),
    }


def news_object(news: News, names: Names, now: datetime) -> dict[str, Any]:
    """Return one thing that has happened."""
    return {
        "schema": SCHEMA,
        "event": news.kind.value,
        "at": _moment(now),
        "standing": news.item.standing.value,
        **item_object(news.item, names, now),
    }


def past_object(past: PastIncident, mark: Mark, names: Names) -> dict[str, Any]:
    """Return an incident that is over."""
    incident = past.incident
    return {
        "incident": incident_name(incident.lane.project, incident.first_red.id, names),
        **project_keys(incident.lane.project, names),
        "ref": incident.lane.ref or lane_ref(incident.lane, incident.newest_red) or None,
        "name": incident.lane.way or None,
        "is_main": incident.is_main,
        "since": _moment(incident.since),
        "recovered_at": _moment(past.recovered_at),
        "seen_at": _moment(past.opened_at),
        "red": incident.streak,
        "red_is_at_least": incident.is_at_least,
        "first_red": _ran(incident.first_red),
        "newest_red": _ran(_newest_red(incident)),
        "last_green": _ran(incident.last_green),
        "signature": past.signature or None,
        "cause": past.cause or None,
        **_mark(mark),
    }


def _newest_red(incident: Incident) -> Ran | None:
    """Return the newest red one of an incident that is over; None where it was not kept."""
    newest = incident.newest_red
    return None if incident.streak > 1 and newest.id == incident.first_red.id else newest


def csv_rows(board: Board, names: Names, now: datetime) -> Iterator[tuple[Any, ...]]:
    """Yield a row for each of the board, as `CSV_COLUMNS` has them; text is clean."""
    keys = {
        item.incident.key: key_of(group)
        for group in board.groups
        for item in group.items
        if item.incident is not None
    }
    for item in board.items:
        key = None if item.incident is None else keys[item.incident.key]
        yield tuple(
            clean(value) or None if isinstance(value, str) else value
            for value in (*_csv_row(item, names, now), key)
        )


def _csv_row(item: BoardItem, names: Names, now: datetime) -> tuple[Any, ...]:
    lane, incident, mark = item.lane, item.incident, item.mark
    head = (item.standing.value, _path(lane.project, names), ref_of(item), lane.way)
    step = item.point.step if item.point is not None else None
    usual = round(item.usual.median) if item.usual is not None else None
    if incident is not None:
        commit = incident.commit
        return (
            head[0], incident_name(lane.project, incident.first_red.id, names), *head[1:],
            _moment(incident.since), None,
            incident.streak, is_quiet(mark, item.signature, now),
            step.stage if step else None, step.name if step else None,
            step.failure_reason if step else None, cause(item),
            item.signature.shared if item.signature else None, incident.first_red.sha,
            commit.author if commit else None,
            _moment(incident.last_green.at) if incident.last_green else None,
            mark.owner, mark.note, usual,
            (step.web_url if step else "") or incident.newest_red.web_url,
        )  # fmt: skip
    run = item.newest
    red = at = over = name = None
    if item.recovery is not None:
        run, red = item.recovery.green, item.recovery.streak
        at, over = _moment(item.recovery.since), _moment(run.at)
        name = incident_name(lane.project, item.recovery.first_red.id, names)
    elif run is not None:
        at = _moment(run.created_at)
    late = item.late.kind.value if item.late is not None else None
    nothing = (None,) * 2
    return (
        head[0], name, *head[1:], at, over, red, None, *nothing, None, late, None,
        run.sha if run else None, None, None, None, None, usual, run.web_url if run else None,
    )  # fmt: skip


def _path(project: object, names: Names) -> str:
    path = names.path(project) if isinstance(project, int | str) else ""
    return path or str(project)


def project_keys(project: object, names: Names) -> dict[str, Any]:
    """Return a project's keys: its path, or its id where that is not known; and its id."""
    return {
        "project": names.path(project) or project if isinstance(project, int | str) else None,
        "project_id": project if isinstance(project, int) else None,
    }


def _moment(at: datetime | None) -> str | None:
    return None if at is None else at.isoformat(timespec="seconds")


def _ran(ran: Ran | None) -> dict[str, Any] | None:
    if ran is None:
        return None
    return {
        "id": ran.id,
        "status": ran.status,
        "sha": ran.sha or None,
        "source": ran.source or None,
        "created_at": _moment(ran.created_at),
        "ended_at": _moment(ran.ended_at),
        "web_url": ran.web_url or None,
    }


def _step(step: FailedStep) -> dict[str, Any]:
    return {
        "id": step.id,
        "name": step.name,
        "stage": step.stage or None,
        "failure_reason": step.failure_reason or None,
        "finished_at": _moment(step.finished_at),
        "attempts": step.attempts,
        "is_bridge": step.is_bridge,
        "web_url": step.web_url or None,
    }


def _signature(signature: Signature | None) -> dict[str, Any] | None:
    if signature is None:
        return None
    return {
        "key": signature.key,
        "line": signature.line,
        "shared": signature.shared,
        "kind": signature.kind or None,
    }


def _usual(usual: Usual | None) -> dict[str, Any] | None:
    if usual is None:
        return None
    return {"median_s": usual.median, "p95_s": usual.p95, "samples": usual.samples}


def _late(late: Late | None) -> dict[str, Any] | None:
    if late is None:
        return None
    return {
        "kind": late.kind.value,
        "seconds": late.seconds,
        "what": late.what or None,
        "job": late.job,
        "schedule": late.schedule,
        "tags": list(late.tags),
        "due_at": _moment(late.due_at),
        "usual": _usual(late.usual),
    }


def _mark(mark: Mark) -> dict[str, Any]:
    return {
        "is_acknowledged": mark.acked is not None,
        "snoozed_until": _moment(mark.snoozed_until),
        "owner": mark.owner or None,
        "note": mark.note or None,
    }
