"""History of sent writes, for reruns and form suggestions."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from platui.core.paths import state_dir
from platui.core.secrets import Secret
from platui.models.values.drafts import RunHistory, SentPipeline, SentSchedule
from platui.models.values.writes import (
    NewPipeline,
    NewSchedule,
    RecordAction,
    RunVariable,
    WriteAction,
)
from platui.store.sent_writes import OperationSupport, SentWrites

if TYPE_CHECKING:
    from platui.models.values.queries import ProjectRef
    from platui.models.values.write_states import Outcome
    from platui.models.values.writes import Intent
    from platui.service.service_context import ServiceContext

# how long an operation counts as unsupported; a newer release may add it
_BELIEVED: Final = timedelta(days=7)

_MOST: Final = 20  # maximum suggestions of each kind


class SentHistory:
    """Stores the writes of one profile; in memory for one that keeps nothing."""

    def __init__(self, context: ServiceContext) -> None:
        profile = context.profile
        folder = None if profile.is_in_memory else state_dir() / "sent"
        self._store = SentWrites(folder, profile.name, profile.url, context.notices.add)
        self._clock = context.clock
        self._background_writer = context.background_writer
        self._tried: dict[str, OperationSupport] = {}

    async def keep(self, intent: Intent, outcome: Outcome | None, at: datetime) -> None:
        """Store a sent write; `outcome` is None if unknown."""
        number = None if outcome is None else outcome.id
        match intent:
            case NewPipeline():
                project = None if outcome is None else getattr(outcome.record, "project_id", None)
                sent = SentPipeline(without_secrets(intent), at, number, project)
                await asyncio.to_thread(self._store.add_pipeline, sent)
            case NewSchedule() if outcome is not None:
                schedule = SentSchedule(intent, at, number)
                await asyncio.to_thread(self._store.add_schedule, schedule)
            case RecordAction(action=WriteAction.DELETE_SCHEDULE) if outcome is not None:
                await asyncio.to_thread(self._store.forget_schedule, intent.id)

    async def pipeline(self, names: frozenset[ProjectRef], pipeline: int) -> SentPipeline | None:
        """Return the write that started a pipeline; None if platui did not start it."""
        sent = await asyncio.to_thread(lambda: self._store.value)
        found = (one for one in sent.pipelines if one.pipeline == pipeline)
        return next((one for one in found if one.is_of(names)), None)

    async def history(self, names: frozenset[ProjectRef]) -> RunHistory:
        sent = await asyncio.to_thread(lambda: self._store.value)
        runs = [one.new for one in sent.pipelines if one.is_of(names)]
        return RunHistory(
            _each_once(run.ref for run in runs),
            _each_once(run.pipeline_file for run in runs if run.pipeline_file),
            _each_once(run.variables for run in runs if run.variables),
        )

    async def schedules(self, names: frozenset[ProjectRef]) -> tuple[SentSchedule, ...]:
        """Return the schedules created by platui in a project, newest first."""
        sent = await asyncio.to_thread(lambda: self._store.value)
        return tuple(one for one in sent.schedules if one.new.project in names)

    def offers(self, operation: str) -> bool | None:
        """Return whether the platform supports an operation; None: unknown or outdated."""
        tried = self._tried.get(operation) or self._store.value.operations.get(operation)
        if tried is None or (not tried.is_supported and self._clock.now() - tried.at > _BELIEVED):
            return None
        return tried.is_supported

    def save_support(self, operation: str, *, offered: bool) -> None:
        self._tried[operation] = tried = OperationSupport(offered, self._clock.now())
        self._background_writer.write(lambda: self._store.save_operation(operation, tried))

    async def known_pipelines(self) -> frozenset[int]:
        """Return the ids of all pipelines started by platui, by other processes too."""
        kept = await asyncio.to_thread(self._store.read)
        known = (*self._store.value.pipelines, *kept.pipelines)
        return frozenset(one.pipeline for one in known if one.pipeline is not None)


def without_secrets(new: NewPipeline) -> NewPipeline:
    """Return the intent with each secret replaced by an empty one."""
    variables = tuple(
        RunVariable(item.key, Secret("")) if isinstance(item.value, Secret) else item
        for item in new.variables
    )
    return NewPipeline(new.project, new.ref, new.pipeline_file, variables, new.triggered)


def _each_once(values: Iterable[Any]) -> tuple[Any, ...]:
    return tuple(dict.fromkeys(values))[:_MOST]
