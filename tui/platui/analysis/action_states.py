"""Decide by status whether a write action can have, or had, an effect."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from platui.core.text import shorten
from platui.models.values.statuses import ENDED
from platui.models.values.writes import WriteAction

_LONGEST_STATUS: Final = 40

# States in which an action has no effect; in an unknown state it may be tried.
_NEVER: Final[Mapping[WriteAction, frozenset[str]]] = {
    WriteAction.CANCEL_PIPELINE: ENDED | {"canceling"},
    WriteAction.CANCEL_JOB: ENDED | {"canceling"},
}

# The only states in which an action has an effect.
_ONLY: Final[Mapping[WriteAction, frozenset[str]]] = {
    WriteAction.RETRY_PIPELINE: frozenset({"failed", "canceled"}),
    WriteAction.RETRY_JOB: frozenset({"success", "failed", "canceled"}),
    WriteAction.PLAY_JOB: frozenset({"manual", "scheduled"}),
}

# States in the response that show that the action had no effect. `failed` is not among them for a
# pipeline: one with a failed job is failed once the others are canceled, and retried jobs may start
# before the status changes.
_UNCHANGED: Final[Mapping[WriteAction, frozenset[str]]] = {
    WriteAction.CANCEL_PIPELINE: frozenset({"success", "skipped"}),
    WriteAction.CANCEL_JOB: frozenset({"success", "failed", "skipped"}),
    WriteAction.RETRY_PIPELINE: frozenset({"success", "skipped"}),
    WriteAction.PLAY_JOB: ENDED | {"manual"},
}


def is_applicable(act: WriteAction, status: str) -> bool:
    only = _ONLY.get(act)
    return status in only if only is not None else status not in _NEVER.get(act, frozenset())


def disabled_reason(act: WriteAction, status: str, what: str) -> str:
    """Return why an action on `what` has no effect in this state, as the end of a sentence."""
    status = shorten(status, _LONGEST_STATUS)
    match act:
        case WriteAction.PLAY_JOB if status == "manual":
            return f"{what} is still manual"
        case WriteAction.PLAY_JOB:
            return f"{what} is not manual"
        case WriteAction.RETRY_PIPELINE if status == "success":
            return f"nothing failed in {what}"
        case WriteAction.CANCEL_PIPELINE | WriteAction.CANCEL_JOB if status in ENDED:
            return f"{what} has ended ({status})"
        case WriteAction.RETRY_JOB if status not in ENDED:
            return f"{what} has not ended ({status})"
    return f"{what} is {status}"


def had_no_effect(act: WriteAction, status: str) -> bool:
    return status in _UNCHANGED.get(act, frozenset())
