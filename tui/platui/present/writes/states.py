"""The states of a write in words, and texts about running writes and duplicates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from math import ceil
from typing import TYPE_CHECKING, Final

from platui.core.errors import RETRIED, NothingToDoError, PlatuiError
from platui.core.text import clean, with_full_stop
from platui.models.values import writes
from platui.models.values.write_states import (
    Done,
    Found,
    NotFound,
    Probing,
    Refused,
    Sent,
    Unknown,
    Waiting,
)
from platui.present.counts import counted
from platui.present.times import clock
from platui.present.writes.requests import where

if TYPE_CHECKING:
    from platui.models.values.write_states import Outcome, WriteProgress, WriteState
    from platui.models.values.writes import Intent, WriteRequest
    from platui.present.chrome import Piece, Pieces

_MINUTES: Final = 120  # Seconds from which times are shown in minutes

SHOWN_BY: Final = ":write"
STOPPED_BY: Final = ":write cancel"

_UNKNOWN: Final = "Result unknown. It is not sent again."
_NO_ANSWER: Final = "? Result unknown: no response. It is not sent again."
_UNCHANGED: Final = "Nothing was changed."
_ROW_WORDS: Final = {
    type(None): ("· not started", "muted"),
    Waiting: ("◷ waiting", "warning"),
    Sent: ("● sent", "running"),
    Done: ("✔ done", "success"),
    Refused: ("✖ refused", "failed"),
    Found: ("? probably done", "warning"),
}


def named(outcome: Outcome) -> str:
    """Return the name of an outcome: `pipeline #4711`, or its kind."""
    return f"{outcome.kind} #{outcome.id}" if outcome.id is not None else outcome.kind


def state_words(state: WriteState | None, now: float) -> list[Piece]:
    """Return the description of a write; `now` is in monotonic seconds."""
    match state:
        case None:
            return [("· Not started.", "muted")]
        case Waiting(until, reason):
            return [(f"◷ Sending in {left_words(until, now)}.", "warning"), (clean(reason), "text")]
        case Sent():
            return [("● Sent; the platform has not responded yet.", "running")]
        case Done(outcome):
            # The status at the end of the task.
            status = f" · status then: {clean(outcome.status)}" if outcome.status else ""
            return [(f"✔ Done: {named(outcome)}{status}", "success")]
        case Refused(error):
            return list(_refused(error))
        case Unknown(error):
            return [(f"? {clean(error.title)}. {clean(error.sentence)}", "warning"),
                    (_UNKNOWN, "text")]  # fmt: skip
        case Probing(until):
            left = left_words(until, now)
            return [(_NO_ANSWER, "warning"), (f"◷ Checking the result for {left}.", "text")]
        case Found(_, sentence):
            return [(_NO_ANSWER, "warning"), (clean(sentence), "strong")]
        case NotFound(sentence):
            return [(_NO_ANSWER, "warning"), (clean(sentence), "strong"),
                    ("It may still appear: check before you send it again.", "text")]  # fmt: skip


def row_words(state: WriteState | None) -> Piece:
    if isinstance(state, Refused) and _is_idle(state.error):
        return ("· nothing to do", "muted")
    return _ROW_WORDS.get(type(state), ("? unknown", "warning"))


def row_reason(state: WriteState | None) -> str:
    match state:
        case Refused(error):
            return f"  {clean(error.sentence)}"
        case Found(sentence=sentence) | NotFound(sentence):
            return f"  {clean(sentence)}"
    return ""


def tally(progress: WriteProgress) -> str:
    """Return how many of several writes are done: `3 of 10 done, 1 refused, 6 not started`."""
    states = progress.states
    kinds = Counter(map(type, states))
    idle = sum(isinstance(one, Refused) and _is_idle(one.error) for one in states)
    done, refused = kinds[Done], kinds[Refused] - idle
    waiting = kinds[type(None)] + kinds[Waiting]
    unknown = kinds[Unknown] + kinds[Probing] + kinds[Found] + kinds[NotFound]
    counts = (
        (idle, "nothing to do"), (refused, "refused"), (unknown, "unknown"),
        (waiting, "not started"),
    )  # fmt: skip
    rest = "".join(f", {count:,} {word}" for count, word in counts if count)
    return f"{done:,} of {len(states):,} done{rest}"


def outcome_words(
    request: WriteRequest, progress: WriteProgress, *, stopped: bool = False
) -> tuple[str, str]:
    """Return title and text of the notification of a finished write."""
    if len(request.intents) > 1:
        why = f" {clean(progress.stopped.sentence)}" if progress.stopped is not None else ""
        act = _common_action(request)
        if act is not None and all(isinstance(state, Done) for state in progress.states):
            return ("Done", f"{act.done} {counted(len(request.intents), act.kind)}.")
        return ("Stopped" if stopped or why else "Ended", f"{tally(progress)}.{why}")
    intent, state = request.intents[0], progress.states[0]
    if stopped:
        return ("Not sent", f"{request.effect}: canceled before it was sent.")
    if isinstance(state, Done):
        outcome = state.outcome
        if isinstance(intent, writes.RecordAction):
            after = f" Status: {clean(outcome.status)}." if outcome.status else ""
            is_new = outcome.id not in {None, intent.id}
            made = f" New: {named(outcome)}." if is_new else ""
            name = f" {clean(intent.name)}" if intent.name else ""
            done = f"{intent.action.done} {intent.action.kind} #{intent.id}{name}."
            return ("Done", f"{done}{made}{after}")
        return ("Done", f"{_made(intent, outcome, request.called)}.")
    error = state.error if isinstance(state, Refused) else progress.stopped
    if isinstance(state, Found | NotFound):
        return ("Result unknown", f"{request.effect}: {clean(state.sentence)}")
    if error is None:
        return ("Result unknown", f"{request.effect}: {_UNKNOWN}")
    prefix = "" if _is_idle(error) else f"{request.effect}: "
    return (clean(error.title), f"{prefix}{clean(error.sentence)}")


def _made(intent: Intent, outcome: Outcome, project: str) -> str:
    """Return the change and its project: `Pipeline #4711 started on main in a/b`."""
    thing = named(outcome).capitalize()
    match intent:
        case writes.NewPipeline():
            verb = "triggered" if intent.triggered else "started"
            return f"{thing} {verb} on {clean(intent.ref)} in {project}"
        case writes.NewSchedule():
            return f'{thing} "{clean(intent.description)}" created in {project}'
        case writes.NewProject():
            return f'{thing} "{clean(intent.name)}" created'
        case writes.ScheduleVariable():
            verb = "removed from" if intent.value is None else "set in"
            return f"Variable {clean(intent.key)} {verb} schedule #{intent.schedule} in {project}"
        case writes.ScheduleChange() | writes.RecordAction():
            return f"{thing} changed in {project}"


def candidate_words(outcome: Outcome, now: datetime, *, utc: bool) -> str:
    when = f" · {clock(outcome.created_at, now, utc=utc)}" if outcome.created_at else ""
    status = f" · {clean(outcome.status)}" if outcome.status else ""
    return f"{named(outcome)}{status}{when}"


def unknown_words(error: PlatuiError) -> str:
    return f"{with_full_stop(clean(error.sentence))} {_UNKNOWN}"


def refused_words(error: PlatuiError) -> str:
    if _is_idle(error):
        return clean(error.sentence)
    return f"{with_full_stop(clean(error.sentence))} {_UNCHANGED}"


def _is_idle(error: PlatuiError) -> bool:
    return isinstance(error, NothingToDoError)


def _refused(error: PlatuiError) -> Iterator[Piece]:
    if _is_idle(error):
        yield (f"· {clean(error.sentence)}", "strong")
        if error.hint:
            yield (clean(error.hint), "muted")
        return
    yield (f"✖ {clean(error.title)}: nothing was changed.", "failed")
    yield (clean(error.sentence), "strong")
    if isinstance(error, RETRIED):
        yield ("It is not retried automatically.", "muted")  # their hints are about reading
    elif error.hint:
        yield (clean(error.hint), "muted")


def left_words(until: float, now: float) -> str:
    return f"{max(0, ceil(until - now))} s"


def doing(request: WriteRequest) -> str:
    """Return the running action and its project: `Starting a pipeline on main in group/project`."""
    if len(request.intents) == 1:
        return f"{_doing_one(request.intents[0])} {where(request)}"
    act = _common_action(request)
    if act is None:
        return f"{request.effect} {where(request)}"
    return f"{act.doing} {counted(len(request.intents), act.kind)} {where(request)}"


def _common_action(request: WriteRequest) -> writes.WriteAction | None:
    acts = {intent.action for intent in request.intents if isinstance(intent, writes.RecordAction)}
    return acts.pop() if len(acts) == 1 else None


def _doing_one(intent: Intent) -> str:
    match intent:
        case writes.NewPipeline():
            verb = "Triggering" if intent.triggered else "Starting"
            return f"{verb} a pipeline on {clean(intent.ref)}"
        case writes.NewSchedule():
            return f'Creating the schedule "{clean(intent.description)}"'
        case writes.ScheduleVariable():
            verb = "Removing" if intent.value is None else "Setting"
            return f"{verb} the variable {clean(intent.key)} of schedule #{intent.schedule}"
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
        sign, role, how = "◷", "warning", f"sending in {_until(state.until, now)}"
    elif isinstance(state, Probing):
        sign, role, how = "?", "warning", f"no response, checking for {_until(state.until, now)}"
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
                f"Already waiting, sending in {_until(until, now)}: {what}. "
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


def _until(until: float, now: float) -> str:
    return _seconds(max(0, ceil(until - now)))


def _seconds(seconds: float) -> str:
    return f"{int(seconds)} s" if seconds < _MINUTES else f"{int(seconds) // 60} min"
