"""Drafts for running a pipeline again, from the best source available."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from platui.api.endpoints import pipelines, schedules
from platui.core.errors import PlatuiError
from platui.core.secrets import Secret
from platui.models.values.connection import Urgency
from platui.models.values.drafts import DraftSource, RunDraft
from platui.models.values.writes import PIPELINE_FILE_VARIABLE, NewPipeline, RunVariable
from platui.service.files.repository import VARIABLES_NOT_TO_BE_HAD, variables_of

if TYPE_CHECKING:
    from platui.api.api_client import ApiClient
    from platui.models.values.queries import ProjectRef
    from platui.models.wire import Pipeline, Variable

_ENV_VAR: Final = "env_var"  # spec §4.3
_SCHEDULES: Final = 5  # schedules to check for the one that started a pipeline


async def rerun_draft(caller: ApiClient, project: ProjectRef, pipeline: int) -> RunDraft:
    """Return the draft of a rerun; bypasses the cache on disk, since values may be secrets."""
    record = await caller.get(pipelines.pipeline(project, pipeline), Urgency.USER)
    variables = await variables_of(caller, project, pipeline)
    if variables is not None:
        return draft_from(project, record.ref, variables, DraftSource.VARIABLES)
    if record.source in {"", "schedule"}:
        variables = await _variables_of_schedule(caller, project, record)
        if variables is not None:
            return draft_from(project, record.ref, variables, DraftSource.SCHEDULE)
    new = NewPipeline(project, plain_ref(record.ref))
    return RunDraft(new, DraftSource.NOTHING, knows_file=False, knows_variables=False)


async def _variables_of_schedule(
    caller: ApiClient, project: ProjectRef, pipeline: Pipeline
) -> tuple[Variable, ...] | None:
    try:
        page = await caller.get(schedules.schedules(project).page(), Urgency.USER)
    except VARIABLES_NOT_TO_BE_HAD:
        return None
    ref = plain_ref(pipeline.ref)
    candidates = [one for one in page.items if plain_ref(one.ref) == ref][:_SCHEDULES]
    for one in candidates:
        with suppress(PlatuiError):  # the draft marks the unknown parts
            schedule = await caller.get(schedules.schedule(project, one.id), Urgency.USER)
            last = schedule.last_pipeline
            if last is not None and last.id == pipeline.id:
                return schedule.variables
    return None


def draft_from(
    project: ProjectRef, ref: str, variables: Iterable[Variable], source: DraftSource
) -> RunDraft:
    """Return the draft of these variables; the pipeline file is unknown unless one names it."""
    file = ""
    others, files = [], set[str]()
    for one in variables:
        if one.key == PIPELINE_FILE_VARIABLE:
            file = one.value or ""
        elif one.key:
            if one.variable_type not in {"", _ENV_VAR}:
                files.add(one.key)
            others.append(RunVariable(one.key, Secret("") if one.value is None else one.value))
    return RunDraft(
        NewPipeline(project, plain_ref(ref), file, tuple(others)),
        source,
        knows_file=bool(file),
        knows_variables=source is DraftSource.VARIABLES,
        files=frozenset(files),
    )


def plain_ref(ref: str) -> str:
    """Return the short name of a ref: `refs/heads/main` is `main`."""
    return ref.removeprefix("refs/heads/").removeprefix("refs/tags/")
