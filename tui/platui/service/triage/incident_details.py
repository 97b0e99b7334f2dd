"""Fetch the details of an incident on demand: its cause, and the variables that changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from platui.analysis.triage.timeline import changed_variables
from platui.core.errors import PlatuiError
from platui.models.values.connection import Urgency
from platui.service.files.repository import variables_of
from platui.service.triage.causes import Causes

if TYPE_CHECKING:
    from platui.api.api_client import ApiClient
    from platui.models.values.queries import ProjectRef
    from platui.models.values.triage import Cause, ChangedVariable, PipelineRun
    from platui.service.feeds.read_context import ReadContext


class IncidentDetails:
    """Finds what the lists of pipelines and jobs lack; each response is fetched once."""

    def __init__(self, caller: ApiClient, context: ReadContext) -> None:
        self._caller = caller
        self._causes = Causes(context, context.logs.log, lambda: Urgency.USER)

    async def cause(
        self, project: ProjectRef, red: PipelineRun, green: PipelineRun | None
    ) -> Cause:
        causes = self._causes
        try:
            if not causes.is_settled(red, green):
                return await causes.find(project, red, green)
        except PlatuiError:
            if causes.known(red) is None:
                raise  # otherwise only the comparison with the last success failed
        known = causes.known(red)
        assert known is not None  # noqa: S101  (it is settled, or was found before the error)
        return known

    async def changed_variables(
        self, project: ProjectRef, before: int, after: int
    ) -> tuple[ChangedVariable, ...] | None:
        """Return the variables that differ between two pipelines; None: not available for both."""
        found = []
        for pipeline in (before, after):
            variables = await variables_of(self._caller, project, pipeline)
            if variables is None:
                return None
            found.append({one.key: one.value for one in variables if one.key})
        return changed_variables(*found)
