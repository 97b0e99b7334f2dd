"""What is said of what is behind its time: how long it waits, runs, is silent or is missing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from platui.core.text import clean
from platui.models.values.triage_lateness import LateKind
from platui.present.times import age, clock, span

if TYPE_CHECKING:
    from datetime import datetime

    from platui.models.values.triage_items import BoardItem
    from platui.models.values.triage_lateness import Late


def late_what(late: Late | None) -> str:
    """Return what of a pipeline is late, or which schedule; empty where it is the pipeline."""
    if late is None:
        return ""
    if late.kind is LateKind.MISSED:
        return clean(f"schedule “{late.what}”") if late.what else f"schedule {late.schedule}"
    return clean(late.what)


def late_words(late: Late, now: datetime, *, utc: bool) -> str:
    """Return how something is behind its time: `48m, usually 21m`, `no output for 12m`."""
    if late.kind is LateKind.MISSED:
        due = clock(late.due_at, now, utc=utc)
        return f"due {due}, {late_short(late, now)}"
    return ", ".join(filter(None, (late_short(late, now), _tagged(late))))


def late_short(late: Late, now: datetime) -> str:
    """Return the same in fewer words: `did not run (1h)`."""
    lasts = span(late.seconds)
    usually = f", usually {span(late.usual.median)}" if late.usual is not None else ""
    match late.kind:
        case LateKind.WAITING:
            return f"waits {lasts}{usually}"
        case LateKind.SILENT:
            return f"no output for {lasts}"
        case LateKind.MISSED:
            return f"did not run ({age(late.due_at, now)})"
        case _:
            return f"{lasts}{usually}"


def stuck_words(item: BoardItem) -> str:
    """Return which job of a pipeline is stuck, and how: `fit: waits 12m`; empty where none is."""
    late = item.late
    if late is None or late.kind not in {LateKind.WAITING, LateKind.SILENT}:
        return ""
    lasts = span(late.seconds)
    how = f"no output for {lasts}" if late.kind is LateKind.SILENT else f"waits {lasts}"
    return f"{clean(late.what)}: {how}"


def late_more(late: Late, now: datetime, *, utc: bool) -> str:
    """Return what the short words leave out; mostly nothing."""
    if late.kind is LateKind.MISSED:
        return f"{late_what(late)} was due {clock(late.due_at, now, utc=utc)}"
    if late.kind is LateKind.WAITING:
        return " ".join(filter(None, (late_what(late), "waits for a runner", _tagged(late))))
    return ""


def _tagged(late: Late) -> str:
    return f"tagged {clean(', '.join(late.tags))}" if late.tags else ""
