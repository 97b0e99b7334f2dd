"""In which states an act can change a pipeline or job, and in which it has changed nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from platui.core.text import shorten
from platui.models.values.statuses import ENDED
from platui.models.values.writes import WriteAction

if TYPE_CHECKING:
    from collections.abc import Mapping

_LONGEST_STATUS: Final = 40

_NEVER: Final[Mapping[WriteAction, frozenset[str]]] = {
    WriteAction.CANCEL_PIPELINE: ENDED | {"canceling"},
    WriteAction.CANCEL_JOB: ENDED | {"canceling"},
}
"""States in which an act would change nothing; in one that nobody knows it may be tried."""

_ONLY: Final[Mapping[WriteAction, frozenset[str]]] = {
    WriteAction.RETRY_PIPELINE: frozenset({"failed", "canceled"}),
    WriteAction.RETRY_JOB: frozenset({"success", "failed", "canceled"}),
    WriteAction.PLAY_JOB: frozenset({"manual", "scheduled"}),
}
"""States in which alone an act does something."""

_LEFT_AS_IT_WAS: Final[Mapping[WriteAction, frozenset[str]]] = {
    WriteAction.CANCEL_PIPELINE: frozenset({"success", "failed", "skipped"}),
    WriteAction.CANCEL_JOB: frozenset({"success", "failed", "skipped"}),
    WriteAction.RETRY_PIPELINE: frozenset({"success", "skipped"}),
    WriteAction.PLAY_JOB: ENDED | {"manual"},
}
"""States that a platform which did the act would not tell of the thing in its answer.

A pipeline that failed is not among them for a retry: some jobs may run again before it moves.
"""


def makes_sense(act: WriteAction, status: str) -> bool:
    only = _ONLY.get(act)
    return status in only if only is not None else status not in _NEVER.get(act, frozenset())


def disabled_reason(act: WriteAction, status: str, what: str) -> str:
    """Return why an act changes nothing in this state: the end of a sentence about `what`."""
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


def changed_nothing(act: WriteAction, status: str) -> bool:
    """Return whether an act changed nothing, by the status in its answer."""
    return status in _LEFT_AS_IT_WAS.get(act, frozenset())
