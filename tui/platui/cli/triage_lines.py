"""The triage board as lines of a terminal: what is broken first, each cause above what it broke."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

from platui.analysis.triage.board import is_quiet
from platui.analysis.triage.cause_keys import shown_keys
from platui.cli.table_fit import begin_of, end_of
from platui.core.cells import cells
from platui.core.text import clean
from platui.models.values.triage_items import Standing
from platui.models.values.triage_lateness import LateKind
from platui.models.values.triage_news import NewsKind
from platui.present.counts import counted
from platui.present.status import glyph_of
from platui.present.times import age, dated
from platui.present.triage_cause_words import blame, cause, flaky_words, group_blame, job_and_stage
from platui.present.triage_late_words import late_what, late_words
from platui.present.triage_names import incident_name
from platui.present.triage_summary import summary_pieces
from platui.present.triage_words import (
    ended_words,
    group_reds,
    group_since,
    last_green,
    marks,
    reds,
    ref_of,
    running_words,
    since,
    spread_words,
)
from platui.ui.ascii_art import SIGNS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from datetime import datetime

    from platui.models.values.triage import Incident
    from platui.models.values.triage_board import Board
    from platui.models.values.triage_items import BoardItem, CauseGroup
    from platui.models.values.triage_news import News
    from platui.present.triage_names import Names

_INDENT: Final = "    "
_STEP: Final = "  "
"""What stands before a row below its cause."""
_LATE: Final = "◐"
_MISSED: Final = "◷"
_FEW: Final = 10
"""Rows of what runs or has recovered, and incidents of one cause, that a terminal is given."""
_WIDE: Final = 120
"""Cells from which the failed job stands in the first line."""
_RED: Final = "31"
_DIM: Final = "2"
_BOLD: Final = "1"

_SAID: Final = {
    NewsKind.OPENED: "broken",
    NewsKind.SIGNATURE: "other cause",
    NewsKind.RETURNED: "broken again",
    NewsKind.CAUSE: "cause",
    NewsKind.LATE: "late",
    NewsKind.RECOVERED: "recovered",
    NewsKind.ENDED: "ended",
    NewsKind.ACKED: "acked",
    NewsKind.SNOOZED: "snoozed",
}
_WORD: Final = max(map(len, _SAID.values()))


class Look(NamedTuple):
    """How lines are made."""

    names: Names
    now: datetime
    utc: bool = False
    width: int | None = None
    """Cells of the terminal; None: nothing is cut or left out."""
    everything: bool = False
    """Whether what is known already, and every row of the rest, is told as well."""
    colours: bool = False
    ascii: bool = False


class _Head(NamedTuple):
    """The first line of an incident."""

    name: str
    ref: str
    way: str
    red: str
    since: str
    job: str


def board_lines(board: Board, look: Look) -> Iterator[str]:
    """Yield the board, line by line, each as wide as the terminal at the most."""
    return (line.translate(SIGNS) if look.ascii else line for line in _Lines(board, look).all())


def news_line(news: News, look: Look) -> str:
    """Return what has happened, on one line."""
    item = news.item
    name = _name(item, look)
    lane = " ".join(filter(None, (name, ref_of(item), clean(item.lane.way))))
    words = f"{_SAID[news.kind]:<{_WORD}}  {lane}"
    told = _news_words(news, look)
    line = f"{dated(look.now, utc=look.utc, seconds=True)}  {words}{f': {told}' if told else ''}"
    return line.translate(SIGNS) if look.ascii else line


def _news_words(news: News, look: Look) -> str:
    item = news.item
    match news.kind:
        case NewsKind.RECOVERED:
            if item.recovery is not None:
                count = reds(item.recovery.streak, more=item.recovery.is_at_least)
                return f"after {count}"
            return f"after {reds(item.incident.streak, more=False)}" if item.incident else ""
        case NewsKind.LATE:
            words = late_words(item.late, look.now, utc=look.utc) if item.late else ""
            return ": ".join(filter(None, (late_what(item.late), words)))
        case NewsKind.ENDED:
            return ended_words(item.newest) if item.incident is None else "given up"
        case NewsKind.ACKED | NewsKind.SNOOZED:
            said = marks(item, look.now, utc=look.utc)
            return ", ".join(words for words, _ in said)
    job = "" if news.kind is NewsKind.CAUSE else job_and_stage(item.point)
    return ": ".join(filter(None, (job, cause(item))))


class _Lines:
    """Makes the lines of one board."""

    def __init__(self, board: Board, look: Look) -> None:
        self._board = board
        self._look = look
        incidents = (item for item in board.items if item.incident is not None)
        count = Counter(item.lane.project for item in incidents)
        self._keys = {
            item.lane: key
            for key, group in zip(shown_keys(board.groups), board.groups, strict=True)
            for item in group.items
        }
        """Of causes, as `platui triage ack --cause` takes them."""
        self._alone = {project for project, number in count.items() if number == 1}

    def all(self) -> Iterator[str]:
        """Yield all lines; how old they are comes first, where they are not of now."""
        if not self._board.is_live:
            yield self._fit(self._age(), _BOLD)
        yield self._summary()
        loud, quiet = self._groups()
        yield from self._broken(loud)
        yield from self._quiet(quiet)
        yield from self._section(Standing.LATE, _LATE, self._late_words)
        yield from self._section(Standing.RUNNING, "", self._running_words)
        yield from self._section(Standing.RECOVERED, glyph_of("success"), self._recovered_words)

    def _summary(self) -> str:
        width, watched = self._look.width, self._board.watched
        # Whoever reads this the next morning knows then of which day and zone all times are.
        at = f" at {dated(self._look.now, utc=self._look.utc)}"
        for is_wide, end in ((True, at), (True, ""), (False, "")):
            pieces = summary_pieces(self._board.counts, wide=is_wide)
            left = " · ".join(words for words, _ in pieces)
            noun = counted(watched, "project") if is_wide else f"{watched:,}"
            right = f"{noun} watched{end}"
            if width is not None and cells(left) + cells(right) + 2 <= width:
                return self._paint(f"{left}{right:>{width - cells(left)}}", _BOLD)
            if width is None:
                break
        return self._fit(f"{left}  {right}", _BOLD)

    def _age(self) -> str:
        """Return how old the board is, as far as the platform did not tell it now."""
        board, look = self._board, self._look
        told = f"{board.told:,} of {counted(board.watched, 'project')}"
        if board.fetched_at is None or not board.kept:
            return f"Not all is known: {told} told how they stand"
        oldest = dated(board.fetched_at, utc=look.utc)
        return f"Kept from {oldest} ({age(board.fetched_at, look.now)} ago): {told} told it now"

    def _groups(self) -> tuple[list[CauseGroup], list[BoardItem]]:
        """Return what is told with its cause, and apart what somebody knows already."""
        loud: list[CauseGroup] = []
        quiet: list[BoardItem] = []
        for group in self._board.groups:
            told = [item for item in group.items if self._look.everything or not self._quiets(item)]
            quiet += [item for item in group.items if item not in told]
            if told:
                loud.append(group._replace(items=tuple(told)))
        return loud, quiet

    def _quiets(self, item: BoardItem) -> bool:
        return is_quiet(item.mark, item.signature, self._look.now)

    # what is broken

    def _broken(self, groups: Sequence[CauseGroup]) -> Iterator[str]:
        if not groups:
            return
        yield ""
        shown = [(group, self._members(group)) for group in groups]
        heads = {
            id(item): self._head(item, item.incident)
            for _, members in shown
            for item in members
            if item.incident is not None
        }
        margin = len(_STEP) * any(len(group.items) > 1 for group in groups)
        widths = self._widths(list(heads.values()), margin)
        for group, members in shown:
            if len(group.items) > 1:
                yield from self._cause(group)
            step = _STEP if len(group.items) > 1 else ""
            for item in members:
                yield self._marked(glyph_of("failed"), self._columns(heads[id(item)], widths), step)
                if step and (said := self._said(item)):
                    yield self._fit(f"{_INDENT}{step}{said}")
            yield from self._more(group.items[len(members) :])
            if not step:
                yield from self._why(group.items[0])

    def _members(self, group: CauseGroup) -> Sequence[BoardItem]:
        """Return what of a cause has a line of its own."""
        items = group.items
        is_cut = self._look.width is not None and not self._look.everything
        return items[: _FEW // 2] if is_cut and len(items) > _FEW // 2 + 1 else items

    def _more(self, items: Sequence[BoardItem]) -> Iterator[str]:
        if not items:
            return
        names = dict.fromkeys(self._look.names.label(item.lane.project) for item in items)
        yield self._fit(f"{_INDENT}… and {len(items)} more: {', '.join(names)}")

    def _cause(self, group: CauseGroup) -> Iterator[str]:
        """Yield what several incidents have in common, above them."""
        first = group.first
        shared = group.signature.shared if group.signature is not None else ""
        yield self._marked(glyph_of("failed"), shared or cause(first), colour=_RED)
        incident, look = first.incident, self._look
        if incident is None:
            return
        began = group_since(group, look.now, utc=look.utc)
        # First, as the end is cut where it is narrow: half a key would be none.
        called = f"cause {self._keys[first.lane]}"
        spread = spread_words(group.items).removeprefix("same cause ")
        sums = (f"{called} {spread}", f"{group_reds(group)} {began}".rstrip())
        yield self._fit(_INDENT + " · ".join(sums))
        told = [last_green(incident, look.now, utc=look.utc)]
        where = " ".join((look.names.label(first.lane.project), ref_of(first))).rstrip()
        yield self._fit(f"{_INDENT}first {where}: {' · '.join(filter(None, told))}")
        if said := group_blame(group, look.names):
            yield self._fit(f"{_INDENT}{said}")

    def _why(self, item: BoardItem) -> Iterator[str]:
        """Yield the cause of one incident, and below it whatever else there is to know."""
        said = cause(item) or "its cause was not read yet" * bool(self._board.awaited)
        if said:
            yield self._fit(f"{_INDENT}{said}", _RED)
        if self._is_told(item) and (rest := " · ".join(self._details(item))):
            yield self._fit(f"{_INDENT}{rest}")

    def _is_told(self, item: BoardItem) -> bool:
        """Return whether more than the cause is told: on a terminal, of default branches."""
        is_all = self._look.width is None or self._look.everything
        return is_all or item.is_main or bool(self._said(item))

    def _details(self, item: BoardItem) -> Iterator[str]:
        incident = item.incident
        if incident is None:
            return
        if said := self._said(item):
            yield said
        if not self._is_wide and (job := job_and_stage(item.point)):
            yield job
        if item.late is not None:
            yield late_words(item.late, self._look.now, utc=self._look.utc)
        green = last_green(incident, self._look.now, utc=self._look.utc)
        if incident.last_green is not None or incident.never_green:
            yield green
        if blamed := blame(incident):
            yield blamed
        if flaky := flaky_words(item.point):
            yield flaky

    def _said(self, item: BoardItem) -> str:
        said = marks(item, self._look.now, utc=self._look.utc)
        return " · ".join(words for words, _ in said)

    def _quiet(self, items: Sequence[BoardItem]) -> Iterator[str]:
        """Yield a line for each that somebody knows already, and its cause where that is known."""
        if not items:
            return
        yield ""
        incidents = [(item, item.incident) for item in items if item.incident is not None]
        heads = [
            self._head(item, incident)._replace(since=self._said(item), job="")
            for item, incident in incidents
        ]
        widths = self._widths(heads)
        for (item, _), head in zip(incidents, heads, strict=True):
            yield self._fit(f"{glyph_of('failed')} {self._columns(head, widths)}", _DIM)
            if said := cause(item):
                yield self._fit(f"{_INDENT}{said}", _DIM)

    def _head(self, item: BoardItem, incident: Incident) -> _Head:
        look = self._look
        name = _name(item, look)
        if item.lane.project in self._alone:
            name = name.rpartition("#")[0]
        more, short = incident.is_at_least, not self._is_wide
        began = since(incident.since, look.now, utc=look.utc, more=more, short=short)
        count = reds(incident.streak, more=incident.is_at_least)
        job = job_and_stage(item.point) if self._is_wide else ""
        return _Head(name, ref_of(item), clean(item.lane.way), count, began, job)

    @property
    def _is_wide(self) -> bool:
        return self._look.width is None or self._look.width >= _WIDE

    def _widths(self, heads: Sequence[_Head], margin: int = 0) -> list[int]:
        """Return the cells of each column; branches give way first, then names.

        Args:
            heads: the lines.
            margin: cells before them.
        """
        widths = [max(map(cells, column), default=0) for column in zip(*heads, strict=True)]
        if self._look.width is None:
            return widths
        gaps = 2 * sum(width > 0 for width in widths[1:])
        over = 2 + margin + sum(widths) + gaps - self._look.width
        for at, least in ((5, 16), (1, 12), (2, 16), (0, 30), (2, 8), (1, 6), (4, 19), (0, 12)):
            if over > 0 and widths[at] > least:
                less = min(over, widths[at] - least)
                widths[at] -= less
                over -= less
        return widths

    def _columns(self, head: _Head, widths: Sequence[int]) -> str:
        texts = [end_of(head.name, widths[0])]
        texts += [begin_of(text, width) for text, width in zip(head[1:], widths[1:], strict=True)]
        right = {3}
        return "  ".join(
            " " * (width - cells(text)) + text
            if at in right
            else text + " " * (width - cells(text))
            for at, (text, width) in enumerate(zip(texts, widths, strict=True))
            if width
        ).rstrip()

    # the rest

    def _section(
        self, standing: Standing, glyph: str, words: Callable[[BoardItem], str]
    ) -> Iterator[str]:
        items = [item for item in self._board.items if item.standing is standing]
        if not items:
            return
        yield ""
        is_cut = self._look.width is not None and not self._look.everything
        some = items[:_FEW] if is_cut and len(items) > _FEW + 1 else items
        rows = [(_name(item, self._look), ref_of(item), words(item)) for item in some]
        widths = [max(map(cells, column)) for column in zip(*rows, strict=True)]
        if self._look.width is not None:
            over = 2 + sum(widths) + 4 - self._look.width
            for at, least in ((1, 8), (0, 24)):
                less = max(0, min(over, widths[at] - least))
                widths[at] -= less
                over -= less
        for item, (name, ref, said) in zip(some, rows, strict=True):
            sign = glyph or glyph_of(item.newest.status if item.newest is not None else "")
            if item.late is not None and item.late.kind is LateKind.MISSED:
                sign = _MISSED
            texts = (end_of(name, widths[0]), begin_of(ref, widths[1]))
            columns = (
                text + " " * (width - cells(text))
                for text, width in zip(texts, widths, strict=False)
            )
            yield self._fit(f"{sign} {'  '.join((*columns, said))}".rstrip())
        if len(items) > len(some):
            yield self._fit(f"  … and {len(items) - len(some)} more: --all prints them")

    def _late_words(self, item: BoardItem) -> str:
        if item.late is None:
            return ""
        words = late_words(item.late, self._look.now, utc=self._look.utc)
        return "  ".join(filter(None, (words, late_what(item.late) or clean(item.lane.way))))

    def _running_words(self, item: BoardItem) -> str:
        return "  ".join(filter(None, (running_words(item, self._look.now), clean(item.lane.way))))

    def _recovered_words(self, item: BoardItem) -> str:
        if item.recovery is None:
            return ""
        at = dated(item.recovery.green.at, utc=self._look.utc)
        count = reds(item.recovery.streak, more=item.recovery.is_at_least)
        return "  ".join(filter(None, (f"recovered {at} after {count}", clean(item.lane.way))))

    # how it is painted

    def _marked(self, glyph: str, line: str, step: str = "", colour: str = _BOLD) -> str:
        width = self._look.width
        left = cells(glyph) + 1 + len(step)
        fitting = line if width is None else begin_of(line, width - left)
        return f"{step}{self._paint(glyph, _RED)} {self._paint(fitting, colour)}"

    def _fit(self, line: str, colour: str = "") -> str:
        width = self._look.width
        fitting = line if width is None else begin_of(line, width)
        return self._paint(fitting, colour)

    def _paint(self, text: str, colour: str) -> str:
        return f"\x1b[{colour}m{text}\x1b[0m" if colour and self._look.colours and text else text


def _name(item: BoardItem, look: Look) -> str:
    """Return what an item is called: an incident as commands take it, clean."""
    if item.incident is not None:
        return clean(incident_name(item.lane.project, item.incident.first_red.id, look.names))
    return clean(look.names.path(item.lane.project)) or f"project {item.lane.project}"
