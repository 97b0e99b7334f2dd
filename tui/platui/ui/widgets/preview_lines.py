"""Lay out the preview of a row: jobs, a log at its error or its end, the beginning of a text."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Final

from rich.cells import cell_len

from platui.core.named_tuple import NamedTuple
from platui.core.text import clean
from platui.models.values.log import LogDocument, error_at
from platui.models.values.previews import JOBS, LEAST_LINES, PreviewTarget, RowPreview
from platui.models.values.statuses import ACTIVE, UNSTARTED
from platui.present.chrome import Pieces, joined
from platui.present.counts import counted
from platui.present.jobs import current_ids, jobs_summary
from platui.present.status import FAILED, severity, standing, status_cell
from platui.present.tables.column_widths import cut_middle, lay_out
from platui.present.tables.jobs import PIPELINE_JOBS, job_rows
from platui.ui.widgets.detail_lines import wrapped
from platui.ui.widgets.table.cells import column_pieces

if TYPE_CHECKING:
    from platui.models.wire import Job

_BOTH: Final = 14  # Lines from which the jobs leave half to the log
_EDGES: Final = 3  # Cells of the margins and the error bar
_ERROR_BAR: Final = "┃"
_DIFF_ROLES: Final = {"green": "success", "red": "failed"}


class Shown(NamedTuple):
    """All that the lines depend on."""

    target: PreviewTarget
    kind: str
    preview: RowPreview
    hint: Pieces  # At the right of the first line
    now: datetime


def preview_lines(shown: Shown, width: int, height: int) -> list[Pieces]:
    target, preview = shown.target, shown.preview
    if target.note:
        lines = [_heading(target.title, target.status, (), width), *_sentence(target.note, width)]
    elif target.route is not None:
        lines = _document_lines(shown, width, height)
    elif target.pipeline is not None and not preview.jobs:
        lines = [
            _heading(target.title, target.status, (), width),
            *_sentence(_without_jobs(preview), width),
        ]
    elif target.pipeline is None or (shown.kind != JOBS and _has_log(preview)):
        lines = _log_lines(shown, width, height)
    else:
        room = height // 2 if _has_log(preview) and height >= _BOTH else height
        lines = _jobs_lines(shown, width, room)
        left = height - len(lines)
        if _has_log(preview) and left >= LEAST_LINES:
            lines += _log_lines(shown, width, left)
    room = width - sum(cell_len(text) for text, _ in shown.hint)
    lines[0] = (*_cut(lines[0], room), *shown.hint)
    return lines[:height]


def _document_lines(shown: Shown, width: int, height: int) -> list[Pieces]:
    title, preview = shown.target.title, shown.preview
    document = preview.document
    if document is None or not document.line_count:
        words = "Not shown: it is empty or binary." if preview.is_complete else "Loading …"
        words = preview.error.sentence if preview.error is not None else words
        return [_heading(title, "", (), width), *_sentence(words, width)]
    total = document.line_count
    lines = [_heading(title, "", ((counted(total, "line"), "muted"),), width)]
    for number in range(min(total, height - 1)):
        spans = [(span.text[:width], span.style) for span in document.spans(number)]
        ink = [(text, _DIFF_ROLES.get(it.foreground) or it.role or "text") for text, it in spans]
        lines.append((("  ", "text"), *ink))
    return lines


def _has_log(preview: RowPreview) -> bool:
    return preview.document is not None or (
        preview.job is not None and preview.job.status in {FAILED, *ACTIVE}
    )


def _heading(title: str, status: str, others: Sequence[tuple[str, str]], width: int) -> Pieces:
    cell = status_cell(clean(status))
    status_piece = [(cell.text, cell.role)] if cell.text else []
    known = ((" ", "text"), *joined([(title, "strong"), *status_piece, *others], "  "))
    used = sum(cell_len(text) for text, _ in known)
    return (*known, (f" {'─' * (width - used - 2)}", "muted"))


def _cut(line: Pieces, room: int) -> Pieces:
    """Return a heading with its title and rule cut to a width."""
    first, (title, strong), *words, (rule, role) = line
    used = sum(cell_len(text) for text, _ in (first, *words))
    title = cut_middle(title, max(1, room - used - 1))
    rule = rule[: max(0, room - used - cell_len(title) - 1)]
    return (first, (title, strong), *words, (f"{rule} ", role))


def _sentence(text: str, width: int) -> list[Pieces]:
    return [((f" {piece}", "muted"),) for piece in wrapped(clean(text), width - _EDGES)]


def _without_jobs(preview: RowPreview) -> str:
    if preview.error is not None:
        return preview.error.sentence
    return "This pipeline has no jobs." if preview.is_complete else "Loading the jobs …"


def _jobs_lines(shown: Shown, width: int, height: int) -> list[Pieces]:
    everything = shown.preview.jobs  # earlier attempts too: they give the order of stages
    shown_ids = current_ids(everything)
    jobs = [job for job in everything if job.id in shown_ids]
    total, *counts = jobs_summary(jobs)
    target = shown.target
    lines = [_heading(target.title, target.status, (total, *counts), width)]
    more = len(jobs) - (height - 1)
    if more > 0:
        worst = sorted(jobs, key=lambda job: severity(job.status))[: max(0, height - 2)]
        shown_ids = frozenset(job.id for job in worst)
    lines += _table(everything, shown_ids, shown.now, width)
    if more > 0:
        lines.append(((f" … {counted(more + 1, 'other job')}", "muted"),))
    return lines


def _table(jobs: Sequence[Job], ids: Collection[int], now: datetime, width: int) -> list[Pieces]:
    columns, keys = PIPELINE_JOBS.layout, {str(one) for one in ids}
    rows = [row for row in job_rows(jobs, (), now, 0) if row.key in keys]
    needs = {
        at: max((cell_len(row.cells[at].text) for row in rows), default=0)
        for at, column in enumerate(columns)
        if column.fits
    }
    slots, gap = (layout := lay_out(columns, width - _EDGES, frozenset(), needs)).slots, layout.gap
    timeline = next((slot.width for slot in slots if columns[slot.index].key == "timeline"), 0)
    lines: list[Pieces] = []
    above = ""
    for row in job_rows(jobs, (), now, timeline):
        if row.key not in keys:
            continue
        line: list[tuple[str, str]] = [(" ", "text")]
        for slot in slots:
            column, cell = columns[slot.index], row.cells[slot.index]
            if column.once:
                cell, above = (cell if cell.text != above else type(cell)("")), cell.text
            line += [*column_pieces(cell, column, slot.width), (" " * gap, "text")]
        lines.append(tuple(line))
    return lines


def _log_lines(shown: Shown, width: int, height: int) -> list[Pieces]:
    target, preview = shown.target, shown.preview
    job = preview.job
    title = target.title if job is None else clean(job.name)
    status = target.status if job is None else job.status
    document = preview.document
    if document is None or not document.line_count:
        words = _without_log(title, status, preview)
        return [_heading(title, status, (), width), *_sentence(words, width)]
    total, line = document.line_count, preview.line
    where = f"last of {counted(total, 'line')}"
    if preview.is_tail:
        where = "last lines" if line is None else "error in the last lines"
        if line is None and status == FAILED:
            where = "no error in the last lines"
    elif line is not None:
        where = f"line {line + 1:,} of {total:,}"
    heading = _heading(title, status, ((where, "muted"),), width)
    return [heading, *_text_lines(document, line, width, height - 1)]


def _without_log(title: str, status: str, preview: RowPreview) -> str:
    if preview.error is not None:
        return preview.error.sentence
    if not preview.is_complete:
        return "Loading the log …"
    if status in UNSTARTED or preview.document is not None:
        return f"{title} {standing(clean(status))}: it has no log yet."
    if preview.is_too_long:
        opens = "" if preview.job is not None else ": enter opens it"
        return f"{title} {standing(clean(status))}. Its log is too long for a preview{opens}."
    return f"{title} {standing(clean(status))}. Its log has not been loaded."


def _text_lines(document: LogDocument, line: int | None, width: int, height: int) -> list[Pieces]:
    """Return lines around the error, which is wrapped, or the last lines."""
    total, errors = document.line_count, document.errors
    start = total - height
    if line is not None:
        start = min(start, line - height // 3)
    lines: list[Pieces] = []
    for number in range(max(0, start), total):
        is_error = error_at(errors, number) is not None
        mark = (f"{_ERROR_BAR} " if is_error else "  ", "failed")
        text = document.beginning(number).rstrip()
        if number == line:
            lines += [(mark, (piece, "failed")) for piece in wrapped(text, width - _EDGES)]
        else:
            lines.append((mark, (text, "text" if is_error else "muted")))
        if len(lines) >= height:
            break
    return lines
