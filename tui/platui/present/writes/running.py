"""Texts about running writes and duplicates."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, Final

from platui.core.text import clean
from platui.models.values import writes
from platui.models.values.write_states import Done, Found, NotFound, Probing, Unknown, Waiting
from platui.present.counts import counted
from platui.present.writes.requests import where

if TYPE_CHECKING:
    from platui.models.values.write_states import WriteProgress, WriteState
    from platui.models.values.writes import Intent, WriteRequest
    from platui.present.chrome import Piece, Pieces

_MINUTES: Final = 120  # Seconds from which times are shown in minutes

SHOWN_BY: Final = ":write"
STOPPED_BY: Final = ":write cancel"


def doing(request: WriteRequest) -> str:
    """Return the running action and its project: `Starting a pipeline on main in group/project`."""
    if len(request.intents) == 1:
        return f"{_doing_one(request.intents[0])} {where(request)}"
    acts = {intent.action for intent in request.intents if isinstance(intent, writes.RecordAction)}
    if len(acts) != 1:
        return f"{request.effect} {where(request)}"
    act = acts.pop()
    return f"{act.doing} {counted(len(request.intents), act.kind)} {where(request)}"


def _doing_one(intent: Intent) -> str:
    match intent:
        case writes.NewPipeline():
            verb = "Triggering" if intent.triggered else "Starting"
            return f"{verb} a pipeline on {clean(intent.ref)}"
        case writes.NewSchedule():
            return f'Creating the schedule "{clean(intent.description)}"'
        case writes.ScheduleChange():
            return f"Changing schedule #{intent.schedule}"
        case writes.NewProject():
            return f'Creating the project "{clean(intent.name)}"'
        case writes.RecordAction():
            name = f" {clean(intent.name)}" if intent.name else ""
            return f"{intent.action.doing} {intent.action.kind} #{intent.id}{name}"


def under_way(
    request: WriteRequest,
    progress: WriteProgress,
    state: WriteState | None,
    *,
    since: float,
    now: float,
    can_stop: bool,
    others: int = 0,
) -> tuple[Pieces, Pieces]:
    """Return both parts of the line; `since` and `now` are monotonic seconds."""
    sign, role, how = "●", "running", _seconds(now - since)
    if isinstance(state, Waiting):
        sign, role, how = "◷", "warning", f"sending in {_left(state.until, now)}"
    elif isinstance(state, Probing):
        sign, role, how = "?", "warning", f"no response, checking for {_left(state.until, now)}"
    elif isinstance(state, Unknown):
        sign, role, how = "?", "warning", "no response"
    if (count := len(request.intents)) > 1:
        done = sum(isinstance(one, Done) for one in progress.states)
        how = f"{done:,} of {count:,} done · {how}"
    # The left part may be cut.
    several = f"{others + 1} running · " if others else ""
    right: list[Piece] = [(f"{how}  ", role), (SHOWN_BY, "key")]
    right.append((f"  {STOPPED_BY} ", "key") if can_stop else (" shows it ", "muted"))
    return ((f" {sign} ", role), (f"{several}{doing(request)}", "text")), tuple(right)


def duplicate_reason(
    request: WriteRequest, state: WriteState | None, *, since: float, now: float
) -> str:
    """Return why a duplicate is not sent; times are monotonic seconds."""
    what = doing(request)
    what = what[0].lower() + what[1:]
    match state:
        case Waiting(until):
            return (
                f"Already waiting, sending in {_left(until, now)}: {what}. "
                f"Type {SHOWN_BY} to show it, {STOPPED_BY} to cancel it."
            )
        case Unknown() | Probing():
            return (
                f"Already sent {_seconds(now - since)} ago, result unknown, checking: {what}. "
                f"Type {SHOWN_BY} to show it."
            )
    return f"Already running for {_seconds(now - since)}: {what}. Type {SHOWN_BY} to show it."


def unknown_outcome_warning(state: WriteState | None, *, since: float, now: float) -> str:
    """Return the warning before a write of unknown outcome is sent again."""
    found = f" {clean(state.sentence)}" if isinstance(state, Found | NotFound) else ""
    return (
        f"Already sent {_seconds(now - since)} ago, result unknown."
        f"{found} Check first: confirming sends it again."
    )


def _left(until: float, now: float) -> str:
    return _seconds(max(0, ceil(until - now)))


def _seconds(seconds: float) -> str:
    return f"{int(seconds)} s" if seconds < _MINUTES else f"{int(seconds) // 60} min"
