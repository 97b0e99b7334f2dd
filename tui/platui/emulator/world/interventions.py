"""What callers do to pipelines that exist, kept in the order in which they did it.

The plan of a pipeline is its first plan and the interventions in it, replayed one by one.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from platui.emulator.records import Person, Variable

CANCELABLE: Final = frozenset(
    {"created", "waiting_for_resource", "preparing", "waiting_for_callback", "pending", "running"}
)
"""What a job may be canceled from with its pipeline; alone, a manual one too."""

RETRYABLE: Final = frozenset({"success", "failed", "canceled", "canceling"})
RETRIED_WITH_PIPELINE: Final = frozenset({"failed", "canceled"})
COMPLETE: Final = frozenset({"success", "failed", "canceled"})


class Kind(Enum):
    """What somebody does."""

    RETRY = auto()
    """Try again what failed or was canceled in a pipeline."""
    CANCEL = auto()
    RETRY_JOB = auto()
    CANCEL_JOB = auto()
    FORCE_CANCEL_JOB = auto()
    """Do not wait for the runner of a job that is being canceled."""
    PLAY_JOB = auto()
    ERASE_JOB = auto()
    FOLLOW = auto()
    """Nobody's: its child pipeline was acted upon, and its bridge does as the child does."""


@dataclass(frozen=True, slots=True)
class Intervention:
    """Something that was done to a pipeline or to one of its jobs."""

    at: float
    kind: Kind
    who: Person
    job: int = -1
    """The index of the job; below zero where the whole pipeline is meant."""
    child_id: int | None = None
    """The number, kept free, of the pipeline that a bridge starts after this."""
    child_iid: int = 0
    variables: tuple[Variable, ...] = ()
    """What a job was played with."""


class Interventions:
    """All that was done, by pipeline."""

    def __init__(self) -> None:
        self._of: defaultdict[int, tuple[Intervention, ...]] = defaultdict(tuple)

    def of(self, pipeline: int, until: float | None = None) -> tuple[Intervention, ...]:
        """Return what was done to a pipeline, by then if a time is named."""
        found = self._of.get(pipeline, ())
        return found if until is None else tuple(one for one in found if one.at <= until)

    def forget(self, pipeline: int) -> None:
        """Forget a pipeline that is gone for good."""
        self._of.pop(pipeline, None)

    def add(self, pipeline: int, act: Intervention) -> None:
        """Keep what is done now."""
        self._of[pipeline] += (act,)
