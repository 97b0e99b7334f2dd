"""Results of a search in all logs of a pipeline: rows by job, and the status line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from platui.core.named_tuple import NamedTuple
from platui.core.text import clean
from platui.models.values.search import HitLine, JobHits, PipelineHits, ReadState
from platui.models.values.statuses import ACTIVE
from platui.models.values.table import Cell, Role, Row, cell_of
from platui.present.counts import counted
from platui.present.logs.text import clock
from platui.present.status import glyph_of, role_of
from platui.present.tables.spec import TIMELESS, ColumnSpec, Context, TableSpec

if TYPE_CHECKING:
    from platui.present.chrome import Piece

_BEFORE: Final = 30  # Characters shown before a hit far to the right
_FAR: Final = 60  # Column after which a hit is far to the right

JOB, HIT, MORE = "job", "hit", "more"  # First parts of row keys


def read_key(key: str) -> tuple[str, int, int]:
    kind, job, line = key.split(":")
    return kind, int(job), int(line)


class HitRow(NamedTuple):
    """A job, a hit below it, or a note that there are more."""

    log: JobHits
    kind: str = JOB
    line: int = 0  # First line of a hit, or of the hits to come
    hit: HitLine | None = None


def _number_cell(row: HitRow, _at: Context) -> Cell:
    if row.kind == JOB:
        return Cell(glyph_of(row.log.job.status), role_of(row.log.job.status))
    return Cell("…" if row.hit is None else f"{row.line + 1:,}", "muted")


def _text_cell(row: HitRow, at: Context) -> Cell:
    if row.hit is not None:
        return _hit_cell(row.hit)
    if row.kind == MORE:
        return Cell(f"and {row.log.total - len(row.log.hits):,} more", "muted")
    return _job_cell(row.log, utc=at.utc)


def _job_cell(log: JobHits, *, utc: bool) -> Cell:
    job = log.job
    name, status, role = clean(job.name), clean(job.status), role_of(job.status)
    if log.error is not None:
        result: tuple[str, Role] = (f"no log: {log.error.sentence}", "warning")
    else:
        partly = " so far" if job.status in ACTIVE else ""
        if partly and log.fetched_at is not None:
            partly += f" ({clock(log.fetched_at.timestamp(), utc=utc)})"
        result = (f"{counted(log.total, 'hit')}{partly}", "muted")
    return cell_of([(name, "strong"), (" ", "muted"), (status, role), (" · ", "muted"), result])


def _hit_cell(hit: HitLine) -> Cell:
    start = hit.ranges[0][0] if hit.ranges else 0
    cut = start - _BEFORE if start > _FAR else 0
    parts: list[tuple[str, Role]] = [("…", "muted")] if cut else []
    at = cut
    for first, end in hit.ranges:
        parts += [(hit.text[at:first], "text"), (hit.text[first:end], "accent")]
        at = end
    parts.append((hit.text[at:], "text"))
    return cell_of((text, role) for text, role in parts if text)


HITS: Final[TableSpec[HitRow]] = TableSpec(
    key=lambda row: f"{row.kind}:{row.log.job.id}:{row.line}",
    columns=(
        ColumnSpec("line", "LINE", cell=_number_cell, width=8, right=True),
        ColumnSpec("text", "WHERE", cell=_text_cell, width=60, minimum=30, flexible=True),
    ),
)


class HitRows:
    """Builds the rows of a search; rows of unchanged logs are cached."""

    def __init__(self) -> None:
        self._made: dict[tuple[int, bool], tuple[JobHits, list[Row]]] = {}

    def rows(self, found: PipelineHits, *, utc: bool) -> list[Row]:
        """Return a row for each job with hits or without a log, and for each hit."""
        rows: list[Row] = []
        at = TIMELESS._replace(utc=utc)
        for log in found.logs:
            known = self._made.get((log.job.id, utc))
            if known is None or known[0] is not log:
                known = self._made[log.job.id, utc] = (log, HITS.rows(_hits(log), at))
            rows += known[1]
        return rows


def _hits(log: JobHits) -> Iterator[HitRow]:
    if not log.total and log.state is not ReadState.MISSING:
        return
    yield HitRow(log)
    for hit in log.hits:
        yield HitRow(log, HIT, hit.number, hit)
    if log.next_line is not None:
        yield HitRow(log, MORE, log.next_line)


def search_line(found: PipelineHits, words: str, on: str = "r") -> list[Piece]:
    """Return the status line; `on` is the key that continues a stopped search."""
    pieces: list[Piece] = [(words, "accent")]
    if not found.listed:
        return pieces
    jobs = sum(log.total > 0 for log in found.logs)
    count = len(found.logs)
    logs = f"{found.done} of {counted(count, 'log')}"
    pieces.append((logs, "text" if found.is_whole else "running"))
    where = f" in {counted(jobs, 'job')}" if found.total else ""
    pieces.append((f"{counted(found.total, 'hit')}{where}", "strong"))
    missing = sum(log.state is ReadState.MISSING for log in found.logs)
    if missing:
        pieces.append((f"{missing} not available", "warning"))
    if found.stopped and not found.is_whole:
        pieces.append((f"stopped, {on} to continue", "warning"))
    elif found.waits:
        pieces.append(("waiting for quota", "warning"))
    if found.active:
        pieces.append((_still(found.active), "running"))
    if found.earlier:
        attempts = counted(found.earlier, "earlier attempt")
        pieces.append((f"excluding {attempts}", "muted"))
    return pieces


def nothing_found(found: PipelineHits, words: str, *, on: str, other: str, back: str) -> str:
    """`on` continues or repeats a search, `other` starts another, `back` leaves: keys."""
    if not found.listed:
        return "Loading the jobs of this pipeline …"
    if not found.logs:
        return f"No job of this pipeline has a log yet.\n\n{back}  back"
    if found.is_whole:
        logs = "the log" if len(found.logs) == 1 else f"all {len(found.logs)} logs"
        said, keys = f"{words} not found in {logs}", f"{other}  new search      {back}  back"
        if found.active:
            return f"{said} so far: {_still(found.active)}.\n\n{on}  search again      {keys}"
        return f"{said}.\n\n{keys}"
    searched = f"{found.done} of {counted(len(found.logs), 'log')}"
    if found.stopped:
        return f"Stopped: nothing found in {searched}.\n\n{on}  continue"
    return f"Nothing found yet in {searched} …"


def _still(jobs: int) -> str:
    return f"{counted(jobs, 'job')} still {'runs or waits' if jobs == 1 else 'run or wait'}"
