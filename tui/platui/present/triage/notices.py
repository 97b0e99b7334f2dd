"""Notifications about failed, recovered and completed pipelines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Final

from platui.core.named_tuple import NamedTuple
from platui.core.text import clean
from platui.models.values.triage_board import BoardEvent, BoardEventKind, BoardItem
from platui.present.chrome import Pieces, joined
from platui.present.counts import some_of
from platui.present.pipelines import took
from platui.present.status import FAILED, glyph_of, standing
from platui.present.times import clock, duration
from platui.present.triage.labels import Names, lane_name
from platui.present.triage.reasons import cause

if TYPE_CHECKING:
    from platui.models.wire import Pipeline

_NAMED: Final = 3  # Projects named in a notice; the rest are counted
_BROKE: Final = frozenset({BoardEventKind.OPENED, BoardEventKind.SIGNATURE})
_AWAY: Final = {
    BoardEventKind.OPENED: ("opened", "failed"),
    BoardEventKind.RECOVERED: ("recovered", "success"),
    BoardEventKind.SIGNATURE: ("changed its cause", "warning"),
}  # Words and role of each event


class Notice(NamedTuple):
    title: str
    text: str = ""
    is_bad: bool = False


def make_notices(news: Sequence[BoardEvent], names: Mapping[int, str]) -> tuple[Notice, ...]:
    """Return a notice of failures and one of recoveries; `names` are full paths."""
    labels = Names(names.items())
    broke = [one.item for one in news if one.kind in _BROKE]
    recovered = [one.item for one in news if one.kind is BoardEventKind.RECOVERED]
    found = []
    if broke:
        found.append(Notice(_title(broke, "failed", "failed", labels), _why(broke), is_bad=True))
    if recovered:
        found.append(Notice(_title(recovered, "success", "recovered", labels)))
    return tuple(found)


def is_notifiable(one: BoardEvent, now: datetime) -> bool:
    """Return whether to notify: always of a recovery, otherwise unless snoozed."""
    return one.kind is BoardEventKind.RECOVERED or not one.item.is_quiet(now)


def ended_notice(pipeline: Pipeline, project: str, now: datetime) -> Notice:
    lasted = duration(took(pipeline, now, as_listed=True))
    words = f"#{pipeline.id} {standing(pipeline.status)}"
    return Notice(
        f"{glyph_of(pipeline.status)} {clean(project)} {words}",
        " · ".join(part for part in (clean(pipeline.ref), lasted and f"took {lasted}") if part),
        is_bad=pipeline.status == FAILED,
    )


def away_line(
    events: Sequence[BoardEvent], since: datetime, now: datetime, key: str, *, utc: bool
) -> Pieces:
    """Return `since 02:10: 3 opened, 2 recovered, 1 changed its cause · H shows them`."""
    counts = Counter(one.kind for one in events)
    found = ((counts[kind], *how) for kind, how in _AWAY.items())
    parts = [(f"{count} {words}", role) for count, words, role in found if count]
    shows = ((" · ", "muted"), (key, "key"), (" shows them", "muted")) if key else ()
    return ((f" since {clock(since, now, utc=utc)}: ", "text"), *joined(parts, ", "), *shows)


def away_texts(
    at: datetime, event: BoardEvent, names: Names, now: datetime, *, utc: bool
) -> tuple[str, str]:
    """Return time, event and lane, and the cause of a failure."""
    words, _ = _AWAY[event.kind]
    title = f"{clock(at, now, utc=utc)}  {words}  {lane_name(event.item, names)}"
    return title, cause(event.item) if event.kind in _BROKE else ""


def _title(items: Sequence[BoardItem], status: str, word: str, names: Names) -> str:
    named = list(dict.fromkeys(_called(item, names) for item in items))
    return f"{glyph_of(status)} {some_of(named, _NAMED)} {word}"


def _called(item: BoardItem, names: Names) -> str:
    name, ref = names.label(item.lane.project), clean(item.lane.ref)
    return name if item.is_main or not ref else f"{name} {ref}"


def _why(items: Sequence[BoardItem]) -> str:
    first = next((item for item in items if item.signature is not None), None)
    if first is None or first.signature is None:
        return ""
    if len(items) == 1:
        step = "" if first.point is None or first.point.step is None else first.point.step.name
        return f"{clean(step)}: {first.signature.line}" if step else first.signature.line
    same = sum(1 for item in items if item.signature and item.signature.key == first.signature.key)
    if same == len(items):
        return f"Same cause: {first.signature.shared}"
    return f"{same} of {len(items)}: {first.signature.shared}"
