"""The effects of writes in words, as a line below the rows that they concern."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Final

from platui.core.text import clean, shorten
from platui.models.values.table import Cell, LineBelow
from platui.models.values.writes import NewPipeline, WriteAction
from platui.models.wire import Job
from platui.present.jobs import run_seconds
from platui.present.pipelines import took
from platui.present.status import role_of
from platui.present.times import age, duration, span

if TYPE_CHECKING:
    from platui.models.values.triage_board import BoardItem
    from platui.models.values.write_effects import Effects, WriteEffect
    from platui.present.chrome import Piece

_DOING: Final = {
    WriteAction.RETRY_JOB: ("retrying", "retried"),
    WriteAction.RETRY_PIPELINE: ("retrying", "retried"),
    WriteAction.CANCEL_JOB: ("canceling", "cancel requested"),
    WriteAction.CANCEL_PIPELINE: ("canceling", "cancel requested"),
    WriteAction.PLAY_JOB: ("started", "started"),
    WriteAction.RUN_SCHEDULE: ("run now", "run now"),
}
_LONGEST: Final = 32
_SEARCHING: Final = "waiting for its pipeline"
_LOST: Final = "result unknown"


def effect_words(
    effect: WriteEffect, now: datetime, kind: str = "", number: int | None = None
) -> Piece:
    """Return `retrying · running 4m of ~15m`, then the result; `kind`, `number`: of the row."""
    record = effect.record
    doing, done = _verbs(effect, number)
    verb = done if effect.is_over else doing
    if isinstance(record, Job) and kind == "pipeline":
        verb = f"{verb} {shorten(record.name, _LONGEST)}"
    if effect.is_lost or (record is None and effect.is_unconfirmed):
        return f"{verb} · {_LOST}", "muted"
    if record is None:
        return f"{verb} · {_SEARCHING}", "muted"
    if effect.is_unconfirmed:
        verb = f"{verb}, {_LOST}"
    status = clean(record.status).replace("_", " ")
    if effect.is_over:
        if isinstance(record, Job):
            lasted = run_seconds(record, now)
        else:
            lasted = took(record, now, as_listed=True)
        return f"{verb} · {status} {duration(lasted)}".rstrip(), role_of(record.status)
    since = effect.began  # of a job that is played, not its creation
    if not effect.is_again:
        is_new = isinstance(effect.intent, NewPipeline)
        since = record.started_at or (is_new and record.created_at) or since
    usually = "" if effect.typical is None else f" of ~{span(effect.typical)}"
    return f"{verb} · {status} {age(since, now)}{usually}", role_of(record.status)


def _verbs(
    effect: WriteEffect, number: int | None = None, *, named: bool = True
) -> tuple[str, str]:
    """Return the verb while it runs and once it is over; `named`: with the other pipeline."""
    intent, record = effect.intent, effect.record
    if not isinstance(intent, NewPipeline):
        return _DOING[intent.action]
    verb = "started"
    if intent.rerun_of is not None:
        verb = "rerun"
        if record is not None and named:
            is_new_one = number == record.id
            verb += f" of #{intent.rerun_of}" if is_new_one else f" #{record.id}"
    return verb, verb


def lines_below(
    effects: Effects, kind: str, now: datetime, keys: Collection[str]
) -> dict[str, LineBelow]:
    """Return the lines by the key of their row, the id of a record of this kind.

    Of the attempts of a job in `keys`, only the newest has one: it is about the new attempt.
    """
    return {
        str(number): LineBelow(Cell(*effect_words(effect, now, kind, number)))
        for (of, number), effect in effects.items()
        if of == kind and effect.is_shown(now) and not _has_newer(effect, number, keys)
    }


def _has_newer(effect: WriteEffect, number: int, keys: Collection[str]) -> bool:
    newest = effect.record
    return isinstance(newest, Job) and newest.id != number and str(newest.id) in keys


def board_effect(effects: Effects, items: Sequence[BoardItem], now: datetime) -> Piece | None:
    """Return the effect of writes on items; of several, their numbers by verb and by status."""
    of_items = (_of_item(effects, item) for item in items)
    # One run may concern several items.
    found = {id(one[1]): one for one in of_items if one is not None and one[1].is_shown(now)}
    if len(found) <= 1:
        return next((effect_words(one, now, kind) for kind, one in found.values()), None)
    every = [one for _, one in found.values()]
    verbs = Counter(_verbs(one, named=False)[1] for one in every)
    statuses = Counter(map(_short_status, every))
    words = (", ".join(f"{n} {word}" for word, n in each.items()) for each in (verbs, statuses))
    return " · ".join(words), "accent"


def _short_status(effect: WriteEffect) -> str:
    if effect.is_lost or effect.is_unconfirmed:
        return _LOST
    return "starting" if effect.record is None else clean(effect.record.status).replace("_", " ")


def _of_item(effects: Effects, item: BoardItem) -> tuple[str, WriteEffect] | None:
    """Return the effect of a write on an item, and the kind of its record."""
    keys = [("job", item.step.id)] if item.step is not None else []
    runs = (item.moving, None if item.incident is None else item.incident.on_top, item.pipeline)
    keys += [("pipeline", run.id) for run in runs if run is not None]
    if item.late is not None and item.late.schedule is not None:
        keys.append(("schedule", item.late.schedule))
    found = ((key[0], effects[key]) for key in keys if key in effects)
    return next((one for one in found if _is_about(one[1], item)), None)


def _is_about(effect: WriteEffect, item: BoardItem) -> bool:
    """Return whether an effect is not the rerun of a pipeline of another lane."""
    again = getattr(effect.intent, "rerun_of", None)
    incident = item.incident
    return again is None or incident is None or again in incident.red_ids
