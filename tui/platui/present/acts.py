"""What can be done to a pipeline or job in its state, and what is said the first time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from platui.core.text import clean
from platui.models.values.writes import Act

if TYPE_CHECKING:
    from collections.abc import Mapping

_ENDED: Final = frozenset({"success", "failed", "canceled", "skipped"})

_NEVER: Final[Mapping[Act, frozenset[str]]] = {
    Act.CANCEL_PIPELINE: _ENDED | {"canceling"},
    Act.CANCEL_JOB: _ENDED | {"canceling"},
}
"""States in which an act would change nothing; in one that nobody knows it may be tried."""

_ONLY: Final[Mapping[Act, frozenset[str]]] = {
    Act.RETRY_PIPELINE: frozenset({"failed", "canceled"}),
    Act.RETRY_JOB: frozenset({"success", "failed", "canceled"}),
    Act.PLAY_JOB: frozenset({"manual", "scheduled"}),
}
"""States in which alone an act does something."""

_DONE: Final[Mapping[Act, str]] = {
    Act.CANCEL_PIPELINE: "Canceled",
    Act.CANCEL_JOB: "Canceled",
    Act.RETRY_PIPELINE: "Retried",
    Act.RETRY_JOB: "Retried",
    Act.PLAY_JOB: "Started",
    Act.RUN_SCHEDULE: "Ran",
    Act.OWN_SCHEDULE: "Took over",
    Act.DELETE_SCHEDULE: "Deleted",
}


def makes_sense(act: Act, status: str) -> bool:
    """Return whether an act can change something that is in this state."""
    only = _ONLY.get(act)
    return status in only if only is not None else status not in _NEVER.get(act, frozenset())


def why_not(act: Act, status: str) -> str:
    """Return why an act changes nothing in this state, as the end of a sentence."""
    this = f"this {act.kind}"
    match act:
        case Act.PLAY_JOB:
            return f"{this} is not manual"
        case Act.RETRY_PIPELINE if status == "success":
            return f"nothing failed in {this}"
        case Act.CANCEL_PIPELINE | Act.CANCEL_JOB if status in _ENDED:
            return f"{this} has ended ({status})"
        case Act.RETRY_JOB if status not in _ENDED:
            return f"{this} has not ended ({clean(status)})"
    return f"{this} is {clean(status)}"


def past(act: Act) -> str:
    """Return what was done, in a word: `Canceled`."""
    return _DONE[act]


def first_time(act: Act, profile: str) -> str:
    """Return what is said before an act is done for the first time on a profile."""
    return (
        f"The first “{act.value}” on {profile}. The platform's documentation does not promise it, "
        "though platforms of its kind have it; where it is missing, nothing is changed. "
        "Yes enables it for this profile."
    )
