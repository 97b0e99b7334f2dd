"""Triage boards written as words: a project a word, a letter a pipeline, the oldest first."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from tests.support.lane import HOUR, NOW, pipeline

from platui.analysis.triage.board import cause_groups, count_items, in_order, item_of
from platui.analysis.triage.incidents import Listed, ran, states_of
from platui.models.values.statuses import ACTIVE
from platui.models.values.triage import FailedStep, FailurePoint, Signature
from platui.models.values.triage_board import Board, Late, LateKind, Mark

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

LOGIN: Final = Signature("aa", "password for SVC has expired", "password has expired: db", "login")
MEMORY: Final = Signature("bb", "Killed", "out of memory: load", "out of memory", is_local=True)
SLOW: Final = Late(LateKind.SLOW, 2880.0)
STEP: Final = FailedStep(
    88, "dbt_run", "Transformation", "script_failure",
    web_url="https://platform.example/acme/etl/-/jobs/88",
)  # fmt: skip


def board(
    lanes: Mapping[int, str],
    *,
    now: datetime = NOW,
    causes: Mapping[int, Signature] | None = None,
    marks: Mapping[int, Mark] | None = None,
    late: Mapping[int, Late] | None = None,
    **fields: Any,
) -> Board:
    """Return the board of some projects; the platform has told of each of them.

    Args:
        lanes: project -> its pipelines, as letters of `tests.support.lane`.
        now: the time.
        causes: project -> the cause of its incident, as far as it is known.
        marks: project -> what was said of its incident.
        late: project -> what is behind its time.
        fields: of the board, others than follow from that.
    """
    found = []
    ended = []
    for project, word in lanes.items():
        first = project * 1000
        runs = [
            pipeline(
                first + at,
                letter,
                created_at=NOW - (20 - at) * HOUR,
                sha=f"aaaa{first + at:04x}{0:032x}",
                web_url=f"https://platform.example/acme/p{project}/-/pipelines/{first + at}",
            )
            for at, letter in enumerate(word)
        ]
        ended += [(project, ran(run)) for run in runs if run.status not in ACTIVE]
        for state in states_of(Listed(project, runs[::-1], is_whole=True, main="main"), now):
            item = item_of(state, NOW.replace(hour=0, minute=0), (late or {}).get(project))
            if item is None:
                continue
            if item.incident is not None:
                cause = (causes or {}).get(project)
                point = FailurePoint(STEP) if cause is not None else None
                mark = (marks or {}).get(project, Mark())
                item = replace(item, signature=cause, point=point, mark=mark)
            found.append(item)
    items = in_order(found, now)
    known: dict[str, Any] = {
        "items": tuple(items),
        "groups": tuple(cause_groups(items)),
        "counts": count_items(items, now),
        "names": tuple((one, f"acme/p{one}") for one in lanes),
        "watched": len(lanes),
        "known": len(lanes),
        "live": tuple(lanes),
        "ended": tuple(ended),
        "fetched_at": now,
        "is_live": True,
        "is_named": True,
    }
    return Board(**(known | fields))
