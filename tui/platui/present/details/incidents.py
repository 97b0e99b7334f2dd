"""An item of the triage board as a detail pane."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from platui.core.text import clean
from platui.models.values.table import Cell
from platui.models.values.triage_board import Board, BoardItem, CauseGroup
from platui.present.counts import counted
from platui.present.details.layout import Details, Field, Line, details, text_cell
from platui.present.status import status_cell
from platui.present.times import span
from platui.present.triage import labels, reasons

if TYPE_CHECKING:
    from platui.present.tables.spec import Context

_BESIDE: Final = 10


def item_details(board: Board, items: Sequence[BoardItem], at: Context) -> Details:
    """Return the details of the first item; the others have the same cause."""
    item, names = items[0], labels.Names(board.names)
    lane, ref = item.lane, labels.ref_of(item)
    group = CauseGroup(item.signature, tuple(items))
    title = " › ".join(filter(None, (names.label(lane.project), ref)))
    return details(
        title if group.projects == 1 else reasons.group_cause(group),
        {
            "": [*_whole(group, names), *_how(item, at)],
            "marks": _said(item, at),
            "cause": _cause(item),
            "same cause": _others(items, names),
            "who": _who(item),
            "what": [
                ("project", names.path(lane.project) or f"#{lane.project}"),
                ("ref", f"{ref} (default branch)" if item.is_main else ref),
                ("pipelines", lane.way),
            ],
            "when": _when(item, at),
            "links": _links(item),
            "technical": _technical(item),
        },
    )


def _whole(group: CauseGroup, names: labels.Names) -> list[Line]:
    if len(group.items) == 1:
        return []
    spread = f"in {counted(group.projects, 'project')}" if group.projects > 1 else "in this project"
    return [
        ("cause of", Cell(f"{counted(len(group.items), 'incident')} {spread}", "strong")),
        ("", Cell(f"{labels.reds(group)} in all")),
        ("details of", Cell(labels.lane_name(group.items[0], names))),
    ]


def _how(item: BoardItem, at: Context) -> list[Line]:
    lines: list[Line] = []
    if item.incident is not None:
        lines.append(("status", status_cell("failed")))
        lines.append(("", Cell(f"{labels.reds(item.incident)} in a row")))
    elif item.recovery is not None:
        lines.append(("status", Cell("✔ recovered", "success")))
        lines.append(("", Cell(f"after {labels.reds(item.recovery)}")))
    if item.late is not None:
        lines.append(("late", Cell(reasons.late_text(item.late, at.now, utc=at.utc), "warning")))
        lines.append(("", Cell(reasons.late_name(item.late))))
    if item.moving is not None:
        lines.append(("running", Cell(labels.running_words(item, at.now), "running")))
    if item.typical is not None:
        usual = item.typical
        lines.append(("typical", Cell(f"{span(usual.median)} · p95 {span(usual.p95)}")))
    return lines


def _said(item: BoardItem, at: Context) -> list[Line]:
    mark, known = item.mark, ""
    if item.is_acknowledged:
        known = "until its cause changes"
    elif mark.acked is not None:
        known = "for an earlier cause"
    return [
        ("acknowledged", known),
        ("snoozed until", at.stamp(mark.snoozed_until) if mark.is_snoozed(at.now) else ""),
        ("owner", mark.owner),
        ("note", mark.note),
    ]


def _cause(item: BoardItem) -> list[Line | Field]:
    lines: list[Line | Field] = []
    if item.incident is not None:
        words = reasons.cause(item)
        # Without a label, to use the width of the pane.
        lines.append(
            Field("", Cell(words, "failed"), is_wide=True)
            if words
            else ("error", Cell("not loaded yet", "muted"))
        )
    signature, point = item.signature, item.point
    if signature is not None and signature.shared != signature.line:
        lines.append(Field("grouped as", Cell(signature.shared), is_wide=True))
    if signature is not None:
        lines.append(("found by", reasons.found_by(signature)))
    if point is None or point.step is None:
        return lines
    step, downstream = point.step, point.step.downstream
    where = f" of project {downstream.project}" if downstream and downstream.project else ""
    others = ", ".join(f"{one.name}" for one in point.beside)
    return [
        *lines,
        ("job", text_cell(step.name, "strong")),
        ("stage", step.stage),
        ("reason", step.failure_reason),
        ("attempts", str(step.attempts) if step.attempts > 1 else ""),
        ("also failed", others),
        ("flaky", reasons.flaky_words(point)),
        ("downstream", f"pipeline #{downstream.pipeline}{where}" if downstream else ""),
    ]


def _others(items: Sequence[BoardItem], names: labels.Names) -> list[Field]:
    first, *others = items
    shown = []
    for one in others[:_BESIDE]:
        is_here = one.lane.project == first.lane.project
        words = f"{labels.ref_of(one)} {clean(one.lane.way)}".strip() if is_here else ""
        shown.append(Field("", Cell(words or labels.lane_name(one, names)), is_line=True))
    more = len(others) - len(shown)
    if more:
        shown.append(Field("", Cell(f"and {counted(more, 'other')}"), is_line=True))
    return shown


def _who(item: BoardItem) -> list[Line | Field]:
    incident = item.incident
    if incident is None:
        return []
    commit = incident.commit
    return [
        Field("", text_cell(reasons.first_failed_commit(incident)), is_wide=True),
        ("commit", commit.sha if commit is not None else incident.first_red.sha),
        ("title", commit.title if commit is not None else ""),
        ("author", commit.author if commit is not None else ""),
    ]


def _when(item: BoardItem, at: Context) -> list[Line]:
    incident, recovery = item.incident, item.recovery
    if incident is not None:
        good = incident.last_green
        step = item.step
        return [
            ("last success", at.stamp(good.at) if good is not None
             else labels.last_green(incident, at.now, utc=at.utc)),
            ("first failure", at.stamp(incident.since)),
            ("last failure", at.stamp(incident.newest_red.at)),
            ("job failed", at.stamp(step.finished_at) if step is not None else ""),
        ]  # fmt: skip
    if recovery is not None:
        return [
            ("first failure", at.stamp(recovery.first_red.at)),
            ("recovered", at.stamp(recovery.green.at)),
        ]
    return [
        ("was due", at.stamp(item.late.due_at if item.late is not None else None)),
        ("began", at.stamp(item.newest.created_at if item.newest is not None else None)),
    ]


def _links(item: BoardItem) -> list[Line]:
    step, ran = item.step, item.pipeline
    return [
        ("job", step.web_url if step is not None else ""),
        ("pipeline", ran.web_url if ran is not None else ""),
    ]


def _technical(item: BoardItem) -> list[Line]:
    incident = item.incident
    known = {"pipeline": item.pipeline}
    if incident is not None:
        known = {
            "last failure": incident.newest_red,
            "first failure": incident.first_red,
            "last success": incident.last_green,
            "latest run": incident.on_top,
        }
    lines: list[Line] = [
        (label, f"#{ran.id} {ran.status} {ran.sha[:8]}".strip())
        for label, ran in known.items()
        if ran is not None
    ]
    if incident is not None:
        lines.append(("failures", " ".join(f"#{number}" for number in incident.reds)))
    if item.signature is not None:
        lines.append(("signature", item.signature.key))
    return lines
