"""What is said of an act: when it is done, and before the first time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from platui.analysis.act_states import makes_sense, why_not
from platui.models.values.writes import Act

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["first_time", "makes_sense", "past", "why_not"]

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


def past(act: Act) -> str:
    """Return what was done, in a word: `Canceled`."""
    return _DONE[act]


def first_time(act: Act, profile: str) -> str:
    """Return what is said before an act is done for the first time on a profile."""
    return (
        f"Your first “{act.value}” on {profile}. The platform's manual does not list it: the "
        "platform may answer that it cannot do that, and then nothing is changed."
    )
