"""Build the rows of the triage board, for the dashboard and for printing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Final

from platui.analysis.triage.causes import suspect_incident
from platui.core.text import clean
from platui.models.values.table import BLANK, Cell, LineBelow, Row, cell_of
from platui.models.values.triage_board import Board, BoardItem, CauseGroup, LateKind
from platui.models.values.write_effects import NO_EFFECTS, Effects
from platui.present.chrome import Piece, joined
from platui.present.counts import counted
from platui.present.status import glyph_of, role_of
from platui.present.tables.triage import BROKEN, Printing
from platui.present.times import clock
from platui.present.triage import labels, reasons

if TYPE_CHECKING:
    from platui.models.values.triage import Incident
    from platui.present.triage.labels import Names

_FOLDED: Final = "▸"
_OPENED: Final = "▾"
_BESIDE: Final = "│"
_LATE: Final = "◐"
_MISSED: Final = "◷"
_NAMED: Final = 8  # Most projects of a cause that are named


class RowMaker:
    def __init__(
        self,
        board: Board,
        names: Names,
        now: datetime,
        *,
        utc: bool,
        printing: Printing | None = None,
        effects: Effects = NO_EFFECTS,
    ) -> None:
        """`printing`: options of a printed board; None for the dashboard."""
        self._names = names
        self._now = now
        self._utc = utc
        self._printing = printing
        self._effects = effects
        self._is_full = printing is not None and printing.is_full
        self._is_wide = printing is not None and printing.is_wide
        self._is_narrow = printing is not None and not printing.is_wide
        self._is_read = printing is not None and not board.pending_causes  # all causes are loaded
        broken = Counter(item.lane.project for item in board.items if item.incident is not None)
        # Projects whose path names their only incident.
        self._alone = {project for project, count in broken.items() if count == 1}

    def incident_row(self, group: CauseGroup) -> Row:
        item = group.items[0]
        incident = _incident(item)
        quiet = item.is_quiet(self._now)
        is_detailed = self._is_full or (item.is_main and not quiet)
        facts = self._facts(item, incident, is_detailed=is_detailed)
        green = labels.last_green(incident, self._now, utc=self._utc) if is_detailed else ""
        below = self._cause_line(reasons.classified(item), quiet=quiet)
        if facts or green:
            below.append(_line(facts, green))
        return self._broken(group, below)

    def quiet_row(self, item: BoardItem) -> Row:
        marked = " · ".join(text for text, _ in labels.marks(item, self._now, utc=self._utc))
        found = reasons.classified(item)
        below = self._cause_line(found, quiet=True) if found else []
        return self._broken(CauseGroup(item.signature, (item,)), below, marked=marked)

    def cause_row(self, group: CauseGroup, *, is_open: bool) -> Row:
        """Return the row of a cause: titled by its project, or by the cause if it has several."""
        quiet = all(item.is_quiet(self._now) for item in group.items)
        words = (
            reasons.group_first_failed_commit(group, self._names)
            if suspect_incident(group) and not quiet
            else ""
        )
        cause, fold = reasons.group_cause(group), _OPENED if is_open else _FOLDED
        blamed = [LineBelow(Cell(words, "muted"))] if words else []
        if group.projects == 1:
            found = self._cause_line(cause, quiet=quiet)
            return self._broken(group, [*found, _line(self._spread(group)), *blamed], fold=fold)
        began = labels.group_since(group, self._now, utc=self._utc, short=True)
        row = self._broken(group, [_line(self._spread(group), began), *blamed], fold=fold)
        title = Cell(cause, "muted" if quiet else "failed")
        return replace(row, title=title, search=f"{row.search} {clean(cause).lower()}")

    def cause_heading(self, shown_key: str, group: CauseGroup) -> Row:
        """Return the printed row of a cause; `shown_key` is the argument of commands."""
        first, began = group.first, labels.group_since(group, self._now, utc=self._utc)
        green = labels.last_green(_incident(first), self._now, utc=self._utc)
        where = f"{self._names.label(first.lane.project)} {labels.ref_of(first)}".rstrip()
        # The key first: the end may be cut.
        extent = labels.cause_extent(group.items, shown_key)
        older = labels.older_branch_since(group, self._now, utc=self._utc)
        lines = (
            f"{extent} · {labels.reds(group)} {began}".rstrip(),
            f"first {where}: {green}",
            f"earlier on {older}" * bool(older),
            reasons.group_first_failed_commit(group, self._names),
        )
        return Row(
            labels.cause_key(group),
            self._cells(glyph=_glyph("", "failed")),
            heading=Cell(reasons.group_cause(group) or reasons.NOT_READ, "failed"),
            below=tuple(LineBelow(Cell(text, "muted")) for text in lines if text),
        )

    def member_row(self, item: BoardItem, group: CauseGroup) -> Row:
        """Return the row of an incident below its cause, with a name that is distinct there."""
        again = self._effect((item,)) or self._again((item,))
        marked = [*again, *labels.marks(item, self._now, utc=self._utc)]
        below = [_line(marked)] if marked else []
        row = self._broken(CauseGroup(item.signature, (item,)), below, fold=_BESIDE)
        way = clean(item.lane.way)
        if self._printing is not None or not way:
            return row
        glyph, project, ref, *rest = row.cells
        if group.projects == 1:
            project = Cell(way)
        elif sum(one.lane[:2] == item.lane[:2] for one in group.items) > 1:
            ref = Cell(f"{labels.ref_of(item)} {way}".strip(), "muted")
        return replace(row, cells=(glyph, project, ref, *rest))

    def other_row(self, item: BoardItem) -> Row:
        glyph, role, red, words = self._standing(item)
        late = item.late
        more = reasons.late_details(late, self._now, utc=self._utc) if late is not None else ""
        way = clean(item.lane.way) or ("" if more else reasons.late_name(late))
        cells = self._cells(
            glyph=Cell(glyph, role),
            project=Cell(self._name(item)),
            ref=Cell(labels.ref_of(item), "muted"),
            red=Cell(red, "muted"),
            since=Cell(words, role),
            job=Cell(way, "muted"),
        )
        written = self._effect((item,))
        below = tuple(_line([piece]) for piece in (*written, (more, "muted")) if piece[0])
        words = self._search(item, [words, more])
        return Row(item.key, cells, search=words, below=below)

    def more_row(self, items: Sequence[BoardItem], words: str = "") -> Row:
        projects = dict.fromkeys(self._names.label(item.lane.project) for item in items)
        text = f"… and {len(items)} more: {words or ', '.join(projects)}"
        return Row("more", self._cells(), heading=Cell(text, "muted"))

    def names_of(self, item: BoardItem) -> tuple[str, str, str]:
        return (self._name(item), labels.ref_of(item), reasons.job_name(item.point))

    def _name(self, item: BoardItem) -> str:
        if self._printing is None:
            return self._names.label(item.lane.project)
        name = labels.typed_name(item, self._names)
        is_alone = item.incident is not None and item.lane.project in self._alone
        return name.rpartition("#")[0] if is_alone else name

    def _cells(self, **cells: Cell) -> tuple[Cell, ...]:
        columns = BROKEN.screen_columns if self._printing is None else BROKEN.cli_columns
        return tuple(cells.get(column.key, BLANK) for column in columns)

    def _standing(self, item: BoardItem) -> tuple[str, str, str, str]:
        if item.recovery is not None:
            at = clock(item.recovery.green.at, self._now, utc=self._utc)
            red = labels.reds(item.recovery)
            return glyph_of("success"), "success", red, f"recovered {at}"
        if item.late is not None:
            glyph = _MISSED if item.late.kind is LateKind.MISSED else _LATE
            return glyph, "warning", "", reasons.late_short(item.late, self._now)
        status = item.newest.status if item.newest is not None else ""
        return glyph_of(status), role_of(status), "", labels.running_words(item, self._now)

    def _broken(
        self, group: CauseGroup, below: Sequence[LineBelow], *, fold: str = "", marked: str = ""
    ) -> Row:
        item, *others = group.items
        quiet = all(item.is_quiet(self._now) for item in group.items)
        since = labels.group_since(group, self._now, utc=self._utc, short=not self._is_wide)
        # On a narrow screen only the details have room for the stage.
        job = reasons.job_and_stage(item.point) if self._is_wide else reasons.job_name(item.point)
        cells = self._cells(
            glyph=_glyph(fold if self._printing is None else "", "muted" if quiet else "failed"),
            project=Cell(self._name(item), "text" if fold == _BESIDE else "strong"),
            ref=Cell(labels.ref_of(item), "muted"),
            way=Cell(clean(item.lane.way), "muted"),
            red=Cell(labels.reds(group), "muted" if quiet else "text"),
            since=Cell(marked or since),
            job=BLANK if marked or self._is_narrow else Cell(job, "muted"),
        )
        texts = [cell.text for line in below for cell in (line.left, line.right)]
        texts += [text for one in others for text in reasons.searched(one, self._names)]
        words = self._search(item, texts)
        return Row(labels.cause_key(group), cells, search=words, muted=quiet, below=tuple(below))

    def _cause_line(self, words: str, *, quiet: bool) -> list[LineBelow]:
        if not words:
            return [] if self._is_read else [LineBelow(Cell(reasons.NOT_READ, "muted"))]
        return [LineBelow(Cell(words, "muted" if quiet else "failed"))]

    def _facts(self, item: BoardItem, incident: Incident, *, is_detailed: bool) -> list[Piece]:
        marks = labels.marks(item, self._now, utc=self._utc)
        if written := self._effect((item,)):
            facts = [*written, *marks]
        else:
            again, stuck = self._again((item,)), reasons.stuck_words(item)
            facts = [*marks, *again, *[(stuck, "warning")] * bool(again and stuck)]
        if not is_detailed:
            return facts
        flaky = reasons.flaky_words(item.point)
        words = (
            reasons.job_and_stage(item.point) if self._is_narrow else "",
            reasons.first_failed_commit(incident),
            flaky and f"flaky: {flaky}",
            clean(item.lane.way) if self._printing is None else "",
        )
        return [*facts, *((text, "muted") for text in words if text)]

    def _spread(self, group: CauseGroup) -> list[Piece]:
        quiet = sum(item.is_quiet(self._now) for item in group.items)
        facts = self._effect(group.items) or self._again(group.items)
        if quiet:
            facts.append((f"{'all' if quiet == len(group.items) else quiet} quiet", "accent"))
        facts += labels.owners_and_notes(group.items)
        older = labels.older_branch_since(group, self._now, utc=self._utc, short=True)
        facts += [(older, "muted")] * bool(older)
        if group.projects == 1:
            where = labels.cause_extent(group.items)
            ways = dict.fromkeys(clean(one.lane.way) or labels.ref_of(one) for one in group.items)
            return [*facts, (f"{where}: {', '.join(ways)}", "muted")]
        count = len(group.items)
        many = f" · {counted(count, 'incident')}" * (count > group.projects)
        projects = list(dict.fromkeys(self._names.label(one.lane.project) for one in group.items))
        named = ", ".join(projects[:_NAMED]) + " …" * (len(projects) > _NAMED)
        where = f"{counted(group.projects, 'project')}: {named}{many}"
        return [*facts, (where, "warning")]

    def _again(self, items: Sequence[BoardItem]) -> list[Piece]:
        words = labels.again_words(items, self._now)
        return [(words, "running")] if words else []

    def _effect(self, items: Sequence[BoardItem]) -> list[Piece]:
        if not self._effects:
            return []
        from platui.present.writes.effects import board_effect  # noqa: PLC0415  (after a write)

        words = board_effect(self._effects, items, self._now)
        return [] if words is None else [words]

    def _search(self, item: BoardItem, more: Iterable[str]) -> str:
        ran = item.pipeline
        known = (item.state.value, f"#{ran.id}", ran.sha) if ran is not None else ()
        words = reasons.searched(item, self._names)
        return clean(" ".join((*known, *words, *more))).lower()


def _incident(item: BoardItem) -> Incident:
    assert item.incident is not None  # noqa: S101  (a group holds incidents)
    return item.incident


def _glyph(fold: str, role: str) -> Cell:
    glyph = glyph_of("failed")
    sign = "muted" if fold == _BESIDE else "accent"
    return Cell(glyph + fold, role, ((glyph, role), (fold, sign)) if fold else ())


def _line(pieces: Sequence[Piece], right: str = "") -> LineBelow:
    return LineBelow(cell_of(joined(pieces), "muted"), Cell(right, "muted"))
