"""Columns of the triage board, one table for each kind of item; JSON keys are stable."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from platui.core.named_tuple import NamedTuple
from platui.models.values.table import BLANK
from platui.present.tables.spec import ColumnSpec, Context, TableSpec
from platui.present.triage.labels import Names, incident_name, ref_of
from platui.present.triage.reasons import cause, flaky_names

if TYPE_CHECKING:
    from platui.models.values.triage import Incident, PipelineRun, Recovery, Signature
    from platui.models.values.triage_board import BoardItem, Late, Mark, TypicalDuration

_RAN: Final = ("id", "status", "sha?", "source?", "created_at", "ended_at", "web_url?")
_STEP: Final = (
    "id", "name", "stage?", "failure_reason?", "finished_at", "attempts", "is_bridge", "web_url?",
)  # fmt: skip
_SIGNATURE: Final = ("key", "line", "shared", "kind?")
_LATE: Final = ("seconds", "what?", "job", "schedule", "tags", "due_at")
_MARK: Final = ("snoozed_until", "owner?", "note?")
_FLAKY: Final = ("sha", "passed", "failed")


class Printing(NamedTuple):
    is_wide: bool = True  # Room for stages, days and times
    is_full: bool = True  # Print every row and fact
    with_quiet: bool = False  # Print quiet incidents like others


class BoardLine(NamedTuple):
    item: BoardItem
    names: Names
    cause_number: int | None = None
    cause_key: str | None = None

    @property
    def incident(self) -> Incident:
        assert self.item.incident is not None  # noqa: S101  (only incidents use this table)
        return self.item.incident

    @property
    def recovery(self) -> Recovery:
        assert self.item.recovery is not None  # noqa: S101  (only recoveries use this table)
        return self.item.recovery


def project_keys(project: object, names: Names) -> dict[str, Any]:
    """Return the path of a project (its id if unknown), and its id."""
    return {
        "project": names.path(project) or project if isinstance(project, int | str) else None,
        "project_id": project if isinstance(project, int) else None,
    }


def moment(at: datetime | None) -> str | None:
    return None if at is None else at.isoformat(timespec="seconds")


def _fields(one: object, names: Sequence[str]) -> dict[str, Any]:
    """Return fields of a value; empty ones whose name ends in `?` are null."""
    found = {name.removesuffix("?"): name.endswith("?") for name in names}
    return {name: _plain(getattr(one, name), may_lack) for name, may_lack in found.items()}


def _plain(value: Any, may_lack: bool) -> Any:  # noqa: FBT001  (mapped over fields)
    if isinstance(value, datetime):
        return moment(value)
    if isinstance(value, tuple):
        return list(value)
    return None if may_lack and not value else value


def ran_object(ran: PipelineRun | None) -> dict[str, Any] | None:
    return None if ran is None else _fields(ran, _RAN)


def signature_object(signature: Signature | None) -> dict[str, Any] | None:
    return None if signature is None else _fields(signature, _SIGNATURE)


def usual_object(usual: TypicalDuration | None) -> dict[str, Any] | None:
    if usual is None:
        return None
    return {"median_s": usual.median, "p95_s": usual.p95, "samples": usual.samples}


def _late(late: Late | None) -> dict[str, Any] | None:
    if late is None:
        return None
    return {"kind": late.kind.value, **_fields(late, _LATE), "usual": usual_object(late.typical)}


def mark_object(mark: Mark) -> dict[str, Any]:
    return {"is_acknowledged": mark.acked is not None, **_fields(mark, _MARK)}


def commit_object(incident: Incident) -> dict[str, Any] | None:
    commit, sha = incident.commit, incident.first_red.sha
    if commit is None:
        return {"sha": sha, "title": None, "author": None} if sha else None
    return {"sha": commit.sha, "title": commit.title or None, "author": commit.author or None}


def _step(line: BoardLine, _at: Context) -> dict[str, Any] | None:
    point = line.item.point
    return None if point is None or point.step is None else _fields(point.step, _STEP)


def _flaky_on(line: BoardLine, _at: Context) -> list[dict[str, Any]]:
    flaky = () if line.item.point is None else line.item.point.flaky
    return [{"job": one.name, **_fields(one, _FLAKY)} for one in flaky]


def _commits(line: BoardLine, _at: Context) -> dict[str, Any] | None:
    commits = line.incident.commits
    return None if commits is None else {"last_green": commits.before, "first_red": commits.after}


def _mark(key: str) -> ColumnSpec[BoardLine]:
    return ColumnSpec(key, value=lambda one, _: mark_object(one.item.mark)[key])


def _of_project(key: str) -> Callable[[BoardLine, Context], Any]:
    return lambda one, _: project_keys(one.item.lane.project, one.names)[key]


_LANE: Final[tuple[ColumnSpec[BoardLine], ...]] = (
    # The glyph column has room for the fold sign of a cause.
    ColumnSpec("glyph", name=None, cell=lambda _one, _at: BLANK, width=2),
    ColumnSpec(
        "project", "PROJECT", value=_of_project("project"),
        width=18, minimum=12, flexible=True, middle=True, cli_ends=True,
    ),
    ColumnSpec("project_id", value=_of_project("project_id")),
    ColumnSpec(
        "ref", "REF", value=lambda one, _: one.item.lane.ref or ref_of(one.item) or None,
        width=13, minimum=7, flexible=True, priority=1, middle=True, cli_minimum=6, cli_priority=0,
    ),
    ColumnSpec("way", name="name", value=lambda one, _: one.item.lane.way or None, cli_minimum=8),
    ColumnSpec("is_main", value=lambda one, _: one.item.is_main),
)  # fmt: skip
_LATE_SINCE: Final = ColumnSpec[BoardLine]("late", value=lambda one, _: _late(one.item.late))

BROKEN: Final[TableSpec[BoardLine]] = TableSpec(
    key=lambda one: str(one.item.lane),
    screen=("glyph", "project", "ref", "red", "since", "job"),
    cli=("glyph", "project", "ref", "way", "red", "since", "job"),
    columns=(
        *_LANE,
        ColumnSpec("incident", value=lambda one, _: incident_name(one.incident.key, one.names)),
        ColumnSpec(
            "since", "SINCE", value=lambda one, _: moment(one.incident.since),
            width=19, minimum=12, cli_minimum=19,
        ),
        ColumnSpec(
            "red", "FAILED", value=lambda one, _: one.incident.streak, width=9, right=True
        ),
        ColumnSpec("red_is_at_least", value=lambda one, _: one.incident.is_at_least),
        ColumnSpec("first_red", value=lambda one, _: ran_object(one.incident.first_red)),
        ColumnSpec("newest_red", value=lambda one, _: ran_object(one.incident.newest_red)),
        ColumnSpec("last_green", value=lambda one, _: ran_object(one.incident.last_green)),
        ColumnSpec("running", value=lambda one, _: ran_object(one.incident.on_top)),
        # On a narrow screen the job is hidden first, then the branch; streak and start stay.
        ColumnSpec(
            "job", "JOB", value=_step, width=10, minimum=4, flexible=True, priority=2, middle=True,
            cli_minimum=16, cli_priority=0,
        ),
        ColumnSpec(
            "failed_beside",
            value=lambda one, _: [step.name for step in one.item.point.beside]
            if one.item.point else [],
        ),
        ColumnSpec(
            "flaky", value=lambda one, _: flaky_names(one.item.point) if one.item.point else []
        ),
        ColumnSpec("flaky_on", value=_flaky_on),
        ColumnSpec("cause", value=lambda one, _: cause(one.item) or None),
        ColumnSpec("signature", value=lambda one, _: signature_object(one.item.signature)),
        ColumnSpec("commit", value=lambda one, _: commit_object(one.incident)),
        ColumnSpec("commits", value=_commits),
        _LATE_SINCE,
        ColumnSpec("is_quiet", value=lambda one, at: one.item.is_quiet(at.now)),
        # Whether the current cause is the acknowledged one.
        ColumnSpec("is_acknowledged", value=lambda one, _: one.item.is_acknowledged),
        *map(_mark, ("snoozed_until", "owner", "note")),
        ColumnSpec("cause_number"),
        ColumnSpec("cause_key"),
    ),
)  # fmt: skip
# Its layout is used for the whole board.
RECOVERED: Final[TableSpec[BoardLine]] = TableSpec(
    key=BROKEN.key,
    columns=(
        *_LANE,
        ColumnSpec("incident", value=lambda one, _: incident_name(one.recovery.key, one.names)),
        ColumnSpec("red", value=lambda one, _: one.recovery.streak),
        ColumnSpec("red_is_at_least", value=lambda one, _: one.recovery.is_at_least),
        ColumnSpec("first_red", value=lambda one, _: ran_object(one.recovery.first_red)),
        ColumnSpec("green", value=lambda one, _: ran_object(one.recovery.green)),
        ColumnSpec("since", value=lambda one, _: moment(one.recovery.since)),
        ColumnSpec("recovered_at", value=lambda one, _: moment(one.recovery.green.at)),
    ),
)
NOT_BROKEN: Final[TableSpec[BoardLine]] = TableSpec(
    key=BROKEN.key,
    columns=(
        *_LANE,
        ColumnSpec("pipeline", value=lambda one, _: ran_object(one.item.newest)),
        ColumnSpec("usual", value=lambda one, _: usual_object(one.item.typical)),
        _LATE_SINCE,
    ),
)
OF_CAUSES: Final = ("cause_number", "cause_key")  # Columns that only a whole board has


def table_of(item: BoardItem) -> TableSpec[BoardLine]:
    if item.incident is not None:
        return BROKEN
    return NOT_BROKEN if item.recovery is None else RECOVERED
