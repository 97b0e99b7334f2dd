"""Boards of triage as the service would yield them, from words of one letter a pipeline."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from tests.support.lane import NOW, newest_first

from platui.analysis.triage.board import cause_groups, count_items, in_order, item_of, last_run
from platui.analysis.triage.incidents import Listed, states_of
from platui.models.values.triage import CommitSummary, FailedStep, FailurePoint, Signature
from platui.models.values.triage_board import Board, Mark

if TYPE_CHECKING:
    from platui.models.values.triage_board import BoardItem, Late

LOGIN: Final = Signature("aa", "Database Error: password for SVC", "password has expired: db")
MEMORY: Final = Signature("bb", "Killed", "out of memory: load", is_local=True)
STEP: Final = FailedStep(5, "dbt_run", "Transformation", web_url="https://platform/jobs/5")
POINT: Final = FailurePoint(STEP, commit=CommitSummary("f" * 40, "Rename models", "A. Khan"))
TODAY: Final = NOW.replace(hour=0, minute=0)


def item(
    project: int,
    word: str,
    signature: Signature | None = None,
    *,
    ref: str = "main",
    late: Late | None = None,
    mark: Mark | None = None,
    point: FailurePoint | None = POINT,
    **fields: Any,
) -> BoardItem:
    """Return the item of a lane whose pipelines are written as a word, the newest first."""
    runs = newest_first(word, ref=ref, **fields)
    (state,) = states_of(Listed(project, runs, is_whole=True, main="main"), NOW)
    found = item_of(state, TODAY, late)
    assert found is not None
    if found.incident is None:
        return found
    incident = replace(found.incident, commit=None if point is None else point.commit)
    return replace(found, incident=incident, signature=signature, point=point, mark=mark or Mark())


def board_of(*items: BoardItem, **fields: Any) -> Board:
    """Return the board of these items, told a moment ago; each project is called `team/pN`."""
    ordered = in_order(items, NOW)
    projects = sorted({int(one.lane.project) for one in items})
    known: dict[str, Any] = {
        "names": tuple((one, f"team/p{one}") for one in projects),
        "watched": len(projects),
        "known": len(projects),
        "fetched_at": NOW,
        "is_live": True,
        "last_run": last_run([]),
    }
    groups = tuple(cause_groups(ordered))
    return Board(tuple(ordered), groups, count_items(ordered, NOW), **(known | fields))
