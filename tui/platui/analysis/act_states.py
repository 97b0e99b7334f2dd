"""In which states an act can change a pipeline or job, and in which it has changed nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from platui.core.text import shorten
from platui.models.values.statuses import ENDED
from platui.models.values.writes import Act

if TYPE_CHECKING:
    from collections.abc import Mapping

_LONGEST_STATUS: Final = 40

_NEVER: Final[Mapping[Act, frozenset[str]]] = {
    Act.CANCEL_PIPELINE: ENDED | {"canceling"},
    Act.CANCEL_JOB: ENDED | {"canceling"},
}
"""States in which an act would change nothing; in one that nobody knows it may be tried."""

_ONLY: Final[Mapping[Act, frozenset[str]]] = {
    Act.RETRY_PIPELINE: frozenset({"failed", "canceled"}),
    Act.RETRY_JOB: frozenset({"success", "failed", "canceled"}),
    Act.PLAY_JOB: frozenset({"manual", "scheduled"}),
}
"""States in which alone an act does something."""

_LEFT_AS_IT_WAS: Final[Mapping[Act, frozenset[str]]] = {
    Act.CANCEL_PIPELINE: frozenset({"success", "failed", "skipped"}),
    Act.CANCEL_JOB: frozenset({"success", "failed", "skipped"}),
    Act.RETRY_PIPELINE: frozenset({"success", "skipped"}),
    Act.PLAY_JOB: ENDED | {"manual"},
}
"""States that a platform which did the act would not tell of the thing in its answer.

A pipeline that failed is not among them for a retry: some jobs may run again before it moves.
"""


def makes_sense(act: Act, status: str) -> bool:
    only = _ONLY.get(act)
    return status in only if only is not None else status not in _NEVER.get(act, frozenset())


def disabled_reason(act: Act, status: str, what: str) -> str:
    """Return why an act changes nothing in this state: the end of a sentence about `what`."""
    status = shorten(status, _LONGEST_STATUS)
    match act:
        case Act.PLAY_JOB if status == "manual":
            return f"{what} is still manual"
        case Act.PLAY_JOB:
            return f"{what} is not manual"
        case Act.RETRY_PIPELINE if status == "success":
            return f"nothing failed in {what}"
        case Act.CANCEL_PIPELINE | Act.CANCEL_JOB if status in ENDED:
            return f"{what} has ended ({status})"
        case Act.RETRY_JOB if status not in ENDED:
            return f"{what} has not ended ({status})"
    return f"{what} is {status}"


def changed_nothing(act: Act, status: str) -> bool:
    """Return whether an act changed nothing, by the status in its answer."""
    return status in _LEFT_AS_IT_WAS.get(act, frozenset())
