"""Effects of successful writes: the pipeline or job that a write started or changed."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

from platui.core.dataclass import dataclass
from platui.models.values.statuses import ACTIVE
from platui.models.values.writes import NewPipeline, RecordAction, WriteAction

if TYPE_CHECKING:
    from platui.models.wire import Job, Pipeline

_SHOWN_FOR: Final = timedelta(minutes=15)  # How long a result is shown

EffectKey = tuple[str, int]  # Kind and id of a record: a `pipeline`, `job` or `schedule`


@dataclass(frozen=True, slots=True)
class WriteEffect:
    """The effect of a write on one record, followed until it ends."""

    intent: RecordAction | NewPipeline
    began: datetime  # The end of the write
    record: Pipeline | Job | None = None  # Newest state; None: the pipeline is not found yet
    typical: float | None = None  # Typical duration in seconds
    is_unconfirmed: bool = False  # Whether no response or record shows that the write arrived
    is_lost: bool = False  # Whether it is not followed any more, without a result
    ended_at: datetime | None = None  # When the result was seen

    @property
    def is_over(self) -> bool:
        return self.is_lost or (self.record is not None and self.record.status not in ACTIVE)

    def is_shown(self, now: datetime) -> bool:
        return self.ended_at is None or now - self.ended_at < _SHOWN_FOR

    @property
    def is_again(self) -> bool:
        """Return whether the pipeline ran before: its creation is not the start."""
        return not isinstance(self.intent, NewPipeline) and self.intent.action in {
            WriteAction.RETRY_PIPELINE,
            WriteAction.CANCEL_PIPELINE,
        }


Effects = Mapping[EffectKey, WriteEffect]
NO_EFFECTS: Final[Effects] = {}
