"""Drafts for running a pipeline again, from the best source available."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from platui.api.endpoints import pipelines, schedules
from platui.core.errors import PlatuiError
from platui.core.secrets import Secret
from platui.models.values.connection import Urgency
from platui.models.values.drafts import DraftSource, RunDraft
from platui.models.values.writes import PIPELINE_FILE_VARIABLE, NewPipeline, RunVariable
from platui.service.files.repository import VARIABLES_NOT_TO_BE_HAD, variables_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from platui.api.api_client import ApiClient
    from platui.models.values.queries import ProjectRef
    from platui.models.wire import Pipeline, Schedule, Variable
    from platui.service.writes.sent_history import SentHistory

_SCHEDULES: Final = 5  # schedules to check for the one that started a pipeline


class Reruns:
    """Creates drafts; bypasses the cache on disk, since values may be secrets."""

    def __init__(self, caller: ApiClient, history: SentHistory) -> None:
        self._caller = caller
        self._history = history

    async def draft(
        self, project: ProjectRef, names: frozenset[ProjectRef], pipeline: int
    ) -> RunDraft:
        sent = await self._history.pipeline(names, pipeline)
        if sent is not None:
            return RunDraft(sent.new, DraftSource.SENT, knows_file=True, knows_variables=True)
        record = await self._caller.get(pipelines.pipeline(project, pipeline), Urgency.USER)
        variables = await variables_of(self._caller, project, pipeline)
        if variables is not None:
            return draft_from(project, record.ref, variables, DraftSource.VARIABLES)
        if record.source in {"", "schedule"}:
            variables = await self._of_schedule(project, record)
            if variables is not None:
                return draft_from(project, record.ref, variables, DraftSource.SCHEDULE)
        return RunDraft(
            NewPipeline(project, plain_ref(record.ref)),
            DraftSource.NOTHING,
            knows_file=False,
            knows_variables=False,
        )

    async def _of_schedule(
        self, project: ProjectRef, pipeline: Pipeline
    ) -> tuple[Variable, ...] | None:
        try:
            page = await self._caller.get(schedules.schedules(project).page(), Urgency.USER)
        except VARIABLES_NOT_TO_BE_HAD:
            return None
        ref = plain_ref(pipeline.ref)
        candidates = [one for one in page.items if plain_ref(one.ref) == ref][:_SCHEDULES]
        for schedule in candidates:
            detail = await self._schedule(project, schedule)
            last = None if detail is None else detail.last_pipeline
            if detail is not None and last is not None and last.id == pipeline.id:
                return detail.variables
        return None

    async def _schedule(self, project: ProjectRef, schedule: Schedule) -> Schedule | None:
        try:
            return await self._caller.get(schedules.schedule(project, schedule.id), Urgency.USER)
        except PlatuiError:
            return None  # the draft marks the unknown parts


def draft_from(
    project: ProjectRef, ref: str, variables: Iterable[Variable], source: DraftSource
) -> RunDraft:
    """Return the draft of these variables; one of them may name the pipeline file.

    Without it the file is unknown: the default may have changed, or a commit message may have named
    one. The variables of a schedule are incomplete, since more may be set by hand.
    """
    file = ""
    others = []
    for one in variables:
        if one.key == PIPELINE_FILE_VARIABLE:
            file = one.value or ""
        elif one.key:
            others.append(RunVariable(one.key, Secret("") if one.value is None else one.value))
    return RunDraft(
        NewPipeline(project, plain_ref(ref), file, tuple(others)),
        source,
        knows_file=bool(file),
        knows_variables=source is DraftSource.VARIABLES,
    )


def plain_ref(ref: str) -> str:
    """Return the short name of a ref: `refs/heads/main` is `main`."""
    return ref.removeprefix("refs/heads/").removeprefix("refs/tags/")
